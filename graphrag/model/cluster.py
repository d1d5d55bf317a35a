"""Requests and results of a search for what is nearly equal."""

from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from graphrag.errors import InvalidRequestError
from graphrag.model.result import SimilarityResult
from graphrag.model.retrievable import Retrievable

__all__ = ["Cluster", "ClusterRequest"]

R_co = TypeVar("R_co", bound=Retrievable, covariant=True)

_MAX_SIMILAR = 100
_MAX_CLUSTERS = 1_000
_MAX_MIN_SIZE = 1_000
_LEAST_THRESHOLD = 0.5


@dataclass(frozen=True, slots=True)
class ClusterRequest:
    """What counts as nearly equal, and how much of it to return.

    Attributes:
        similarity_threshold: Lowest score (1 + cosine) / 2 between an anchor and a member of its cluster,
            inclusive, 0.5..1.
        top_k: Most members of each cluster to return beside its anchor, 1..100; the nearest ones are.
        max_clusters: Most clusters to return, 1..1000; the largest ones are.
        min_size: Fewest chunks of a cluster, its anchor included, 2..1000.

    Raises:
        InvalidRequestError: A value is of another type or out of its range.
    """

    similarity_threshold: float = 0.95
    top_k: int = 10
    max_clusters: int = 100
    min_size: int = 2

    def __post_init__(self) -> None:
        # Callers without a type checker may pass anything.
        threshold = cast("object", self.similarity_threshold)
        number = isinstance(threshold, int | float) and not isinstance(threshold, bool)
        if not number or not _LEAST_THRESHOLD <= self.similarity_threshold <= 1:  # NaN is in no range
            msg = f"`similarity_threshold` is {threshold!r}; it must be a number from {_LEAST_THRESHOLD} to 1"
            raise InvalidRequestError(msg)
        _check_whole("top_k", self.top_k, 1, _MAX_SIMILAR)
        _check_whole("max_clusters", self.max_clusters, 1, _MAX_CLUSTERS)
        _check_whole("min_size", self.min_size, 2, _MAX_MIN_SIZE)


@dataclass(frozen=True, slots=True)
class Cluster(Generic[R_co]):
    """Things that are nearly equal to one of them.

    Attributes:
        anchor: The one that all others are compared with.
        similar: The others, best first (equal scores by id), as many as were asked for. Each score is that of the
            anchor and the member, and at least the threshold; two members may be less similar to each other.
        size: Number of all members, the anchor included; more than are listed where the list was cut.
    """

    anchor: R_co
    similar: tuple[SimilarityResult[R_co], ...]
    size: int


def _check_whole(name: str, value: object, least: int, most: int) -> None:
    if type(value) is not int or not least <= value <= most:
        msg = f"`{name}` is {value!r}; it must be a whole number from {least} to {most}"
        raise InvalidRequestError(msg)
