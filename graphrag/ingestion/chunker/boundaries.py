"""Where text may be cut: at paragraphs, sentences, words, graphemes.

Plain Unicode rules without a dictionary: scripts that write no blanks (Chinese, Japanese) have a word
border at each ideograph or kana; Thai, Lao and Khmer are cut between graphemes. All functions are linear
in the text that they look at.
"""

# ruff: noqa: RUF001 - punctuation of many scripts is the subject here

import re
import unicodedata
from collections.abc import Iterator

__all__ = [
    "first_word_start",
    "is_grapheme_border",
    "last_grapheme_border",
    "last_word_start",
    "paragraph_starts",
    "sentence_starts",
]

_PARAGRAPH = re.compile(r"\n[ \t\r\f\v]*+\n\s*+")

_STOPS = ".!?…。！？｡．"
_CJK_STOPS = frozenset("。！？｡．")
_CLOSERS = "\"'”’»)\\]}」』】）》〉"
# Possessive repetition, and a look-behind that lets a run of stops be tried once: linear on any input.
_SENTENCE = re.compile(rf"(?<![{_STOPS}])([{_STOPS}]++)([{_CLOSERS}]*+)(\s*+)")

_WIDE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff"
_WORD_BORDER = re.compile(rf"\s(?=\S)|[{_WIDE}]")
_WIDE_CHARACTER = re.compile(f"[{_WIDE}]")
_NO_START = frozenset("、。，．：；！？）」』】》〉〕｣､｡ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々")
"""Characters that never begin a line in Chinese or Japanese; source: JIS X 4051, the main ones."""
_NO_END = frozenset("（「『【《〈〔｢")

_LAST_WORD = re.compile(r"([^\W\d_]+(?:\.[^\W\d_]+)*)$")
_LONGEST_ABBREVIATION = 12
_ABBREVIATIONS = frozenset({
    "al", "approx", "art", "bzw", "ca", "cf", "ch", "co", "corp", "dept", "dr", "ed", "eds", "e.g", "eq", "et",
    "etc", "evtl", "fig", "figs", "ggf", "i.e", "inc", "jr", "lt", "ltd", "mr", "mrs", "ms", "mt", "nr", "op",
    "p", "pp", "prof", "rev", "s.o", "sr", "st", "str", "u.a", "u.s", "usw", "v", "vgl", "vol", "vs", "z.b",
})  # fmt: skip

_ZERO_WIDTH_JOINER = "\u200d"
_ZERO_WIDTH_NON_JOINER = "\u200c"
_VIRAMA_CLASS = 9
_SPACING_MARKS = frozenset("\uff9e\uff9f\u0e33\u0eb3")
"""Letters by category that join what is before them: half-width voiced marks, Thai and Lao `am`."""
_PREPENDED = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd\U000111c2\U000111c3"
)
"""Marks that join what comes after them; source: GraphemeBreakProperty.txt, the common ones of Prepend."""


def paragraph_starts(text: str) -> Iterator[int]:
    """Yield each place after a blank line where a paragraph begins."""
    for match in _PARAGRAPH.finditer(text):
        if match.end() < len(text) and is_grapheme_border(text, match.end()):
            yield match.end()


def sentence_starts(text: str) -> Iterator[int]:
    """Yield each place inside the text where a sentence begins after the end of another.

    A stop ends a sentence where blanks follow (after ideographic stops none are needed), the next
    character is not in lower case, and the word before a single full stop is no initial and no common
    abbreviation.
    """
    for match in _SENTENCE.finditer(text):
        place, stops = match.end(), match[1]
        if place >= len(text) or not (match[3] or stops[-1] in _CJK_STOPS):
            continue
        if text[place].islower():
            continue
        if stops == "." and not match[2] and _is_abbreviation(text, match.start(), before=text[place]):
            continue
        if is_grapheme_border(text, place):
            yield place


def last_word_start(text: str, low: int, high: int) -> int | None:
    """Return the last place in low < place <= high where a word begins, or None."""
    if not _WORD_BORDER.search(text, low, min(high + 1, len(text))):
        return None
    for place in range(min(high, len(text) - 1), low, -1):
        if _begins_word(text, place):
            return place
    return None


