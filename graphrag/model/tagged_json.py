"""JSON that loses nothing: maps and mixed lists of metadata as text, read back equal.

Dates and times are tagged. The JSON form of filters (`graphrag.filters.json_form`) has tags of the same names, but
writes zones and durations as text, and has no NaN: neither form reads the other.

    date                {"$date": "2024-01-31"}
    date-time           {"$datetime": "2024-01-31T09:00:00+01:00", "$zone": "Europe/Berlin"}
    time                {"$time": "09:00:00"}
    timedelta           {"$duration": [days, seconds, microseconds]}
    NaN and infinities  {"$float": "nan"}
    a map with a key that begins with `$`    {"$map": {…}}

`$zone` stands only where the value had a named zone. Tuples come back as lists.
"""

import json
import math
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from typing import cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from graphrag.errors import InvalidRequestError

__all__ = ["dump_tagged", "load_tagged"]

_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
"""Made once: every chunk's digest needs it."""
_PLAIN = frozenset({str, int, bool, type(None)})
"""What needs no tag, told without the slower tests for maps and dates."""


def dump_tagged(value: object) -> str:
    """Return a cleaned metadata value as JSON text, the same text for equal values.

    Args:
        value: None, bool, int, float, str, date, datetime, time, timedelta, or lists and maps of these.
            Map keys must be strings. `check_metadata` makes sure of all this.
    """
    return _ENCODER.encode(_tag(value))


def load_tagged(text: str) -> object:
    """Return the value that `dump_tagged` wrote.

    Raises:
        InvalidRequestError: The text is not JSON, or a tag in it has a value that is none of its kind.
    """
    try:
        return _untag(json.loads(text))
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        msg = "stored JSON metadata cannot be read; it must be what this package wrote (was it edited by hand?)"
        raise InvalidRequestError(msg) from error


def _tag(value: object) -> object:  # noqa: PLR0911 - one line a kind
    if type(value) in _PLAIN:
        return value
    match value:
        case datetime():
            zone = getattr(value.tzinfo, "key", None)
            return {"$datetime": value.isoformat()} | ({"$zone": zone} if isinstance(zone, str) else {})
        case date():
            return {"$date": value.isoformat()}
        case time():
            return {"$time": value.isoformat()}
        case timedelta():
            return {"$duration": [value.days, value.seconds, value.microseconds]}
        case float() if not math.isfinite(value):
            return {"$float": repr(value)}
        case list() | tuple():
            return [_tag(item) for item in cast("list[object]", value)]
        case Mapping():
            tagged = {str(key): _tag(item) for key, item in cast("Mapping[str, object]", value).items()}
            return {"$map": tagged} if any(key.startswith("$") for key in tagged) else tagged
        case _:
            return value


def _untag(value: object) -> object:
    if isinstance(value, list):
        return [_untag(item) for item in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    mapping = cast("dict[str, object]", value)
    for tag, read in _READERS.items():
        if tag in mapping:
            return read(mapping)
    return {key: _untag(item) for key, item in mapping.items()}


def _read_datetime(mapping: Mapping[str, object]) -> datetime:
    moment = datetime.fromisoformat(str(mapping["$datetime"]))
    name = mapping.get("$zone")
    if not isinstance(name, str):
        return moment
    try:
        zone = ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return moment  # the instant is right; this machine lacks the zone's rules
    first = moment.replace(tzinfo=zone, fold=0)
    return first if first.utcoffset() == moment.utcoffset() else first.replace(fold=1)


def _read_duration(mapping: Mapping[str, object]) -> timedelta:
    days, seconds, microseconds = cast("list[int]", mapping["$duration"])
    return timedelta(days, seconds, microseconds)


def _read_map(mapping: Mapping[str, object]) -> dict[str, object]:
    inner = dict(cast("Mapping[str, object]", mapping["$map"]))
    return {key: _untag(item) for key, item in inner.items()}


_READERS: Mapping[str, Callable[[Mapping[str, object]], object]] = {
    "$map": _read_map,
    "$date": lambda mapping: date.fromisoformat(str(mapping["$date"])),
    "$datetime": _read_datetime,
    "$time": lambda mapping: time.fromisoformat(str(mapping["$time"])),
    "$duration": _read_duration,
    "$float": lambda mapping: float(str(mapping["$float"])),
}
