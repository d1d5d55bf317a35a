r"""Regular expressions: RE2's dialect, its errors as ours, and matching within a time limit.

The dialect is RE2's, with one thing settled: `^` and `$` stand for the start and end of a line, since where a chunk
begins and ends is the chunker's matter and means nothing to who searches. `\A` and `\z` are the chunk's own ends. `.`
stands for no line end unless `(?s)` is set; `(?i)` knows all of Unicode; `\w`, `\d`, `\s` and `\b` know ASCII alone
(`\pL` is any letter).

RE2 needs time in proportion to the text, whatever the pattern, and bounded memory; it has no back references and no
look-around.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Protocol, cast

import re2

from graphrag.config import LIMITS, Limits
from graphrag.errors import InvalidPatternError, InvalidRequestError
from graphrag.query.literals import Clause, required_literals
from graphrag.query.pattern_tokens import tokens

__all__ = ["Pattern", "compile_pattern", "folds"]

_MAX_MEMORY_BYTES = 4 << 20
"""What one compiled pattern may take; a larger one is refused. Half of RE2's own default: while it compiles, no other
thread of Python runs (a quarter of a second for the largest, measured)."""
_REASON_BYTES = 64 << 10
"""What finding out why a pattern is refused may take: faults of syntax are found before anything is compiled."""
_BY_LINES = "(?m)"
_MAX_TOLD_CHARS = 40

# No character of these kinds has another case.
_CASELESS = frozenset({"Lo", "Lm", "Mc", "Nd", "Co", "Cs"})
_SURROGATES = range(0xD800, 0xE000)
_LAST_CASED = 0x1FFFF


class _Compiled(Protocol):
    """What is used of RE2's compiled pattern, which has no types of its own."""

    @property
    def programsize(self) -> int: ...

    def search(self, text: bytes) -> object | None: ...


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression that RE2 accepts.

    Attributes:
        text: As it was given.
        clauses: What each match contains (`graphrag.query.literals`), the most telling first.
    """

    text: str
    clauses: tuple[Clause, ...]
    _compiled: _Compiled

    @property
    def states(self) -> int:
        """How many states it may be in at once, at most: RE2 needs up to as many steps for each byte of a text."""
        return self._compiled.programsize

    def found_in(self, text: bytes) -> bool:
        """Tell whether the pattern matches anywhere in a text, given in UTF-8."""
        return self._compiled.search(text) is not None


def compile_pattern(pattern: str, *, limits: Limits = LIMITS) -> Pattern:
    """Return a regular expression in RE2's dialect, `^` and `$` taken by line.

    Args:
        pattern: At most `max_regex_chars` characters.
        limits: The bounds.

    Raises:
        InvalidRequestError: It is no text.
        InvalidPatternError: It is too long or too large, or RE2 refuses it; the place of the fault is told.
    """
    # Callers without a type checker may pass anything.
    given = cast("object", pattern)
    if not isinstance(given, str):
        msg = f"the pattern is of type {type(given).__name__}; it must be text"
        raise InvalidRequestError(msg)
    if len(pattern) > limits.max_regex_chars:
        msg = f"the pattern has {len(pattern)} characters; it may have {limits.max_regex_chars}. Search for less"
        raise InvalidPatternError(msg, position=limits.max_regex_chars)
    if (lone := next((at for at, char in enumerate(pattern) if ord(char) in _SURROGATES), None)) is not None:
        msg = "half a character (a lone surrogate) stands there, which no text holds; take it out"
        raise InvalidPatternError(msg, position=lone)
    return Pattern(pattern, required_literals(pattern, folds=folds), _compiled(pattern))


def _compiled(pattern: str) -> _Compiled:
    options = re2.Options()
    options.max_mem = _MAX_MEMORY_BYTES
    options.log_errors = False
    # Compiled by a filter of its own: `re2.compile` keeps what it made, up to 1 GiB of it.
    own = re2.Filter()
    try:
        # Each filter holds a compiled pattern, which ends with it: the pattern keeps it alive.
        index = own.Add(_BY_LINES + pattern, options)
    except re2.error:
        raise _refusal(pattern) from None
    return cast("_Compiled", _Kept(own, own.re(index)))


@dataclass(frozen=True, slots=True)
class _Kept:
    """A compiled pattern, and the filter that owns its memory."""

    owner: object
    compiled: _Compiled

    @property
    def programsize(self) -> int:
        return self.compiled.programsize

    def search(self, text: bytes) -> object | None:
        return self.compiled.search(text)


def _refusal(pattern: str) -> InvalidPatternError:
    options = re2.Options()
    options.max_mem = _REASON_BYTES
    options.log_errors = False
    try:
        re2.compile(_BY_LINES + pattern, options)
    except re2.error as error:
        told = error.args[0] if error.args else b""
        reason = told.decode("utf-8", "replace") if isinstance(told, bytes) else str(told)
    else:
        reason = "pattern too large"
    reason, _, fragment = reason.partition(": ")
    position = _position(pattern, reason, fragment.removeprefix(_BY_LINES))
    advice = "write it in RE2's syntax (no back references, no look-around, at most 1000 repetitions)"
    if reason.startswith("pattern too large"):
        reason, advice = "the pattern needs too much memory", "use smaller repetitions and fewer classes in them"
    fragment = fragment if reason.startswith(("invalid", "bad", "no argument")) else ""
    shown = f" `{fragment[:_MAX_TOLD_CHARS]}`" if fragment and fragment.isprintable() else ""
    return InvalidPatternError(f"{reason}{shown}; {advice}", position=position)


def _position(pattern: str, reason: str, fragment: str) -> int | None:
    """Return where a refused pattern is at fault; None where no place is."""
    opened: list[int] = []
    for token in tokens(pattern):
        if token.kind == "open":
            opened.append(token.start)
        elif token.kind == "close":
            if not opened:
                if reason.startswith("unexpected )"):
                    return token.start
            else:
                opened.pop()
    if reason.startswith("missing )"):
        return opened[-1] if opened else max(0, pattern.rfind("("))
    if reason.startswith("trailing"):
        return len(pattern) - 1
    if reason.startswith("pattern too large") or not fragment:
        return None
    starts = (token.start for token in tokens(pattern) if pattern.startswith(fragment, token.start))
    found = next(starts, pattern.find(fragment))
    return found if found >= 0 else None


@lru_cache(maxsize=4_096)
def folds(character: str) -> frozenset[str]:
    """Return all characters that RE2 takes for one without regard to case, itself among them."""
    alone = re2.compile(b"(?i)" + re2.escape(character.encode()))
    found = cast("Iterable[bytes]", alone.findall(_cased_text()))
    return frozenset({character, *(other.decode() for other in found)})


@cache
def _cased_text() -> bytes:
    """Return all characters that may have another case, and those that Python does not know yet."""
    chars: Iterable[str] = (chr(code) for code in range(_LAST_CASED + 1) if code not in _SURROGATES)
    return "".join(char for char in chars if unicodedata.category(char) not in _CASELESS).encode()
