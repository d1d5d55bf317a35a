"""Which of many texts a pattern matches, within a budget of texts, bytes and time."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from graphrag.query.pattern import Pattern

__all__ = ["MatchBudget"]

_Encoded: TypeAlias = bytes
_HEAVY_STEPS = 50_000_000
"""States of a pattern times bytes of a text, up to which a text takes a second at most."""
_STEP_S = 17e-9
"""Of processor time, measured where all states are active."""


@dataclass(slots=True)
class MatchBudget:
    """What a search by regular expression may still look at.

    Attributes:
        rows: Texts.
        bytes: Text in UTF-8.
        seconds: How long the search may take, from the moment that the object was made.
        spent: What came to its end first: `rows`, `bytes` or `time`; empty as long as nothing did.
        looked_at: Texts that were matched so far.
    """

    rows: int
    bytes: int
    seconds: float
    spent: str = ""
    looked_at: int = 0
    _slowest: tuple[float, int] = (0.0, 0)  # seconds and bytes of the heavy text that took longest for a byte
    _start: float = field(default_factory=time.monotonic)

    def left_s(self) -> float:
        """Return the seconds that are left, at least 0."""
        return max(0.0, self._start + self.seconds - time.monotonic())

    def matching(self, pattern: Pattern, texts: Sequence[str], *, wanted: int) -> list[int]:
        """Return the places of those texts that the pattern matches, as far as the budget goes.

        Blocks; a text takes time in proportion to its length, and the clock is read before each. One that may take
        long is left out, as the first that there is no time for, where the ones before it tell that it would.

        Args:
            pattern: What to look for.
            texts: In order; `spent` tells afterwards whether they were all looked at.
            wanted: Most places to return.
        """
        found: list[int] = []
        for place, text in enumerate(texts):
            if len(found) >= wanted:
                break
            encoded = text.encode("utf-8", "replace")
            self.spent = self._spent_by(len(encoded)) or self._too_slow(pattern, encoded)
            if self.spent:
                break
            self.rows -= 1
            self.bytes -= len(encoded)
            self.looked_at += 1
            if self._found_in(pattern, encoded):
                found.append(place)
        return found

    def _too_slow(self, pattern: Pattern, text: _Encoded) -> str:
        """Return `time` where a text is likely to take more than is left; of the first heavy one a part is tried."""
        if pattern.states * len(text) <= _HEAVY_STEPS:
            return ""
        if not self._slowest[1]:
            self._found_in(pattern, text[: _HEAVY_STEPS // pattern.states + 1])
        seconds, size = self._slowest
        # Within a longer text more of the states may become active, up to all of them.
        more = len(text) / size
        likely_s = min(seconds * more * max(1.0, more), pattern.states * len(text) * _STEP_S)
        return "" if likely_s <= self.left_s() else "time"

    def _found_in(self, pattern: Pattern, text: _Encoded) -> bool:
        started = time.thread_time()
        found = pattern.found_in(text)
        seconds, size = self._slowest
        took_s = time.thread_time() - started
        if pattern.states * len(text) > _HEAVY_STEPS and took_s * size >= seconds * len(text):
            self._slowest = (took_s, len(text))
        return found

    def _spent_by(self, size: int) -> str:
        """Return what another text of that many bytes would be too much for; empty where nothing is."""
        if self.rows < 1:
            return "rows"
        if self.bytes < size:
            return "bytes"
        return "" if self.left_s() else "time"
