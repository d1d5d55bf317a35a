"""Suggestions for names that are not known."""

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["did_you_mean"]

_MAX_CHARS = 40


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a question after the nearest known name, to append to a message; nothing where none is near."""
    near = get_close_matches(name[:_MAX_CHARS].lower(), tuple(known), n=1)
    return f" (did you mean `{near[0]}`?)" if near else ""
