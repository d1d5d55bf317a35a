"""How many terms an analyzer makes of a text, and where each ends.

The server's analyzers cut text by the rules of Unicode for words (UAX #29), as Lucene's `StandardTokenizer` has them;
what is stated here was compared with it for every character, and `make strings-check` compares searches. A count that
is too high would cut a query of words that it may have; one that is too low by far would send more than Lucene takes
(1,024).

Source: Unicode Standard Annex #29; Lucene's `StandardTokenizer`, which knows Unicode 12.1.
"""

import re
import unicodedata
from functools import lru_cache

__all__ = ["first_tokens", "is_token_char"]

_LONGEST = 255
"""An analyzer cuts longer terms into pieces of so many characters."""

# Characters of which each is a term: pictures, ideographs, Hiragana.
_EACH = re.compile(
    "[\xa9\xae\u203c\u2049\u2122\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u2388\u23cf\u23e9-\u23f3\u23f8-\u23fa\u25aa\u25ab"
    "\u25b6\u25c0\u25fb-\u25fe\u2600-\u2605\u2607-\u2612\u2614-\u2685\u2690-\u2705\u2708-\u2712\u2714\u2716\u271d\u2721\u2728"
    "\u2733\u2734\u2744\u2747\u274c\u274e\u2753-\u2755\u2757\u2763-\u2767\u2795-\u2797\u27a1\u27b0\u27bf\u2934\u2935"
    "\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u3007\u3021-\u3029\u3030\u3038-\u303a\u303d"
    "\u3041-\u3096\u309d-\u309f\u3297\u3299\u3400-\u4db5\u4e00-\u9fef\uf900-\ufa6d\ufa70-\ufad9\U0001b001-\U0001b11e"
    "\U0001b150-\U0001b152\U0001f000-\U0001f0ff\U0001f10d-\U0001f10f\U0001f12f\U0001f16c-\U0001f16f\U0001f18e"
    "\U0001f191-\U0001f19a\U0001f1ad-\U0001f1e5\U0001f200-\U0001f20f\U0001f21a\U0001f22f\U0001f232-\U0001f23a"
    "\U0001f23c-\U0001f23f\U0001f249-\U0001f3fa\U0001f400-\U0001f53d\U0001f546-\U0001f64f\U0001f680-\U0001f6ff"
    "\U0001f774-\U0001f77f\U0001f7d5-\U0001f7ff\U0001f80c-\U0001f80f\U0001f848-\U0001f84f\U0001f85a-\U0001f85f"
    "\U0001f888-\U0001f88f\U0001f8ae-\U0001f8ff\U0001f90c-\U0001f93a\U0001f93c-\U0001f945\U0001f947-\U0001fffd"
    "\U00020000-\U0002a6d6\U0002a700-\U0002b734\U0002b740-\U0002b81d\U0002b820-\U0002cea1\U0002ceb0-\U0002ebe0"
    "\U0002f800-\U0002fa1d]"
)
_IDEOGRAPH = re.compile(
    "[\u2e80-\u3029\u3038-\u303a\u3041-\u309f\u3400-\ufad9\U0001b001-\U0001b152\U00020000-\U0002fa1d]"
)
# Marks that are letters to an analyzer.
_LETTERS = re.compile(
    "[\U0001f130-\U0001f149\U0001f150-\U0001f169\U0001f170-\U0001f189\u24b6-\u24e9\u02c2-\u02c5\u02d2-\u02d7\u02de\u02df\u02ed\u02ef-\u02ff\u055b\u055c\u055e\u05f3\ua720\ua721\ua789\ua78a\uab5b]"
)
# Letters that came into Unicode later, or that Lucene leaves out.
_NO_LETTERS = re.compile("[\u3006\uff9e\uff9f\U00017000-\U00018d08\U0001b170-\U0001b2fb\U00030000-\U0003134a]")
_KATAKANA = re.compile("[\u3031-\u3035\u309b\u309c\u30a0-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u32d0-\u32fe\u3300-\u3357"
                       "\uff66-\uff9d\U0001b000\U0001b164-\U0001b167]")  # fmt: skip
