"""The searcher over a store in memory: which search it runs, and what becomes of the hits."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from threading import Event, Lock
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from graphrag.config import Limits, SearchSettings, Settings
from graphrag.errors import (
    ConfigurationError,
    InvalidRequestError,
    MissingCapabilityError,
    ModelCallError,
    TimeoutExceededError,
)
from graphrag.filters.nodes import Eq
from graphrag.filters.scope import Scope
from graphrag.model import NamedEntityData, ResultList, SimilarityResult, TextSimilaritySearchRequest
from graphrag.query.mmr import choose_diverse
from graphrag.search import AsyncSearcher, Refinement, Searcher
from graphrag.stores.protocols import TextSearch, VectorSearch
from tests.unit.search.doubles import EMBEDDER, AsyncMemoryStore, FixedReranker, MemoryStore, make_chunks

WORDS = ("mill", "tide", "wheel", "gate")
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
libraries = st.dictionaries(st.sampled_from("abcde"), st.lists(texts, min_size=1, max_size=9), max_size=5)
ALL = 1_000


def request(query: str = "mill tide", top_k: int = 10, threshold: float | None = None) -> TextSimilaritySearchRequest:
    return TextSimilaritySearchRequest(query, threshold, top_k)


def ids(results: ResultList[SimilarityResult[Any]]) -> list[str]:
    return [result.match.id for result in results]


@pytest.mark.parametrize(
    "mode, call", [("hybrid", "hybrid_search"), ("vector", "vector_search"), ("text", "text_search")]
)
def test_the_mode_says_which_search_runs_and_without_refinement_its_answer_is_given_as_it_is(
    mode: Any, call: str
) -> None:
    store = MemoryStore(make_chunks({"a": ["mill", "tide mill"], "b": ["gate"]}))
    found = Searcher(store).search(request(), mode)
    assert store.calls == [call]
    assert found == getattr(store, call)(request())
    assert [result.context for result in found] == [()] * len(found)


def test_a_pattern_and_its_number_of_results_go_to_the_search_by_regular_expression() -> None:
    store = MemoryStore(make_chunks({"b": ["tide 1"], "a": ["mill", "tide 2", "tide 3"]}))
    assert ids(Searcher(store).search(request("tide [0-9]", 2), "regex")) == ["a-001", "a-002"]
    assert store.asked == [2]


def test_options_reach_the_search() -> None:
    chunks = [*make_chunks({"a": ["mill"]}, owner="x", year=1), *make_chunks({"b": ["mill"], "c": ["mill"]}, year=2)]
    store = MemoryStore(chunks)
    searcher = Searcher(store)
    scope = Scope().with_metadata_filter(Eq("owner", "x"))
    for mode in searcher.modes:
        assert ids(searcher.search(request("mill"), mode, scope=scope)) == ["a-000"]
        assert ids(searcher.search(request("mill"), mode, where=Eq("year", 2))) == ["b-000", "c-000"]
        assert ids(searcher.search(request("mill"), mode, collections=["other"])) == []
    store.options.clear()
    searcher.search(request(), "text", text_mode="lucene", consistent=True)
    searcher.search(request(), "hybrid", text_mode="lucene", consistent=True)
    searcher.search(request(), "vector", consistent=True)
    assert [options["consistent"] for options in store.options] == [True] * 3
    assert [options.get("mode") or options.get("text_mode") for options in store.options[:2]] == ["lucene"] * 2


def test_what_the_store_told_is_told() -> None:
    store = MemoryStore(make_chunks({"a": ["mill", "tide"]}))
    found = Searcher(store).search(request(), "vector", explain=True, refine=Refinement(per_document=1))
    assert found.notes == ("told by the store",)
    assert [explanation.leg for explanation in found.explanations] == ["vector"]


class _OnlyText(TextSearch):
    lucene_syntax_notes = ""

    def text_search(self, *arguments: Any, **options: Any) -> Any:
        return ResultList()


class _OnlyVector(VectorSearch):
    def vector_search(self, *arguments: Any, **options: Any) -> Any:
        return ResultList()


def test_a_search_that_the_store_lacks_is_refused_with_those_that_it_has() -> None:
    searcher = Searcher(_OnlyText())
    assert searcher.modes == ("text",)
    with pytest.raises(MissingCapabilityError, match="this store has no vector search; it has text") as caught:
        searcher.search(request(), "vector")
    assert (caught.value.capability, caught.value.has) == ("vector", ("text",))
    with pytest.raises(MissingCapabilityError, match="this store has no hybrid search; it has text"):
        searcher.search(request())
    assert Searcher(MemoryStore([])).modes == ("hybrid", "vector", "text", "regex")


@pytest.mark.parametrize(
    "refine, message",
    [
        (Refinement(diversity=0.3), "`diversity` needs a store with the capability `VectorLookup`"),
        (Refinement(neighbours=1), "`neighbours` needs a store with the capability `Neighbourhood`"),
    ],
)
def test_what_a_refinement_needs_of_the_store_is_checked_before_the_search(refine: Refinement, message: str) -> None:
    with pytest.raises(MissingCapabilityError, match=message):
        Searcher(_OnlyVector()).search(request(), "vector", refine=refine)


@pytest.mark.parametrize(
    "mode, options, message",
    [
        ("fuzzy", {}, "the mode of a search is 'fuzzy'; it must be one of hybrid, vector, text, regex"),
        ("vector", {"text_mode": "lucene"}, "`text_mode` 'lucene' goes with searches by words"),
        ("regex", {"text_mode": "lucene"}, "`text_mode` 'lucene' goes with searches by words"),
        ("regex", {"consistent": True}, "`consistent` does not go with a search by regular expression"),
        ("regex", {"refine": Refinement(rerank=3)}, "`rerank` does not go with a search by regular expression"),
        (
            "vector",
            {"kind": NamedEntityData, "refine": Refinement(per_document=1)},
            "go with searches for chunks; `kind` is `NamedEntityData`",
        ),
        (
            "vector",
            {"refine": Refinement(rerank=201)},
            "`rerank` is 201; a cross-encoder reads at most 200 hits of one search",
        ),
    ],
)
def test_options_that_do_not_go_together_are_refused_before_anything_is_searched(
    mode: Any, options: dict[str, Any], message: str
) -> None:
    store = MemoryStore(make_chunks({"a": ["mill"]}))
    with pytest.raises(InvalidRequestError, match=message):
        Searcher(store, reranker=FixedReranker()).search(request(), mode, **options)
    assert store.calls == []


@pytest.mark.parametrize("top_k, neighbours, fine", [(121, 20, True), (122, 20, False), (1_000, 2, True)])
def test_how_many_chunks_come_as_neighbours_is_bounded(top_k: int, neighbours: int, *, fine: bool) -> None:
    """THREATS 6: a caller cannot ask for 41 chunks around each of a thousand hits."""
    searcher = Searcher(MemoryStore([]))
    if fine:
        assert searcher.search(request(top_k=top_k), refine=Refinement(neighbours=neighbours)) == []
        return
    with pytest.raises(InvalidRequestError, match="may bring 5,002 chunks; at most 5,000 come with one search"):
        searcher.search(request(top_k=top_k), refine=Refinement(neighbours=neighbours))


# The cap


@given(library=libraries, top_k=st.integers(1, 12), cap=st.integers(1, 4), mode=st.sampled_from(["vector", "regex"]))
def test_under_a_cap_the_result_is_as_long_as_it_can_be_and_the_best_of_each_document_in_order(
    library: dict[str, list[str]], top_k: int, cap: int, mode: Any
) -> None:
    store = MemoryStore(make_chunks(library))
    asked = request("mill" if mode == "vector" else ".", top_k)
    found = Searcher(store).search(asked, mode, refine=Refinement(per_document=cap))
    everything = Searcher(store).search(replace(asked, top_k=ALL), mode)
    expected: list[str] = []
    seen: Counter[str] = Counter()
    for result in everything:
        seen[result.match.document_id] += 1
        if seen[result.match.document_id] <= cap:
            expected.append(result.match.id)
    assert ids(found) == expected[:top_k]
    permitted = sum(min(cap, len(held)) for held in library.values())
    assert len(found) == min(top_k, permitted)


def test_more_is_asked_for_until_enough_documents_are_there() -> None:
    library = {"a": ["mill"] * 60, **{f"b{number}": ["gate"] for number in range(5)}}
    store = MemoryStore(make_chunks(library))
    found = Searcher(store).search(request("mill", 3), "vector", refine=Refinement(per_document=1))
    assert ids(found) == ["a-000", "b0-000", "b1-000"]
    assert store.asked == [12, 48, 192]


def test_a_search_that_may_look_no_further_says_so() -> None:
    store = MemoryStore(make_chunks({"a": ["mill"] * 60, "b": ["gate"]}))
    settings = Settings(limits=Limits(max_top_k=50))
    found = Searcher(store, settings=settings).search(request("mill", 2), "vector", refine=Refinement(per_document=1))
    assert ids(found) == ["a-000"]
    told = "the best 50 hits leave 1 results with at most 1 of one document; no more hits were looked at"
    assert found.notes == ("told by the store", told)
    assert store.asked == [8, 32, 50]


def test_a_threshold_is_inclusive_and_holds_under_a_cap_too() -> None:
    store = MemoryStore(make_chunks({"a": ["mill", "mill", "gate"], "b": ["mill"]}))
    lowest = Searcher(store).search(request("mill"), "vector")[2].score
    found = Searcher(store).search(request("mill", 10, lowest), "vector", refine=Refinement(per_document=1))
    assert ids(found) == ["a-000", "b-000"]


# The reranker


def test_a_reranker_gives_the_order_and_the_scores_ties_by_id() -> None:
    held = ["mill score 0.2", "gate score 0.9", "mill tide score 0.9", "mill mill score 0.1"]
    store, reranker = MemoryStore(make_chunks({"a": held})), FixedReranker()
    before = {result.match.id: result.score for result in Searcher(store).search(request(), "vector")}
    assert before["a-002"] > before["a-001"], "the search has them the other way round"
    found = Searcher(store, reranker=reranker).search(request(top_k=3), "vector", refine=Refinement(rerank=4))
    assert [(result.match.id, result.score) for result in found] == [("a-001", 0.9), ("a-002", 0.9), ("a-000", 0.2)]
    assert all(result.breakdown["before_rerank"] == before[result.match.id] for result in found)
    assert all(result.breakdown["vector"] == before[result.match.id] for result in found)
    [(query, scored)] = reranker.calls
    assert query == "mill tide"
    assert sorted(scored) == sorted(held)


def test_no_more_hits_are_reranked_than_is_asked_for_but_never_less_than_top_k() -> None:
    store, reranker = MemoryStore(make_chunks({"a": [f"mill score {n / 100}" for n in range(50)]})), FixedReranker()
    searcher = Searcher(store, reranker=reranker)
    searcher.search(request(top_k=5), "vector", refine=Refinement(rerank=20))
    searcher.search(request(top_k=5), "vector", refine=Refinement(rerank=2))
    assert [len(scored) for _, scored in reranker.calls] == [20, 5]
    assert store.asked == [20, 5]


def test_under_a_cap_each_hit_is_reranked_once_however_often_more_are_asked_for() -> None:
    library = {"a": [f"mill score {number / 100}" for number in range(60)], "b": ["gate score 1.0"]}
    store, reranker = MemoryStore(make_chunks(library)), FixedReranker()
    found = Searcher(store, reranker=reranker).search(
        request("mill", 2), "vector", refine=Refinement(rerank=10, per_document=1)
    )
    assert [(result.match.id, result.score) for result in found] == [("b-000", 1.0), ("a-059", 0.59)]
    scored = [text for _, texts in reranker.calls for text in texts]
    assert len(scored) == len(set(scored)) == 61


def test_the_limit_of_the_reranker_holds_under_a_cap() -> None:
    store, reranker = MemoryStore(make_chunks({"a": ["mill score 0.5"] * 60, "b": ["gate score 1.0"]})), FixedReranker()
    settings = Settings(limits=Limits(max_rerank_candidates=30))
    found = Searcher(store, reranker=reranker, settings=settings).search(
        request("mill", 2), "vector", refine=Refinement(rerank=10, per_document=1)
    )
    assert ids(found) == ["a-000"]
    assert sum(len(texts) for _, texts in reranker.calls) == 30
    assert found.notes[-1].startswith("the best 30 hits leave 1 results")


def test_a_query_is_cut_before_it_is_read_with_each_hit() -> None:
    store, reranker = MemoryStore(make_chunks({"a": ["mill score 0.5"]})), FixedReranker()
    Searcher(store, reranker=reranker).search(request("mill " * 9_000), "vector", refine=Refinement(rerank=1))
    assert len(reranker.calls[0][0]) == 10_000


def test_reranking_without_a_reranker_tells_how_to_have_one() -> None:
    with pytest.raises(ConfigurationError, match="this searcher has no reranker; pass `reranker=`"):
        Searcher(MemoryStore([])).search(request(), refine=Refinement(rerank=5))


@pytest.mark.parametrize(
    "answer, message",
    [
        (RuntimeError("out of memory"), "the reranker failed on 1 texts: out of memory"),
        ([0.5, 0.5], r"the reranker gave scores of the shape \(2,\) for 1 texts"),
        ([float("nan")], "the reranker gave a score that is not in 0..1"),
        ([1.5], "the reranker gave a score that is not in 0..1"),
        ([-0.1], "the reranker gave a score that is not in 0..1"),
        (["a"], "the reranker failed on 1 texts"),
    ],
)
def test_a_reranker_that_fails_is_an_error_of_ours(answer: Any, message: str) -> None:
    class Broken:
        model_id = "broken"

        def score(self, query: str, texts: object) -> Any:
            if isinstance(answer, Exception):
                raise answer
            return answer

    store = MemoryStore(make_chunks({"a": ["mill"]}))
    with pytest.raises(ModelCallError, match=message):
        Searcher(store, reranker=Broken()).search(request(), refine=Refinement(rerank=5))


class Slow:
    """A reranker that ends when it is told to; `most` is how many calls ran at once."""

    model_id = "slow"

    def __init__(self) -> None:
        self.go_on = Event()
        self.running = self.most = self.ended = 0
        self._lock = Lock()

    def score(self, query: str, texts: Sequence[str]) -> Any:
        with self._lock:
            self.running += 1
            self.most = max(self.most, self.running)
        assert self.go_on.wait(30)
        with self._lock:
            self.running -= 1
            self.ended += 1
        return [0.5] * len(texts)


def test_searches_that_wait_for_a_reranker_occupy_no_threads() -> None:
    """The threads of `run_blocking` are few, and everybody's: 64 clients that rerank would take all."""
    store, reranker = AsyncMemoryStore(MemoryStore(make_chunks({"a": ["mill"]}))), Slow()
    searcher = AsyncSearcher(store, reranker=reranker, settings=Settings(search=SearchSettings(max_parallel_reranks=2)))

    async def many() -> int:
        tasks = [asyncio.create_task(searcher.search(request(), refine=Refinement(rerank=5))) for _ in range(64)]
        async with asyncio.timeout(30):
            await asyncio.to_thread(int)  # a thread is free
            while reranker.running < 2:  # noqa: ASYNC110 - it counts in threads
                await asyncio.sleep(0.001)
            await asyncio.to_thread(int)
        reranker.go_on.set()
        return sum(len(found) for found in await asyncio.gather(*tasks))

    assert asyncio.run(many()) == 64
    assert (reranker.most, reranker.ended) == (2, 64)


