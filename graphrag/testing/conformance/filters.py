"""Filters mean the same in a store as in `graphrag.filters.evaluate`, in every search, list and count."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from graphrag.errors import MissingExtraError
from graphrag.filters.evaluate import matches
from graphrag.filters.nodes import And, Eq, Gte, In, Not, Or, PropertyFilter
from graphrag.ingestion.given import GivenChunk, materialize_given
from graphrag.model import (
    Chunk,
    Document,
    MaterializedDocument,
    ResultList,
    SimilarityResult,
    TextSimilaritySearchRequest,
)
from graphrag.stores.protocols import (
    ContentElementRepository,
    HybridSearch,
    Lookup,
    SearchOperations,
    TextSearch,
    VectorSearch,
)
from graphrag.testing.embedder import DeterministicEmbedder
from graphrag.testing.filter_strategies import filters
from graphrag.testing.filter_worlds import FilterWorld

try:
    from hypothesis import HealthCheck, given, settings, strategies as st
except ImportError as _error:
    _needs = "the conformance suite"
    raise MissingExtraError(_needs, extra="testing") from _error

__all__ = ["FilterConformance"]

Search = Callable[..., ResultList[SimilarityResult[Chunk]]]

_ALL = TextSimilaritySearchRequest("shared word", None, 1_000)
_FEW = TextSimilaritySearchRequest("shared word", None, 5)
_SLOW = (HealthCheck.too_slow, HealthCheck.filter_too_much)
_LABELS = ("Chunk", "Document", "Retrievable", "Person", "Per son")


@dataclass(frozen=True, slots=True)
class _Stored:
    """What was written, by chunk and by document."""

    world: FilterWorld
    chunks: Mapping[str, Mapping[str, object]]
    documents: Mapping[str, Mapping[str, object]]
    scores: Mapping[str, float]

    def matching(self, filter_: PropertyFilter) -> set[str]:
        return {id_ for id_, properties in self.chunks.items() if matches(filter_, properties, Chunk.own_labels)}

    def matching_documents(self, filter_: PropertyFilter) -> set[str]:
        labels = Document.own_labels
        return {id_ for id_, properties in self.documents.items() if matches(filter_, properties, labels)}

    def nearest(self, ids: set[str], count: int) -> list[float]:
        return sorted((self.scores[id_] for id_ in ids), reverse=True)[:count]


class FilterConformance:
    """What a store with native filters promises. Inherit it, with a fixture `store` that gives an empty store.

    Attributes:
        embedder: What the store is to be opened with.
        size: Documents of each generated store, each with one chunk.
        generated: Filters that are tried on it, half of them from `FilterWorld`, half from Hypothesis.
        seed: What all is generated from; None takes another one each time, which is printed.
    """

    embedder: ClassVar[DeterministicEmbedder] = DeterministicEmbedder(16)
    size: ClassVar[int] = 40
    generated: ClassVar[int] = 24
    seed: ClassVar[int | None] = None

    def test_generated_filters_mean_the_same_in_every_search(self, store: SearchOperations) -> None:
        """The same chunks as the evaluator says, all of them, whichever way they are searched."""
        stored = self._fill(store)
        share = [self._check(store, stored, filter_) for filter_ in stored.world.filters(self.generated // 2)]

        @settings(max_examples=self.generated // 2, deadline=None, database=None, suppress_health_check=_SLOW)
        @given(_filters_of(stored))
        def check(filter_: PropertyFilter) -> None:
            share.append(self._check(store, stored, filter_))

        check()
        assert 0.05 < sum(share) / len(share) < 0.95, "the filters are true of too few or too many chunks to tell much"

    def test_a_filter_never_shortens_a_full_answer(self, store: SearchOperations) -> None:
        """THREATS 4: min(k, matches) results, the very nearest, at every number of matches."""
        stored = self._fill(store)
        for count in (0, 1, 5, self.size):
            filter_ = In("number", tuple(range(count)))
            for shape in (
                filter_,
                Not(Not(filter_)),
                Or((filter_, Eq("number", -1))),
                And((filter_, Gte("number", 0))),
            ):
                self._check(store, stored, shape)

    def test_a_threshold_and_a_filter_hold_together(self, store: SearchOperations) -> None:
        """The threshold is counted over what the filter lets through."""
        if not isinstance(store, VectorSearch):
            return
        stored = self._fill(store)
        wanted = stored.matching(Gte("number", self.size // 2))
        floor = sorted(stored.scores[id_] for id_ in wanted)[len(wanted) // 2]
        found: ResultList[SimilarityResult[Chunk]] = store.vector_search(
            TextSimilaritySearchRequest(_ALL.query, floor, 1_000), where=Gte("number", self.size // 2)
        )
        assert {result.match.id for result in found} == {id_ for id_ in wanted if stored.scores[id_] >= floor - 1e-6}

    def test_constants_find_nothing_or_everything(self, store: SearchOperations) -> None:
        """THREATS 11: an empty disjunction and an empty list are never true, an empty conjunction always is."""
        stored = self._fill(store)
        for filter_ in (Or(()), In("number", ()), And((Eq("number", 1), Or(()))), And(()), Not(Or(())), Or((And(()),))):
            self._check(store, stored, filter_)

    def _fill(self, store: SearchOperations) -> _Stored:
        """Write a generated store; every chunk bears `number` beside its world's properties."""
        assert isinstance(store, ContentElementRepository)
        seed = self.seed if self.seed is not None else random.SystemRandom().randrange(2**32)
        print(f"{type(self).__name__}: seed {seed}")  # noqa: T201 - shown where a test fails
        world = FilterWorld(seed, size=self.size, labels=_LABELS)
        chunks: dict[str, Mapping[str, object]] = {}
        documents: dict[str, Mapping[str, object]] = {}
        vectors: dict[str, NDArray[np.float32]] = {}
        batch = []
        for number, node in enumerate(world.nodes):
            metadata = {**node.properties, "number": number}
            document = _document(number, metadata, self.embedder)
            (chunk,) = document.chunks
            own = {"collection": "default", "uri": chunk.uri}
            chunks[chunk.id] = {**metadata, **own, "sequence_number": 0}
            documents[document.document.id] = {**metadata, **own}
            vectors[chunk.id] = document.vectors[chunk.id]
            batch.append(document)
        for outcome in store.write_documents(batch):
            assert not isinstance(outcome, Exception), outcome
        query = self.embedder.embed_query(_ALL.query)
        scores = {id_: (1 + float(np.dot(vector, query))) / 2 for id_, vector in vectors.items()}
        return _Stored(world, chunks, documents, scores)

    def _check(self, store: SearchOperations, stored: _Stored, filter_: PropertyFilter) -> float:
        """Compare every way to find with the evaluator; return the share of chunks that match."""
        wanted = stored.matching(filter_)
        searches = dict(_searches(store))
        assert searches, f"{type(store).__name__} inherits no search that this suite knows"
        for name, search in searches.items():
            found = [result.match.id for result in search(_ALL, where=filter_)]
            assert sorted(found) == sorted(wanted), f"{name}: {filter_!r}"
            assert len(search(_FEW, where=filter_)) == min(_FEW.top_k, len(wanted)), f"{name}: {filter_!r}"
        if isinstance(store, VectorSearch):
            few: ResultList[SimilarityResult[Chunk]] = store.vector_search(_FEW, where=filter_)
            scores = [result.score for result in few]
            np.testing.assert_allclose(scores, stored.nearest(wanted, _FEW.top_k), atol=1e-5, err_msg=repr(filter_))
        if isinstance(store, Lookup):
            assert store.count(Chunk, where=filter_) == len(wanted), repr(filter_)
            listed = [document.id for document in store.list_documents(where=filter_, limit=1_000)]
            assert sorted(listed) == sorted(stored.matching_documents(filter_)), repr(filter_)
        return len(wanted) / len(stored.chunks)


