"""The queries of a data set, run against its collection."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar, get_args

from graphrag.errors import MissingCapabilityError
from graphrag.evaluation.corpus import Corpus, Progress
from graphrag.evaluation.datasets import Dataset, EvaluationQuery
from graphrag.evaluation.hits import Hit, hits_of
from graphrag.model import Chunk, ResultList, SimilarityResult, TextSimilaritySearchRequest
from graphrag.stores.protocols import HybridSearch, SearchOperations, TextSearch, VectorSearch

__all__ = ["DEPTH", "MODES", "ModeRun", "SearchMode", "for_each_query", "run_mode", "search_of"]

SearchMode: TypeAlias = Literal["text", "vector", "hybrid"]
"""By words, by meaning, by both."""

MODES: tuple[SearchMode, ...] = get_args(SearchMode)

DEPTH = 100
"""Chunks asked for. A hybrid search asks each of its legs for as many by default, so that depth changes no fusion."""

CLIENTS = 4
"""Queries that are run at once: enough to keep a server busy, few enough not to be in its way."""

T = TypeVar("T")
Found = ResultList[SimilarityResult[Chunk]]
Search = Callable[[TextSimilaritySearchRequest], Found]


@dataclass(frozen=True, slots=True)
class ModeRun:
    """What one mode of searching gave for all queries.

    Attributes:
        hits: Query id to hits, best first.
        notes: What searches noted, and for how many queries.
        seconds: How long all of them took, some at once.
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
    """Run all queries of a data set, a few at once.

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
    began = time.perf_counter()
    found = for_each_query(
        dataset,
        lambda query: search(TextSimilaritySearchRequest(query.text, top_k=DEPTH)),
        what=f"{mode} searches",
        progress=progress,
    )
    seconds = time.perf_counter() - began
    notes = Counter(note for results in found.values() for note in results.notes)
    hits = {query_id: hits_of(results, corpus.documents) for query_id, results in found.items()}
    return ModeRun(hits, dict(notes), seconds)


def for_each_query(
    dataset: Dataset, ask: Callable[[EvaluationQuery], T], *, what: str, progress: Progress | None = None
) -> dict[str, T]:
    """Return what `ask` gives for each query, by its id; a few run at once, and the first error ends all.

    Args:
        dataset: Has the queries.
        ask: Is called from several threads.
        what: Is told with the progress.
        progress: Is told how far it is.

    Raises:
        GraphRagError: What `ask` raises.
    """
    answers: dict[str, T] = {}
    with ThreadPoolExecutor(CLIENTS) as pool:
        for query, answer in zip(dataset.queries, pool.map(ask, dataset.queries), strict=True):
            answers[query.id] = answer
            if progress is not None:
                progress(what, len(answers), len(dataset.queries))
    return answers