@pytest.mark.parametrize("waiting", [False, True])
def test_reranking_that_takes_too_long_ends_the_search(waiting: bool) -> None:
    """Whether the model is slow, or others have it."""
    store, reranker = AsyncMemoryStore(MemoryStore(make_chunks({"a": ["mill"]}))), Slow()
    settings = Settings(search=SearchSettings(max_parallel_reranks=1, rerank_timeout_s=0.2))
    searcher = AsyncSearcher(store, reranker=reranker, settings=settings)

    async def search() -> None:
        calls = [searcher.search(request(), refine=Refinement(rerank=5)) for _ in range(2 if waiting else 1)]
        try:
            for outcome in await asyncio.gather(*calls, return_exceptions=True):
                assert isinstance(outcome, TimeoutExceededError)
                assert str(outcome).startswith("reranking 1 hits took longer than its limit of 0.2 s")
        finally:
            reranker.go_on.set()

    asyncio.run(search())


# The diverse choice


@given(library=libraries, top_k=st.integers(1, 8), diversity=st.sampled_from([0.0, 0.3, 0.7, 1.0]))
def test_a_diverse_result_is_the_choice_among_the_hits_with_their_scores_kept(
    library: dict[str, list[str]], top_k: int, diversity: float
) -> None:
    store = MemoryStore(make_chunks(library))
    found = Searcher(store).search(request("mill", top_k), "vector", refine=Refinement(diversity=diversity))
    hits = {result.match.id: result for result in Searcher(store).search(request("mill", ALL), "vector")}
    vectors = {id_: EMBEDDER.embed_query(hit.match.text) for id_, hit in hits.items()}
    relevance = {id_: hit.score for id_, hit in hits.items()}
    chosen = choose_diverse(relevance, vectors, diversity=diversity, count=top_k)
    assert [(result.match.id, result.breakdown["mmr"]) for result in found] == [
        (pick.id, pick.value) for pick in chosen
    ]
    assert all(result.score == hits[result.match.id].score for result in found)
    if diversity == 0:
        assert ids(found) == list(hits)[:top_k]


