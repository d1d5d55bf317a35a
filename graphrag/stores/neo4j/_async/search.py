"""Search by meaning, by words, and by both."""

import math
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import TypeVar, cast

import numpy as np
from neo4j.vector import Vector
from numpy.typing import NDArray

from graphrag.concurrency._async import gather, run_blocking
from graphrag.cypher import Fragment, PlainWord, plain_word
from graphrag.errors import InvalidRequestError, SchemaError
from graphrag.model import Chunk, ResultList, Retrievable, SimilarityResult, TextSimilaritySearchRequest
from graphrag.model.cleaning import clean_text
from graphrag.model.result import check_top_k
from graphrag.query.fusion import Leg, fuse
from graphrag.query.literal import has_word, literal_query
from graphrag.stores._async.protocols import AsyncCoreSearchOperations, AsyncHybridSearch
from graphrag.stores.neo4j._async.part import AsyncPart, hidden_vectors
from graphrag.stores.neo4j.rows import datum_from_row
from graphrag.stores.neo4j.stamp import Stamp

__all__ = ["AsyncNeo4jSearch"]

R = TypeVar("R", bound=Retrievable)
Slots = dict[str, PlainWord | Fragment]
Row = dict[str, object]

_FLOAT_NOISE = 1e-6
"""float32 keeps seven digits: an identical vector may come out just below 1."""
MAX_CANDIDATES = 10_000
"""Most that the index is asked for in one search."""
_GROWTH = 8
CHECKED_HITS = 5_000
"""Hits of a text search that are checked for identifiers by CONTAINS, best first: bounds its time."""
_TEXT_SCALE = 3.0
"""raw / (raw + 3): 0.5 is a raw BM25 score of 3. The scale of the design that this package follows."""
_MOVED_ON = "documents were written while this search ran, twice, so rows of theirs may be missing"
_NO_WORDS = "the query has no words, so nothing was searched"


