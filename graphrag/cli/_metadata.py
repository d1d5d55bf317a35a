"""Metadata from the command line: `KEY=VALUE`, and files of JSON or TOML."""

import json
import math
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn, cast

import click

__all__ = ["parse_changes", "parse_meta", "read_meta_file"]


def parse_meta(pairs: Iterable[str]) -> dict[str, object]:
    """Return metadata of `KEY=VALUE` texts.

    A value that is a JSON scalar or list is taken as such (`2024`, `true`, `["a", "b"]`); `"2024"` in quotes is
    text, and so is everything else.

    Raises:
        click.BadParameter: A text has no `=`, or no key before it; or a key is given twice.
    """
    metadata: dict[str, object] = {}
    for pair in pairs:
        key, separator, value = pair.partition("=")
        if not separator or not key:
            msg = f"{pair!r} is not KEY=VALUE"
            raise click.BadParameter(msg)
        if key in metadata:
            msg = f'{key!r} is given twice; a list of values is written {key}=\'["a", "b"]\''
            raise click.BadParameter(msg)
        metadata[key] = _parse_value(value)
    return metadata


def parse_changes(pairs: Iterable[str]) -> dict[str, object]:
    """Return changes of metadata: as `parse_meta`, but `KEY=` without a value takes the key away (None)."""
    given = list(pairs)
    removed = {pair.removesuffix("=") for pair in given if pair.partition("=")[1:] == ("=", "")}
    return {key: None if key in removed and value == "" else value for key, value in parse_meta(given).items()}


def read_meta_file(path: Path) -> dict[str, object]:
    """Return the metadata of a JSON or TOML file; TOML has dates and times too.

    Raises:
        click.BadParameter: The file cannot be read, or holds no object at its top.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        values: object = tomllib.loads(text) if path.suffix.lower() == ".toml" else _load_json(text)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        msg = f"{str(path)!r} cannot be read as JSON or TOML: {reason}"
        raise click.BadParameter(msg) from error
    if not isinstance(values, dict):
        msg = f"{str(path)!r} must hold one JSON object, with a value for each name"
        raise click.BadParameter(msg)
    return cast("dict[str, object]", values)


def _parse_value(text: str) -> object:
    try:
        value = _load_json(text)
    except (ValueError, RecursionError):
        return text
    return text if isinstance(value, dict) else value


def _load_json(text: str) -> object:
    return json.loads(text, parse_constant=_refuse_constant, parse_float=_parse_float)


def _parse_float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):  # `1e999`: what is too large for a number stays as it was written
        raise ValueError(digits)
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)
