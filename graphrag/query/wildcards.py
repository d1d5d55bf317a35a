"""Words of queries with operators: plain ones, ones with wildcards, and ones that may be misspelled.

An index answers a wildcard by going through its terms, so what may stand in one is bounded: it begins with letters,
it is short, and few of them stand in a query. One beyond that is a plain word, and a note says so.
"""

from dataclasses import dataclass, field

from graphrag.query.clauses import Clauses, Node, Term
from graphrag.query.terms import escape, escape_in_phrase, has_word, identifier, is_word_char, strip_marks

__all__ = ["ExpansionBudget", "fuzzy_word", "unescaped", "word"]

MAX_EXPANSIONS = 8
"""Wildcards and misspelled words of a query. One of the latter may become 50 clauses; Lucene takes 1,024 in all."""
_MAX_CHARS = 64
_MAX_WILDCARDS = 3
"""More than these in one word can take Lucene exponential time to prepare."""
_MIN_BEGINNING = 2
_MIN_FUZZY = 3
_LONG = 6
"""From so many letters on, two may differ where the query does not say how many."""
_WILDCARDS = frozenset("*?")
_JOINTS = frozenset("_.'\N{RIGHT SINGLE QUOTATION MARK}")
"""Marks that an analyzer leaves inside of a word."""


@dataclass(slots=True)
class ExpansionBudget:
    """How many words of a query may stand for others.

    Attributes:
        left: How many more.
        notes: What was taken for a plain word, each once.
    """

    left: int = MAX_EXPANSIONS
    notes: list[str] = field(default_factory=list)

    def refuse(self, note: str) -> None:
        """Note why a word is a plain one."""
        if note not in self.notes:
            self.notes.append(note)

    def spend(self) -> bool:
        """Take one; tell whether there was one left."""
        if self.left:
            self.left -= 1
            return True
        self.refuse(f"only the first {MAX_EXPANSIONS} words with `*`, `?` or `~` stand for others; the rest are plain")
        return False


def unescaped(value: str) -> str:
    """Return a term or phrase without the backslashes that escape."""
    return "".join(char for char, _ in _chars(value))


def word(value: str, budget: ExpansionBudget) -> Node | None:
    """Return a word as written in a query, its wildcards at work; None where it has no letter, digit or picture."""
    chars = _without_marks(_chars(value))
    if not any(wild for _, wild in chars):
        return _plain(unescaped(value))
    plain = _plain("".join(char for char, _ in chars).strip("*?"))
    if plain is None:
        return None
    if (note := _why_not(chars)) is not None:
        budget.refuse(note)
        return plain
    if not budget.spend():
        return plain
    pattern = Term("".join(char if wild else escape(char) for char, wild in chars))
    if [wild for _, wild in chars].index(True) == len(chars) - 1 and chars[-1][0] == "*":
        # Stems are indexed: `running*` begins none, though `running` itself is found.
        return _also("".join(char for char, _ in chars[:-1]), pattern)
    return pattern


def fuzzy_word(value: str, distance: int | None, budget: ExpansionBudget) -> Node | None:
    """Return a word that may be misspelled.

    Args:
        value: As written in the query.
        distance: How many letters may differ, 1 or 2; None goes by the word's length.
        budget: What is left of the query's.
    """
    chars = _without_marks(_chars(value))
    text = "".join(char for char, _ in chars)
    plain = _plain(unescaped(value))
    if plain is None:
        return None
    if any(wild for _, wild in chars) or not _is_one_word(text) or not _MIN_FUZZY <= len(text) <= _MAX_CHARS:
        budget.refuse(
            f"`~` stands behind one word of {_MIN_FUZZY} to {_MAX_CHARS} letters and digits; others are plain"
        )
        return plain
    if not budget.spend():
        return plain
    return _also(text, Term(f"{escape(text)}~{distance or (2 if len(text) >= _LONG else 1)}"))


def _chars(value: str) -> list[tuple[str, bool]]:
    """Return the characters of a term without its escapes, each with whether it is a wildcard."""
    chars: list[tuple[str, bool]] = []
    escaping = False
    for char in value:
        if char == "\\" and not escaping:
            escaping = True
            continue
        chars.append((char, char in _WILDCARDS and not escaping))
        escaping = False
    return chars


def _without_marks(chars: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Return a term without the punctuation around it; a question mark at its end is no wildcard."""
    start, end = 0, len(chars)
    while end and chars[end - 1] != ("*", True) and not strip_marks(chars[end - 1][0]):
        end -= 1
    while start < end and not chars[start][1] and not strip_marks(chars[start][0]):
        start += 1
    return chars[start:end]


def _why_not(chars: list[tuple[str, bool]]) -> str | None:
    wildcards = [place for place, (_, wild) in enumerate(chars) if wild]
    if sum(is_word_char(char) for char, _ in chars[: wildcards[0]]) < _MIN_BEGINNING:
        return f"a word with `*` or `?` must begin with {_MIN_BEGINNING} letters; others are plain"
    if len(wildcards) > _MAX_WILDCARDS or len(chars) > _MAX_CHARS:
        return f"a word takes at most {_MAX_WILDCARDS} of `*` and `?`, and {_MAX_CHARS} characters; others are plain"
    if not _is_one_word("".join(char for char, wild in chars if not wild)):
        return "`*` and `?` stand in words of letters and digits; with symbols in it a word is plain"
    return None


def _is_one_word(text: str) -> bool:
    return all(is_word_char(char) or char in _JOINTS for char in text)


def _plain(text: str) -> Term | None:
    if not has_word(text):
        return None
    exact = identifier(text)
    # An analyzer makes several words of `tb-303`; side by side they are what was meant.
    if exact or any(char.isspace() for char in text):
        return Term(f'"{escape_in_phrase(text)}"', exact)
    return Term(escape(text))


def _also(text: str, pattern: Term) -> Clauses:
    return Clauses(should=(Term(escape(text)), pattern))