def _searches(store: SearchOperations) -> Iterator[tuple[str, Search]]:
    if isinstance(store, VectorSearch):
        yield "vector", cast("Search", store.vector_search)
    if isinstance(store, TextSearch):
        yield "text", cast("Search", store.text_search)
    if isinstance(store, HybridSearch):
        yield "hybrid", cast("Search", store.hybrid_search)


def _filters_of(stored: _Stored) -> st.SearchStrategy[PropertyFilter]:
    """Return filters over the names that the nodes have, with labels of every kind."""
    names: Sequence[str] = sorted({name for properties in stored.chunks.values() for name in properties})
    return cast("st.SearchStrategy[PropertyFilter]", filters(st.sampled_from(names), labels=st.sampled_from(_LABELS)))


def _document(number: int, metadata: Mapping[str, object], embedder: DeterministicEmbedder) -> MaterializedDocument:
    root = Document(
        id="",
        uri=f"file:///filters/{number}",
        title=f"Document {number}",
        metadata=metadata,
        ingested_at=datetime(2024, 1, 1, tzinfo=UTC),
        content_type="text/plain",
    )
    text = f"shared word, text number {number}"
    given_chunk = GivenChunk(text, embedding=embedder.embed_documents([text])[0])
    return materialize_given(root, [given_chunk], embedding_model=embedder.model_id)
