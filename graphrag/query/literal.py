"""Literal text queries: any text is words, nothing raises, nothing in it is an operator.

The query that is sent is written here, term by term, each escaped; the caller's text is never passed on.
Terms are joined by OR: a chunk that holds more and rarer terms scores higher. What the analyzer makes of
a term (stemming, stop words) is its own matter.

Identifiers with symbols inside or at their ends (`tb-303`, `C++`, `a/b`) lose their symbols in the
analyzer. They are kept here as they stand too, so that the store can check for them by CONTAINS.
"""

import re
import unicodedata
from dataclasses import dataclass

from graphrag.config import LIMITS, Limits
from graphrag.model.cleaning import clean_text

__all__ = ["LiteralQuery", "has_word", "literal_query"]

_SPECIAL = frozenset('+-&|!(){}[]^"~*?:\\/')
_OPERATORS = frozenset({"AND", "OR", "NOT"})
_IDENTIFIER = re.compile(r"(?=.*\w)(?=.*[^\w\s]).{2,128}", re.DOTALL)
_SENTENCE_MARKS = ".,;:!?\"'()[]{}<>«»„“”‚‘’…"  # noqa: RUF001 - these very marks
_MAX_IDENTIFIERS = 16
_PHRASE_TERMS = 8
_PHRASE_BOOST = 2
_FIRST_UNSPACED = "\u2e80"
"""From here on scripts are written without blanks, and an analyzer makes a token of each character."""


@dataclass(frozen=True, slots=True)
class LiteralQuery:
    """A text as words.

    Attributes:
        lucene: The query to send; empty where the text has no word.
        identifiers: Lower-cased terms with symbols in them, whose exact form counts; the first 16.
        only_identifiers: Whether the text has nothing else.
        notes: What was cut.
    """

    lucene: str
    identifiers: tuple[str, ...]
    only_identifiers: bool
    notes: tuple[str, ...]


def has_word(text: str) -> bool:
    """Tell whether there is anything to search for: a letter, a digit, or a picture; no mere marks and blanks."""
    return any(map(_is_word, clean_text(text).text))


def literal_query(text: str, *, limits: Limits = LIMITS) -> LiteralQuery:
    """Return a text as a query of words.

    Args:
        text: Any text. Beyond `max_query_chars` characters and `max_query_terms` terms it is cut, with a note.
            Where one term has several words (`a-b`, Chinese), each counts.
        limits: The bounds.
    """
    notes: list[str] = []
    if len(text) > limits.max_query_chars:
        notes.append(f"the query was cut at {limits.max_query_chars} characters (it has {len(text)})")
        text = text[: limits.max_query_chars]
    found = [term for term in clean_text(text).text.split() if has_word(term)]
    terms = _within(found, limits.max_query_terms)
    if terms != found:
        notes.append(f"the query was cut at {limits.max_query_terms} terms")
    if not terms:
        return LiteralQuery("", (), only_identifiers=False, notes=tuple(notes))
    identifiers = {term: identifier for term in terms if (identifier := _identifier(term))}
    parts = [_escape(term) for term in terms]
    if 1 < len(terms) <= _PHRASE_TERMS:
        # Words that stand together in this order are what most short queries mean.
        parts.append(f'"{" ".join(_escape_in_phrase(term) for term in terms)}"^{_PHRASE_BOOST}')
    return LiteralQuery(
        lucene=" ".join(parts),
        identifiers=tuple(dict.fromkeys(identifiers.values()))[:_MAX_IDENTIFIERS],
        only_identifiers=len(identifiers) == len(set(terms)),
        notes=tuple(notes),
    )


def _is_word(char: str) -> bool:
    """Tell whether an analyzer may make a token of the character: letters, digits, marks on them, pictures."""
    category = unicodedata.category(char)
    return category[0] in "LNM" or (category == "So" and char != "\N{REPLACEMENT CHARACTER}")


def _within(terms: list[str], limit: int) -> list[str]:
    """Return as many terms as have `limit` tokens together, the last one cut where it has more."""
    kept: list[str] = []
    for term in terms:
        if limit <= 0:
            break
        end, tokens = _first_tokens(term, limit)
        kept.append(term[:end])
        limit -= tokens
    return kept


def _first_tokens(term: str, limit: int) -> tuple[int, int]:
    """Return where the first `limit` tokens of a term end, and how many tokens that are."""
    tokens, inside = 0, False
    for place, char in enumerate(term):
        word = _is_word(char)
        begins = word and (not inside or char >= _FIRST_UNSPACED)
        if begins and tokens == limit:
            return place, tokens
        tokens += begins
        inside = word
    return len(term), tokens


def _identifier(term: str) -> str:
    """Return a term's exact form where it is an identifier with symbols; empty for a word with mere punctuation."""
    stripped = term.strip(_SENTENCE_MARKS)
    if stripped.replace("'", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "").isalnum() or not _IDENTIFIER.fullmatch(
        stripped
    ):
        return ""
    return stripped.lower()


def _escape(term: str) -> str:
    escaped = "".join(f"\\{char}" if char in _SPECIAL else char for char in term)
    return f"\\{escaped}" if term in _OPERATORS else escaped


def _escape_in_phrase(term: str) -> str:
    return "".join(f"\\{char}" if char in '"\\' else char for char in term)
