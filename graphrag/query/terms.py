"""Terms of text queries: what a word is, which words are not indexed, how a term is escaped."""

import re
import unicodedata

from graphrag.model.cleaning import clean_text
from graphrag.query.tokens import is_token_char

__all__ = [
    "MAX_IDENTIFIERS",
    "NO_WORDS",
    "clean_query",
    "cut_to_chars",
    "escape",
    "escape_in_phrase",
    "has_word",
    "identifier",
    "is_word_char",
    "stop_word",
    "strip_marks",
]

MAX_IDENTIFIERS = 16
"""So many identifiers of a query are checked for as they stand."""
NO_WORDS = "the query has no words, so nothing was searched"
_SPECIAL = frozenset('+-&|!(){}[]^"~*?:\\/')
_OPERATORS = frozenset({"AND", "OR", "NOT"})
_IDENTIFIER = re.compile(r"(?=.*\w)(?=.*[^\w\s]).{2,128}", re.DOTALL)
_SENTENCE_MARKS = ".,;:!?\"'()[]{}<>«»„“”‚‘’…"  # noqa: RUF001 - these very marks
_STOP_WORDS = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of",
    "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
})  # fmt: skip
"""Words that the analyzer `english` does not index (Lucene's `EnglishAnalyzer`)."""
_POSSESSIVES = ("'s", "\N{RIGHT SINGLE QUOTATION MARK}s")


def is_word_char(char: str) -> bool:
    """Tell whether an analyzer may make a term of the character: letters, digits, marks on them, pictures."""
    category = unicodedata.category(char)
    known = category[0] in "LNM" or (category == "So" and char != "\N{REPLACEMENT CHARACTER}")
    return known or is_token_char(char)


def has_word(text: str) -> bool:
    """Tell whether there is anything to search for: a letter, a digit, or a picture; no mere marks and blanks."""
    return any(map(is_word_char, text))


def stop_word(term: str) -> str:
    """Return the word that is not indexed, of which a term is a form with punctuation around it; else nothing."""
    word = strip_marks(term).lower()
    for ending in _POSSESSIVES:
        word = word.removesuffix(ending)
    return word if word in _STOP_WORDS else ""


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


def clean_query(text: str) -> str:
    """Return a query without what no text of a chunk holds: a blank for NUL, U+FFFD for half a character."""
    return clean_text(text.replace("\0", " ")).text


def cut_to_chars(text: str, limit: int) -> tuple[str, list[str]]:
    """Return at most `limit` characters of a text, and a note where that cut it."""
    if len(text) <= limit:
        return text, []
    return text[:limit], [f"the query was cut at {limit} characters (it has {len(text)})"]
