"""Refined searches, as the type checkers see them."""

from collections.abc import Sequence
from typing import assert_type

import numpy as np
from numpy.typing import NDArray

from graphrag import AsyncSearcher, Chunk, NamedEntityData, Refinement, ResultList, Searcher, SimilarityResult
from graphrag.model import TextSimilaritySearchRequest
from graphrag.search import CrossEncoderReranker, Passage, Reranker, joined_text, passages
from graphrag.stores import AsyncNeo4jStore, Neo4jStore

REQUEST = TextSimilaritySearchRequest("who keeps the mill?")


def plain(store: Neo4jStore) -> None:
    searcher = Searcher(store, reranker=CrossEncoderReranker("models/cross-encoder"))
    found = searcher.search(REQUEST, "vector", refine=Refinement(rerank=20, per_document=2, neighbours=1))
    assert_type(found, ResultList[SimilarityResult[Chunk]])
    assert_type(searcher.search(REQUEST, kind=NamedEntityData), ResultList[SimilarityResult[NamedEntityData]])
    assert_type(found[0].context, tuple[Chunk, ...])
    assert_type(passages(found), list[Passage])
    assert_type(joined_text(found[0].context), str)
    searcher.search(REQUEST, "fuzzy")  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]


def faces_do_not_mix(store: Neo4jStore) -> None:
    AsyncSearcher(store)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


async def asynchronous(store: AsyncNeo4jStore, reranker: Reranker) -> None:
    found = await AsyncSearcher(store, reranker=reranker).search(REQUEST, refine=Refinement(diversity=0.3))
    assert_type(found, ResultList[SimilarityResult[Chunk]])


class OwnReranker:
    """A reranker of an application: no class of ours to inherit."""

    @property
    def model_id(self) -> str:
        return "own"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array([float(query in text) for text in texts])


def with_own_reranker(store: Neo4jStore) -> Searcher:
    return Searcher(store, reranker=OwnReranker())
