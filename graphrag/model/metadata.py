"""What an application may say of a document, a chunk or an entity, and how it is stored.

Scalars (str, bool, int, float, date, datetime, time, timedelta) and lists of one kind of scalar are
properties under their own names, and can be filtered on. Maps, mixed lists, nested lists and lists with
None are JSON text (`graphrag.model.tagged_json`); a store keeps all of these in its one property
`metadata_json`, so they read back equal, never meet another property, and cannot be filtered on.

None means absent. A list of whole and of floating numbers is a list of floats. Tuples become lists.
Everything else (bytes, Decimal, UUID, Path, Enum, set, ...) is refused: only the caller knows which
string or number stands for it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from enum import Enum
from typing import cast

from graphrag.config import LIMITS, Limits
from graphrag.errors import InvalidRequestError
from graphrag.model.cleaning import clean_text, cut_to_bytes
from graphrag.model.tagged_json import dump_tagged, load_tagged

__all__ = [
    "MAX_JSON_BYTES",
    "MAX_KEY_CHARS",
    "RESERVED_NAMES",
    "RESERVED_PREFIXES",
    "CleanMetadata",
    "Scalar",
    "bound_document_properties",
    "check_metadata",
    "decode_metadata",
    "is_reserved",
    "property_form",
]

Scalar = str | bool | int | float | date | datetime | time | timedelta

RESERVED_NAMES = frozenset({
    # every node of ours
    "id", "uri", "labels", "metadata", "metadata_json", "collection", "score",
    # documents
    "title", "ingested_at", "fingerprint", "content_type", "language", "document_properties", "source_metadata",
    "chunk_count", "truncated", "pinned_metadata", "own_metadata",
    # sections
    "document_id", "parent_id", "position", "level", "section_path", "title_key",
    # chunks
    "section_ids", "document_title", "sequence_number", "text", "urtext", "start", "end", "page", "source_start",
    "source_end", "digest", "run_id", "staged_at", "write_lock",
    # named entities
    "name", "description", "aliases", "origin", "entity_labels", "properties",
})  # fmt: skip
"""Property names that are ours; metadata under one of them is refused."""

RESERVED_PREFIXES = ("doc_", "embedding")
"""Names that begin so are ours too: what a file says of itself, and the vectors of every generation."""

MAX_KEY_CHARS = 256
MAX_JSON_BYTES = 64_000
"""Longest JSON form of one value; it is copied to every chunk of the document."""

_MAX_ELEMENTS = 10_000
_MAX_DEPTH = 16
_EXACT_IN_FLOAT = 2**53
_REMEDIES = {
    "bytes": "decode it, or pass its Base64 text",
    "Decimal": "pass `float(value)` to compare it as a number, or `str(value)`",
    "UUID": "pass `str(value)`",
}


@dataclass(frozen=True, slots=True)
class CleanMetadata:
    """Metadata that any store can hold.

    Attributes:
        properties: Scalars and lists of one kind, by name.
        json_properties: JSON text of every other value, by name.
        absent: Names that were given as None; a change of metadata removes them.
        nul_removed: How many NUL characters were taken out.
        surrogates_replaced: How many lone surrogates became U+FFFD.
    """

    properties: Mapping[str, Scalar | list[Scalar]] = field(default_factory=dict[str, Scalar | list[Scalar]])
    json_properties: Mapping[str, str] = field(default_factory=dict[str, str])
    absent: frozenset[str] = frozenset()
    nul_removed: int = 0
    surrogates_replaced: int = 0

    def values(self) -> dict[str, object]:
        """Return all values by name, as they will be read back."""
        return decode_metadata(self.properties, self.json_properties)

    def canonical(self) -> str:
        """Return one text for all of it, the same whatever the order of the names."""
        return dump_tagged(self.values())

    def metadata_json(self) -> str | None:
        """Return the text of the property `metadata_json`: an object of the JSON forms; None where empty."""
        if not self.json_properties:
            return None
        inner = (
            f"{json.dumps(name, ensure_ascii=False)}:{text}" for name, text in sorted(self.json_properties.items())
        )
        return "{" + ",".join(inner) + "}"


def check_metadata(metadata: Mapping[str, object], *, limits: Limits = LIMITS) -> CleanMetadata:
    """Return metadata in storable form.

    Args:
        metadata: By name. Names are 1 to 256 characters without NUL, and none of ours (`is_reserved`).
        limits: `max_property_bytes` bounds each string and each string in a list.

    Returns:
        Storable properties and JSON forms; strings in them hold no NUL and no lone surrogate.

    Raises:
        InvalidRequestError: A name is reserved or malformed; a string is too long; a whole number does not
            fit 64 bits; a value has a type that is not stored. The message names the key, not the value.
    """
    checker = _Checker(limits)
    properties: dict[str, Scalar | list[Scalar]] = {}
    json_properties: dict[str, str] = {}
    absent: set[str] = set()
    for key, raw in metadata.items():
        name = _check_name(key)
        if raw is None:
            absent.add(name)
            continue
        value = checker.clean(raw, name, depth=0)
        storable = property_form(value)
        if storable is not None:
            properties[name] = storable
        else:
            json_properties[name] = _bounded_json(name, value)
    return CleanMetadata(
        properties, json_properties, frozenset(absent), checker.nul_removed, checker.surrogates_replaced
    )


def decode_metadata(properties: Mapping[str, object], json_properties: Mapping[str, str]) -> dict[str, object]:
    """Return the values that `check_metadata` split, by name.

    Raises:
        InvalidRequestError: A JSON text is not what this package wrote.
    """
    return {**properties, **{name: load_tagged(text) for name, text in json_properties.items()}}


def is_reserved(name: str) -> bool:
    """Tell whether a property name is one of ours."""
    return name in RESERVED_NAMES or name.startswith(RESERVED_PREFIXES)


def bound_document_properties(properties: Mapping[str, object], *, limits: Limits = LIMITS) -> dict[str, object]:
    """Return what a file says of itself with its strings cleaned, and cut where a store could not hold them."""
    return {
        name: cut_to_bytes(clean_text(value).text, limits.max_property_bytes) if isinstance(value, str) else value
        for name, value in properties.items()
    }


def _check_name(name: object) -> str:
    if not isinstance(name, str):
        msg = f"a metadata name is of type {type(name).__name__}; it must be text"
        raise InvalidRequestError(msg)
    if not 1 <= len(name) <= MAX_KEY_CHARS or "\0" in name or clean_text(name).surrogates_replaced:
        msg = (
            f"metadata name {name[:80]!r} has {len(name)} characters; it must have 1 to {MAX_KEY_CHARS}, "
            "without NUL and lone surrogates"
        )
        raise InvalidRequestError(msg)
    if is_reserved(name):
        msg = f"metadata name `{name}` is reserved for this package; choose another, for example `my_{name}`"
        raise InvalidRequestError(msg)
    return name


def _bounded_json(name: str, value: object) -> str:
    text = dump_tagged(value)
    size = len(text.encode())
    if size > MAX_JSON_BYTES:
        msg = f"metadata `{name}` takes {size} bytes as JSON; at most {MAX_JSON_BYTES} are stored"
        raise InvalidRequestError(msg)
    return text


class _Checker:
    """Walks values, and counts what it cleans."""

    def __init__(self, limits: Limits) -> None:
        self._max_bytes = limits.max_property_bytes
        self.nul_removed = 0
        self.surrogates_replaced = 0

    def clean(self, value: object, name: str, *, depth: int) -> object:  # noqa: PLR0911 - one line a kind
        if depth > _MAX_DEPTH:
            msg = f"metadata `{name}` is nested deeper than {_MAX_DEPTH} levels; flatten it"
            raise InvalidRequestError(msg)
        if isinstance(value, Enum):
            raise _refusal(name, value, "pass its `.value` or `.name`")
        match value:
            case None | bool():
                return value
            case str():
                return self._string(value, name)
            case int():
                return _integer(value, name)
            case float():
                return float(value)
            case timedelta() | date() | time():
                return _moment(value, name)
            case list() | tuple():
                return self._list(cast("Sequence[object]", value), name, depth)
            case Mapping():
                return self._map(cast("Mapping[object, object]", value), name, depth)
            case _:
                remedy = _REMEDIES.get(type(value).__name__, "pass `str(value)`, or a list or map")
                raise _refusal(name, value, remedy)

    def _string(self, value: str, name: str) -> str:
        cleaned = clean_text(value)
        self.nul_removed += cleaned.nul_removed
        self.surrogates_replaced += cleaned.surrogates_replaced
        size = len(cleaned.text.encode())
        if size > self._max_bytes:
            msg = (
                f"metadata `{name}` holds a string of {size} bytes in UTF-8; at most {self._max_bytes} are stored: "
                "shorten it, or put it into the document's text"
            )
            raise InvalidRequestError(msg)
        # A subclass of str (numpy's, for one) is stored as what it is.
        return str(cleaned.text)

    def _list(self, value: Sequence[object], name: str, depth: int) -> list[object]:
        if len(value) > _MAX_ELEMENTS:
            msg = f"metadata `{name}` has {len(value)} elements; at most {_MAX_ELEMENTS} are stored"
            raise InvalidRequestError(msg)
        return [self.clean(item, name, depth=depth + 1) for item in value]

    def _map(self, value: Mapping[object, object], name: str, depth: int) -> dict[str, object]:
        inner: dict[str, object] = {}
        for key, item in value.items():
            if not isinstance(key, str):
                msg = f"metadata `{name}` has a map key of type {type(key).__name__}; map keys must be text"
                raise InvalidRequestError(msg)
            inner[self._string(key, name)] = self.clean(item, name, depth=depth + 1)
        if len(inner) < len(value):
            msg = f"metadata `{name}` has map keys that differ in NUL or lone surrogates alone; rename one"
            raise InvalidRequestError(msg)
        return inner


def _integer(value: int, name: str) -> int:
    if not -(2**63) <= value < 2**63:
        msg = f"metadata `{name}` holds a whole number outside 64 bits; pass it as a float or a string"
        raise InvalidRequestError(msg)
    return int(value)


def _moment(value: date | time | timedelta, name: str) -> date | time | timedelta:
    if type(value) not in {date, datetime, time, timedelta}:
        # A subclass may hold more than is stored (nanoseconds of a pandas Timestamp).
        raise _refusal(name, value, "convert it to the type of the module `datetime`")
    if isinstance(value, time | datetime) and value.tzinfo is not None and value.utcoffset() is None:
        raise _refusal(name, value, "its time zone has no offset without a date; give it a fixed offset, or none")
    return value


def _refusal(name: str, value: object, remedy: str) -> InvalidRequestError:
    return InvalidRequestError(
        f"metadata `{name}` holds a {type(value).__name__}, which is not stored: {remedy}. Stored are str, bool, int, "
        "float, date, datetime, time, timedelta, and lists and maps of these"
    )


def property_form(value: object) -> Scalar | list[Scalar] | None:
    """Return a clean value if a property can hold it under its own name, numbers of a list as one type; else None.

    What it gives None for is kept as JSON, which no filter sees.
    """
    if isinstance(value, Mapping):
        return None
    if not isinstance(value, list):
        return cast("Scalar", value)
    items = cast("list[object]", value)
    kinds = {_kind(item) for item in items}
    if len(kinds) <= 1 and kinds.isdisjoint({"map", "list", "none"}):
        return cast("list[Scalar]", items)
    if kinds == {"int", "float"}:
        numbers = cast("list[int | float]", items)
        # A database holds one type a list. Where a whole number would change as a float, the list is JSON.
        if all(isinstance(item, float) or abs(item) <= _EXACT_IN_FLOAT for item in numbers):
            return [float(item) for item in numbers]
    return None


def _kind(value: object) -> str:
    if isinstance(value, datetime | time):
        return f"{type(value).__name__}, {'naive' if value.tzinfo is None else 'aware'}"
    if isinstance(value, Mapping):
        return "map"
    return "none" if value is None else type(value).__name__
