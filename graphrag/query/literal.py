"""Literal text queries: any text is words, nothing raises, nothing in it is an operator.

The query that is sent is written here, term by term, each escaped; the caller's text is never passed on.
Terms are joined by OR: a chunk that holds more and rarer terms scores higher. What the analyzer makes of
a term (stemming, stop words) is its own matter.

Identifiers with symbols inside or at their ends (`tb-303`, `C++`, `a/b`) lose their symbols in the
analyzer. They are kept here as they stand too, so that the store can check for them by CONTAINS.
"""

from dataclasses import dataclass

from graphrag.config import LIMITS, Limits
from graphrag.query.terms import (
    MAX_IDENTIFIERS,
    NO_WORDS,
    clean_query,
    cut_to_chars,
    escape,
    escape_in_phrase,
    has_word,
    identifier,
    stop_word,
)
from graphrag.query.tokens import first_tokens

__all__ = ["LiteralQuery", "literal_query"]

_PHRASE_TERMS = 8
_PHRASE_BOOST = 2
_FIRST_TERMS = 32


@dataclass(frozen=True, slots=True)
class LiteralQuery:
    """A text as words.

    Attributes:
        lucene: The query to send; empty where the text has no word.
        identifiers: Lower-cased terms with symbols in them, whose exact form counts; the first 16.
        only_identifiers: Whether the text has nothing else.
        terms: How many different terms the text has.
        notes: What was cut; why nothing is sent.
    """

    lucene: str
    identifiers: tuple[str, ...]
    only_identifiers: bool
    terms: int
    notes: tuple[str, ...]


def literal_query(text: str, *, limits: Limits = LIMITS) -> LiteralQuery:
    """Return a text as a query of words.

    Args:
        text: Any text. Beyond `max_query_chars` characters and `max_query_terms` terms it is cut, with a note.
            Where one term has several words (`a-b`, Chinese), each counts; words that are not indexed do not.
        limits: The bounds.
    """
    text, notes = cut_to_chars(text, limits.max_query_chars)
    found = [term for term in clean_query(text).split() if has_word(term)]
    terms, cut = _within(found, limits.max_query_terms)
    if cut:
        notes.append(f"the query was cut at {limits.max_query_terms} terms")
    if not terms:
        return LiteralQuery("", (), only_identifiers=False, terms=0, notes=(*notes, NO_WORDS))
    identifiers = {term: exact for term in terms if (exact := identifier(term))}
    parts = [escape(term) for term in terms]
    if 1 < len(terms) <= _PHRASE_TERMS:
        # Words that stand together in this order are what most short queries mean.
        parts.append(f'"{" ".join(escape_in_phrase(term) for term in terms)}"^{_PHRASE_BOOST}')
    return LiteralQuery(
        lucene=" ".join(parts),
        identifiers=tuple(dict.fromkeys(identifiers.values()))[:MAX_IDENTIFIERS],
        only_identifiers=len(identifiers) == len(set(terms)),
        terms=len(set(terms)),
        notes=tuple(notes),
    )


def _within(terms: list[str], limit: int) -> tuple[list[str], bool]:
    """Return as many terms as have `limit` tokens together, the last one cut where it has more; and whether it was cut.

    Words that are not indexed do not count. Another analyzer may index them, so beyond the first terms each comes once,
    in whatever form.
    """
    kept: list[str] = []
    seen: set[str] = set()
    for term in terms:
        if word := stop_word(term):
            if len(kept) < _FIRST_TERMS or word not in seen:
                kept.append(term)
                seen.add(word)
            continue
        end, tokens = first_tokens(term, limit)
        if end:
            kept.append(term[:end])
        if end < len(term):
            return kept, True
        limit -= tokens
    return kept, False
