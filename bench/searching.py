"""How fast and how completely is searched, beside plain Cypher."""

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import cast

import numpy as np

from bench.data import SMALL_COLLECTION, make_documents
from bench.measure import Comparison, median
from bench.plain import SEARCHES, PlainSearch
from bench.setting import Setting
from graphrag.model import SimilarityResult, TextSimilaritySearchRequest
from graphrag.model.chunk import Chunk

__all__ = ["choose_plain_search", "compare_searches", "fill_for_searches"]

_TOP_K = 10
_CANDIDATES = 50
_MOST_SECONDS_SLOWER = 1.15
_LEAST_RECALL = 0.99
_THREADS = 4

Found = Sequence[str]
Search = Callable[[int], Found]


def fill_for_searches(setting: Setting) -> dict[str, int]:
    """Write the corpus once; return the place in the corpus of each chunk by its id."""
    setting.start_afresh()
    documents = make_documents(setting.corpus, name="search", model=setting.model)
    for outcome in setting.store.write_documents(documents):
        if isinstance(outcome, Exception):
            raise outcome
    ids = [chunk.id for document in documents for chunk in document.chunks]
    return {id_: place for place, id_ in enumerate(ids)}


def choose_plain_search(setting: Setting, *, rounds: int) -> tuple[PlainSearch, dict[str, float]]:
    """Try each plain way with the same queries in turns; return the fastest, and all medians in milliseconds."""
    queries = setting.corpus.queries
    spent: dict[str, list[float]] = {way.name: [] for way in SEARCHES}
    for number in range(rounds):
        for way in SEARCHES:
            started = time.perf_counter()
            way.run(setting.driver, queries[number % len(queries)], candidates=_CANDIDATES, top_k=_TOP_K)
            spent[way.name].append((time.perf_counter() - started) * 1_000)
    # The first third warms the server.
    medians = {name: median(values[len(values) // 3 :]) for name, values in spent.items()}
    return min(SEARCHES, key=lambda way: medians[way.name]), medians


def compare_searches(setting: Setting, way: PlainSearch, places: Mapping[str, int], *, rounds: int) -> list[Comparison]:
    """Run every query by both in turns, `rounds` times; then the other kinds of search."""
    corpus, store, driver = setting.corpus, setting.store, setting.driver
    requests = [TextSimilaritySearchRequest(text, top_k=_TOP_K) for text in corpus.query_texts]
    filtered = way.filtered()

    def ours(number: int) -> Found:
        return _ids(store.vector_search_by_embedding(corpus.queries[number], top_k=_TOP_K))

    def plain(number: int) -> Found:
        return _plain_ids(way.run(driver, corpus.queries[number], candidates=_CANDIDATES, top_k=_TOP_K))

    def ours_filtered(number: int) -> Found:
        vector = corpus.queries[number]
        return _ids(store.vector_search_by_embedding(vector, top_k=_TOP_K, collections=[SMALL_COLLECTION]))

    def plain_filtered(number: int) -> Found:
        parameters = {"candidates": _CANDIDATES, "top_k": _TOP_K, "collection": SMALL_COLLECTION}
        return _plain_ids(filtered.run(driver, corpus.queries[number], **parameters))

    def ours_text(number: int) -> Found:
        return _ids(store.text_search(requests[number]))

    def plain_text(number: int) -> Found:
        return _plain_ids(way.text(driver, corpus.query_texts[number], _TOP_K))

    def hybrid(number: int) -> Found:
        return _ids(store.hybrid_search(requests[number]))

    small = np.array([place for place in places.values() if _in_small(place, corpus.sizes.chunks_a_document)])
    nearest = corpus.nearest(_TOP_K)
    nearest_small = corpus.nearest(_TOP_K, among=small)
    timed = partial(_timed, queries=corpus.sizes.queries, rounds=rounds)
    lines = [
        timed("vector search", ours, plain, target=True, note=way.name),
        _recalls("vector search", ours, plain, nearest=nearest, places=places, target=True),
        timed("vector search in 1 %", ours_filtered, plain_filtered, note=filtered.name),
        _recalls("vector search in 1 %", ours_filtered, plain_filtered, nearest=nearest_small, places=places),
        timed("text search", ours_text, plain_text),
        timed("hybrid search", hybrid, None),
        _throughput(ours, plain, queries=corpus.sizes.queries, rounds=rounds),
    ]
    bare = [_plain_ids(way.run(driver, v, candidates=_TOP_K, top_k=_TOP_K)) for v in corpus.queries]
    return [*lines, Comparison("recall@10, index asked for 10", "", plain=_recall(bare, nearest, places))]


def _timed(
    what: str,
    ours: Search,
    plain: Search | None,
    *,
    queries: int,
    rounds: int,
    target: bool = False,
    note: str = "",
) -> Comparison:
    for number in range(min(queries, 50)):
        ours(number)
        if plain is not None:
            plain(number)
    ours_ms: list[float] = []
    plain_ms: list[float] = []
    for turn in range(rounds):
        for number in range(queries):
            sides = [(ours, ours_ms)] if plain is None else [(ours, ours_ms), (plain, plain_ms)]
            for side, spent in sides if (turn + number) % 2 else reversed(sides):
                started = time.perf_counter()
                side(number)
                spent.append((time.perf_counter() - started) * 1_000)
    ratio = median(ours_ms) / median(plain_ms) if plain_ms else None
    return Comparison(
        f"{what}, p50",
        "ms",
        ours=median(ours_ms),
        plain=median(plain_ms) if plain_ms else None,
        ratio=ratio,
        target=f"<= {_MOST_SECONDS_SLOWER}" if target else "",
        holds=ratio is not None and ratio <= _MOST_SECONDS_SLOWER if target else None,
        note=note,
        details={"ours_p95_ms": _p95(ours_ms), "plain_p95_ms": _p95(plain_ms) if plain_ms else None},
    )


def _recalls(
    what: str,
    ours: Search,
    plain: Search,
    *,
    nearest: Sequence[set[int]],
    places: Mapping[str, int],
    target: bool = False,
) -> Comparison:
    recall = _recall([ours(number) for number in range(len(nearest))], nearest, places)
    other = _recall([plain(number) for number in range(len(nearest))], nearest, places)
    return Comparison(
        f"{what}, recall@10",
        "",
        ours=recall,
        plain=other,
        target=f"ours >= {_LEAST_RECALL}" if target else "",
        holds=recall >= _LEAST_RECALL if target else None,
        note="against brute force",
    )


def _throughput(ours: Search, plain: Search, *, queries: int, rounds: int) -> Comparison:

    def rate(search: Search) -> float:
        started = time.perf_counter()
        with ThreadPoolExecutor(_THREADS) as pool:
            list(pool.map(search, range(queries)))
        return queries / (time.perf_counter() - started)

    mine, others = zip(*[(rate(ours), rate(plain)) for _ in range(rounds)], strict=True)
    return Comparison(
        f"vector search, {_THREADS} threads",
        "searches/s",
        ours=median(mine),
        plain=median(others),
        ratio=median(mine) / median(others),
    )


def _recall(found: Sequence[Found], nearest: Sequence[set[int]], places: Mapping[str, int]) -> float:
    hits = sum(len({places[id_] for id_ in ids} & best) for ids, best in zip(found, nearest, strict=True))
    return hits / sum(len(best) for best in nearest)


def _in_small(place: int, chunks_a_document: int) -> bool:
    return place // chunks_a_document % 100 == 0


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[int(len(values) * 0.95)]


def _ids(results: Sequence[SimilarityResult[Chunk]]) -> list[str]:
    return [result.match.id for result in results]


def _plain_ids(rows: Sequence[Mapping[str, object]]) -> list[str]:
    return [str(cast("Mapping[str, object]", row["chunk"])["id"]) for row in rows]
