"""Text queries with operators: a closed part of Lucene's syntax.

`SYNTAX` says what is accepted. A query is parsed, and what is sent is written anew from the tree, each term
escaped; the caller's text is never passed on. A query that holds anything else runs as plain words, and a note
says so: no text raises, and none reaches Lucene's regular expressions, ranges or fields.
"""

import re
from dataclasses import dataclass
from itertools import islice

from luqum import tree
from luqum.thread import parse

from graphrag.config import LIMITS, Limits
from graphrag.query.clauses import Clauses, Node, Occur, Term, clauses, positive_terms, written
from graphrag.query.literal import literal_query
from graphrag.query.terms import MAX_IDENTIFIERS, NO_WORDS, clean_query, cut_to_chars, escape_in_phrase, has_word
from graphrag.query.tokens import first_tokens
from graphrag.query.wildcards import ExpansionBudget, fuzzy_word, unescaped, word

__all__ = ["ONLY_EXCLUDES", "SYNTAX", "SYNTAX_NOTES", "LuceneQuery", "SyntaxForm", "lucene_query"]

ONLY_EXCLUDES = "the query only excludes, so nothing was searched: name at least one word to find"
_OTHER_OPERATORS = "`&&`, `||` and `!` are no operators here; write AND, OR and NOT"

_MAX_DEPTH = 16
_MAX_SLOP = 100
_MAX_OPERATORS = 1_024
"""Parsing takes up to 40 microseconds for each of these."""
_OPERATOR_CHARS = frozenset("+-()[]{}\"'~^:/<>")
_QUOTING_APOSTROPHE = re.compile(r"(^|[\s(\"])([+-]?)'+")
"""The parser takes no word that begins so; for Lucene and analyzers it is a mark."""
_OPERATOR_WORDS = frozenset({"AND", "OR", "NOT"})


@dataclass(frozen=True, slots=True)
class SyntaxForm:
    """One accepted form.

    Attributes:
        example: A query of that form.
        meaning: What it finds.
    """

    example: str
    meaning: str


SYNTAX = (
    SyntaxForm("tide mill", "either word; texts with more and rarer words of the query come first"),
    SyntaxForm("+mill tide", "`mill` must be there, `tide` may be"),
    SyntaxForm("mill -wind", "`wind` must not be there"),
    SyntaxForm("mill AND (tide OR river) NOT wind", "operators in capitals, and groups; AND binds closer than OR"),
    SyntaxForm('"tide mill"', "the words side by side, in this order"),
    SyntaxForm('"mill gates"~3', "the words with at most three others between them"),
    SyntaxForm("sluic*", "words with this beginning, of two letters at least"),
    SyntaxForm("gra?n wat*wheel", "`?` is one letter, `*` any number of them; not at a word's beginning"),
    SyntaxForm("sluise~", "words spelled alike: `~1` or `~2` letters apart, `~` by the word's length"),
    SyntaxForm("tb-303 C++ a/b", "symbols in and after a word are part of it"),
    SyntaxForm(r"\+mill \(tide\)", "a symbol behind a backslash is no operator"),
)
"""All that is accepted."""

SYNTAX_NOTES = "\n".join(
    [
        "Lucene query syntax, of which these forms are accepted (any combination of them too):",
        *(f"- `{form.example}`: {form.meaning}" for form in SYNTAX),
        "Words are compared by their stems, case does not matter, and stop words (the, of) are not found.",
        "Use `+` for names and identifiers, not for every word: a text that lacks one such word is not found.",
        "Anything else (fields, ranges, regular expressions, boosts, brackets or quotes without their counterpart)",
        "is searched as plain words, and a note says so.",
    ]
)
"""The accepted syntax in words that a language model understands."""


@dataclass(frozen=True, slots=True)
class LuceneQuery:
    """A query with operators.

    Attributes:
        lucene: The query to send; empty where there is nothing to find.
        identifiers: Lower-cased terms with symbols in them, whose exact form counts; the first 16. None of
            them is excluded by the query.
        only_identifiers: Whether the query finds nothing else.
        terms: How many terms the query looks for.
        notes: What was cut, replaced or not understood; why nothing is sent.
        is_literal: Whether it runs as plain words, since it holds what is not accepted.
    """

    lucene: str
    identifiers: tuple[str, ...]
    only_identifiers: bool
    terms: int
    notes: tuple[str, ...]
    is_literal: bool


def lucene_query(text: str, *, limits: Limits = LIMITS) -> LuceneQuery:
    """Return a text as a query with operators, or as one of words where it is none.

    Args:
        text: Any text. Beyond `max_query_chars` characters it is cut, with a note. A text of more than
            `max_query_terms` terms, or with brackets more than 16 deep, is taken for words.
        limits: The bounds.
    """
    kept, notes = cut_to_chars(text, limits.max_query_chars)
    reader = _Reader()
    try:
        node = reader.query(clean_query(kept), limits.max_query_terms)
    except _NotAcceptedError as error:
        literal = literal_query(text, limits=limits)
        why = f"the query was searched as plain words: {error}"
        return LuceneQuery(
            lucene=literal.lucene,
            identifiers=literal.identifiers,
            only_identifiers=literal.only_identifiers,
            terms=literal.terms,
            notes=(*literal.notes, why),
            is_literal=True,
        )
    notes.extend(reader.notes)
    if node is None or (isinstance(node, Clauses) and node.only_excludes):
        why = NO_WORDS if node is None else ONLY_EXCLUDES
        return LuceneQuery("", (), only_identifiers=False, terms=0, notes=(*notes, why), is_literal=False)
    exact = [term.exact for term in positive_terms(node)]
    return LuceneQuery(
        lucene=written(node),
        identifiers=tuple(islice(dict.fromkeys(filter(None, exact)), MAX_IDENTIFIERS)),
        only_identifiers=all(exact),
        terms=len(exact),
        notes=tuple(notes),
        is_literal=False,
    )


