"""Fusion of ranked lists into one.

Both strategies take, for each leg, ids with scores, best first, and give one score in 0..1 an id.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from graphrag.errors import InvalidRequestError

__all__ = ["Fusion", "Leg", "fuse"]

Fusion = Literal["z_score", "reciprocal_rank"]

RANK_CONSTANT = 60
"""Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion outperforms Condorcet ...", SIGIR 2009."""


@dataclass(frozen=True, slots=True)
class Leg:
    """One ranked list.

    Attributes:
        weight: Its share, at least 0.
        scores: Id to score, in falling order of score.
        absent: The score of everything that is not in it, where that is known: 0 for a text search that
            came to its end. None where the list was cut, so that all that is known is that it is lower.
    """

    weight: float
    scores: Mapping[str, float]
    absent: float | None = None


def fuse(legs: Sequence[Leg], strategy: Fusion) -> list[tuple[str, float]]:
    """Return ids with their fused scores, best first; equal scores by id.

    `z_score`: each leg's scores are standardised over its own candidates, an id that a leg lacks counts
    as that leg's lowest; where its score is known (`absent`), it is one of the candidates. The weighted
    mean goes through the logistic function into 0..1.
    `reciprocal_rank`: the weighted mean of 1 / (60 + rank), divided by what rank 1 in every leg would give.

    Args:
        legs: At least one with a weight above 0.
        strategy: How to fuse.

    Raises:
        InvalidRequestError: The weights are all 0, or one is negative.
    """
    total = sum(leg.weight for leg in legs)
    if total <= 0 or any(leg.weight < 0 for leg in legs):
        msg = "the weights of a fusion must be at least 0, and one of them above 0"
        raise InvalidRequestError(msg)
    # A leg without candidates says nothing, for or against.
    speaking = [leg for leg in legs if leg.scores and leg.weight]
    ids = {id_ for leg in speaking for id_ in leg.scores}
    score = _by_z_score(speaking, len(ids)) if strategy == "z_score" else _by_rank(speaking, total)
    fused = [(id_, score(id_)) for id_ in ids]
    fused.sort(key=lambda item: (-item[1], item[0]))
    return fused


def _by_z_score(legs: Sequence[Leg], candidates: int) -> Callable[[str], float]:
    standardised: list[tuple[float, dict[str, float], float]] = []
    total = sum(leg.weight for leg in legs)
    for leg in legs:
        lacking = candidates - len(leg.scores) if leg.absent is not None else 0
        values = [*leg.scores.values(), *([leg.absent or 0.0] * lacking)]
        mean = math.fsum(values) / len(values)
        deviation = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / len(values)) or 1.0
        z = {id_: (value - mean) / deviation for id_, value in leg.scores.items()}
        lowest = min(z.values()) if leg.absent is None else (leg.absent - mean) / deviation
        standardised.append((leg.weight / total, z, lowest))

    def score(id_: str) -> float:
        mean_z = math.fsum(weight * z.get(id_, lowest) for weight, z, lowest in standardised)
        return 1 / (1 + math.exp(-mean_z))

    return score


def _by_rank(legs: Sequence[Leg], total: float) -> Callable[[str], float]:
    ranks = [(leg.weight, {id_: rank for rank, id_ in enumerate(leg.scores, 1)}) for leg in legs]
    best = total / (RANK_CONSTANT + 1)

    def score(id_: str) -> float:
        return math.fsum(weight / (RANK_CONSTANT + r[id_]) for weight, r in ranks if id_ in r) / best

    return score
