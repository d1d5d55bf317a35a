"""What a file says of itself, put under fixed names that no application's filter reads.

A file can name its properties as it likes; only the few of `PROPERTY_NAMES` become properties of
the document, each with the prefix `doc_`. All else is kept as JSON in `source_metadata`.
"""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from graphrag.ingestion.readers.cleaning import clean_value, fold_blanks
from graphrag.model.cleaning import clean_text

__all__ = ["MAX_REST_CHARS", "PROPERTY_NAMES", "FileProperties", "choose_title", "map_properties"]

PROPERTY_NAMES: Mapping[str, tuple[str, ...]] = {
    "doc_title": ("title", "dc:title"),
    "doc_author": ("author", "authors", "dc:creator", "creator", "meta:author", "message:from"),
    "doc_created": ("created", "date", "dcterms:created", "meta:creation-date", "article:published_time"),
    "doc_modified": ("modified", "updated", "lastmod", "last_modified", "dcterms:modified", "article:modified_time"),
    "doc_language": ("language", "lang", "dc:language"),
    "doc_pages": ("pages", "xmptpg:npages", "meta:page-count", "meta:slide-count"),
}
"""Property and the names, in lower case, under which files tell it; the first one present is taken."""

MAX_REST_CHARS = 50_000
"""How much of a file's other metadata is kept, as JSON; a page can tell megabytes of it."""

_MAX_CHARS = 2_000
"""At four bytes a character this is the longest string that the store takes as a property."""
_DATES = ("doc_created", "doc_modified")


@dataclass(frozen=True, slots=True)
class FileProperties:
    """A file's metadata after the fixed mapping; `left_out` counts the values that were too many to keep."""

    properties: Mapping[str, object]
    rest: Mapping[str, object]
    left_out: int = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the report; empty where everything was kept."""
        if not self.left_out:
            return ()
        return (f"metadata left out, beyond {MAX_REST_CHARS} characters in all: {self.left_out}",)

    @property
    def title(self) -> str | None:
        """The title that the file tells, on one line."""
        value = self.properties.get("doc_title")
        return value if isinstance(value, str) else None

    @property
    def language(self) -> str | None:
        """The language tag that the file tells."""
        value = self.properties.get("doc_language")
        return value if isinstance(value, str) else None


def map_properties(metadata: Mapping[str, object], *, content_type: str) -> FileProperties:
    """Return a file's metadata split into `doc_` properties and the rest.

    Values of the rest stay what they are if JSON knows them, and become text otherwise. Empty values
    are left out.

    Args:
        metadata: What the file tells, by its own names.
        content_type: Media type that was found; becomes `doc_content_type`.
    """
    by_name: dict[str, str] = {}
    for key in metadata:
        by_name.setdefault(key.lower(), key)
    properties: dict[str, object] = {"doc_content_type": content_type}
    used: set[str] = set()
    for target, names in PROPERTY_NAMES.items():
        for key in (by_name[name] for name in names if name in by_name):
            value = _value(target, metadata[key])
            if value is not None:
                properties[target] = value
                used.add(key)
                break
    rest, left_out = _rest({key: value for key, value in metadata.items() if key not in used})
    return FileProperties(properties, rest, left_out)


def choose_title(candidates: Iterable[str | None]) -> str:
    """Return the first candidate that has text, on one line and at most 2,000 characters; else `untitled`."""
    for candidate in candidates:
        if candidate and (folded := fold_blanks(candidate)):
            return folded[:_MAX_CHARS]
    return "untitled"


def _rest(metadata: Mapping[str, object]) -> tuple[dict[str, object], int]:
    """Return the metadata as JSON values within their bound, and how many were left out."""
    kept: dict[str, object] = {}
    size = left_out = 0
    for key, value in metadata.items():
        if value is None or value == "":
            continue
        name, plain = clean_text(key).text, _json(clean_value(value))
        length = len(name) + len(json.dumps(plain))
        if size + length > MAX_REST_CHARS:
            left_out += 1
            continue
        size += length
        kept[name] = plain
    return kept, left_out


def _value(target: str, value: object) -> object:
    value = clean_value(value)
    if isinstance(value, list):
        value = ", ".join(str(item) for item in value)
    if target == "doc_pages":
        return _whole_number(value)
    if isinstance(value, (date, datetime)):
        return value
    text = fold_blanks(str(value))[:_MAX_CHARS] if value is not None else ""
    if not text:
        return None
    return _date(text) if target in _DATES else text


def _whole_number(value: object) -> int | None:
    text = str(value).strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None  # noqa: PLR2004 - fits 64 bits


def _date(text: str) -> object:
    """Return a date or date-time where the text is one in ISO 8601, else the text."""
    try:
        return date.fromisoformat(text) if len(text) == len("2024-01-31") else datetime.fromisoformat(text)
    except ValueError:
        return text


def _json(value: object) -> object:
    if isinstance(value, dict):
        return {str(key): _json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_json(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, (str, int, float, bool)) or value is None else str(value)
