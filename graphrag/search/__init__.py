"""Search over any store: every mode by one call, and what is done with the hits.

A searcher opens nothing: the store stays its owner's to open and to close.

    searcher = Searcher(store, reranker=CrossEncoderReranker("models/ms-marco-minilm"))
    found = searcher.search(
        TextSimilaritySearchRequest("who keeps the mill?"),
        refine=Refinement(rerank=50, per_document=2, neighbours=1),
    )
    for passage in passages(found):
        print(passage.text)

What a refinement does, and in which order, stands there (`graphrag.search.refinement`).
"""

from graphrag.search._async.searcher import AsyncSearcher
from graphrag.search._sync.searcher import Searcher
from graphrag.search.context import Passage, joined_text, passages
from graphrag.search.question import SearchMode
from graphrag.search.refinement import Refinement
from graphrag.search.rerank import CrossEncoderReranker, Reranker

__all__ = [
    "AsyncSearcher",
    "CrossEncoderReranker",
    "Passage",
    "Refinement",
    "Reranker",
    "SearchMode",
    "Searcher",
    "joined_text",
    "passages",
]
