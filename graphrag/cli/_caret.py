"""Showing a place in what a user wrote: the text around it, and a caret below."""

import re
import unicodedata
from collections.abc import Iterator

__all__ = ["caret_lines"]

_PLACE = re.compile(r"character (?P<number>\d+)")
_BEFORE = 50
_AFTER = 25
_CUT = "…"


def caret_lines(text: str, place: str) -> Iterator[str]:
    """Yield two lines, the text around a place and a caret below it; nothing where the place is no character.

    Args:
        text: What was written; lines of it are shown as one, and what a terminal might obey as U+FFFD.
        place: `character 17`, counted from 1; one behind the end is the end.
    """
    found = _PLACE.fullmatch(place)
    if found is None:
        return
    at = min(int(found["number"]) - 1, len(text))
    start, end = max(0, at - _BEFORE), min(len(text), at + _AFTER)
    before = (_CUT if start else "") + _shown(text[start:at])
    yield f"  {before}{_shown(text[at:end])}{_CUT if end < len(text) else ''}"
    yield f"  {' ' * sum(map(_columns, before))}^"


def _shown(text: str) -> str:
    """Return the text with one character for each of it, and none that is not printed."""
    return "".join(
        character if character.isprintable() else " " if character.isspace() else "\N{REPLACEMENT CHARACTER}"
        for character in text
    )


def _columns(character: str) -> int:
    """Return how many columns of a terminal a character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
