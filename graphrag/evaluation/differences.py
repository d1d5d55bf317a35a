"""Differences between two ways to search over the same queries, with their uncertainty.

The interval is the percentile interval of the paired bootstrap: queries are drawn with replacement, and the mean of
their differences is taken. It is used rather than Student's t because differences of these measures are mostly 0 and
otherwise far from normal, and it assumes nothing but that the queries are a sample of those to come. Sources: B. Efron
and R. Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13; M. Smucker, J. Allan and B. Carterette, "A
Comparison of Statistical Significance Tests for Information Retrieval Evaluation", CIKM 2007.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrag.errors import InvalidRequestError

__all__ = ["CONFIDENCE", "RESAMPLES", "Difference", "interval_of_mean", "paired_difference"]

RESAMPLES = 10_000
CONFIDENCE = 0.95
_DRAWN_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of paired differences.

    Attributes:
        mean: First less second, over all queries.
        low: Lower end of the 95 % interval.
        high: Upper end.
        queries: How many pairs there are.
    """

    mean: float
    low: float
    high: float
    queries: int


def paired_difference(first: Mapping[str, float], second: Mapping[str, float], *, seed: int = 0) -> Difference:
    """Return how much better the first is than the second, query by query.

    Args:
        first: Query id to value.
        second: The same queries.
        seed: Of the resampling; the same seed and values give the same interval.

    Raises:
        InvalidRequestError: The queries are not the same, or there are none.
    """
    if first.keys() != second.keys() or not first:
        same = len(first.keys() & second.keys())
        msg = (
            f"the values are of {len(first)} and {len(second)} queries, of which {same} are the same; paired "
            "differences need the same queries on both sides, at least one"
        )
        raise InvalidRequestError(msg)
    return interval_of_mean([first[query] - second[query] for query in sorted(first)], seed=seed)


def interval_of_mean(values: Sequence[float], *, seed: int = 0) -> Difference:
    """Return the mean of values that are a sample, with its 95 % interval; `values` has at least one."""
    sample = np.asarray(values, dtype=np.float64)
    # The generator is named, since NumPy may change its default one.
    generator = np.random.Generator(np.random.PCG64(seed))
    means: NDArray[np.float64] = np.empty(RESAMPLES)
    step = max(1, _DRAWN_AT_ONCE // len(sample))
    for start in range(0, RESAMPLES, step):
        rows = min(step, RESAMPLES - start)
        drawn = generator.integers(0, len(sample), size=(rows, len(sample)))
        means[start : start + rows] = sample[drawn].mean(axis=1)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return Difference(float(sample.mean()), float(low), float(high), len(sample))
