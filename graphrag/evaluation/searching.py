"""The queries of a data set, run against its collection."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from graphrag.errors import MissingCapabilityError
from graphrag.evaluation.corpus import Corpus, Progress
from graphrag.evaluation.datasets import Dataset
from graphrag.evaluation.hits import Hit, hits_of
from graphrag.model import Chunk, ResultList, SimilarityResult, TextSimilaritySearchRequest
from graphrag.stores.protocols import HybridSearch, SearchOperations, TextSearch, VectorSearch

__all__ = ["DEPTH", "MODES", "ModeRun", "SearchMode", "run_mode", "search_of"]

SearchMode: TypeAlias = Literal["text", "vector", "hybrid"]
"""By words, by meaning, by both."""

MODES: tuple[SearchMode, ...] = get_args(SearchMode)

DEPTH = 100
"""Chunks asked for. A hybrid search asks each of its legs for as many by default, so that depth changes no fusion."""

Found = ResultList[SimilarityResult[Chunk]]
Search = Callable[[TextSimilaritySearchRequest], Found]


@dataclass(frozen=True, slots=True)
class ModeRun:
    """What one mode of searching gave for all queries.

    Attributes:
        hits: Query id to hits, best first.
        notes: What searches noted, and for how many queries.
        seconds: How long all of them took, one after the other.
    """

    hits: Mapping[str, tuple[Hit, ...]]
    notes: Mapping[str, int]
    seconds: float


def search_of(store: object, mode: SearchMode, *, collection: str) -> Search:
    """Return a store's search of that mode, bound to one collection.

    Raises:
        MissingCapabilityError: The store has no such search.
    """
    only = [collection]
    match mode:
        case "text":
            if isinstance(store, TextSearch):
                by_words = store
                return lambda request: by_words.text_search(request, Chunk, collections=only)
        case "vector":
            if isinstance(store, VectorSearch):
                by_meaning = store
                return lambda request: by_meaning.vector_search(request, Chunk, collections=only)
        case "hybrid":
            if isinstance(store, HybridSearch):
                by_both = store
                return lambda request: by_both.hybrid_search(request, Chunk, collections=only)
    has = tuple(type_.__name__ for type_ in (TextSearch, VectorSearch, HybridSearch) if isinstance(store, type_))
    msg = f"this store has no {mode} search; it has {', '.join(has) or 'none that can be evaluated'}"
    raise MissingCapabilityError(msg, capability=mode, has=has)


def run_mode(
    store: SearchOperations, dataset: Dataset, corpus: Corpus, mode: SearchMode, *, progress: Progress | None = None
) -> ModeRun:
    """Run all queries of a data set, one after the other.

    Args:
        store: Holds the corpus.
        dataset: Has the queries.
        corpus: Where the documents are.
        mode: How to search.
        progress: Is told how far it is.

    Raises:
        MissingCapabilityError: The store has no such search.
        StoreError, ModelCallError: A search failed.
    """
    search = search_of(store, mode, collection=corpus.collection)
    hits: dict[str, tuple[Hit, ...]] = {}
    notes: Counter[str] = Counter()
    began = time.perf_counter()
    for number, query in enumerate(dataset.queries, 1):
        found = search(TextSimilaritySearchRequest(query.text, top_k=DEPTH))
        hits[query.id] = hits_of(found, corpus.documents)
        notes.update(found.notes)
        if progress is not None:
            progress(f"{mode} searches", number, len(dataset.queries))
    return ModeRun(hits, dict(notes), time.perf_counter() - began)
