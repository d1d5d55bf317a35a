"""Which way a filtered vector search goes, and what it learns for the next one.

Three ways give the same answer: an exact comparison of all chunks that match; the index with the whole filter
inside; and the index without it (or with a part of it), asked for so many candidates that enough of them pass.
Measured on 100,000 chunks (docs/benchmarks.md): up to some 2,500 matches the exact way is the fastest (500 where the
index takes the whole filter). Where the index cannot take the filter, the exact way is the only right one below a
share of some percent: an index that is asked for thousands of candidates misses a tenth of them. How many match is
counted by the exact statement itself, which gives up early where there are too many; what was learned is remembered
for a while, and only ever decides about speed.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

__all__ = ["Experience", "MatchMemory", "first_candidates", "next_candidates", "wanted_candidates"]

_REMEMBERED = 1_024
_LIFETIME_S = 120.0
_UNKNOWN_SHARE = 0.1
"""Share of passing candidates that is assumed at first, where many chunks are known to match."""
_NEARLY_ALL = 0.9
_THIN = 0.3
_FEW_INSIDE = 2_500
"""Matches among which an index that filters finds the best with 200 candidates; among 10,000 it takes 500."""
_MARGIN = 1.3
_LEAST_GROWTH = 4


@dataclass(frozen=True, slots=True)
class Experience:
    """What an earlier search with a filter has shown.

    Attributes:
        few: Whether so few chunks match that all were compared.
        share: The share of the index's candidates that passed; None where that is not known.
        matched: How many chunks matched; None where they were not counted.
        at: When, on the clock of `time.monotonic`.
    """

    few: bool
    share: float | None
    matched: int | None
    at: float


class MatchMemory:
    """Experiences by filter: the last ones, for a while. Safe to share between threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: OrderedDict[object, Experience] = OrderedDict()
        self._lock = Lock()

    def recall(self, key: object) -> Experience | None:
        """Return what is known of a filter and not too old."""
        with self._lock:
            known = self._known.get(key)
            if known is None or self._clock() - known.at > _LIFETIME_S:
                return None
            self._known.move_to_end(key)
            return known

    def learn(self, key: object, *, few: bool, share: float | None = None, matched: int | None = None) -> None:
        """Remember; the oldest is forgotten where there are too many."""
        with self._lock:
            self._known[key] = Experience(few, share, matched, self._clock())
            self._known.move_to_end(key)
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)


def wanted_candidates(base: int, share: float | None, *, inside: bool, matched: int | None = None) -> int:
    """Return how many candidates that pass are needed for full recall (measured, docs/benchmarks.md).

    A filter thins out the neighbourhoods that the index walks through, most where it lets some percent through. Where
    the index filters, fewer do where fewer match.

    Args:
        base: How many are needed without a filter.
        share: The share of all chunks that match; None where that is not known.
        inside: Whether the index filters, rather than being asked for more than is wanted.
        matched: How many chunks match; None where that is not known.
    """
    if share is not None and share >= _THIN:
        return 2 * base if share < _NEARLY_ALL else base
    if not inside:
        return 7 * base
    return (4 if matched is not None and matched <= _FEW_INSIDE else 10) * base


def first_candidates(wanted: int, share: float | None, *, most: int) -> int:
    """Return how many candidates to ask for, so that as many as wanted are likely to pass."""
    likely = _UNKNOWN_SHARE if share is None else share
    return min(most, max(wanted, math.ceil(_MARGIN * wanted / max(likely, 1e-9))))


def next_candidates(wanted: int, asked: int, passed: int, *, most: int) -> int:
    """Return how many candidates to ask for after `asked` were too few."""
    likely = asked * wanted / passed if passed else math.inf
    return int(min(most, max(asked * _LEAST_GROWTH, _MARGIN * likely)))
