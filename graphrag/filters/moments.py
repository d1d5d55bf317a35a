"""Dates, times and durations as text, the same in the JSON and in the text form of filters.

    date        2024-01-31
    date-time   2024-01-31T09:00:00, with an offset 2024-01-31T09:00:00+01:00, with a zone besides
                2024-01-31T09:00:00+01:00[Europe/Berlin]
    time        09:00:00, with an offset 09:00:00+01:00
    duration    P1DT2H30M0.5S, -PT1S: days, hours, minutes, seconds; P2W; months and years have no fixed length

What is printed is read back equal. The offset before a zone tells which one of an hour that a clock repeats is meant.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

__all__ = ["MOMENTS", "Moment", "MomentKind", "moment_text", "read_moment"]

Moment: TypeAlias = date | datetime | time | timedelta
MomentKind: TypeAlias = Literal["date", "datetime", "time", "duration"]

_MAX_CHARS = 120
_ZONED = re.compile(r"(?P<moment>[^\[\]]+)\[(?P<zone>[A-Za-z0-9_+/-]+)\]")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_DURATION = re.compile(
    r"(?P<sign>-?)P(?:(?P<weeks>\d{1,9})W|(?:(?P<days>\d{1,9})D)?"
    r"(?P<clock>T(?:(?P<hours>\d{1,12})H)?(?:(?P<minutes>\d{1,12})M)?"
    r"(?:(?P<seconds>\d{1,15})(?:\.(?P<fraction>\d{1,6}))?S)?)?)",
    re.ASCII,
)


def moment_text(value: Moment) -> tuple[MomentKind, str]:
    """Return the kind of a date, date-time, time or duration, and the text that is read back as its equal."""
    match value:
        case datetime():
            return "datetime", _datetime_text(value)
        case date():
            return "date", value.isoformat()
        case time():
            return "time", value.isoformat()
        case timedelta():
            return "duration", _duration_text(value)


def read_moment(kind: MomentKind, text: str) -> Moment:
    """Return what a text says.

    Raises:
        ValueError: It is no such text; the message says what is accepted, without the text.
    """
    read, accepted = MOMENTS[kind]
    if len(text) <= _MAX_CHARS:
        try:
            return read(text)
        except (ValueError, OverflowError):
            pass
    msg = f"this is no {kind}: it is written as {accepted}"
    raise ValueError(msg)


def _datetime_text(value: datetime) -> str:
    zone = value.tzinfo.key if isinstance(value.tzinfo, ZoneInfo) else None
    return value.isoformat() if zone is None else f"{value.isoformat()}[{zone}]"


def _read_datetime(text: str) -> datetime:
    found = _ZONED.fullmatch(text)
    if found is None:
        return _plain_datetime(text)
    moment = _plain_datetime(found["moment"])
    try:
        zone = ZoneInfo(found["zone"])
    except (ZoneInfoNotFoundError, OSError) as error:
        raise ValueError from error
    for fold in (0, 1):
        candidate = moment.replace(tzinfo=zone, fold=fold)
        if moment.tzinfo is None or candidate.utcoffset() == moment.utcoffset():
            return candidate
    raise ValueError  # the zone has another offset then


def _plain_datetime(text: str) -> datetime:
    # Python also reads a date alone, as midnight: another kind here.
    if len(text) <= len("2024-01-31") or not _DATE.match(text):
        raise ValueError
    return datetime.fromisoformat(text)


def _read_date(text: str) -> date:
    if not _DATE.fullmatch(text):
        raise ValueError
    return date.fromisoformat(text)


def _duration_text(value: timedelta) -> str:
    sign, length = ("-", -value) if value < timedelta(0) else ("", value)
    days = f"{length.days}D" if length.days else ""
    fraction = f".{length.microseconds:06d}" if length.microseconds else ""
    clock = f"T{length.seconds}{fraction}S" if length.seconds or fraction or not days else ""
    return f"{sign}P{days}{clock}"


def _read_duration(text: str) -> timedelta:
    found = _DURATION.fullmatch(text)
    if found is None or text.endswith(("P", "T")):
        raise ValueError
    whole = {name: int(found[name] or 0) for name in ("weeks", "days", "hours", "minutes", "seconds")}
    length = timedelta(**whole, microseconds=int((found["fraction"] or "").ljust(6, "0")))
    return -length if found["sign"] else length


MOMENTS: Mapping[MomentKind, tuple[Callable[[str], Moment], str]] = {
    "date": (_read_date, "2024-01-31"),
    "datetime": (
        _read_datetime,
        (
            "2024-01-31T09:00:00, 2024-01-31T09:00:00+01:00 or 2024-01-31T09:00:00+01:00[Europe/Berlin] (a zone that "
            "this machine knows, with its offset)"
        ),
    ),
    "time": (time.fromisoformat, "09:00:00 or 09:00:00+01:00"),
    "duration": (_read_duration, "P1DT2H30M0.5S (weeks as P2W; no months or years)"),
}
"""How each kind is read, and what to tell who wrote it otherwise."""