class _NotAcceptedError(Exception):
    """The query holds what is not accepted; the message says what."""


class _Reader:
    """Makes clauses of a parsed query.

    Attributes:
        notes: What was replaced, each once.
    """

    def __init__(self) -> None:
        self._budget = ExpansionBudget()
        self._other_operators = False

    @property
    def notes(self) -> list[str]:
        return [*self._budget.notes, *([_OTHER_OPERATORS] if self._other_operators else [])]

    def query(self, text: str, max_terms: int) -> Node | None:
        if not has_word(text):
            return None
        _check_size(text, max_terms)
        try:
            root = parse(_QUOTING_APOSTROPHE.sub(r"\1\2", text))
        except (ValueError, ArithmeticError) as error:  # the parser's own errors, and numbers that are none
            msg = "it is not of the accepted syntax (quotes, brackets or operators without their counterpart)"
            raise _NotAcceptedError(msg) from error
        return self._node(root, 0)

    def _node(self, item: tree.Item, depth: int) -> Node | None:
        if depth > _MAX_DEPTH:
            msg = f"its brackets are more than {_MAX_DEPTH} deep"
            raise _NotAcceptedError(msg)
        match item:
            case tree.Group():
                return self._node(item.expr, depth + 1)
            case tree.AndOperation():
                return clauses([self._part(operand, "+", depth) for operand in item.operands])
            case tree.OrOperation() | tree.UnknownOperation():
                return clauses([self._part(operand, "", depth) for operand in item.operands])
            case tree.Plus() | tree.Prohibit() | tree.Not():
                return clauses([self._part(item, "", depth)])
            case _:
                return self._leaf(item)

    def _leaf(self, item: tree.Item) -> Node | None:
        match item:
            case tree.Word():
                return self._word(item.value)
            case tree.Phrase():
                return _phrase(item, 0)
            case tree.Fuzzy(term=tree.Word() as fuzzy):
                return self._fuzzy(fuzzy.value, item)
            case tree.Proximity(term=tree.Phrase() as phrase):
                return _phrase(phrase, item.degree)
            case _:
                raise _NotAcceptedError(_why_not(item))

    def _part(self, item: tree.Item, default: Occur, depth: int) -> tuple[Occur, Node | None]:
        """Return an operand with what is asked of it."""
        match item:
            case tree.Plus() | tree.Prohibit() if item.a.head:
                # A blank behind it: a dash or plus of the sentence, as Lucene has it too.
                return self._part(item.a, default, depth + 1)
            case tree.Plus():
                return "+", self._node(item.a, depth + 1)
            case tree.Prohibit() | tree.Not():
                return "-", self._node(item.a, depth + 1)
            case _:
                return default, self._node(item, depth)

    def _word(self, value: str) -> Node | None:
        if value in ("&&", "||") or (value.startswith("!") and has_word(value)):
            self._other_operators = True
        return word(value, self._budget)

    def _fuzzy(self, value: str, item: tree.Fuzzy) -> Node | None:
        # The parser says 0.5 where there is no number: the default of Lucene's older versions.
        if item.degree not in (0.5, 1, 2):
            msg = "the number after a word's `~` must be 1 or 2"
            raise _NotAcceptedError(msg)
        return fuzzy_word(value, int(item.degree) or None, self._budget)


def _check_size(text: str, max_terms: int) -> None:
    if sum(char in _OPERATOR_CHARS for char in text) > _MAX_OPERATORS:
        msg = f"it has more than {_MAX_OPERATORS} operators"
        raise _NotAcceptedError(msg)
    terms = sum(first_tokens(term, max_terms + 1)[1] for term in text.split() if term not in _OPERATOR_WORDS)
    if terms > max_terms:
        msg = f"it has more than {max_terms} terms"
        raise _NotAcceptedError(msg)


def _phrase(phrase: tree.Phrase, slop: int) -> Term | None:
    if not 0 <= slop <= _MAX_SLOP:
        msg = f"the number after a phrase's `~` must be a whole one from 0 to {_MAX_SLOP}"
        raise _NotAcceptedError(msg)
    text = unescaped(phrase.value[1:-1])
    return Term(f'"{escape_in_phrase(text)}"{f"~{slop}" if slop else ""}') if has_word(text) else None


def _why_not(item: tree.Item) -> str:
    match item:
        case tree.SearchField():
            return "it names a field (`:`), and there is only one, the text"
        case tree.Range() | tree.From() | tree.To():
            return "it holds a range; numbers and dates are a filter's matter"
        case tree.Regex():
            return "it holds a regular expression"
        case tree.Boost():
            return "it holds a boost (`^`)"
        case _:
            return "it holds an operator that is not accepted"
