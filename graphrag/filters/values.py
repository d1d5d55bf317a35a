"""What a filter may compare with: the kinds of values, and the checks of names and values.

Two values can be equal or in order only if they are of one kind. Whole and floating numbers are one kind;
booleans are none of it. A date is no date-time, and a date-time with a zone is another kind than one without.
"""

import math
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone
from enum import Enum
from itertools import islice
from typing import Literal, TypeAlias, cast
from zoneinfo import ZoneInfo

from graphrag.config import LIMITS
from graphrag.errors import InvalidFilterError

__all__ = [
    "MAX_KEY_CHARS",
    "MAX_LABEL_CHARS",
    "MAX_LIST_VALUES",
    "Kind",
    "ListValue",
    "Scalar",
    "check_key",
    "check_labels",
    "check_list",
    "check_ordered",
    "check_scalar",
    "check_text",
    "check_values",
    "kind_of",
]

Scalar: TypeAlias = str | bool | int | float | date | datetime | time | timedelta
ListValue: TypeAlias = tuple[Scalar, ...]
Kind: TypeAlias = Literal[
    "text", "boolean", "number", "date", "date-time", "zoned date-time", "time", "zoned time", "duration"
]

MAX_KEY_CHARS = 256
MAX_LABEL_CHARS = 64
MAX_LIST_VALUES = 1_000

_ORDERED: frozenset[Kind] = frozenset({"text", "boolean", "number", "date", "date-time", "zoned date-time"})
_FIRST_UNORDERED = "\ue000"
"""From here up a server orders text in two ways: by UTF-16 units in expressions, by code points in indexes."""
_NOT_FILTERED = frozenset({
    "text", "urtext", "metadata_json", "source_metadata", "own_metadata", "digest", "title_key", "run_id",
    "staged_at", "write_lock",
})  # fmt: skip
_NOT_FILTERED_PREFIX = "embedding"


def kind_of(value: Scalar) -> Kind:  # noqa: PLR0911 - one line a kind
    """Return the kind of a value."""
    match value:
        case bool():
            return "boolean"
        case str():
            return "text"
        case int() | float():
            return "number"
        case datetime():
            return "date-time" if value.tzinfo is None else "zoned date-time"
        case date():
            return "date"
        case time():
            return "time" if value.tzinfo is None else "zoned time"
        case timedelta():
            return "duration"


def check_key(key: object) -> str:
    """Return the name of a property that may be filtered on.

    Raises:
        InvalidFilterError: It is no text of 1 to 256 characters without NUL and lone surrogates, or a property that
            holds a long text, a vector or JSON, or that is an internal one.
    """
    if not isinstance(key, str) or isinstance(key, Enum):
        msg = f"a property's name is of type {type(key).__name__}; it must be text"
        raise InvalidFilterError(msg)
    if not 1 <= len(key) <= MAX_KEY_CHARS or not _is_clean(key):
        msg = (
            f"the property name {key[:80]!r} has {len(key)} characters; it must have 1 to {MAX_KEY_CHARS}, without NUL "
            "and lone surrogates"
        )
        raise InvalidFilterError(msg)
    if key in _NOT_FILTERED or key.startswith(_NOT_FILTERED_PREFIX):
        msg = (
            f"`{key}` cannot be filtered on: texts are searched, and vectors, JSON and internal properties have no "
            "value to compare with; filter on metadata, or on `uri`, `collection`, `document_title`, `section_path`"
        )
        raise InvalidFilterError(msg, place=key)
    return _plain(key)


def check_labels(labels: Iterable[object]) -> tuple[str, ...]:
    """Return labels to test for.

    Raises:
        InvalidFilterError: There is none, or too many, or one is no text of 1 to 64 characters without NUL.
    """
    if isinstance(labels, str):
        msg = "labels come one by one or as a list, not as one text"
        raise InvalidFilterError(msg, place="has_any_label")
    given = cast("object", labels)
    if not isinstance(given, Iterable):
        msg = f"labels come as a list of text; this is of type {type(given).__name__}"
        raise InvalidFilterError(msg, place="has_any_label")
    found = tuple(islice(labels, MAX_LIST_VALUES + 1))
    if not 1 <= len(found) <= MAX_LIST_VALUES:
        msg = f"{f'over {MAX_LIST_VALUES}' if found else 'no'} labels are given; it must be 1 to {MAX_LIST_VALUES}"
        raise InvalidFilterError(msg, place="has_any_label")
    return tuple(_label(label) for label in found)


def _label(label: object) -> str:
    if not isinstance(label, str) or isinstance(label, Enum):
        msg = f"a label is text; one is of type {type(label).__name__}"
        raise InvalidFilterError(msg, place="has_any_label")
    if not 1 <= len(label) <= MAX_LABEL_CHARS or not _is_clean(label):
        msg = (
            f"a label has {len(label)} characters; it must have 1 to {MAX_LABEL_CHARS}, without NUL and lone surrogates"
        )
        raise InvalidFilterError(msg, place="has_any_label")
    return _plain(label)


def check_scalar(value: object, key: str) -> Scalar:
    """Return a value that can be compared with.

    Raises:
        InvalidFilterError: It is None, NaN, a whole number outside 64 bits, a text with NUL, a lone surrogate or over
            8,000 bytes, a time with a zone that has no offset, or of another type than those that are stored.
    """
    match value:
        case None:
            msg = "the value is null; ask for presence with `exists`, for absence with its negation"
            raise InvalidFilterError(msg, place=key)
        case Enum():
            msg = f"the value is a {type(value).__name__}; pass its `.value` or `.name`"
            raise InvalidFilterError(msg, place=key)
        case bool():
            return value
        case str():
            return _text(value, key)
        case int():
            return _integer(value, key)
        case float():
            return _number(value, key)
        case datetime() | date() | time() | timedelta():
            return _moment(value, key)
        case _:
            msg = (
                f"the value is of type {type(value).__name__}; it must be str, bool, int, float, date, datetime, time "
                "or timedelta"
            )
            raise InvalidFilterError(msg, place=key)


