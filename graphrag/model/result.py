"""Requests and results of searches."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Generic, Literal, TypeAlias, TypeVar, cast

from graphrag.config import LIMITS
from graphrag.errors import InvalidRequestError
from graphrag.model.chunk import Chunk
from graphrag.model.datum import Datum

__all__ = [
    "MAX_EXPLAINED_HITS",
    "LegHit",
    "ResultList",
    "SearchExplanation",
    "SearchPath",
    "SimilarityResult",
    "TextMode",
    "TextSimilaritySearchRequest",
    "check_top_k",
]

T_co = TypeVar("T_co", bound=Datum, covariant=True)
T = TypeVar("T")


def check_top_k(top_k: int, *, limit: int = LIMITS.max_top_k) -> int:
    """Return `top_k` if it is a whole number in 1..limit.

    Raises:
        InvalidRequestError: It is something else; booleans and 2.0 are something else too.
    """
    if type(top_k) is not int or not 1 <= top_k <= limit:
        msg = f"`top_k` is {top_k!r}; it must be a whole number from 1 to {limit}"
        raise InvalidRequestError(msg)
    return top_k


@dataclass(frozen=True, slots=True)
class TextSimilaritySearchRequest:
    """What to search for.

    Attributes:
        query: Any text.
        similarity_threshold: Lowest score to return, inclusive, in 0..1 on the scale of the search;
            None sets no floor.
        top_k: Most results to return, 1..1000.

    Raises:
        InvalidRequestError: A value is of another type or out of its range.
    """

    query: str
    similarity_threshold: float | None = None
    top_k: int = LIMITS.default_top_k

    def __post_init__(self) -> None:
        # Callers without a type checker may pass anything.
        query = cast("object", self.query)
        if not isinstance(query, str):
            msg = f"`query` is of type {type(query).__name__}; it must be text"
            raise InvalidRequestError(msg)
        check_top_k(self.top_k)
        threshold = cast("object", self.similarity_threshold)
        if threshold is None:
            return
        if isinstance(threshold, bool) or not isinstance(threshold, int | float):
            msg = f"`similarity_threshold` is of type {type(threshold).__name__}; it must be a number from 0 to 1"
            raise InvalidRequestError(msg)
        if not 0 <= threshold <= 1:  # NaN is not either
            msg = f"`similarity_threshold` is {threshold!r}; it must be a number from 0 to 1"
            raise InvalidRequestError(msg)


@dataclass(frozen=True, slots=True)
class SimilarityResult(Generic[T_co]):
    """One thing found.

    Attributes:
        match: What was found.
        score: 0..1, higher is better.
        breakdown: What each leg gave: `vector`, `text` (scores in 0..1), `text_raw`, `vector_rank`,
            `text_rank` (1-based), as far as the search had that leg; and what refining it added
            (`graphrag.search`): `before_rerank`, `mmr`.
        context: The chunks around it in its document, in order, itself among them; empty where none were asked for.
    """

    match: T_co
    score: float
    breakdown: Mapping[str, float] = field(default_factory=dict)
    context: tuple[Chunk, ...] = ()


SearchPath: TypeAlias = Literal["index", "in_index", "over_fetch", "exact_scan", "text_index", "scan", "nothing"]
"""Which way a search went: the index without a filter; the index with the whole filter inside; the index asked for
more than is wanted, and filtered after it; a comparison of all that match; the index of texts, asked for what every
match of a pattern contains; a scan of all that the filter lets through; nothing at all, since nothing can match."""


TextMode: TypeAlias = Literal["literal", "lucene"]
"""How a text search reads its query: as words, whatever stands in it; or as words with operators."""


MAX_EXPLAINED_HITS = 100
"""How many hits of a leg an explanation tells at most."""


@dataclass(frozen=True, slots=True)
class LegHit:
    """One thing that a leg of a search found.

    Attributes:
        id: Its id.
        score: 0..1, on the scale of that leg.
    """

    id: str
    score: float


@dataclass(frozen=True, slots=True)
class SearchExplanation:
    """How one leg of a search was run.

    Attributes:
        leg: Of which search.
        path: Which way it went.
        candidates: How many things were looked at: given by the index, or compared.
        matched: How many of them the filter let through; None where that was not counted.
        rounds: How many statements it took.
        predicate: The compiled filter; values are its parameters and do not show.
        in_index: The part of it that the vector index answered.
        found: How many hits the leg brought.
        hits: The best `MAX_EXPLAINED_HITS` of them, best first, before they were fused or refined.
    """

    leg: Literal["vector", "text", "regex"]
    path: SearchPath
    candidates: int
    matched: int | None = None
    rounds: int = 1
    predicate: str = ""
    in_index: str = ""
    found: int = 0
    hits: tuple[LegHit, ...] = ()

    def with_hits(self, scores: Mapping[str, float]) -> "SearchExplanation":
        """Return the explanation with what the leg found: id to score in 0..1, best first."""
        best = islice(scores.items(), MAX_EXPLAINED_HITS)
        return replace(self, found=len(scores), hits=tuple(LegHit(id_, score) for id_, score in best))


class ResultList(list[T]):
    """A list of results that can say what was cut, skipped or replaced on the way.

    Attributes:
        notes: Sentences for the caller, in no case with text of others.
        explanations: How each leg of the search was run, where that was asked for.
    """

    __slots__ = ("explanations", "notes")

    def __init__(
        self, items: Iterable[T] = (), *, notes: Iterable[str] = (), explanations: Iterable[SearchExplanation] = ()
    ) -> None:
        super().__init__(items)
        self.notes: tuple[str, ...] = tuple(notes)
        self.explanations: tuple[SearchExplanation, ...] = tuple(explanations)