@given(library=libraries, seed=st.integers(0, 99))
def test_the_order_in_which_a_store_holds_its_chunks_does_not_matter(library: dict[str, list[str]], seed: int) -> None:
    chunks = make_chunks(library)
    shuffled = random.Random(seed).sample(chunks, len(chunks))  # noqa: S311 - tests
    refine = Refinement(per_document=3, diversity=0.4, neighbours=1)
    one, other = (Searcher(MemoryStore(held)).search(request(top_k=5), refine=refine) for held in (chunks, shuffled))
    assert one == other


def test_the_choice_is_among_a_bounded_number_of_hits() -> None:
    store = MemoryStore(make_chunks({"a": [f"mill {number}" for number in range(300)]}))
    settings = Settings(search=SearchSettings(diversity_candidates=40))
    searcher = Searcher(store, settings=settings)
    searcher.search(request(top_k=5), "vector", refine=Refinement(diversity=0.5))
    searcher.search(request(top_k=60), "vector", refine=Refinement(diversity=0.5))
    assert store.asked == [40, 60]


def test_the_choice_is_among_the_best_that_a_cap_leaves() -> None:
    store = MemoryStore(make_chunks({"a": ["mill"] * 9, "b": ["tide"] * 9}))
    settings = Settings(search=SearchSettings(diversity_candidates=3))
    refine = Refinement(per_document=4, diversity=1.0)
    found = Searcher(store, settings=settings).search(request("mill", 2), "vector", refine=refine)
    assert ids(found) == ["a-000", "a-001"], "no other document is among the best three"


