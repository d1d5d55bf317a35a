"""Text of documents made safe for a terminal, which obeys control characters."""

import re

__all__ = ["escape_json", "plain", "plain_line", "snippet", "words_of"]

# C0 but tab and line feed, DEL, C1, line and paragraph separators, what changes the direction of text, surrogates.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_UNSAFE_IN_JSON = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_BLANKS = re.compile(r"\s+")
_BLANKS_IN_LINE = re.compile(r"[ \t]+")
_LINE_END = re.compile(r"\s*\n\s*")
_RUNS_ON = re.compile(r"\n(?!\||[-*•] |\d+[.)] )")
"""A line end that is none for a reader: the next line is no row of a table and no item of a list."""
_BOUNDARY = re.compile(r"[.!?] |\n")
_WORD = re.compile(r"\w+(?:[-/.]\w+)*")
_SHORT_WORD = 3
"""Shorter words say little about where in a text the answer stands."""
_STEM = 5
"""So many letters of a long word are looked for, so that `rescue` finds `rescued`."""


def plain(text: str) -> str:
    """Return the text with each character that a terminal might obey replaced by U+FFFD; lines and tabs stay."""
    return _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n").replace("\r", "\n"))


def plain_line(text: str) -> str:
    """Return the text safe and on one line."""
    return plain(_BLANKS.sub(" ", text).strip())


def escape_json(text: str) -> str:
    """Return JSON text with the escapes of JSON for what a terminal might obey, or cannot be encoded."""
    return _UNSAFE_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def words_of(query: str) -> list[str]:
    """Return what to look for of a query's words: those that tell something, long ones cut to their beginning."""
    words = dict.fromkeys(word.lower() for word in _WORD.findall(query))
    telling = [word for word in words if len(word) > _SHORT_WORD or not word.isalpha()]
    return [word[:_STEM] if word.isalpha() else word for word in telling]


def snippet(text: str, query: str, *, width: int) -> str:
    """Return the part of a text that holds most words of a query.

    Args:
        text: A chunk's text.
        query: What was searched for; where none of its words is in the text, the beginning is returned.
        width: Longest snippet, in characters, without the `…` that stands for what was left out.

    Returns:
        Lines of a table or a list stay lines; all others run on.
    """
    whole = _BLANKS_IN_LINE.sub(" ", _RUNS_ON.sub(" ", _LINE_END.sub("\n", plain(text).strip())))
    if len(whole) <= width:
        return whole
    start = _best_start(whole, words_of(query), width)
    end = min(len(whole), start + width)
    if end < len(whole):
        end = max(whole.rfind(" ", start, end), start + width // 2)
    return ("…" if start else "") + whole[start:end].strip() + ("…" if end < len(whole) else "")


def _best_start(text: str, words: list[str], width: int) -> int:
    """Return where the window with the most different words begins: at a sentence or line; the first of equals."""
    lower = text.lower()
    if len(lower) != len(text):  # a letter grew, so that places in it are none in the text
        lower = text
    places = sorted(
        (found.start(), word) for word in words for found in re.finditer(rf"(?<!\w){re.escape(word)}", lower)
    )
    seen = width * 3 // 4
    best, most = 0, len({word for place, word in places if place < seen})
    for first, _ in places:
        count = len({word for place, word in places if first <= place < first + seen})
        if count > most:
            best, most = first, count
    if best == 0:
        return 0
    # Near the end of the text the window begins earlier, so that it is full.
    earliest = max(0, min(best - width // 4, len(text) - width))
    boundary = _BOUNDARY.search(text, earliest, best)
    return boundary.end() if boundary else text.rfind(" ", earliest, best) + 1
