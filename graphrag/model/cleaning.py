"""What a property of a graph database cannot hold: NUL and lone surrogates. Text passes here before it is hashed."""

import re
from dataclasses import dataclass

__all__ = ["CleanedText", "clean_text", "cut_to_bytes"]

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class CleanedText:
    """Text without NUL and without lone surrogates, and how many of each there were."""

    text: str
    nul_removed: int = 0
    surrogates_replaced: int = 0


def clean_text(text: str) -> CleanedText:
    """Return the text without NUL, and with each lone surrogate replaced by U+FFFD.

    All other control characters stay as they are.
    """
    nul = text.count("\0")
    if nul:
        text = text.replace("\0", "")
    # Encoding is many times faster than searching, and fails exactly where there is a lone surrogate.
    try:
        text.encode()
    except UnicodeEncodeError:
        text, replaced = _SURROGATE.subn("\N{REPLACEMENT CHARACTER}", text)
        return CleanedText(text, nul, replaced)
    return CleanedText(text, nul)


def cut_to_bytes(text: str, limit: int) -> str:
    """Return the text, or as much of its beginning as fits into `limit` UTF-8 bytes with a `…` after it."""
    raw = text.encode()
    if len(raw) <= limit:
        return text
    return raw[: limit - len("…".encode())].decode(errors="ignore") + "…"
