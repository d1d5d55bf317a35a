"""Dates and times between Python and the driver.

The driver asks a time zone for the offset of its own `DateTime`, which is no `datetime`. CPython's compiled
`zoneinfo` takes it for one without a check, and answers with another hour, or crashes the process
(measured with neo4j 6.1 on Python 3.11). So no `zoneinfo` zone is handed to the driver: named zones go as
those of pytz, which the driver itself uses, and come back as `zoneinfo`.
"""

from datetime import UTC, datetime, time, timedelta, timezone, tzinfo
from typing import cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pytz
from neo4j.time import Date, DateTime, Duration, Time

from graphrag.errors import InvalidRequestError

__all__ = ["driver_value", "python_value"]

_MINUTE = timedelta(minutes=1)
_PLAIN = frozenset({str, int, float, bool, type(None)})
"""What the driver gives as Python has it: nearly all values, told by one look."""


def driver_value(value: object) -> object:
    """Return a value as it is handed to the driver.

    Raises:
        InvalidRequestError: A time zone is unknown to the server, or its offset is not of whole minutes.
    """
    match value:
        case datetime() if value.tzinfo is not None:
            return _zoned(value)
        case time() if value.tzinfo is not None:
            zone = pytz.FixedOffset(_minutes(value.utcoffset()))
            return Time(value.hour, value.minute, value.second, value.microsecond * 1000, zone)
        case list():
            return [driver_value(item) for item in cast("list[object]", value)]
        case _:
            return value


def _zoned(value: datetime) -> datetime:
    name: object = getattr(value.tzinfo, "key", None) or getattr(value.tzinfo, "zone", None)
    minutes = _minutes(value.utcoffset())
    if not isinstance(name, str):
        # pytz takes no offset for its named zone UTC, which a server tells from the offset.
        return value.astimezone(pytz.FixedOffset(minutes) if minutes else UTC)
    try:
        zone = pytz.timezone(name)
    except pytz.UnknownTimeZoneError:
        msg = f"the time zone `{name[:64]}` is not known to the database; use one of the IANA names, or a fixed offset"
        raise InvalidRequestError(msg) from None
    return value.astimezone(zone)


def _minutes(offset: timedelta | None) -> int:
    if offset is None or offset % _MINUTE:
        msg = f"a time has the offset {offset} from UTC; offsets of whole minutes are stored"
        raise InvalidRequestError(msg)
    return offset // _MINUTE


def python_value(value: object) -> object:
    """Return a value that the driver gave as one of Python's own types.

    Durations with months, which Python lacks, come as ISO text.
    """
    return value if type(value) in _PLAIN else _converted(value)


def _converted(value: object) -> object:
    match value:
        case DateTime():
            return _with_own_zone(value.to_native())
        case Time():
            native = value.to_native()
            offset = value.utc_offset()
            return native if offset is None else native.replace(tzinfo=_fixed(offset))
        case Date():
            return value.to_native()
        case Duration():
            return _timedelta(value)
        case list():
            return [python_value(item) for item in cast("list[object]", value)]
        case _:
            return value


def _with_own_zone(value: datetime) -> datetime:
    offset = value.utcoffset()
    if offset is None:
        return value
    name: object = getattr(value.tzinfo, "zone", None)
    if isinstance(name, str) and name != "UTC":
        try:
            return value.astimezone(ZoneInfo(name))
        except (ZoneInfoNotFoundError, ValueError):  # this machine lacks the zone; the instant is what counts
            pass
    return value.astimezone(_fixed(offset))


def _fixed(offset: timedelta) -> tzinfo:
    return timezone(offset) if offset else UTC


def _timedelta(value: Duration) -> timedelta | str:
    months, days, seconds, nanoseconds = value
    if months:
        return value.iso_format()
    return timedelta(days=days, seconds=seconds, microseconds=nanoseconds // 1000)