def test_vectors_and_neighbours_are_asked_for_within_scope_and_collections() -> None:
    asked: list[tuple[object, object]] = []

    class Watched(MemoryStore):
        def embeddings_of(self, *arguments: Any, **options: Any) -> Any:
            asked.append((options["scope"], options["collections"]))
            return super().embeddings_of(*arguments, **options)

        def neighbours_of(self, *arguments: Any, **options: Any) -> Any:
            asked.append((options["scope"], options["collections"]))
            return super().neighbours_of(*arguments, **options)

    scope = Scope().with_metadata_filter(Eq("owner", "x"))
    store = Watched(make_chunks({"a": ["mill"]}, owner="x"))
    refine = Refinement(diversity=0.5, neighbours=1)
    Searcher(store).search(request("mill"), "vector", scope=scope, collections=["default"], refine=refine)
    assert asked == [(scope, ["default"])] * 2


def test_hits_without_a_vector_are_told() -> None:
    store = MemoryStore(make_chunks({"a": ["mill", "mill", "tide"]}), without_vector=["a-002"])
    found = Searcher(store).search(request("mill"), "vector", refine=Refinement(diversity=0.6))
    assert ids(found) == ["a-000", "a-002", "a-001"]
    assert found.notes[-1] == "1 of 3 hits have no stored vector, so they count as unlike all others"


