"""The form in which a SQL store keeps properties so that the database can decide every filter exactly.

Each value is one string: a letter for its kind, then a text that is equal where the values are equal and sorts, by
code points, as they sort. So the database needs no arithmetic and no dates, kinds never mix, and an ordinary index
answers equality and ranges.

    {"owner": "tAlice", "%lowner": "talice", "year": "n1457fc80000000000000", "tags": ["tred", "tblue"]}

Numbers are written as sign, exponent and 64 bits of mantissa: whole and floating numbers are in one order, exact up
to the last bit, which neither SQLite's nor JavaScript's reading of JSON is. Text that has upper case is there a
second time in lower case, made by Python, as no database lower-cases all of Unicode alike. It is a form to search
in, not one to read values back from.
"""

import json
import math
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, assert_never, cast

from graphrag.errors import InvalidRequestError
from graphrag.filters.values import Scalar
from graphrag.model.metadata import property_form

__all__ = [
    "after_kind",
    "after_prefix",
    "labels_to_json",
    "lowered_name",
    "properties_to_json",
    "stored_list",
    "stored_name",
    "stored_value",
]

_MAX_INTEGER: Final = 2**63
_MANTISSA_BITS: Final = 64
_FLOAT_BITS: Final = 53
_LOWEST_EXPONENT: Final = -1100
"""Below the exponent of any float, so that written exponents are not negative."""
_INFINITE_EXPONENT: Final = 0xFFF
_ALL_EXPONENTS: Final = 0xFFF
_ALL_MANTISSA: Final = 2**_MANTISSA_BITS - 1
_MICROSECOND: Final = timedelta(microseconds=1)
_NAN: Final = "x"
"""A value that is there, but equals nothing and is in no order."""
_LOWERED: Final = "%l"
_IN_PATH: Final = {ord(letter): f"%{ord(letter):02x}" for letter in ('%"\\' + "".join(map(chr, range(0x20))))}
"""What cannot stand within the quotes of a JSON path. The sign that escapes it is escaped, too."""
_SURROGATES: Final = range(0xD800, 0xE000)
_LAST_CODE_POINT: Final = 0x10FFFF


def properties_to_json(properties: Mapping[str, object]) -> str:
    """Return what a store keeps in its column of properties, a JSON object.

    Args:
        properties: The node's properties by name, as Python values. What no filter sees is left out: None, maps,
            lists of several kinds, whole numbers outside 64 bits.

    Raises:
        InvalidRequestError: A text holds NUL or a lone surrogate, which no database keeps.
    """
    stored: dict[str, str | list[str]] = {}
    for key, value in properties.items():
        form = _stored_form(value)
        if form is None:
            continue
        name = stored_name(key)
        stored[name] = form
        if isinstance(value, str) and (lowered := value.lower()) != value:
            stored[lowered_name(key)] = stored_value(lowered)
    return _clean_json(stored)


def labels_to_json(labels: Sequence[str]) -> str:
    """Return what a store keeps in its column of labels, a JSON array.

    Raises:
        InvalidRequestError: A label holds NUL or a lone surrogate.
    """
    return _clean_json(list(labels))


def stored_name(key: str) -> str:
    """Return the name under which a property is kept: the key, what a quoted JSON path cannot hold escaped by `%`."""
    return key.translate(_IN_PATH)


def lowered_name(key: str) -> str:
    """Return the name under which the text of a property is kept in lower case, where that differs."""
    return _LOWERED + stored_name(key)


def stored_list(values: Sequence[Scalar]) -> list[str]:
    """Return the form of each of the values."""
    return [stored_value(value) for value in values]


