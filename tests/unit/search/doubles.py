"""A store in memory with the searches that refining stands on: real logic over a list of chunks."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag.filters.evaluate import matches
from graphrag.filters.nodes import PropertyFilter
from graphrag.filters.scope import Scope, check_scope
from graphrag.model import (
    Chunk,
    ResultList,
    SearchExplanation,
    SimilarityResult,
    TextMode,
    TextSimilaritySearchRequest,
)
from graphrag.query.fusion import Leg, fuse
from graphrag.stores.protocols import (
    AsyncHybridSearch,
    AsyncNeighbourhood,
    AsyncVectorLookup,
    HybridSearch,
    Neighbourhood,
    RegexSearchOperations,
    TextSearch,
    VectorLookup,
    VectorSearch,
)
from graphrag.testing.embedder import DeterministicEmbedder

Found = ResultList[SimilarityResult[Chunk]]
EMBEDDER = DeterministicEmbedder(8, "words")


def make_chunks(texts: Mapping[str, Sequence[str]], **metadata: object) -> list[Chunk]:
    """Return chunks of documents, by the document's id; places follow each other."""
    chunks: list[Chunk] = []
    for document, held in texts.items():
        start = 0
        for number, text in enumerate(held):
            chunks.append(
                Chunk(
                    id=f"{document}-{number:03d}",
                    document_id=document,
                    parent_id=document,
                    sequence_number=number,
                    text=text,
                    urtext=text,
                    start=start,
                    end=start + len(text),
                    metadata=metadata,
                )
            )
            start += len(text)
    return chunks


