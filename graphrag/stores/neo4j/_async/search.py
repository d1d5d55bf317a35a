"""Search by meaning, by words, and by both."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from graphrag.concurrency._async import gather, run_blocking
from graphrag.errors import InvalidRequestError, SchemaError
from graphrag.filters.nodes import PropertyFilter
from graphrag.filters.scope import Scope
from graphrag.model import (
    Chunk,
    ResultList,
    Retrievable,
    SearchExplanation,
    SimilarityResult,
    TextMode,
    TextSimilaritySearchRequest,
)
from graphrag.model.cleaning import clean_text
from graphrag.model.result import check_top_k
from graphrag.query.fusion import Leg, fuse
from graphrag.query.lucene import SYNTAX_NOTES
from graphrag.query.terms import NO_WORDS, has_word
from graphrag.stores._async.protocols import (
    AsyncCoreSearchOperations,
    AsyncFilteringTextSearch,
    AsyncFilteringVectorSearch,
    AsyncHybridSearch,
)
from graphrag.stores.neo4j._async.nearest import AsyncNeo4jNearest, VectorHits, VectorQuestion
from graphrag.stores.neo4j._async.part import hidden_vectors
from graphrag.stores.neo4j._async.words import AsyncNeo4jWords, check_text_mode
from graphrag.stores.neo4j.predicates import Conditions
from graphrag.stores.neo4j.rows import chunk_from_row
from graphrag.stores.neo4j.scores import text_score, unit_score, unit_vector, vector_floor

__all__ = ["AsyncNeo4jSearch"]

R = TypeVar("R", bound=Retrievable)
T = TypeVar("T")
Found = ResultList[SimilarityResult[Chunk]]

_MOVED_ON = "documents were written while this search ran, twice, so rows of theirs may be missing"


class AsyncNeo4jSearch(
    AsyncNeo4jNearest,
    AsyncNeo4jWords,
    AsyncFilteringVectorSearch,
    AsyncFilteringTextSearch,
    AsyncCoreSearchOperations,
    AsyncHybridSearch,
):
    """Vector, text and hybrid search over chunks."""

    @property
    def lucene_syntax_notes(self) -> str:
        """Which syntax queries of the mode `lucene` have."""
        return SYNTAX_NOTES

    async def vector_search(
        self,
        request: TextSimilaritySearchRequest,
        kind: type[R] = Chunk,  # type: ignore[assignment]  # PEP 696 defaults come with Python 3.13
        *,
        where: PropertyFilter | None = None,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
        consistent: bool = False,
        explain: bool = False,
    ) -> ResultList[SimilarityResult[R]]:
        """Return what is nearest to the query, best first (see the protocol)."""
        self._check(kind, request.top_k)
        conditions = Conditions.of_chunks(where, scope, collections)
        found = await self._searched(
            lambda: self._by_meaning(request, conditions), consistent=consistent, explain=explain
        )
        return cast("ResultList[SimilarityResult[R]]", found)

    async def _by_meaning(self, request: TextSimilaritySearchRequest, conditions: Conditions) -> Found:
        if not has_word(request.query):
            return ResultList(notes=[NO_WORDS])
        embedding, notes = await self._embed_query(request.query)
        found = await self._near(embedding, conditions, request)
        return ResultList(found, notes=notes, explanations=found.explanations)

    async def vector_search_by_embedding(
        self,
        embedding: NDArray[np.float32] | Sequence[float],
        *,
        top_k: int = 10,
        similarity_threshold: float | None = None,
        where: PropertyFilter | None = None,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
        explain: bool = False,
    ) -> ResultList[SimilarityResult[Chunk]]:
        """Return the chunks nearest to a vector of one's own, best first.

        Args:
            embedding: Shape (dimensions,), finite, not all zeros; its length does not matter.
            top_k: 1..1000.
            similarity_threshold: On the scale (1 + cosine) / 2.
            where: What must be true of a chunk; applied before `top_k` is counted.
            scope: What the caller may see; None is everything.
            collections: Where to look; None looks everywhere.
            explain: Tell in `explanations` which way the search went.

        Raises:
            InvalidRequestError: The vector has another shape, or cannot be compared by cosine.
            SchemaError: The vector index is missing.
            StoreError: The store failed; `retryable` says if trying again makes sense.
        """
        request = TextSimilaritySearchRequest("", similarity_threshold, top_k)
        self._check(Chunk, request.top_k)
        conditions = Conditions.of_chunks(where, scope, collections)
        return await self._searched(
            lambda: self._near(embedding, conditions, request), consistent=False, explain=explain
        )

    async def _near(
        self,
        embedding: NDArray[np.float32] | Sequence[float],
        conditions: Conditions,
        request: TextSimilaritySearchRequest,
    ) -> Found:
        found = await self._nearest_to(
            embedding, conditions, top_k=request.top_k, threshold=request.similarity_threshold, whole=True
        )
        results = [
            SimilarityResult(
                chunk_from_row(row["chunk"]),
                (score := unit_score(row["score"])),
                {"vector": score, "vector_rank": float(rank)},
            )
            for rank, row in enumerate(found.rows, 1)
        ]
        scores = {result.match.id: result.score for result in results}
        return ResultList(results, explanations=[found.explanation.with_hits(scores)])

    async def _nearest_to(
        self,
        embedding: NDArray[np.float32] | Sequence[float],
        conditions: Conditions,
        *,
        top_k: int,
        threshold: float | None,
        whole: bool,
    ) -> VectorHits:
        vector = unit_vector(embedding, (await self._live_stamp()).dimensions)
        return await self._nearest(VectorQuestion(vector, top_k, vector_floor(threshold), conditions, whole))

    async def text_search(  # noqa: PLR0913 - options, by name
        self,
        request: TextSimilaritySearchRequest,
        kind: type[R] = Chunk,  # type: ignore[assignment]  # PEP 696 defaults come with Python 3.13
        *,
        where: PropertyFilter | None = None,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
        mode: TextMode = "literal",
        consistent: bool = False,
        explain: bool = False,
    ) -> ResultList[SimilarityResult[R]]:
        """Return what holds the query's words, best first (see the protocol)."""
        self._check(kind, request.top_k)
        check_text_mode(mode)
        conditions = Conditions.of_chunks(where, scope, collections)
        found = await self._searched(
            lambda: self._by_words(request, conditions, mode), consistent=consistent, explain=explain
        )
        return cast("ResultList[SimilarityResult[R]]", found)

    async def _by_words(self, request: TextSimilaritySearchRequest, conditions: Conditions, mode: TextMode) -> Found:
        floor = request.similarity_threshold or 0.0
        hits = await self._by_query(request.query, conditions, mode=mode, top_k=request.top_k, floor=floor, whole=True)
        chunks = hits.chunks or await self._chunks_by_id(list(hits.raws), conditions)
        found = [
            SimilarityResult(
                chunks[id_], text_score(raw), {"text": text_score(raw), "text_raw": raw, "text_rank": rank}
            )
            for rank, (id_, raw) in enumerate(hits.raws.items(), 1)
            if id_ in chunks
        ]
        scores = {result.match.id: result.score for result in found}
        return ResultList(
            found, notes=hits.notes, explanations=[hits.explanation.with_hits(scores)] if hits.explanation else []
        )

    async def hybrid_search(  # noqa: PLR0913 - options, by name
        self,
        request: TextSimilaritySearchRequest,
        kind: type[R] = Chunk,  # type: ignore[assignment]  # PEP 696 defaults come with Python 3.13
        *,
        where: PropertyFilter | None = None,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
        text_mode: TextMode = "literal",
        consistent: bool = False,
        explain: bool = False,
    ) -> ResultList[SimilarityResult[R]]:
        """Return the fusion of a vector search and a text search, best first (see the protocol)."""
        self._check(kind, request.top_k)
        check_text_mode(text_mode)
        conditions = Conditions.of_chunks(where, scope, collections)
        found = await self._searched(
            lambda: self._by_both(request, conditions, text_mode), consistent=consistent, explain=explain
        )
        return cast("ResultList[SimilarityResult[R]]", found)

    async def _by_both(self, request: TextSimilaritySearchRequest, conditions: Conditions, mode: TextMode) -> Found:
        if not has_word(request.query):
            return ResultList(notes=[NO_WORDS])
        candidates = max(self._search_settings.leg_candidates, request.top_k)
        vector: dict[str, float] = {}
        text: dict[str, float] = {}
        notes: list[str] = []
        explanations: dict[str, SearchExplanation] = {}

        async def by_meaning() -> None:
            embedding, cut = await self._embed_query(request.query)
            notes.extend(cut)
            found = await self._nearest_to(
                embedding, conditions, top_k=candidates, threshold=request.similarity_threshold, whole=False
            )
            vector.update((str(row["id"]), unit_score(row["score"])) for row in found.rows)
            explanations["vector"] = found.explanation

        async def by_words() -> None:
            hits = await self._by_query(request.query, conditions, mode=mode, top_k=candidates, floor=0.0, whole=False)
            text.update(hits.raws)
            notes.extend(hits.notes)
            if hits.explanation:
                explanations["text"] = hits.explanation

        await gather(by_meaning, by_words)
        # A text search that came to its end knows what it did not find: all of that scores 0.
        complete = len(text) < candidates
        found = await self._fused(vector, text, conditions, top_k=request.top_k, text_complete=complete)
        scores = {"vector": vector, "text": {id_: text_score(raw) for id_, raw in text.items()}}
        legs = [explanations[leg].with_hits(scores[leg]) for leg in ("vector", "text") if leg in explanations]
        return ResultList(found, notes=dict.fromkeys(notes), explanations=legs)

    async def _searched(
        self, search: Callable[[], Awaitable[Found]], *, consistent: bool = False, explain: bool = False
    ) -> Found:
        """Run a search; where it is to be consistent, once more when the database has moved on meanwhile."""
        found, moved_on = await self._consistently(search) if consistent else (await self._current(search), False)
        notes = (*found.notes, _MOVED_ON) if moved_on else found.notes
        return ResultList(found, notes=notes, explanations=found.explanations if explain else ())

    async def _consistently(self, search: Callable[[], Awaitable[Found]]) -> tuple[Found, bool]:
        before = await self._connection.position()
        found = await self._current(search)
        if await self._connection.position() == before:
            return found, False
        before = await self._connection.position()
        found = await self._current(search)
        return found, await self._connection.position() != before

    async def _current(self, search: Callable[[], Awaitable[T]]) -> T:
        """Run a search, once more where another program has changed the schema since its stamp was read."""
        stamp = self._stamp
        try:
            return await search()
        except SchemaError:
            self._forget_stamp()
            if stamp is None or await self._read_stamp() == stamp:
                self._forget_stamp()
                raise
        return await search()

    def _check(self, kind: type[Retrievable], top_k: int) -> None:
        check_top_k(top_k, limit=self._limits.max_top_k)
        if kind is not Chunk:
            msg = f"this search finds chunks only; `kind` is `{kind.__name__}`"
            raise InvalidRequestError(msg)

    async def _fused(
        self,
        vector: Mapping[str, float],
        text: Mapping[str, float],
        conditions: Conditions,
        *,
        top_k: int,
        text_complete: bool,
    ) -> list[SimilarityResult[Chunk]]:
        settings = self._search_settings
        legs = [Leg(1 - settings.text_weight, vector), Leg(settings.text_weight, text, 0.0 if text_complete else None)]
        fused = fuse(legs, settings.fusion)[:top_k]
        chunks = await self._chunks_by_id([id_ for id_, _ in fused], conditions)
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
                breakdown |= {"text": text_score(text[id_]), "text_raw": text[id_]}
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

    async def _chunks_by_id(self, ids: Sequence[str], conditions: Conditions) -> dict[str, Chunk]:
        """Return what is read of hits; what the conditions do not hold of any more has changed since it was found."""
        if not ids:
            return {}
        stamp = await self._live_stamp()
        where = conditions.compiled()
        rows = await self._connection.read(
            "chunk/by_ids",
            {"ids": list(ids), **where.parameters},
            slots={"hidden": hidden_vectors(stamp), "where": where.text},
        )
        chunks = [chunk_from_row(row["chunk"]) for row in rows]
        return {chunk.id: chunk for chunk in chunks}
