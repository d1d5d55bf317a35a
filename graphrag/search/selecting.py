"""How many hits a refined search asks for, and which of them stay: no I/O."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeVar, cast

from graphrag.config import Settings
from graphrag.errors import InvalidRequestError
from graphrag.model import Chunk, Retrievable, SimilarityResult
from graphrag.search.refinement import Refinement

__all__ = ["Plan", "capped", "reranked"]

R = TypeVar("R", bound=Retrievable)

_GROWTH = 4
"""How much more is asked for where a cap leaves too little: few searches, and few hits for nothing."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How many hits are asked for.

    Attributes:
        top_k: Most results.
        first: Hits asked for at first.
        most: Hits asked for at most.
        pool: Hits among which a diverse choice is made.
    """

    top_k: int
    first: int
    most: int
    pool: int

    @classmethod
    def of(cls, top_k: int, refine: Refinement, settings: Settings) -> Self:
        """Return the plan of a search.

        Raises:
            InvalidRequestError: More hits would have to be reranked, or brought as neighbours, than the limits allow.
        """
        limits = settings.limits
        if refine.neighbours:
            brought = top_k * (2 * refine.neighbours + 1)
            if brought > limits.max_context_chunks:
                msg = (
                    f"`top_k` {top_k} with {refine.neighbours} `neighbours` on each side may bring {brought:,} chunks; "
                    f"at most {limits.max_context_chunks:,} come with one search (`limits.max_context_chunks`)"
                )
                raise InvalidRequestError(msg)
        if refine.rerank is not None:
            return cls._reranking(top_k, refine.rerank, limits.max_rerank_candidates)
        pool = top_k if refine.diversity is None else max(top_k, settings.search.diversity_candidates)
        pool = min(pool, limits.max_top_k)
        grown = _GROWTH * top_k if refine.per_document is not None else top_k
        return cls(top_k, first=min(limits.max_top_k, max(pool, grown)), most=limits.max_top_k, pool=pool)

    @classmethod
    def _reranking(cls, top_k: int, candidates: int, limit: int) -> Self:
        first = max(top_k, candidates)
        if first > limit:
            what = f"`rerank` is {candidates}" if candidates >= top_k else f"`top_k` is {top_k} with `rerank`"
            msg = f"{what}; a cross-encoder reads at most {limit} hits of one search (`limits.max_rerank_candidates`)"
            raise InvalidRequestError(msg)
        return cls(top_k, first=first, most=limit, pool=first)

    def after(self, asked: int) -> int:
        """Return how many hits to ask for where so many were too few."""
        return min(self.most, asked * _GROWTH)

    def ended_early(self, kept: int, per_document: int) -> str:
        """Return a note for a search that looked at all that it may, and found too little under a cap."""
        return (
            f"the best {self.most:,} hits leave {kept} results with at most {per_document} of one document; no more "
            "hits were looked at"
        )


def capped(results: Sequence[SimilarityResult[R]], per_document: int | None) -> list[SimilarityResult[R]]:
    """Return the results in their order, of each document the first `per_document`."""
    if per_document is None:
        return list(results)
    seen = Counter[str]()
    kept: list[SimilarityResult[R]] = []
    for result in results:
        document = cast("Chunk", result.match).document_id
        seen[document] += 1
        if seen[document] <= per_document:
            kept.append(result)
    return kept


def reranked(results: Sequence[SimilarityResult[R]], scores: Mapping[str, float]) -> list[SimilarityResult[R]]:
    """Return the results with new scores by id, best first, equal ones by id."""
    scored = [
        replace(result, score=scores[result.match.id], breakdown={**result.breakdown, "before_rerank": result.score})
        for result in results
    ]
    return sorted(scored, key=lambda result: (-result.score, result.match.id))