class AsyncNeo4jSearch(AsyncPart, AsyncCoreSearchOperations, AsyncHybridSearch):
    """Vector, text and hybrid search over chunks."""

    @property
    def lucene_syntax_notes(self) -> str:
        """Which query syntax this store takes: none, any text is words."""
        return "Plain words in any order; no operators. A chunk with more and rarer words of the query comes first."

    async def vector_search(
        self,
        request: TextSimilaritySearchRequest,
        kind: type[R] = Chunk,  # type: ignore[assignment]  # PEP 696 defaults come with Python 3.13
        *,
        collections: Collection[str] | None = None,
        consistent: bool = False,
    ) -> ResultList[SimilarityResult[R]]:
        """Return what is nearest to the query, best first (see the protocol)."""
        self._check(kind, request)
        found = await self._searched(lambda: self._by_meaning(request, collections), consistent=consistent)
        return cast("ResultList[SimilarityResult[R]]", found)

    async def _by_meaning(
        self, request: TextSimilaritySearchRequest, collections: Collection[str] | None
    ) -> ResultList[SimilarityResult[Chunk]]:
        if not has_word(request.query):
            return ResultList(notes=[_NO_WORDS])
        embedding, notes = await self._embed_query(request.query)
        found = await self.vector_search_by_embedding(
            embedding,
            top_k=request.top_k,
            similarity_threshold=request.similarity_threshold,
            collections=collections,
        )
        return ResultList(found, notes=notes)

    async def vector_search_by_embedding(
        self,
        embedding: NDArray[np.float32] | Sequence[float],
        *,
        top_k: int = 10,
        similarity_threshold: float | None = None,
        collections: Collection[str] | None = None,
    ) -> ResultList[SimilarityResult[Chunk]]:
        """Return the chunks nearest to a vector of one's own, best first.

        Args:
            embedding: Shape (dimensions,), finite, not all zeros; its length does not matter.
            top_k: 1..1000.
            similarity_threshold: On the scale (1 + cosine) / 2.
            collections: Where to look; None looks everywhere.

        Raises:
            InvalidRequestError: The vector has another shape, or cannot be compared by cosine.
            SchemaError: The vector index is missing.
            StoreError: The store failed; `retryable` says if trying again makes sense.
        """
        request = TextSimilaritySearchRequest("", similarity_threshold, top_k)
        self._check(Chunk, request)
        stamp = await self._live_stamp()
        parameters, slots = self._vector_call(
            embedding, stamp, top_k=request.top_k, threshold=similarity_threshold, collections=collections
        )
        slots["hidden"] = hidden_vectors(stamp)
        rows = await self._nearest("chunk/vector_search", parameters, slots)
        return ResultList(
            SimilarityResult(
                _chunk(row["chunk"]), (score := _unit(row["score"])), {"vector": score, "vector_rank": float(rank)}
            )
            for rank, row in enumerate(rows, 1)
        )

    async def text_search(
        self,
        request: TextSimilaritySearchRequest,
        kind: type[R] = Chunk,  # type: ignore[assignment]  # PEP 696 defaults come with Python 3.13
        *,
        collections: Collection[str] | None = None,
        consistent: bool = False,
    ) -> ResultList[SimilarityResult[R]]:
        """Return what holds the query's words, best first (see the protocol)."""
        self._check(kind, request)
        found = await self._searched(lambda: self._by_words(request, collections), consistent=consistent)
        return cast("ResultList[SimilarityResult[R]]", found)

    async def _by_words(
        self, request: TextSimilaritySearchRequest, collections: Collection[str] | None
    ) -> ResultList[SimilarityResult[Chunk]]:
        floor = request.similarity_threshold or 0.0
        raws, notes = await self._text_leg(request.query, request.top_k, floor, collections)
        chunks = await self._chunks_by_id(list(raws))
        found = [
            SimilarityResult(
                chunks[id_], _text_score(raw), {"text": _text_score(raw), "text_raw": raw, "text_rank": rank}
            )
            for rank, (id_, raw) in enumerate(raws.items(), 1)
            if id_ in chunks
        ]
        return ResultList(found, notes=notes)

    async def hybrid_search(
        self,
        request: TextSimilaritySearchRequest,
        kind: type[R] = Chunk,  # type: ignore[assignment]  # PEP 696 defaults come with Python 3.13
        *,
        collections: Collection[str] | None = None,
        consistent: bool = False,
    ) -> ResultList[SimilarityResult[R]]:
        """Return the fusion of a vector search and a text search, best first (see the protocol)."""
        self._check(kind, request)
        found = await self._searched(lambda: self._by_both(request, collections), consistent=consistent)
        return cast("ResultList[SimilarityResult[R]]", found)

    async def _by_both(
        self, request: TextSimilaritySearchRequest, collections: Collection[str] | None
    ) -> ResultList[SimilarityResult[Chunk]]:
        if not has_word(request.query):
            return ResultList(notes=[_NO_WORDS])
        candidates = max(self._search_settings.leg_candidates, request.top_k)
        vector: dict[str, float] = {}
        text: dict[str, float] = {}
        notes: list[str] = []

        async def by_meaning() -> None:
            embedding, cut = await self._embed_query(request.query)
            notes.extend(cut)
            stamp = await self._live_stamp()
            parameters, slots = self._vector_call(
                embedding,
                stamp,
                top_k=candidates,
                threshold=request.similarity_threshold,
                collections=collections,
            )
            found = await self._nearest("chunk/vector_candidates", parameters, slots)
            vector.update((str(row["id"]), _unit(row["score"])) for row in found)

        async def by_words() -> None:
            raws, cut = await self._text_leg(request.query, candidates, 0.0, collections)
            text.update(raws)
            notes.extend(cut)

        await gather(by_meaning, by_words)
        # A text search that came to its end knows what it did not find: all of that scores 0.
        complete = len(text) < candidates
        found = await self._fused(vector, text, top_k=request.top_k, text_complete=complete)
        return ResultList(found, notes=dict.fromkeys(notes))

    async def _searched(
        self, search: Callable[[], Awaitable[ResultList[SimilarityResult[Chunk]]]], *, consistent: bool
    ) -> ResultList[SimilarityResult[Chunk]]:
        """Run a search; where it is to be consistent, once more when the database has moved on meanwhile."""
        try:
            if not consistent:
                return await search()
            before = await self._connection.position()
            found = await search()
            if await self._connection.position() == before:
                return found
            before = await self._connection.position()
            found = await search()
            if await self._connection.position() == before:
                return found
        except SchemaError:
            self._forget_stamp()  # another program may have changed the schema: the next call reads it anew
            raise
        return ResultList(found, notes=(*found.notes, _MOVED_ON))

    def _check(self, kind: type[Retrievable], request: TextSimilaritySearchRequest) -> None:
        check_top_k(request.top_k, limit=self._limits.max_top_k)
        if kind is not Chunk:
            msg = f"this search finds chunks only; `kind` is `{kind.__name__}`"
            raise InvalidRequestError(msg)

    async def _fused(
        self, vector: Mapping[str, float], text: Mapping[str, float], *, top_k: int, text_complete: bool
    ) -> list[SimilarityResult[Chunk]]:
        settings = self._search_settings
        legs = [Leg(1 - settings.text_weight, vector), Leg(settings.text_weight, text, 0.0 if text_complete else None)]
        fused = fuse(legs, settings.fusion)[:top_k]
        chunks = await self._chunks_by_id([id_ for id_, _ in fused])
        ranks = {
            "vector_rank": {id_: float(rank) for rank, id_ in enumerate(vector, 1)},
            "text_rank": {id_: float(rank) for rank, id_ in enumerate(text, 1)},
        }
        results: list[SimilarityResult[Chunk]] = []
        for id_, score in fused:
            if id_ not in chunks:
                continue
            breakdown = {name: by_id[id_] for name, by_id in ranks.items() if id_ in by_id}
            if id_ in vector:
                breakdown["vector"] = vector[id_]
            if id_ in text:
                breakdown |= {"text": _text_score(text[id_]), "text_raw": text[id_]}
            results.append(SimilarityResult(chunks[id_], score, breakdown))
        return results

    async def _embed_query(self, query: str) -> tuple[NDArray[np.float32], list[str]]:
        """Return the query's vector, and what was cut."""
        embedder = self._need_embedder()
        stamp = await self._live_stamp()
        await run_blocking(stamp.check_embedder, embedder)
        limit = self._limits.max_query_chars
        notes = [f"the query was cut at {limit} characters (it has {len(query)})"] if len(query) > limit else []
        text = clean_text(query[:limit]).text
        tokenizer = await run_blocking(lambda: embedder.tokenizer)
        if tokenizer is not None:
            tokens = len(await run_blocking(tokenizer.token_offsets, text))
            if tokens > tokenizer.max_tokens:
                notes.append(f"the model reads the first {tokenizer.max_tokens} tokens of the query (it has {tokens})")
        return await run_blocking(embedder.embed_query, text), notes

    def _vector_call(
        self,
        embedding: NDArray[np.float32] | Sequence[float],
        stamp: Stamp,
        *,
        top_k: int,
        threshold: float | None,
        collections: Collection[str] | None,
    ) -> tuple[dict[str, object], Slots]:
        settings = self._search_settings
        predicate, names = self._scope(collections)
        parameters: dict[str, object] = {
            "embedding": Vector.from_numpy(_unit_vector(embedding, stamp.dimensions)),
            "candidates": max(settings.over_fetch_min, math.ceil(settings.over_fetch_factor * top_k)),
            "floor": (threshold or 0.0) - _FLOAT_NOISE,
            "top_k": top_k,
        }
        slots: Slots = {"index": plain_word(stamp.vector_index), "vector": plain_word(stamp.embedding_property)}
        if predicate is not None:
            slots["where"] = Fragment(f"WHERE {predicate}")
            parameters["collections"] = names
        return parameters, slots

    async def _nearest(self, name: str, parameters: dict[str, object], slots: Slots) -> list[Row]:
        """Return what a vector statement finds, asking the index for more where nodes of others fill its answer."""
        while True:
            row = (await self._connection.read(name, parameters, slots=slots))[0]
            asked, seen, ours = (
                int(cast("int", value)) for value in (parameters["candidates"], row["seen"], row["ours"])
            )
            if ours >= cast("int", parameters["top_k"]) or seen < asked or asked >= MAX_CANDIDATES:
                return cast("list[Row]", row["found"])
            parameters = {**parameters, "candidates": min(asked * _GROWTH, MAX_CANDIDATES)}

    async def _text_leg(
        self, query: str, top_k: int, floor: float, collections: Collection[str] | None
    ) -> tuple[dict[str, float], list[str]]:
        """Return id to raw score, best first, and what was cut."""
        literal = literal_query(query, limits=self._limits)
        notes = list(literal.notes)
        if not literal.lucene:
            return {}, [*notes, _NO_WORDS]
        if floor >= 1:
            return {}, [*notes, "no text score reaches 1"]
        predicate, names = self._scope(collections)
        parameters: dict[str, object] = {
            "query": literal.lucene,
            "identifiers": list(literal.identifiers),
            "must_hold": literal.only_identifiers,
            "checked": max(top_k, CHECKED_HITS) if literal.identifiers else top_k,
            "floor": _TEXT_SCALE * floor / (1 - floor) - _FLOAT_NOISE,
            "top_k": top_k,
        }
        slots: Slots = {}
        if predicate is not None:
            slots["where"] = predicate
            parameters["collections"] = names
        rows = await self._connection.read("chunk/text_candidates", parameters, slots=slots)
        if not rows and literal.only_identifiers:
            parameters["must_hold"] = False
            rows = await self._connection.read("chunk/text_candidates", parameters, slots=slots)
            if rows:
                notes.append("no chunk holds the query with its symbols, so its words alone were searched")
        if not rows and not notes:
            notes.append("no chunk holds a word of the query (stop words are not indexed)")
        return {str(row["id"]): float(cast("float", row["raw"])) for row in rows}, notes

    async def _chunks_by_id(self, ids: Sequence[str]) -> dict[str, Chunk]:
        if not ids:
            return {}
        stamp = await self._live_stamp()
        rows = await self._connection.read("chunk/by_ids", {"ids": list(ids)}, slots={"hidden": hidden_vectors(stamp)})
        chunks = [_chunk(row["chunk"]) for row in rows]
        return {chunk.id: chunk for chunk in chunks}


def _chunk(properties: object) -> Chunk:
    return cast("Chunk", datum_from_row(cast("Mapping[str, object]", properties), ["Chunk"]))


def _unit(score: object) -> float:
    return min(1.0, max(0.0, float(cast("float", score))))


def _text_score(raw: float) -> float:
    return raw / (raw + _TEXT_SCALE)


def _unit_vector(embedding: NDArray[np.float32] | Sequence[float], dimensions: int) -> NDArray[np.float32]:
    vector = np.asarray(embedding, dtype=np.float32)
    if vector.shape != (dimensions,):
        msg = f"the query vector has the shape {vector.shape}; the index takes ({dimensions},)"
        raise InvalidRequestError(msg)
    norm = float(np.linalg.norm(vector.astype(np.float64)))
    if not math.isfinite(norm) or norm == 0:
        msg = "the query vector is all zeros or holds NaN or infinity; it cannot be compared by cosine"
        raise InvalidRequestError(msg)
    return (vector / norm).astype(np.float32)
