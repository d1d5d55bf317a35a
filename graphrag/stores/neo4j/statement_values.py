"""Values of a caller's statement: parameters as the driver takes them, answers as plain data without vectors."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, time, timedelta
from typing import Protocol, cast

from neo4j.graph import Node, Path, Relationship
from neo4j.spatial import Point
from neo4j.time import Date, DateTime, Duration, Time
from neo4j.vector import Vector

from graphrag.errors import InvalidRequestError
from graphrag.stores.neo4j.temporal import driver_value, python_value
from graphrag.stores.reports import StatementValue

__all__ = ["PlainValues", "statement_parameters"]

VECTOR_LENGTH = 64
"""So many floating-point numbers in one list are a vector, whatever it is called."""
_EMBEDDING = "embedding"
_MAX_DEPTH = 32
_MAX_PLACE_CHARS = 64
_INT64 = range(-(2**63), 2**63)
_ACCEPTED = (
    "text, numbers, booleans, None, bytes, dates, times, durations, lists, and mappings with names of text are accepted"
)


def statement_parameters(parameters: Mapping[str, object] | None, *, needed: frozenset[str]) -> dict[str, object]:
    """Return parameters in the form that the driver takes.

    Args:
        parameters: Values by name; more than the statement uses do no harm.
        needed: Names that the statement uses.

    Raises:
        InvalidRequestError: One is missing, or cannot be sent. The message tells its place and type, never its value.
    """
    given = cast("object", {} if parameters is None else parameters)
    if not isinstance(given, Mapping):
        msg = f"`parameters` is of type {type(given).__name__}; it must be a mapping of names to values"
        raise InvalidRequestError(msg)
    sent = cast("dict[str, object]", _sent(cast("Mapping[object, object]", given), "", 0))
    if missing := sorted(needed - set(sent)):
        msg = f"the statement uses parameters that are not given: {', '.join(f'`{name[:64]}`' for name in missing)}"
        raise InvalidRequestError(msg)
    return sent


def _sent(value: object, place: str, depth: int) -> object:
    if depth > _MAX_DEPTH:
        raise _unsendable(place, f"lies more than {_MAX_DEPTH} deep")
    match value:
        case None | bool() | float() | bytes() | bytearray():
            return value
        case int():
            if value not in _INT64:
                raise _unsendable(place, "is a whole number of more than 64 bits")
            return value
        case str():
            return _sent_text(value, place)
        case date() | time() | timedelta():
            return driver_value(value)
        case Mapping():
            items = cast("Mapping[object, object]", value).items()
            return {_name(name, place): _sent(item, _below(place, name), depth + 1) for name, item in items}
        case list() | tuple():
            return [
                _sent(item, f"{place}[{number}]", depth + 1)
                for number, item in enumerate(cast("Sequence[object]", value))
            ]
        case _:
            raise _unsendable(place, f"is of type {type(value).__name__}")


def _sent_text(value: str, place: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _unsendable(place, "holds half a character (a lone surrogate)") from None
    return value


def _name(name: object, place: str) -> str:
    if not isinstance(name, str):
        raise _unsendable(place, f"has a name of type {type(name).__name__}")
    return _sent_text(name, place)


def _below(place: str, name: object) -> str:
    return f"{place}.{name}" if place else str(name)


def _unsendable(place: str, why: str) -> InvalidRequestError:
    shown = ascii(place[:_MAX_PLACE_CHARS])[1:-1] if place else "parameters"
    return InvalidRequestError(f"parameter `{shown}` {why}; {_ACCEPTED}")


class _HasItems(Protocol):
    """What nodes and relationships of the driver have in common."""

    def items(self) -> Iterable[tuple[str, object]]: ...


class PlainValues:
    """Makes plain data of what the driver read, and counts.

    Args:
        dimensions: Length of the stored vectors; None where there is no schema.

    Attributes:
        size: About the bytes of the JSON text of all values so far.
        vectors: How many vectors were left out.
    """

    def __init__(self, dimensions: int | None) -> None:
        self._dimensions = dimensions
        self.size: int = 0
        self.vectors: int = 0

    def row(self, columns: Sequence[str], values: Iterable[object]) -> dict[str, StatementValue]:
        """Return one row by its columns."""
        return {name: self._named(name, value) for name, value in zip(columns, values, strict=True)}

    def _named(self, name: str, value: object) -> StatementValue:
        """Return the value of a column, property or map; an embedding is told by its name too."""
        self.size += len(name.encode("utf-8", "replace")) + 4
        # A column without a name of its own is called as it is written: `c.embedding`.
        last = name.rpartition(".")[2].strip("`").lower()
        if last.startswith(_EMBEDDING) and isinstance(value, list) and value and all(map(_is_number, value)):
            return self._vector(len(cast("list[object]", value)))
        return self.plain(value)

    def plain(self, value: object) -> StatementValue:  # noqa: PLR0911 - one a kind
        """Return a value as plain data (see `graphrag.stores.reports.StatementValue`)."""
        match value:
            case str():
                self.size += len(value.encode("utf-8", "replace")) + 2
                return value
            case None | bool() | int() | float():
                self.size += 8
                return value
            case bytes() | bytearray():
                self.size += len(value)
                return bytes(value)
            case Node() | Relationship() | Path():
                return self._of_graph(value)
            case Point():
                return self.plain({"srid": value.srid, "coordinates": list(value)})
            case Vector():
                return self._vector(len(value))
            case Date() | DateTime() | Time() | Duration():
                self.size += 24
                return cast("StatementValue", _moment(value))
            case Mapping():
                return self._mapping(cast("Mapping[str, object]", value).items())
            case list() | tuple():
                return self._list(cast("Sequence[object]", value))
            case _:
                # A type of a later server, which the driver reads as some object.
                return self.plain(f"<{type(value).__name__}>")

    def _mapping(self, items: Iterable[tuple[str, object]]) -> dict[str, StatementValue]:
        return {name: self._named(name, value) for name, value in items}

    def _list(self, items: Sequence[object]) -> StatementValue:
        long = len(items) >= VECTOR_LENGTH or len(items) == self._dimensions
        if long and all(type(item) is float for item in items):
            return self._vector(len(items))
        self.size += 2 * len(items)
        return [self.plain(item) for item in items]

    def _of_graph(self, value: Node | Relationship | Path) -> dict[str, StatementValue]:
        if isinstance(value, Path):
            return {
                "nodes": [self.plain(node) for node in value.nodes],
                "relationships": [self.plain(relationship) for relationship in value.relationships],
            }
        found: dict[str, StatementValue] = {"element_id": value.element_id}
        self.size += 80
        if isinstance(value, Node):
            found["labels"] = list[StatementValue](sorted(value.labels))
            self.size += sum(map(len, value.labels))
        else:
            found |= {"type": value.type, "start": _element_id(value.start_node), "end": _element_id(value.end_node)}
            self.size += len(value.type)
        return {**found, "properties": self._mapping(cast("_HasItems", value).items())}

    def _vector(self, length: int) -> str:
        self.vectors += 1
        self.size += 24
        return f"<vector of {length} numbers>"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _element_id(node: Node | None) -> str | None:
    return None if node is None else node.element_id


def _moment(value: Date | DateTime | Time | Duration) -> object:
    """Return a date, time or duration as Python's own; as ISO text where it is beyond what that holds."""
    try:
        return python_value(value)
    except (ValueError, OverflowError):
        return value.iso_format()
