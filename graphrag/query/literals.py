"""What every match of a pattern must contain: a condition over literal text, which an index can answer.

From `colou?r[0-9]+ (red|blue)` comes: (`color` or `colour`) and (` red` or ` blue`). A text of which that is not true
holds no match, so only the others are given to RE2. The way is that of RE2's own prefilter and of Google Code Search:
for each part of a pattern either the few strings that it can match, or what any match of it must contain.

Without regard to case a letter is all letters that RE2 takes for it (`k` is `k`, `K` and the Kelvin sign), so four
letters are sixteen strings, of which one must be there.

Source: Russ Cox, "Regular Expression Matching with a Trigram Index" (2012); RE2's `re2/prefilter.cc`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from graphrag.query.pattern_tokens import PatternToken, class_members, tokens

__all__ = ["MIN_INDEXED_CHARS", "Clause", "required_literals"]

Clause = frozenset[str]
"""Strings of which at least one must be in the text."""

MIN_INDEXED_CHARS = 3
"""An index of trigrams finds nothing shorter."""

_MAX_STRINGS = 16
"""Most strings that a part is followed up with as the only ones it can match."""
_MAX_ALTERNATIVES = 64
"""Most strings of a clause: where an alternation has more, the index is asked too often."""
_MAX_REPEATS = 8
_MAX_CLAUSES = 8


_EMPTY = frozenset({""})


@dataclass(frozen=True, slots=True)
class _Part:
    """What is known of a part of a pattern.

    Attributes:
        exact: All strings that it can match; None where they are too many.
        clauses: What any match of it contains, where `exact` is None.
        start: Strings of which any match of it begins with one, where `exact` is None.
        end: The same of its end.
    """

    exact: frozenset[str] | None
    clauses: tuple[Clause, ...] = ()
    start: frozenset[str] = _EMPTY
    end: frozenset[str] = _EMPTY

    def must(self) -> tuple[Clause, ...]:
        """Return what any match of it contains."""
        return self.clauses if self.exact is None else _clause(self.exact)


_NOTHING = _Part(_EMPTY)
_ANYTHING = _Part(None)


@dataclass(slots=True)
class _Group:
    """A group that is still open: alternatives that have ended, and the parts of the current one."""

    fold: bool
    ended: list[_Part] = field(default_factory=list["_Part"])
    parts: list[_Part] = field(default_factory=list["_Part"])


def required_literals(pattern: str, *, folds: Callable[[str], frozenset[str]]) -> tuple[Clause, ...]:
    """Return clauses that are all true of each text in which RE2 finds the pattern, the most telling first.

    Args:
        pattern: One that RE2 accepts.
        folds: All characters that RE2 takes for one without regard to case, itself among them.

    Returns:
        At most 8 clauses; none where nothing is known, as of `.*`.
    """
    groups = [_Group(fold=False)]
    for token in tokens(pattern):
        group = groups[-1]
        match token.kind:
            case "open":
                groups.append(_Group(fold=_folding(token, group.fold)))
            case "flags":
                group.fold = _folding(token, group.fold)
            case "or":
                group.ended.append(_joined(group.parts))
                group.parts = []
            case "close" if len(groups) > 1:
                inner = groups.pop()
                groups[-1].parts.append(_either([*inner.ended, _joined(inner.parts)]))
            case "repeat" if group.parts:
                group.parts.append(_repeated(group.parts.pop(), token))
            case "close" | "repeat" | "unknown":
                return ()
            case _:
                group.parts.append(_part(token, folds if group.fold else None))
    if len(groups) > 1:
        return ()
    whole = _either([*groups[0].ended, _joined(groups[0].parts)])
    return tuple(_without_implied(sorted(set(whole.must()), key=_telling)))[:_MAX_CLAUSES]


def _folding(token: PatternToken, before: bool) -> bool:
    on, _, off = token.value.partition("-")
    return "i" not in off and ("i" in on or before)


def _part(token: PatternToken, folds: Callable[[str], frozenset[str]] | None) -> _Part:
    match token.kind:
        case "border":
            return _NOTHING
        case "character":
            members = frozenset({token.value})
        case "class":
            listed = class_members(token.text)
            if listed is None:
                return _ANYTHING
            members = listed
        case _:
            return _ANYTHING
    exact = frozenset[str]().union(*map(folds, members)) if folds else members
    return _Part(exact) if len(exact) <= _MAX_STRINGS else _ANYTHING


def _joined(parts: Sequence[_Part]) -> _Part:
    """Return what is known of parts that follow each other."""
    run, start = _EMPTY, None
    clauses: list[Clause] = []
    for part in parts:
        follows = part.start if part.exact is None else part.exact
        fits = len(run) * len(follows) <= _MAX_STRINGS
        if fits and part.exact is not None:
            run = _crossed(run, follows)
            continue
        # Here a run of text ends: what is known of it is a clause, and of the whole its first run is the start.
        ended = _crossed(run, follows) if fits else run
        start = ended if start is None else start
        clauses += [*_clause(ended), *part.clauses]
        run = part.end if part.exact is None else part.exact
    if start is None:
        return _Part(run)
    return _Part(None, (*clauses, *_clause(run)), start, run)


def _crossed(firsts: frozenset[str], seconds: frozenset[str]) -> frozenset[str]:
    return frozenset(map("".join, product(firsts, seconds)))


def _either(parts: Sequence[_Part]) -> _Part:
    """Return what is known where one of several parts matches."""
    if len(parts) == 1:
        return parts[0]
    exact = _united([part.exact for part in parts])
    if exact is not None:
        return _Part(exact)
    start = _united([part.start if part.exact is None else part.exact for part in parts]) or _EMPTY
    end = _united([part.end if part.exact is None else part.exact for part in parts]) or _EMPTY
    best = [min(part.must(), key=_telling, default=None) for part in parts]
    known = [clause for clause in best if clause is not None]
    clauses = _clause(frozenset[str]().union(*known)) if len(known) == len(best) else ()
    return _Part(None, clauses, start, end)


def _united(sets: Sequence[frozenset[str] | None]) -> frozenset[str] | None:
    """Return the strings of all sets; None where one is not known, or they are too many."""
    known = [strings for strings in sets if strings is not None]
    united = frozenset[str]().union(*known)
    return united if len(known) == len(sets) and len(united) <= _MAX_STRINGS else None


def _repeated(part: _Part, token: PatternToken) -> _Part:
    if token.most == 0:
        return _NOTHING
    if token.least == 0:
        if token.most == 1 and part.exact is not None:
            return _either([part, _NOTHING])
        return _ANYTHING
    times = _joined([part] * min(token.least, _MAX_REPEATS))
    if token.most == token.least and token.least <= _MAX_REPEATS:
        return times
    # More of the part may follow in between.
    if times.exact is None:
        return times
    return _Part(None, times.must(), times.exact, times.exact)


def _clause(strings: Iterable[str]) -> tuple[Clause, ...]:
    """Return strings as a clause, without those that hold another of them; nothing where it says nothing."""
    ordered = sorted(set(strings), key=len)
    if not ordered or not ordered[0]:
        return ()
    kept: list[str] = []
    for string in ordered:
        if not any(shorter in string for shorter in kept):
            kept.append(string)
    return (frozenset(kept),) if len(kept) <= _MAX_ALTERNATIVES else ()


def _without_implied(clauses: Sequence[Clause]) -> Iterator[Clause]:
    """Yield those clauses that do not follow from another: `ab` follows from `abc`."""
    for clause in clauses:
        if not any(other != clause and _follows(clause, other) for other in clauses):
            yield clause


def _follows(clause: Clause, other: Clause) -> bool:
    return all(any(short in long for short in clause) for long in other)


def _telling(clause: Clause) -> tuple[bool, int, int, list[str]]:
    """Return a key that puts the clause first which the fewest texts are likely to fulfil."""
    shortest = min(map(len, clause))
    return shortest < MIN_INDEXED_CHARS, -shortest + len(clause).bit_length(), len(clause), sorted(clause)
