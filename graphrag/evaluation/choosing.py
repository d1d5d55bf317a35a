"""One setting of fusion for several data sets, chosen on one half of the queries and judged on the other.

A setting that is judged on the queries that it was chosen on looks better than it is. So the queries of each data set
are split in two; the setting is chosen on the first halves and its differences are taken on the second ones, then the
other way round, and the differences of both are pooled: each query is judged once, by a setting that has not seen it.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from graphrag.errors import InvalidRequestError
from graphrag.evaluation.datasets import Dataset
from graphrag.evaluation.differences import Difference, interval_of_mean
from graphrag.evaluation.hits import Hit
from graphrag.evaluation.legs import FusionSetting, QueryLegs, fused_hits
from graphrag.evaluation.measures import ByQuery, measure

__all__ = ["CrossFit", "Scored", "Target", "choose", "cross_fit", "halves", "score_settings"]


@dataclass(frozen=True, slots=True)
class Target:
    """What a hybrid search is to reach on a data set.

    Attributes:
        measure: By which measure.
        least: Lowest mean difference to the better of its legs.
    """

    measure: str
    least: float


@dataclass(frozen=True, slots=True)
class Scored:
    """A data set with what each setting gives on it.

    Attributes:
        name: The data set's.
        target: What is to be reached.
        means: Mean of the target's measure of each leg alone.
        better: The leg with the higher mean over all queries.
        differences: Setting to query id to hybrid less the better leg.
    """

    name: str
    target: Target
    means: Mapping[Literal["text", "vector"], float]
    better: Literal["text", "vector"]
    differences: Mapping[FusionSetting, ByQuery] = field(repr=False)

    def margin(self, setting: FusionSetting, queries: Sequence[str]) -> float:
        """Return by how much the mean difference over some queries is over the target."""
        differences = self.differences[setting]
        return sum(differences[query] for query in queries) / len(queries) - self.target.least


@dataclass(frozen=True, slots=True)
class CrossFit:
    """What choosing on one half and judging on the other gave.

    Attributes:
        chosen: The setting chosen on the first halves, and that chosen on the second ones.
        pooled: By data set: differences of all queries, each by the setting that has not seen it.
        seed: Of split and intervals.
    """

    chosen: tuple[FusionSetting, FusionSetting]
    pooled: Mapping[str, Difference]
    seed: int


def score_settings(
    dataset: Dataset, legs: Mapping[str, QueryLegs], target: Target, *, settings: Sequence[FusionSetting]
) -> Scored:
    """Return what each setting gives on a data set.

    Args:
        dataset: Tells the answers.
        legs: Of each of its queries.
        target: Names the measure.
        settings: At least one.

    Raises:
        InvalidRequestError: The data set has no such measure.
        MissingExtraError: `ir-measures` is needed and not installed.
    """
    alone: dict[Literal["text", "vector"], ByQuery] = {
        "text": _by_query(dataset, target, {id_: _ranked(each, each.text) for id_, each in legs.items()}),
        "vector": _by_query(dataset, target, {id_: _ranked(each, each.vector) for id_, each in legs.items()}),
    }
    means: dict[Literal["text", "vector"], float] = {leg: sum(by.values()) / len(by) for leg, by in alone.items()}
    better: Literal["text", "vector"] = "text" if means["text"] >= means["vector"] else "vector"
    differences: dict[FusionSetting, ByQuery] = {}
    for setting in settings:
        found = _by_query(dataset, target, {id_: fused_hits(each, setting) for id_, each in legs.items()})
        differences[setting] = {query: value - alone[better][query] for query, value in found.items()}
    return Scored(dataset.name, target, means, better, differences)


def halves(queries: Sequence[str], *, seed: int) -> tuple[list[str], list[str]]:
    """Return the queries in two halves, the first one perhaps smaller by one; the same seed gives the same split."""
    shuffled = sorted(queries)
    random.Random(seed).shuffle(shuffled)  # noqa: S311 - a split, no cryptography
    middle = len(shuffled) // 2
    return sorted(shuffled[:middle]), sorted(shuffled[middle:])


def choose(scored: Sequence[Scored], queries: Mapping[str, Sequence[str]]) -> FusionSetting:
    """Return the setting whose least margin over the targets of all data sets is the highest, on some queries.

    Args:
        scored: The data sets, all with the same settings.
        queries: By data set, those to look at.
    """
    settings = sorted(scored[0].differences)
    return max(settings, key=lambda setting: min(each.margin(setting, queries[each.name]) for each in scored))


def cross_fit(scored: Sequence[Scored], *, seed: int = 0) -> CrossFit:
    """Choose on one half of the queries of each data set and judge on the other, both ways round.

    Args:
        scored: At least one data set of at least two queries, all with the same settings.
        seed: Of split and intervals.

    Raises:
        InvalidRequestError: There is none, or one has a single query.
    """
    if not scored or any(len(_queries(each)) < len(("first", "second")) for each in scored):
        msg = "choosing on one half and judging on the other needs at least one data set, and two queries in each"
        raise InvalidRequestError(msg)
    split = {each.name: halves(_queries(each), seed=seed) for each in scored}
    first = choose(scored, {name: one for name, (one, _) in split.items()})
    second = choose(scored, {name: other for name, (_, other) in split.items()})
    pooled: dict[str, Difference] = {}
    for each in scored:
        one, other = split[each.name]
        unseen = [each.differences[second][query] for query in one]
        unseen += [each.differences[first][query] for query in other]
        pooled[each.name] = interval_of_mean(unseen, seed=seed)
    return CrossFit((first, second), pooled, seed)


def _queries(scored: Scored) -> list[str]:
    return sorted(next(iter(scored.differences.values())))


def _ranked(legs: QueryLegs, scores: Mapping[str, float]) -> tuple[Hit, ...]:
    return tuple(legs.hits[id_] for id_ in scores)


def _by_query(dataset: Dataset, target: Target, run: Mapping[str, Sequence[Hit]]) -> ByQuery:
    values = measure(dataset, run)
    if target.measure not in values:
        msg = f"data set `{dataset.name}` has no measure `{target.measure}`; it has {', '.join(values)}"
        raise InvalidRequestError(msg)
    return values[target.measure]
