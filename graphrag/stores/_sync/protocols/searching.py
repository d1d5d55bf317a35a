# Generated from graphrag/stores/_async/protocols/searching.py by tools/generate_sync.py; do not edit.
"""Search by meaning, by words, by both, and by regular expression."""

from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import TypeVar

from graphrag.filters.nodes import PropertyFilter
from graphrag.filters.scope import Scope
from graphrag.model import Chunk, ResultList, Retrievable, SimilarityResult, TextMode, TextSimilaritySearchRequest

__all__ = [
    "CoreSearchOperations",
    "FilteringTextSearch",
    "FilteringVectorSearch",
    "HybridSearch",
    "RegexSearchOperations",
    "SearchOperations",
    "TextSearch",
    "VectorSearch",
]

R = TypeVar("R", bound=Retrievable)


class SearchOperations(ABC):  # noqa: B024 - a tag
    """What every store that can be searched is."""


class VectorSearch(SearchOperations):
    """Search by meaning."""

    @abstractmethod
    def vector_search(
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
        """Return what is nearest to the query, best first.

        Args:
            request: Query text; `top_k` in 1..1000; `similarity_threshold` on the scale (1 + cosine) / 2.
            kind: What to find.
            where: What must be true of what is found.
            scope: What the caller may see; None is everything.
            collections: Where to look; None looks everywhere.
            consistent: Run once more where documents were written in the meantime, since rows of a large
                write may be missing while its commit runs; a note says so where that happens again.
            explain: Tell in `explanations` which way each leg of the search went. They show the scope's predicate
                and count what it hides: they are for who runs the service, not for who is scoped.

        Returns:
            At most `top_k` results in falling `score`; equal scores by id. A blank query gives none, and
            a note says so.

        Raises:
            SchemaError: The vector index is missing, or its dimensions or model differ from the embedder's.
            StoreError: The store failed; `retryable` says if trying again makes sense.
            ModelCallError: The embedder failed.
        """


class TextSearch(SearchOperations):
    """Search by words."""

    @property
    @abstractmethod
    def lucene_syntax_notes(self) -> str:
        """Which syntax queries of the mode `lucene` have, in words that a language model understands."""

    @abstractmethod
    def text_search(  # noqa: PLR0913 - options, by name
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
        """Return what holds the query's words, best first.

        Args:
            request: Any text: none raises. `similarity_threshold` is on the scale raw / (raw + 3) of the
                BM25 score.
            kind: What to find.
            where: What must be true of what is found.
            scope: What the caller may see; None is everything.
            collections: Where to look; None looks everywhere.
            mode: `literal`: any text is words. `lucene`: operators are at work (see `lucene_syntax_notes`); a
                query of another syntax is words, and a note says so.
            consistent: Run once more where documents were written in the meantime, since rows of a large
                write may be missing while its commit runs; a note says so where that happens again.
            explain: Tell in `explanations` which way each leg of the search went. They show the scope's predicate
                and count what it hides: they are for who runs the service, not for who is scoped.

        Returns:
            At most `top_k` results in falling `score`; equal scores by id. Text without words, or one
            that only excludes, gives none, and a note says so; an over-long query is cut, and a note says so.

        Raises:
            InvalidRequestError: `mode` or `kind` is none of these.
            SchemaError: The full-text index is missing.
            StoreError: The store failed; `retryable` says if trying again makes sense.
        """


class CoreSearchOperations(VectorSearch, TextSearch):
    """Both, for convenience."""


class FilteringVectorSearch(VectorSearch):
    """A search by meaning whose filters the store applies itself, before `top_k` is counted."""


class FilteringTextSearch(TextSearch):
    """A search by words whose filters the store applies itself, before `top_k` is counted."""


class HybridSearch(SearchOperations):
    """Search by meaning and by words in one."""

    @abstractmethod
    def hybrid_search(  # noqa: PLR0913 - options, by name
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
        """Return the fusion of a vector search and a text search, best first.

        Args:
            request: `similarity_threshold` applies to the vector leg.
            kind: What to find.
            where: What must be true of what is found.
            scope: What the caller may see; None is everything.
            collections: Where to look; None looks everywhere.
            text_mode: How the text leg reads the query; the other one embeds it as it stands.
            consistent: Run once more where documents were written in the meantime, since rows of a large
                write may be missing while its commit runs; a note says so where that happens again.
            explain: Tell in `explanations` which way each leg of the search went. They show the scope's predicate
                and count what it hides: they are for who runs the service, not for who is scoped.

        Returns:
            At most `top_k` results in falling `score` (0..1); equal scores by id. The breakdown has
            `vector`, `text`, `text_raw`, `vector_rank` and `text_rank`, as far as a leg found it.

        Raises:
            SchemaError: An index is missing, or the model differs.
            StoreError: The store failed; `retryable` says if trying again makes sense.
            ModelCallError: The embedder failed.
        """


class RegexSearchOperations(SearchOperations):
    """Search by regular expression."""

    @abstractmethod
    def regex_search(
        self,
        pattern: str,
        top_k: int = 10,
        kind: type[R] = Chunk,  # type: ignore[assignment]  # PEP 696 defaults come with Python 3.13
        *,
        where: PropertyFilter | None = None,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
        explain: bool = False,
    ) -> ResultList[SimilarityResult[R]]:
        """Return what a regular expression matches somewhere in, by document, then place in it.

        Args:
            pattern: RE2's dialect (`graphrag.query.pattern`), at most 500 characters, searched for in `urtext`.
                `^` and `$` are the ends of a line, `.` is no line end unless `(?s)` is set.
            top_k: 1..1000.
            kind: What to find.
            where: What must be true of what is found.
            scope: What the caller may see; None is everything.
            collections: Where to look; None looks everywhere.
            explain: Tell in `explanations` which way the search went.

        Returns:
            At most `top_k` results with the score 1.0, by document id, then sequence number. A note says so where
            the search ended before all was looked at, since its budget of rows, bytes or time was spent. A blank
            pattern gives none, and a note says so.

        Raises:
            InvalidPatternError: RE2 refuses the pattern, or it is too long; the message tells the place.
            InvalidRequestError: `top_k` or `kind` is out of its bounds.
            SchemaError: The schema is missing.
            StoreError: The store failed; `retryable` says if trying again makes sense.
        """