# Thai, Lao, Myanmar, Khmer and their like: each run is one term.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf\ua9e0-\ua9ff\uaa60-\uaadf"
                       "\U00011700-\U0001173f]")  # fmt: skip
_CLASSES = {
    "Lu": "L", "Ll": "L", "Lt": "L", "Lm": "L", "Lo": "L", "Nl": "L", "Nd": "D", "Pc": "_",
    "Mn": "x", "Mc": "x", "Me": "x", "Cf": "x",
}  # fmt: skip
_JOINTS = {
    **dict.fromkeys(":\xb7\u0387\u055f\u05f4\u2027\ufe13\ufe55\uff1a", "l"),  # between letters
    **dict.fromkeys(",;\u037e\u0589\u060c\u060d\u066c\u07f8\u2044\ufe10\ufe14\ufe50\ufe54\uff0c\uff1b", "n"),  # digits
    **dict.fromkeys(".'\u2018\u2019\u2024\ufe52\uff07\uff0e", "q"),  # between either
    "\u066b": "D",
    "#": "#",
    "*": "#",
    "\u200b": " ",
    "\u200d": "j",
}
_EXTEND = "[xMj]*"
_LETTERS_AND_DIGITS = f"(?:L{_EXTEND}(?:[lq]{_EXTEND}(?=L))?|D{_EXTEND}(?:[nq]{_EXTEND}(?=D))?)+"
_RUN = f"(?:K(?:K|{_EXTEND[:-1]})*|{_LETTERS_AND_DIGITS})"
_TOKEN = re.compile(
    rf"""
    [EM]{_EXTEND}(?:(?<=j)E{_EXTEND})*    # a picture, or several joined into one
    |I{_EXTEND}
    |R{_EXTEND}R{_EXTEND}                 # a flag
    |\#[xj]{_EXTEND}                      # a key of a telephone
    |T(?:T|{_EXTEND[:-1]})*
    |(?:_{_EXTEND})*{_RUN}(?:(?:_{_EXTEND})+{_RUN})*(?:_{_EXTEND})*
    """,
    re.VERBOSE,
)


def is_token_char(char: str) -> bool:
    """Tell whether an analyzer makes a term of the character alone."""
    return _class_of(char) in "EIKLDMT"


def first_tokens(term: str, limit: int) -> tuple[int, int]:
    """Return where the first `limit` terms of a text without blanks end, and how many terms that are.

    Args:
        term: What stands between two blanks of a query.
        limit: At least 0.
    """
    count = 0
    for found in _TOKEN.finditer("".join(map(_class_of, term))):
        start, end = found.span()
        pieces = -(-(end - start) // _LONGEST)
        if count + pieces > limit:
            return start + (limit - count) * _LONGEST, limit
        count += pieces
    return len(term), count


@lru_cache(maxsize=65_536)
def _class_of(char: str) -> str:  # noqa: PLR0911 - one a class
    if char in _JOINTS:
        return _JOINTS[char]
    if "\U0001f3fb" <= char <= "\U0001f3ff":
        return "M"
    if "\U0001f1e6" <= char <= "\U0001f1ff":
        return "R"
    if _EACH.match(char):
        return "I" if _IDEOGRAPH.match(char) else "E"
    if _KATAKANA.match(char):
        return "K"
    if _LETTERS.match(char):
        return "L"
    category = unicodedata.category(char)
    kind = _CLASSES.get(category, " ")
    if _UNSPACED.match(char) and (kind in "Lx" or category in ("No", "So") or (category == "Po" and char >= "\u1aa0")):
        return "T"
    return " " if kind == "L" and _NO_LETTERS.match(char) else kind
