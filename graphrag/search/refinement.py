"""What is done with the hits of a search: rerank, cap, diversify, add neighbours."""

from dataclasses import dataclass
from typing import cast

from graphrag.config import LIMITS
from graphrag.errors import InvalidRequestError

__all__ = ["Refinement"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refinement:
    """What is done with the hits of a search, in this order.

    1. `rerank`: a cross-encoder reads the query with each of the best hits, and its scores replace theirs. It comes
       first, since all that follows asks which hits are the better ones.
    2. `per_document`: of each document the best stay. Before the diverse choice, so that this one is made among what
       may be returned at all, and no place is lost to a cap that comes after it.
    3. `diversity`: maximal marginal relevance picks `top_k` of those that are left.
    4. The list ends at `top_k`.
    5. `neighbours`: what is returned, and nothing else, gets its surroundings.

    Attributes:
        rerank: How many hits the cross-encoder reads, 1..1000 and at most `limits.max_rerank_candidates`; as many as
            `top_k` where that is more. None leaves the scores of the search.
        per_document: Most results of one document, at least 1. More hits are looked at until `top_k` are left or there
            are no more.
        diversity: 0..1, which is 1 - lambda of maximal marginal relevance: 0 keeps the order, 1 asks only for what is
            least like the results before it. 0.3 is a good first value. None leaves it out.
        neighbours: Chunks on each side of a result that come with it (`context`), 0..20.

    Raises:
        InvalidRequestError: A value is of another type or out of its range.
    """

    rerank: int | None = None
    per_document: int | None = None
    diversity: float | None = None
    neighbours: int = 0

    def __post_init__(self) -> None:
        if self.rerank is not None:
            _check_whole("rerank", self.rerank, lowest=1, highest=LIMITS.max_top_k)
        if self.per_document is not None:
            _check_whole("per_document", self.per_document, lowest=1, highest=LIMITS.max_top_k)
        _check_whole("neighbours", self.neighbours, lowest=0, highest=LIMITS.max_chunks_to_add)
        diversity = cast("object", self.diversity)
        if diversity is None:
            return
        number = isinstance(diversity, int | float) and not isinstance(diversity, bool)
        if not number or not 0 <= cast("float", diversity) <= 1:
            msg = f"`diversity` is {_shown(diversity)}; it must be a number from 0 to 1"
            raise InvalidRequestError(msg)

    @property
    def needs_chunks(self) -> bool:
        """Whether it asks what only chunks have: a document, neighbours, vectors in the store."""
        return self.per_document is not None or self.diversity is not None or self.neighbours > 0


def _check_whole(name: str, value: object, *, lowest: int, highest: int) -> None:
    if type(value) is not int or not lowest <= value <= highest:
        msg = f"`{name}` is {_shown(value)}; it must be a whole number from {lowest} to {highest}"
        raise InvalidRequestError(msg)


def _shown(value: object) -> str:
    return repr(value)[:80]