class MemoryStore(HybridSearch, VectorSearch, TextSearch, RegexSearchOperations, VectorLookup, Neighbourhood):
    """Chunks in memory; `asked` has the `top_k` of each search, `calls` the names of all calls."""

    def __init__(self, chunks: Iterable[Chunk], *, without_vector: Collection[str] = ()) -> None:
        self.chunks = list(chunks)
        self.without_vector = set(without_vector)
        self.asked: list[int] = []
        self.calls: list[str] = []
        self.options: list[dict[str, object]] = []

    @property
    def lucene_syntax_notes(self) -> str:
        return "none"

    def visible(self, scope: Scope | None, where: PropertyFilter | None, collections: Collection[str] | None) -> Any:
        seen = check_scope(scope).within(collections)
        for chunk in self.chunks:
            node = {**chunk.metadata, "collection": chunk.collection}, chunk.labels()
            if seen.sees_chunk(node) and (where is None or matches(where, *node)):
                yield chunk

    def _by_vector(self, query: str, chunks: Iterable[Chunk]) -> dict[str, float]:
        asked = EMBEDDER.embed_query(query)
        return {chunk.id: round((1 + float(EMBEDDER.embed_query(chunk.text) @ asked)) / 2, 6) for chunk in chunks}

    def _by_text(self, query: str, chunks: Iterable[Chunk]) -> dict[str, float]:
        words = set(query.lower().split())
        raws = {chunk.id: sum(Counter(chunk.text.lower().split())[word] for word in words) for chunk in chunks}
        return {id_: raw / (raw + 3) for id_, raw in raws.items() if raw}

    def _results(self, scores: Mapping[str, float], leg: str, request: TextSimilaritySearchRequest) -> Found:
        by_id = {chunk.id: chunk for chunk in self.chunks}
        self.asked.append(request.top_k)
        floor = request.similarity_threshold or 0.0
        best = sorted((-score, id_) for id_, score in scores.items() if score >= floor)[: request.top_k]
        return ResultList(SimilarityResult(by_id[id_], -score, {leg: -score}) for score, id_ in best)

    def vector_search(  # type: ignore[override]
        self, request: TextSimilaritySearchRequest, kind: type[Chunk] = Chunk, *, explain: bool = False,
        where: PropertyFilter | None = None, scope: Scope | None = None, collections: Collection[str] | None = None,
        consistent: bool = False,
    ) -> Found:  # fmt: skip
        self.calls.append("vector_search")
        self.options.append({"consistent": consistent, "kind": kind})
        scores = self._by_vector(request.query, self.visible(scope, where, collections))
        found = self._results(scores, "vector", request)
        found.explanations = (SearchExplanation("vector", "index", len(scores)),) if explain else ()
        found.notes = ("told by the store",)
        return found

    def text_search(  # type: ignore[override]
        self, request: TextSimilaritySearchRequest, kind: type[Chunk] = Chunk, *, explain: bool = False,
        where: PropertyFilter | None = None, scope: Scope | None = None, collections: Collection[str] | None = None,
        mode: TextMode = "literal", consistent: bool = False,
    ) -> Found:  # fmt: skip
        self.calls.append("text_search")
        self.options.append({"mode": mode, "consistent": consistent})
        return self._results(self._by_text(request.query, self.visible(scope, where, collections)), "text", request)

    def hybrid_search(  # type: ignore[override]
        self, request: TextSimilaritySearchRequest, kind: type[Chunk] = Chunk, *, explain: bool = False,
        where: PropertyFilter | None = None, scope: Scope | None = None, collections: Collection[str] | None = None,
        text_mode: TextMode = "literal", consistent: bool = False,
    ) -> Found:  # fmt: skip
        self.calls.append("hybrid_search")
        self.options.append({"text_mode": text_mode, "consistent": consistent})
        chunks = list(self.visible(scope, where, collections))
        legs = [self._by_vector(request.query, chunks), self._by_text(request.query, chunks)]
        ordered = [dict(sorted(leg.items(), key=lambda hit: (-hit[1], hit[0]))) for leg in legs]
        scores = dict(fuse([Leg(0.5, leg) for leg in ordered], "reciprocal_rank"))
        return self._results(scores, "fused", TextSimilaritySearchRequest(request.query, None, request.top_k))

    def regex_search(  # type: ignore[override]
        self, pattern: str, top_k: int = 10, kind: type[Chunk] = Chunk, *, explain: bool = False,
        where: PropertyFilter | None = None, scope: Scope | None = None, collections: Collection[str] | None = None,
    ) -> Found:  # fmt: skip
        self.calls.append("regex_search")
        self.asked.append(top_k)
        hits = [chunk for chunk in self.visible(scope, where, collections) if re.search(pattern, chunk.urtext)]
        hits.sort(key=lambda chunk: (chunk.document_id, chunk.sequence_number))
        return ResultList(SimilarityResult(chunk, 1.0) for chunk in hits[:top_k])

    def embeddings_of(
        self, ids: Sequence[str], *, scope: Scope | None = None, collections: Collection[str] | None = None
    ) -> dict[str, NDArray[np.float32]]:
        self.calls.append("embeddings_of")
        return {
            chunk.id: EMBEDDER.embed_query(chunk.text)
            for chunk in self.visible(scope, None, collections)
            if chunk.id in ids and chunk.id not in self.without_vector
        }

    def neighbours_of(
        self,
        ids: Sequence[str],
        count: int = 1,
        *,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
    ) -> dict[str, list[Chunk]]:
        self.calls.append("neighbours_of")
        places = {(chunk.document_id, chunk.sequence_number): chunk for chunk in self.visible(scope, None, collections)}
        found: dict[str, list[Chunk]] = {}
        for chunk in places.values():
            if chunk.id in ids:
                around = [chunk]
                for step in (-1, 1):
                    for distance in range(1, count + 1):
                        other = places.get((chunk.document_id, chunk.sequence_number + step * distance))
                        if other is None:
                            break
                        around.append(other)
                found[chunk.id] = sorted(around, key=lambda one: one.sequence_number)
        return found


class AsyncMemoryStore(AsyncHybridSearch, AsyncVectorLookup, AsyncNeighbourhood):
    """The same behind the asynchronous face, for the searches that it has."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    async def hybrid_search(self, *arguments: Any, **options: Any) -> Any:
        return self._store.hybrid_search(*arguments, **options)

    async def embeddings_of(self, *arguments: Any, **options: Any) -> Any:
        return self._store.embeddings_of(*arguments, **options)

    async def neighbours_of(self, *arguments: Any, **options: Any) -> Any:
        return self._store.neighbours_of(*arguments, **options)


class FixedReranker:
    """Scores a text by the number that stands in it, as `score 0.25`; `calls` has the texts of each call."""

    model_id = "fixed"

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[str, ...]]] = []

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        self.calls.append((query, tuple(texts)))
        return np.array([float(text.rpartition("score ")[2]) for text in texts])