def test_a_cap_holds_in_a_diverse_choice() -> None:
    library = {"a": ["mill", "tide", "gate", "wheel"], "b": ["mill mill", "tide tide"]}
    found = Searcher(MemoryStore(make_chunks(library))).search(
        request("mill"), "vector", refine=Refinement(per_document=1, diversity=0.9)
    )
    assert sorted(result.match.document_id for result in found) == ["a", "b"]


# Neighbours


def test_each_result_brings_its_neighbours_in_one_call_overlapping_ones_each_their_own() -> None:
    store = MemoryStore(make_chunks({"a": ["gate", "mill", "gate gate", "mill mill", "gate"], "b": ["mill"]}))
    found = Searcher(store).search(request("mill", 3), "text", refine=Refinement(neighbours=1))
    around = {result.match.id: [chunk.id for chunk in result.context] for result in found}
    assert around == {
        "a-003": ["a-002", "a-003", "a-004"],
        "a-001": ["a-000", "a-001", "a-002"],
        "b-000": ["b-000"],
    }
    assert store.calls == ["text_search", "neighbours_of"]


def test_neighbours_need_not_match_the_filter_but_are_in_scope() -> None:
    chunks = make_chunks({"a": ["gate", "mill", "gate gate"]})
    marked = [
        chunk.model_copy(update={"metadata": {"owner": owner, "kind": kind}})
        for chunk, owner, kind in zip(chunks, "xxy", "pqp", strict=True)
    ]
    searcher = Searcher(MemoryStore(marked))
    scope = Scope().with_metadata_filter(Eq("owner", "x"))
    [result] = searcher.search(
        request("mill"), "text", where=Eq("kind", "q"), scope=scope, refine=Refinement(neighbours=2)
    )
    assert [chunk.id for chunk in result.context] == ["a-000", "a-001"]


