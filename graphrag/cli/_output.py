"""How results are printed: one JSON document, or lines for a person."""

import dataclasses
import json
import math
import os
import sys
from collections.abc import Iterable, Mapping
from datetime import date, time, timedelta
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import unquote

import click

from graphrag.cli._text import escape_json, plain_line

if TYPE_CHECKING:
    from graphrag.model import Datum
    from graphrag.stores.reports import Deletion

__all__ = [
    "as_mapping",
    "counted",
    "deletion_told",
    "jsonable",
    "print_json",
    "print_notes",
    "print_pairs",
    "shown_path",
    "shown_uri",
]

_FILE = "file://"


def print_json(value: object) -> None:
    """Print one JSON document on standard output."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("_", "-")
    text = json.dumps(jsonable(value), ensure_ascii=encoding not in {"utf-8", "utf8"}, allow_nan=False, indent=2)
    click.echo(escape_json(text))


def print_pairs(pairs: Mapping[str, object]) -> None:
    """Print names and values in two columns."""
    width = max((len(name) for name in pairs), default=0)
    for name, value in pairs.items():
        click.echo(f"{plain_line(name.replace('_', ' ')):<{width}}  {plain_line(_shown(value))}")


def print_notes(notes: Iterable[str]) -> None:
    """Print what was cut, skipped or replaced, on standard error."""
    for note in notes:
        click.echo(f"Note: {plain_line(note)}", err=True)


def jsonable(value: object) -> object:  # noqa: PLR0911 - one line a kind
    """Return a value in JSON's types: dates and times in ISO form, NaN and infinities as null."""
    match value:
        case None | bool() | int():
            return value
        case float():
            return value if math.isfinite(value) else None
        case Enum():
            return jsonable(value.value)
        case str():
            return str(value)
        case date() | time():
            return value.isoformat()
        case timedelta():
            return f"P{value.days}DT{value.seconds + value.microseconds / 1e6:g}S"
        case Mapping():
            return {str(name): jsonable(item) for name, item in cast("Mapping[object, object]", value).items()}
        case list() | tuple() | set() | frozenset():
            return [jsonable(item) for item in cast("Iterable[object]", value)]
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return {field.name: jsonable(getattr(value, field.name)) for field in dataclasses.fields(value)}
        case _:
            return str(value)


def counted(count: int, what: str) -> str:
    """Return a number with its noun: `1 chunk`, `2 chunks`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def deletion_told(gone: "Deletion") -> str:
    """Return how much a deletion took away, in words."""
    parts = (counted(gone.documents, "document"), counted(gone.sections, "section"), counted(gone.chunks, "chunk"))
    return f"Deleted {', '.join(parts)}."


def as_mapping(datum: "Datum") -> dict[str, object]:
    """Return what a document, section, chunk or entity is, under the names of the model, its kind first."""
    return {"kind": datum.labels()[-1], "labels": list(datum.labels()), **datum.model_dump()}


def shown_uri(uri: str) -> str:
    """Return a document's address for a person: a file's path, from the working folder where it lies below it."""
    if not uri.startswith(_FILE):
        return plain_line(uri)
    return shown_path(Path(unquote(uri.removeprefix(_FILE), errors="replace")))


def shown_path(path: Path) -> str:
    """Return a path for a person."""
    try:
        below = os.path.relpath(path)
    except (OSError, ValueError):  # the working folder is gone, or is on another drive
        below = ".."
    return plain_line(str(path) if below.startswith("..") else below)


def _shown(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={_shown(item)}" for name, item in cast("Mapping[str, object]", value).items()) or "-"
    if isinstance(value, list | tuple):
        return ", ".join(_shown(item) for item in cast("Iterable[object]", value)) or "-"
    return str(jsonable(value))
