"""Terms of text queries: what a word is, how many tokens an analyzer makes of it, how it is escaped."""

import re
import unicodedata

__all__ = [
    "MAX_IDENTIFIERS",
    "NO_WORDS",
    "cut_to_chars",
    "escape",
    "escape_in_phrase",
    "first_tokens",
    "has_word",
    "identifier",
    "is_word_char",
    "strip_marks",
]

MAX_IDENTIFIERS = 16
"""So many identifiers of a query are checked for as they stand."""
NO_WORDS = "the query has no words, so nothing was searched"
_SPECIAL = frozenset('+-&|!(){}[]^"~*?:\\/')
_OPERATORS = frozenset({"AND", "OR", "NOT"})
_IDENTIFIER = re.compile(r"(?=.*\w)(?=.*[^\w\s]).{2,128}", re.DOTALL)
_SENTENCE_MARKS = ".,;:!?\"'()[]{}<>«»„“”‚‘’…"  # noqa: RUF001 - these very marks
_FIRST_UNSPACED = "\u2e80"
"""From here on scripts are written without blanks, and an analyzer makes a token of each character."""


def is_word_char(char: str) -> bool:
    """Tell whether an analyzer may make a token of the character: letters, digits, marks on them, pictures."""
    category = unicodedata.category(char)
    return category[0] in "LNM" or (category == "So" and char != "\N{REPLACEMENT CHARACTER}")


def has_word(text: str) -> bool:
    """Tell whether there is anything to search for: a letter, a digit, or a picture; no mere marks and blanks."""
    return any(map(is_word_char, text))


def first_tokens(term: str, limit: int) -> tuple[int, int]:
    """Return where the first `limit` tokens of a term end, and how many tokens that are."""
    tokens, inside = 0, False
    for place, char in enumerate(term):
        word = is_word_char(char)
        begins = word and (not inside or char >= _FIRST_UNSPACED)
        if begins and tokens == limit:
            return place, tokens
        tokens += begins
        inside = word
    return len(term), tokens


def strip_marks(term: str) -> str:
    """Return a term without the punctuation of the sentence around it."""
    return term.strip(_SENTENCE_MARKS)


def identifier(term: str) -> str:
    """Return a term's exact form where it is an identifier with symbols; empty for a word with mere punctuation."""
    stripped = strip_marks(term)
    if stripped.replace("'", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "").isalnum() or not _IDENTIFIER.fullmatch(
        stripped
    ):
        return ""
    return stripped.lower()


def escape(term: str) -> str:
    """Return a term without blanks in such a form that Lucene reads no operator in it."""
    escaped = "".join(f"\\{char}" if char in _SPECIAL else char for char in term)
    return f"\\{escaped}" if term in _OPERATORS else escaped


def escape_in_phrase(text: str) -> str:
    """Return a text in the form that it has between quotation marks."""
    return "".join(f"\\{char}" if char in '"\\' else char for char in text)


def cut_to_chars(text: str, limit: int) -> tuple[str, list[str]]:
    """Return at most `limit` characters of a text, and a note where that cut it."""
    if len(text) <= limit:
        return text, []
    return text[:limit], [f"the query was cut at {limit} characters (it has {len(text)})"]
