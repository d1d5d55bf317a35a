"""The legs of hybrid searches, each run once a query, and what any fusion makes of them.

`fused_hits` gives what the store's own hybrid search would give with that setting, so that many settings are compared
without searching again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from graphrag.evaluation.corpus import Corpus, Progress
from graphrag.evaluation.datasets import Dataset, EvaluationQuery
from graphrag.evaluation.hits import Hit, hits_of
from graphrag.evaluation.searching import DEPTH, for_each_query, search_of
from graphrag.model import TextSimilaritySearchRequest
from graphrag.query.fusion import Fusion, Leg, fuse
from graphrag.stores.protocols import SearchOperations

__all__ = ["FusionSetting", "QueryLegs", "collect_legs", "fused_hits"]


@dataclass(frozen=True, slots=True, order=True)
class FusionSetting:
    """How the legs of a hybrid search are joined.

    Attributes:
        fusion: The strategy.
        text_weight: Share of the search by words, in 0..1; the search by meaning has the rest.
    """

    fusion: Fusion
    text_weight: float

    def __str__(self) -> str:
        return f"{self.fusion}, weight of text {self.text_weight:g}"


@dataclass(frozen=True, slots=True)
class QueryLegs:
    """What both legs gave for one query, best first.

    Attributes:
        vector: Chunk id to score on the scale (1 + cosine) / 2.
        text: Chunk id to raw BM25 score.
        hits: Chunk id to hit, of both.
    """

    vector: Mapping[str, float]
    text: Mapping[str, float]
    hits: Mapping[str, Hit] = field(repr=False)


def collect_legs(
    store: SearchOperations, dataset: Dataset, corpus: Corpus, *, progress: Progress | None = None
) -> dict[str, QueryLegs]:
    """Run both legs of all queries, as deep as a hybrid search does by default; return them by query id.

    Args:
        store: Holds the corpus.
        dataset: Has the queries.
        corpus: Where the documents are.
        progress: Is told how far it is.

    Raises:
        MissingCapabilityError: The store lacks one of the two searches.
        StoreError, ModelCallError: A search failed.
    """
    by_meaning = search_of(store, "vector", collection=corpus.collection)
    by_words = search_of(store, "text", collection=corpus.collection)

    def both(query: EvaluationQuery) -> QueryLegs:
        request = TextSimilaritySearchRequest(query.text, top_k=DEPTH)
        near, worded = by_meaning(request), by_words(request)
        return QueryLegs(
            {result.match.id: result.score for result in near},
            {result.match.id: result.breakdown["text_raw"] for result in worded},
            {hit.chunk_id: hit for hit in hits_of([*near, *worded], corpus.documents)},
        )

    return for_each_query(dataset, both, what="searches by meaning and by words", progress=progress)


def fused_hits(legs: QueryLegs, setting: FusionSetting) -> tuple[Hit, ...]:
    """Return what a hybrid search with that setting gives, best first, at most `DEPTH` hits."""
    # A text search that came to its end knows what it did not find: all of that scores 0.
    absent = 0.0 if len(legs.text) < DEPTH else None
    fused = fuse(
        [Leg(1 - setting.text_weight, legs.vector), Leg(setting.text_weight, legs.text, absent)], setting.fusion
    )
    return tuple(legs.hits[id_] for id_, _ in fused[:DEPTH])