def check_ordered(value: object, key: str) -> Scalar:
    """Return a value that has an order: text, numbers, booleans, dates and date-times.

    Raises:
        InvalidFilterError: As `check_scalar`; it has no order; or it is text with a character from U+E000 up, which
            servers order in two ways.
    """
    if isinstance(value, list | tuple):
        msg = "a list has no order; test for an element with `has_element`, or compare the whole with `eq`"
        raise InvalidFilterError(msg, place=key)
    scalar = check_scalar(value, key)
    kind = kind_of(scalar)
    if kind not in _ORDERED:
        msg = f"a {kind} has no order here; compare it with `eq`, `ne`, `in` or `nin`"
        raise InvalidFilterError(msg, place=key)
    if isinstance(scalar, str) and any(letter >= _FIRST_UNORDERED for letter in scalar):
        msg = "text with a character from U+E000 up has no single order over all stores; compare it with `eq` or `in`"
        raise InvalidFilterError(msg, place=key)
    return scalar


def check_text(value: object, key: str, operator: str) -> str:
    """Return a text to look for.

    Raises:
        InvalidFilterError: It is no text, or as `check_scalar`.
    """
    if not isinstance(value, str) or isinstance(value, Enum):
        msg = f"`{operator}` compares text; the value is of type {type(value).__name__}"
        raise InvalidFilterError(msg, place=key)
    return _text(value, key)


def check_list(value: Sequence[object], key: str) -> ListValue:
    """Return a list to compare with as a whole.

    Raises:
        InvalidFilterError: It is too long, an element is none that can be compared with, or its elements are of
            several kinds: no property holds such a list.
    """
    items = check_values(value, key)
    kinds = {kind_of(item) for item in items}
    if len(kinds) > 1:
        msg = f"the list holds {' and '.join(sorted(kinds))}; no property holds a list of several kinds"
        raise InvalidFilterError(msg, place=key)
    return items


def check_values(values: Iterable[object], key: str) -> ListValue:
    """Return the alternatives of a membership test, in their order.

    Raises:
        InvalidFilterError: There are too many, or one cannot be compared with.
    """
    items = tuple(islice(values, MAX_LIST_VALUES + 1))
    if len(items) > MAX_LIST_VALUES:
        msg = f"the list has over {MAX_LIST_VALUES} values; no more are taken"
        raise InvalidFilterError(msg, place=key)
    return tuple(check_scalar(item, f"{key}[{number}]") for number, item in enumerate(items))


def _is_clean(text: str) -> bool:
    if "\0" in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return False
    return True


def _text(value: str, key: str) -> str:
    if not _is_clean(value):
        msg = "the text holds NUL or a lone surrogate, which no stored text does"
        raise InvalidFilterError(msg, place=key)
    if len(value) > LIMITS.max_property_bytes or len(value.encode()) > LIMITS.max_property_bytes:
        msg = f"the text has over {LIMITS.max_property_bytes} bytes, more than any stored value; shorten it"
        raise InvalidFilterError(msg, place=key)
    return _plain(value)


def _plain(text: str) -> str:
    """Return a text of a subclass (numpy has one) as what it holds, whatever the subclass says that it is."""
    return str.__str__(text)


def _integer(value: int, key: str) -> int:
    if not -(2**63) <= value < 2**63:
        msg = "the whole number does not fit 64 bits; pass it as a float"
        raise InvalidFilterError(msg, place=key)
    return int(value)


def _number(value: float, key: str) -> float:
    if math.isnan(value):
        msg = "NaN equals nothing and has no order; ask for presence with `exists`"
        raise InvalidFilterError(msg, place=key)
    return float(value)


def _moment(value: date | time | timedelta, key: str) -> date | time | timedelta:
    if type(value) not in {date, datetime, time, timedelta}:
        # A subclass may hold more than is compared (nanoseconds of a pandas Timestamp).
        msg = f"the value is a {type(value).__name__}; convert it to a type of the module `datetime`"
        raise InvalidFilterError(msg, place=key)
    match value:
        case datetime() | time() if value.tzinfo is not None:
            return _zoned(value, key)
        case datetime() | time():
            return value.replace(fold=0)  # tells nothing without a zone
        case _:
            return value


def _zoned(value: datetime | time, key: str) -> datetime | time:
    """Return a value with its zone as UTC, a fixed offset, or a named one, so that equal filters are written alike."""
    offset = value.utcoffset()
    if offset is None:
        msg = "the time's zone has no offset without a date; give it a fixed offset, or none"
        raise InvalidFilterError(msg, place=key)
    zone = timezone(offset) if offset else UTC
    if isinstance(value, time):
        if offset % timedelta(minutes=1):
            msg = f"the time has the offset {offset} from UTC; offsets of whole minutes are stored"
            raise InvalidFilterError(msg, place=key)
        return value.replace(tzinfo=zone, fold=0)
    try:
        value.astimezone(UTC)
    except OverflowError:
        msg = "the date-time lies outside the years 1 to 9999 in UTC"
        raise InvalidFilterError(msg, place=key) from None
    if not isinstance(value.tzinfo, ZoneInfo) or not value.tzinfo.key:
        return value.replace(tzinfo=zone, fold=0)
    first = value.replace(fold=0)
    return first if first.utcoffset() == offset else value
