"""Front matter of a Markdown file: `key: value` lines between two lines of three dashes.

A small part of YAML, read without running anything: scalars, quoted strings, lists in one line or one
item a line. A value of deeper structure is kept as the text that it is. What does not read as such
lines is no front matter and stays text.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["FrontMatter", "split_front_matter"]

_FENCED = re.compile(
    r"---[ \t]*(?:\r\n|\n|\r)(?P<body>.*?)(?:(?<=\n)|(?<=\r))(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)", re.DOTALL
)
_KEY = re.compile(r"(?P<key>[A-Za-z_][\w .:-]{0,99}?)[ \t]*:(?:[ \t]+(?P<value>.*))?")
_ITEM = re.compile(r"[ \t]*-(?:[ \t]+(?P<value>.*))?")
_NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?")
_WORDS: Mapping[str, object] = {"true": True, "false": False, "null": None, "~": None, "": None}
_MAX_CHARS = 100_000


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What the lines say, and the code point at which the text behind them begins."""

    values: Mapping[str, object]
    end: int


def split_front_matter(text: str) -> FrontMatter:
    """Return the front matter of a Markdown text; without one, no values and end 0."""
    none = FrontMatter({}, 0)
    if not text.startswith("---"):
        return none
    found = _FENCED.match(text, 0, _MAX_CHARS)
    if found is None:
        return none
    values = _parse(re.split(r"\r\n|\n|\r", found["body"]))
    return none if values is None else FrontMatter(values, found.end())


def _parse(lines: Sequence[str]) -> dict[str, object] | None:
    """Return the values; None where a line is none that front matter has."""
    values: dict[str, object] = {}
    nested: dict[str, list[str]] = {}
    key = ""
    for line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line[0] in " \t" or (line.startswith("-") and _ITEM.fullmatch(line)):
            if not key:
                return None
            nested.setdefault(key, []).append(line)
            continue
        found = _KEY.fullmatch(line)
        if found is None:
            return None
        key = found["key"]
        values[key] = _scalar((found["value"] or "").strip())
    for name, below in nested.items():
        values[name] = _nested(values[name], below)
    return values or None


def _nested(first: object, lines: Sequence[str]) -> object:
    items = [_ITEM.fullmatch(line) for line in lines]
    if first is None and all(items):
        return [_scalar((item["value"] or "").strip()) for item in items if item]
    block = [str(first)] if first not in (None, "|", ">", "|-", ">-") else []
    if first is None:
        return "\n".join(lines)  # a map or deeper lists: kept as written
    return ("\n" if first in {"|", "|-"} else " ").join([*block, *(line.strip() for line in lines)])


def _scalar(raw: str) -> object:
    if len(raw) > 1 and raw[0] == raw[-1] and raw[0] in "\"'":
        inner = raw[1:-1]
        return inner.replace("''", "'") if raw[0] == "'" else inner.replace('\\"', '"').replace("\\\\", "\\")
    if raw.startswith("[") and raw.endswith("]"):
        return [_scalar(item.strip()) for item in raw[1:-1].split(",") if item.strip()]
    raw = re.sub(r"(?:^|[ \t])#.*", "", raw).rstrip()
    lowered = raw.lower()
    if lowered in _WORDS:
        return _WORDS[lowered]
    if _NUMBER.fullmatch(raw):
        return float(raw) if "." in raw else int(raw)
    return raw