def first_word_start(text: str, low: int, high: int) -> int | None:
    """Return the first place in low <= place < high where a word begins, or None."""
    place = max(low, 1)
    while place < high:
        match = _WORD_BORDER.search(text, place - 1, min(high + 1, len(text)))
        if match is None or match.start() >= high:
            return None
        for candidate in (match.start(), match.start() + 1):
            if place <= candidate < high and _begins_word(text, candidate):
                return candidate
        place = match.start() + 2
    return None


def last_grapheme_border(text: str, low: int, high: int) -> int:
    """Return the last grapheme border in low < place <= high; `high` itself where there is none."""
    for place in range(high, low, -1):
        if is_grapheme_border(text, place, floor=low):
            return place
    return high


def is_grapheme_border(text: str, place: int, *, floor: int = 0) -> bool:  # noqa: PLR0911 - one line a rule
    """Tell whether a cut at `place` leaves every user-perceived character whole.

    Follows the extended grapheme clusters of Unicode (UAX #29) by the properties that the standard
    library knows; where these are too coarse it rather keeps characters together.

    Args:
        text: Any text.
        place: 0..len(text).
        floor: A place known to be a border; pairs of regional indicators are counted from there.
    """
    if place <= 0 or place >= len(text):
        return True
    before, after = text[place - 1], text[place]
    if before < "\u0300" and after < "\u0300":
        return not (before == "\r" and after == "\n")
    if _extends(after):
        # A mark after a control character or a line end stands alone.
        return before in "\r\n" or unicodedata.category(before) == "Cc"
    if before == _ZERO_WIDTH_JOINER or before in _PREPENDED:
        return False
    if unicodedata.combining(before) == _VIRAMA_CLASS and unicodedata.category(after) == "Lo":
        return False
    if _is_regional(before) and _is_regional(after):
        return _regional_run(text, place, floor) % 2 == 0
    return not _joins_hangul(before, after)


def _begins_word(text: str, place: int) -> bool:
    before, after = text[place - 1], text[place]
    if after.isspace():
        return False
    if not before.isspace():
        wide = _WIDE_CHARACTER.match(before) or _WIDE_CHARACTER.match(after)
        if not wide or after in _NO_START or before in _NO_END:
            return False
    return is_grapheme_border(text, place)


def _is_abbreviation(text: str, stop: int, *, before: str) -> bool:
    match = _LAST_WORD.search(text[max(0, stop - _LONGEST_ABBREVIATION) : stop])
    if match is None:
        return False
    word = match[1]
    if word.lower() == "no":
        return before.isdigit()  # a number, not an answer
    return (len(word) == 1 and word.isupper()) or word.lower() in _ABBREVIATIONS


def _extends(character: str) -> bool:
    return (
        character in {_ZERO_WIDTH_JOINER, _ZERO_WIDTH_NON_JOINER}
        or unicodedata.category(character) in {"Mn", "Me", "Mc"}
        or "\U0001f3fb" <= character <= "\U0001f3ff"  # skin tones
        or "\U000e0020" <= character <= "\U000e007f"  # tags, as in the flag of Scotland
        or character in _SPACING_MARKS
    )


def _is_regional(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _regional_run(text: str, place: int, floor: int) -> int:
    start = place
    while start > floor and _is_regional(text[start - 1]):
        start -= 1
    return place - start


def _joins_hangul(before: str, after: str) -> bool:
    """Conjoining jamo: leading consonant, vowel, trailing consonant, and precomposed syllables."""
    syllable = "\uac00" <= before <= "\ud7a3"
    if "\u1100" <= before <= "\u115f" or "\ua960" <= before <= "\ua97c":
        return "\u1100" <= after <= "\u11a7" or "\ua960" <= after <= "\ua97c" or "\uac00" <= after <= "\ud7a3"
    vowel = "\u1160" <= before <= "\u11a7" or "\ud7b0" <= before <= "\ud7c6"
    if vowel or syllable:
        return "\u1160" <= after <= "\u11ff" or "\ud7b0" <= after <= "\ud7fb"
    trailing = "\u11a8" <= before <= "\u11ff" or "\ud7cb" <= before <= "\ud7fb"
    return trailing and ("\u11a8" <= after <= "\u11ff" or "\ud7cb" <= after <= "\ud7fb")