def stored_value(value: Scalar) -> str:  # noqa: PLR0911 - one line a kind
    """Return the form of a value. Its first letter is its kind."""
    match value:
        case bool():
            return "b1" if value else "b0"
        case str():
            return "t" + value
        case int() if not -_MAX_INTEGER <= value < _MAX_INTEGER:
            return _number(_as_float(value))
        case int() | float():
            return _number(value)
        case datetime():
            return f"m{_wall_clock(value)}" if value.tzinfo is None else f"z{_instant(value)}"
        case date():
            return f"d{value.isoformat()}"
        case time():
            if value.tzinfo is None:
                return f"c{_wall_clock(value)}"
            return f"k{_wall_clock(value)} {_microseconds(value.utcoffset())}"
        case timedelta():
            return f"i{_microseconds(value)}"
        case _:
            assert_never(value)


def after_kind(stored: str) -> str:
    """Return the least string that sorts after all values of the kind of a stored one."""
    return chr(ord(stored[0]) + 1)


def after_prefix(stored: str) -> str:
    """Return the least string that sorts after all those that begin with a stored one."""
    shortened = stored.rstrip(chr(_LAST_CODE_POINT))
    following = ord(shortened[-1]) + 1
    return shortened[:-1] + chr(_SURROGATES.stop if following in _SURROGATES else following)


def _stored_form(value: object) -> str | list[str] | None:
    match value:
        case list() | tuple():
            form = property_form(list(cast("Sequence[object]", value)))
            return None if form is None else stored_list(cast("list[Scalar]", form))
        case str() | bool() | float() | date() | time() | timedelta():
            return stored_value(value)
        case int() if -_MAX_INTEGER <= value < _MAX_INTEGER:
            return stored_value(value)
        case _:
            return None


def _number(value: float) -> str:
    """Return a form of fixed length in the order of numbers: 0 for negative, 1 for zero and positive."""
    if value == 0:
        return f"n1{0:03x}{0:016x}"
    if math.isnan(value):
        return _NAN
    exponent, mantissa = _INFINITE_EXPONENT, 0
    if isinstance(value, int):
        mantissa = abs(int(value))
        exponent = mantissa.bit_length()
        mantissa <<= _MANTISSA_BITS - exponent
        exponent -= _LOWEST_EXPONENT
    elif not math.isinf(value):
        fraction, exponent = math.frexp(abs(value))
        mantissa = int(math.ldexp(fraction, _FLOAT_BITS)) << (_MANTISSA_BITS - _FLOAT_BITS)
        exponent -= _LOWEST_EXPONENT
    if value > 0:
        return f"n1{exponent:03x}{mantissa:016x}"
    return f"n0{_ALL_EXPONENTS - exponent:03x}{_ALL_MANTISSA - mantissa:016x}"


def _as_float(value: int) -> float:
    """Return a whole number beyond 64 bits, which only a list may hold, as the float that equals it, else NaN."""
    try:
        nearest = float(value)
    except OverflowError:
        return math.nan
    return nearest if nearest == value else math.nan


def _wall_clock(value: datetime | time) -> str:
    return value.replace(tzinfo=None).isoformat(timespec="microseconds")


def _instant(value: datetime) -> str:
    """Return the microseconds of UTC since the day before the first one, as many digits for any of them."""
    offset = value.utcoffset()
    if offset is None:
        offset = value.astimezone(UTC).replace(tzinfo=None) - value.replace(tzinfo=None)
    since = value.replace(tzinfo=None) - datetime.min + timedelta(days=1) - offset  # noqa: DTZ901 - a wall clock
    return f"{since // _MICROSECOND:018d}"


def _microseconds(value: timedelta | None) -> str:
    return "" if value is None else str(value // _MICROSECOND)


def _clean_json(value: Mapping[str, str | list[str]] | list[str]) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    parts = value.values() if isinstance(value, Mapping) else value
    if "\\u0000" in text and any("\0" in part if isinstance(part, str) else "\0" in "".join(part) for part in parts):
        msg = "a text holds NUL, which no database keeps; take it out"
        raise InvalidRequestError(msg)
    try:
        text.encode()
    except UnicodeEncodeError:
        msg = "a name or a text holds a lone surrogate, which no database keeps; take it out"
        raise InvalidRequestError(msg) from None
    return text
