"""Maximal marginal relevance: results that are good, and unlike those before them.

Carbonell and Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering Documents and Producing Summaries",
SIGIR 1998.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrag.errors import InvalidRequestError

__all__ = ["Chosen", "choose_diverse"]

_UNKNOWN = 0.5
"""Similarity to what has no vector: that of two unrelated texts, a cosine of 0."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """One candidate that was chosen.

    Attributes:
        id: Its id.
        value: What it was chosen by: weighted relevance less weighted similarity, in -1..1.
    """

    id: str
    value: float


def choose_diverse(
    relevance: Mapping[str, float], vectors: Mapping[str, NDArray[np.float32]], *, diversity: float, count: int
) -> list[Chosen]:
    """Return the best candidates, each chosen for what it adds to those before it.

    Each step takes the candidate with the highest `(1 - diversity) * relevance - diversity * similarity`. Similarity is
    that to the nearest of those already chosen, (1 + cosine) / 2 as in scores of vectors; 0 in the first step. With
    relevance on the same scale this is the paper's criterion with lambda = 1 - diversity. Ties go to the higher
    relevance, then by id: the order in which candidates come does not matter.

    Args:
        relevance: Score in 0..1 by id.
        vectors: Vector by id, of any length and of one shape. A candidate without one, or with one that has no
            direction, counts as unrelated to all others.
        diversity: 0..1: 0 is the order of relevance, 1 takes what is least like anything before.
        count: How many to choose, at least 0.

    Raises:
        InvalidRequestError: `diversity` is out of its range.
    """
    if not 0 <= diversity <= 1:
        msg = f"`diversity` is {diversity!r}; it must be a number from 0 to 1"
        raise InvalidRequestError(msg)
    # In one order, whatever the caller's: rounding then is the same too.
    ids = sorted(relevance, key=lambda id_: (-relevance[id_], id_))
    worth = np.array([(1 - diversity) * relevance[id_] for id_ in ids], dtype=np.float64)
    rows, known = _unit_rows(ids, vectors)
    nearest = np.zeros(len(ids), dtype=np.float64)
    free = np.ones(len(ids), dtype=np.bool_)
    chosen: list[Chosen] = []
    for _ in range(min(count, len(ids))):
        values = np.where(free, worth - diversity * nearest, -math.inf)
        # The first of equal ones, which has the higher relevance or the lower id.
        best = int(np.argmax(values))
        chosen.append(Chosen(ids[best], float(values[best])))
        free[best] = False
        nearest = np.maximum(nearest, _similarities(rows, known, best))
    return chosen


def _unit_rows(
    ids: Sequence[str], vectors: Mapping[str, NDArray[np.float32]]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return a row of length 1 an id, zeros where there is no direction, and which have one."""
    width = next((len(vector) for vector in vectors.values()), 0)
    rows = np.zeros((len(ids), width), dtype=np.float64)
    known = np.zeros(len(ids), dtype=np.bool_)
    for place, id_ in enumerate(ids):
        vector = vectors.get(id_)
        if vector is None:
            continue
        exact = vector.astype(np.float64)
        norm = float(np.sqrt(np.sum(exact * exact)))
        if math.isfinite(norm) and norm > 0:
            rows[place] = exact / norm
            known[place] = True
    return rows, known


def _similarities(rows: NDArray[np.float64], known: NDArray[np.bool_], place: int) -> NDArray[np.float64]:
    # Summed row by row rather than by a matrix product, which may round equal rows in different ways.
    cosines = np.sum(rows * rows[place], axis=1)
    similarities: NDArray[np.float64] = np.where(known & known[place], (1 + cosines) / 2, _UNKNOWN)
    return similarities