def test_a_result_that_is_gone_when_its_neighbours_are_read_stands_alone() -> None:
    store = MemoryStore(make_chunks({"a": ["mill", "gate"]}))
    store.neighbours_of = lambda *_, **__: {}  # type: ignore[method-assign]
    [result] = Searcher(store).search(request("mill"), "text", refine=Refinement(neighbours=1))
    assert result.context == (result.match,)


# All together, and the other face


@pytest.mark.anyio
async def test_both_faces_find_the_same() -> None:
    library = {name: [f"{word} mill score 0.{number}" for number, word in enumerate(WORDS)] for name in "abc"}
    store = MemoryStore(make_chunks(library))
    refine = Refinement(rerank=11, per_document=3, diversity=0.3, neighbours=1)
    asked = request("mill wheel", 7)
    one = Searcher(store, reranker=FixedReranker()).search(asked, refine=refine)
    other = await AsyncSearcher(AsyncMemoryStore(store), reranker=FixedReranker()).search(asked, refine=refine)
    assert one == other
    assert len(one) == 7
    assert AsyncSearcher(AsyncMemoryStore(store)).modes == ("hybrid",)
    assert {"before_rerank", "mmr", "fused"} == set(one[0].breakdown)
    assert np.isclose(one[0].score, 0.3)


def test_the_steps_come_in_their_order() -> None:
    store = MemoryStore(make_chunks({"a": ["mill score 0.5", "tide score 0.6"]}))
    refine = Refinement(rerank=5, per_document=1, diversity=0.3, neighbours=1)
    [result] = Searcher(store, reranker=FixedReranker()).search(request("mill"), refine=refine)
    assert store.calls == ["hybrid_search", "embeddings_of", "neighbours_of"]
    assert result.match.id == "a-001", "the cap keeps the best by the reranker's scores"
