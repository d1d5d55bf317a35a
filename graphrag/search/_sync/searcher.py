# Generated from graphrag/search/_async/searcher.py by tools/generate_sync.py; do not edit.
"""One search over any store: the mode is an argument, and so is what is done with the hits."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, cast, overload

from graphrag.concurrency._sync import Semaphore, run_blocking, time_limit
from graphrag.config import Settings
from graphrag.errors import ConfigurationError
from graphrag.filters.nodes import PropertyFilter
from graphrag.filters.scope import Scope
from graphrag.model import Chunk, ResultList, Retrievable, SimilarityResult, TextMode, TextSimilaritySearchRequest
from graphrag.query.mmr import choose_diverse
from graphrag.search.question import Question, SearchMode, lacks_capability, lacks_mode
from graphrag.search.refinement import Refinement
from graphrag.search.rerank import Reranker, score_texts
from graphrag.search.selecting import Plan, capped, reranked
from graphrag.stores.protocols import (
    HybridSearch,
    Neighbourhood,
    RegexSearchOperations,
    SearchOperations,
    TextSearch,
    VectorLookup,
    VectorSearch,
)

__all__ = ["Searcher"]

R = TypeVar("R", bound=Retrievable)


class Searcher:
    """Searches a store in any mode that it has, and refines what it finds.

    It opens nothing: store and reranker stay their owner's to close. One object may be shared.

    Args:
        store: Any store; its capabilities are looked at when they are asked for.
        reranker: Scores hits anew where a call asks for that (`Refinement.rerank`).
        settings: Those that the store was opened with: limits, and the part `search`.
    """

    def __init__(
        self, store: SearchOperations, *, reranker: Reranker | None = None, settings: Settings | None = None
    ) -> None:
        self._store = store
        self._reranker = reranker
        self._settings = settings or Settings()
        self._reranks = Semaphore(self._settings.search.max_parallel_reranks)

    @property
    def modes(self) -> tuple[SearchMode, ...]:
        """The modes that the store has."""
        capabilities: tuple[tuple[SearchMode, type[SearchOperations]], ...] = (
            ("hybrid", HybridSearch),
            ("vector", VectorSearch),
            ("text", TextSearch),
            ("regex", RegexSearchOperations),
        )
        return tuple(mode for mode, capability in capabilities if isinstance(self._store, capability))

    @overload
    def search(
        self,
        request: TextSimilaritySearchRequest,
        mode: SearchMode = "hybrid",
        *,
        where: PropertyFilter | None = None,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
        text_mode: TextMode = "literal",
        consistent: bool = False,
        explain: bool = False,
        refine: Refinement | None = None,
    ) -> ResultList[SimilarityResult[Chunk]]: ...

    @overload
    def search(
        self,
        request: TextSimilaritySearchRequest,
        mode: SearchMode = "hybrid",
        *,
        kind: type[R],
        where: PropertyFilter | None = None,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
        text_mode: TextMode = "literal",
        consistent: bool = False,
        explain: bool = False,
        refine: Refinement | None = None,
    ) -> ResultList[SimilarityResult[R]]: ...

    def search(  # noqa: PLR0913 - options, by name
        self,
        request: TextSimilaritySearchRequest,
        mode: SearchMode = "hybrid",
        *,
        kind: type[R] = Chunk,  # type: ignore[assignment]  # PEP 696 defaults come with Python 3.13
        where: PropertyFilter | None = None,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
        text_mode: TextMode = "literal",
        consistent: bool = False,
        explain: bool = False,
        refine: Refinement | None = None,
    ) -> ResultList[SimilarityResult[R]]:
        """Return the best results of a search.

        Args:
            request: The query, or the pattern in the mode `regex`; `top_k` in 1..1000. `similarity_threshold` is
                inclusive and acts on the scores of the search itself (in `hybrid` of its leg by meaning), before
                anything is refined: a reranker's scores are of another scale.
            mode: Which search.
            kind: What to find.
            where: What must be true of what is found. Neighbours need not match it.
            scope: What the caller may see, of results, vectors and neighbours alike; None is everything.
            collections: Where to look; None looks everywhere.
            text_mode: How `text` and `hybrid` read the words of the query.
            consistent: Run once more where documents were written meanwhile (see the store's searches).
            explain: Tell in `explanations` how each leg of the search was run and what it found, before it was refined.
            refine: What is done with the hits; None returns them as the store does.

        Returns:
            min(`top_k`, what there is and a cap permits) results. They come in falling `score`, ties by id (`regex`: by
            place); with `diversity` in the order of that choice, each with its `score` as it was. After a reranker
            `score` is its score, and the breakdown has `before_rerank`; a diverse choice adds `mmr` to it. A note says
            so where a limit ended the search for more results under a cap.

        Raises:
            MissingCapabilityError: The store lacks this search, or what the refinement needs; its searches are named.
            InvalidRequestError: An option is out of bounds, or does not go with the mode.
            ConfigurationError: `rerank` is asked for without a reranker.
            ModelCallError: The embedder or the reranker failed.
            TimeoutExceededError: Reranking took longer than `search.rerank_timeout_s`.
            SchemaError: An index is missing, or the model differs.
            StoreError: The store failed; `retryable` says if trying again makes sense.
        """
        refine = refine or Refinement()
        question = Question(mode, kind, where, scope, collections, text_mode, consistent, explain)
        question.check(refine)
        self._check_capabilities(refine)
        plan = Plan.of(request.top_k, refine, self._settings)
        found, kept = self._candidates(request, question, refine, plan)
        best = ResultList(kept[: plan.top_k])
        if refine.diversity is not None:
            best = self._diverse(kept[: plan.pool], question, diversity=refine.diversity, count=plan.top_k)
        results: Sequence[SimilarityResult[R]] = best
        if refine.neighbours:
            results = self._with_context(best, question, count=refine.neighbours)
        return ResultList(results, notes=(*found.notes, *best.notes), explanations=found.explanations)

    def _candidates(
        self, request: TextSimilaritySearchRequest, question: Question[R], refine: Refinement, plan: Plan
    ) -> tuple[ResultList[SimilarityResult[R]], list[SimilarityResult[R]]]:
        """Return what the store found, and what of it is left: enough, all there is, or as far as the limit goes."""
        scores: dict[str, float] = {}
        asked = plan.first
        while True:
            found = self._found(replace(request, top_k=asked), question)
            ranked: Sequence[SimilarityResult[R]] = found
            if refine.rerank is not None:
                self._score(request.query, found, scores)
                ranked = reranked(found, scores)
            kept = capped(ranked, refine.per_document)
            if len(kept) >= plan.top_k or len(found) < asked:
                return found, kept
            if asked >= plan.most:
                if refine.per_document is not None:
                    found.notes = (*found.notes, plan.ended_early(len(kept), refine.per_document))
                return found, kept
            asked = plan.after(asked)

    def _found(self, request: TextSimilaritySearchRequest, question: Question[R]) -> ResultList[SimilarityResult[R]]:
        store, q = self._store, question
        match q.mode:
            case "hybrid" if isinstance(store, HybridSearch):
                return store.hybrid_search(
                    request,
                    q.kind,
                    where=q.where,
                    scope=q.scope,
                    collections=q.collections,
                    text_mode=q.text_mode,
                    consistent=q.consistent,
                    explain=q.explain,
                )
            case "vector" if isinstance(store, VectorSearch):
                return store.vector_search(
                    request,
                    q.kind,
                    where=q.where,
                    scope=q.scope,
                    collections=q.collections,
                    consistent=q.consistent,
                    explain=q.explain,
                )
            case "text" if isinstance(store, TextSearch):
                return store.text_search(
                    request,
                    q.kind,
                    where=q.where,
                    scope=q.scope,
                    collections=q.collections,
                    mode=q.text_mode,
                    consistent=q.consistent,
                    explain=q.explain,
                )
            case "regex" if isinstance(store, RegexSearchOperations):
                return store.regex_search(
                    request.query,
                    request.top_k,
                    q.kind,
                    where=q.where,
                    scope=q.scope,
                    collections=q.collections,
                    explain=q.explain,
                )
            case _:
                raise lacks_mode(q.mode, self.modes)

    def _check_capabilities(self, refine: Refinement) -> None:
        needed = (
            ("diversity", refine.diversity is not None, VectorLookup),
            ("neighbours", refine.neighbours > 0, Neighbourhood),
        )
        for option, wanted, capability in needed:
            if wanted and not isinstance(self._store, capability):
                raise lacks_capability(option, capability.__name__, self.modes)
        if refine.rerank is not None and self._reranker is None:
            msg = "this searcher has no reranker; pass `reranker=` (such as `CrossEncoderReranker(folder)`) to rerank"
            raise ConfigurationError(msg)

    def _score(self, query: str, results: Sequence[SimilarityResult[R]], scores: dict[str, float]) -> None:
        """Score those of the results that have none yet."""
        new = {result.match.id: result.match for result in results if result.match.id not in scores}
        if new and self._reranker is not None:
            texts = [match.embeddable_value() for match in new.values()]
            asked = query[: self._settings.limits.max_query_chars]
            limit, what = self._settings.search.rerank_timeout_s, f"reranking {len(texts):,} hits"
            with time_limit(limit, what=what) as deadline, self._reranks:
                deadline.check()
                given = run_blocking(score_texts, self._reranker, asked, texts)
            scores.update(zip(new, given, strict=True))

    def _diverse(
        self, results: Sequence[SimilarityResult[R]], question: Question[R], *, diversity: float, count: int
    ) -> ResultList[SimilarityResult[R]]:
        """Return results that are good and unlike each other, in the order in which they were chosen."""
        store = cast("VectorLookup", self._store)
        by_id = {result.match.id: result for result in results}
        vectors = store.embeddings_of(list(by_id), scope=question.scope, collections=question.collections)
        relevance = {id_: result.score for id_, result in by_id.items()}
        chosen = run_blocking(choose_diverse, relevance, vectors, diversity=diversity, count=count)
        missing = len(by_id) - len(vectors)
        told = f"{missing} of {len(by_id)} hits have no stored vector, so they count as unlike all others"
        return ResultList(
            (replace(by_id[pick.id], breakdown={**by_id[pick.id].breakdown, "mmr": pick.value}) for pick in chosen),
            notes=[told] if missing else [],
        )

    def _with_context(
        self, results: Sequence[SimilarityResult[R]], question: Question[R], *, count: int
    ) -> list[SimilarityResult[R]]:
        """Return the results with their neighbours; one that is gone by now stands alone."""
        store = cast("Neighbourhood", self._store)
        ids = [result.match.id for result in results]
        around: Mapping[str, Sequence[Chunk]] = store.neighbours_of(
            ids, count, scope=question.scope, collections=question.collections
        )
        return [
            replace(result, context=tuple(around.get(result.match.id) or (cast("Chunk", result.match),)))
            for result in results
        ]
