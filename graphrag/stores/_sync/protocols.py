# Generated from graphrag/stores/_async/protocols.py by tools/generate_sync.py; do not edit.
"""The capabilities of stores.

A store inherits those that it does well, and nothing pretends: callers ask `isinstance(store,
TextSearch)`. These are abstract classes rather than structural protocols, since both faces have
methods of the same names: only inheritance tells them apart.

`where` says what must be true of the things to find; it is applied before `top_k` or `limit` is counted, so a
filter never shortens a full answer. `scope` says what the caller may see at all (`graphrag.filters.scope`), on
every step of the way; what is hidden looks like what is missing. `collections` limits a call to chunks, sections
and documents of these collections; None takes all.

What every call may raise beside what it names itself: `InvalidRequestError` for an argument out of bounds (`top_k`,
`limit`, an id, the name of a collection), `UnsupportedFilterError` for a filter of somebody else's class or one that
the store cannot run, `StoreError` where the store failed (`retryable` says if trying again makes sense).
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

from graphrag.filters.nodes import PropertyFilter
from graphrag.filters.scope import Scope
from graphrag.model import (
    Chunk,
    ContentElement,
    Datum,
    Document,
    MaterializedDocument,
    ResultList,
    Retrievable,
    Section,
    SimilarityResult,
    TextMode,
    TextSimilaritySearchRequest,
)
from graphrag.stores.reports import Deletion, ExpandMethod, StoreInfo, WriteOutcome

__all__ = [
    "ChunkingContentElementRepository",
    "ContentElementRepository",
    "CoreSearchOperations",
    "FilteringTextSearch",
    "FilteringVectorSearch",
    "HybridSearch",
    "Lookup",
    "RegexSearchOperations",
    "ResultExpander",
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


class ResultExpander(SearchOperations):
    """From a result to what stands around it."""

    @abstractmethod
    def expand_result(
        self,
        id: str,  # noqa: A002 - the name that the design gives it
        method: ExpandMethod,
        elements_to_add: int = 1,
        *,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
    ) -> ResultList[Chunk | ContentElement]:
        """Return the surroundings of a chunk or section.

        Args:
            id: A chunk's id; for ZOOM_OUT a section's too.
            method: SEQUENCE: the chunk with its neighbours, in document order, clipped at the ends of the
                document. ZOOM_OUT: the one element right above, with the text of its whole subtree.
            elements_to_add: SEQUENCE only: chunks on each side, 0..20.
            scope: What the caller may see, on every hop; None is everything.
            collections: Where to look; None looks everywhere.

        Returns:
            The elements; none for an id that is unknown or out of scope, and for ZOOM_OUT of a document.
            A text that was cut at the limit has `truncated` set, and a note says so.

        Raises:
            InvalidRequestError: `elements_to_add` or `id` is out of bounds.
            StoreError: The store failed; `retryable` says if trying again makes sense.
        """


class Lookup(ABC):
    """Finding by id, listing and counting."""

    @abstractmethod
    def find_by_id(
        self,
        id: str,  # noqa: A002 - the name that the design gives it
        *,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
    ) -> Datum | None:
        """Return the document, section, chunk or entity of that id; None where there is none in scope.

        The `chunk_count` of a document is that of its visible chunks. With `collections`, a document or section
        without any chunk is not found, nor an extracted entity that no chunk in them mentions.
        """

    @abstractmethod
    def find_document(self, uri: str, *, collection: str, scope: Scope | None = None) -> Document | None:
        """Return the document of that canonical URI in one collection, or None."""

    @abstractmethod
    def find_documents(self, ids: Sequence[str], *, scope: Scope | None = None) -> Mapping[str, Document]:
        """Return the documents of these ids, by id; unknown ones are left out."""

    @abstractmethod
    def list_documents(
        self,
        *,
        where: PropertyFilter | None = None,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[Document]:
        """Return documents by collection, then URI.

        Args:
            where: What must be true of a document's own properties.
            scope: What the caller may see; a document is visible if one of its chunks is.
            collections: Where to look; None looks everywhere.
            limit: 1..10000.
            offset: How many to pass over, at least 0.

        Returns:
            The documents; the `chunk_count` of each is that of its visible chunks.
        """

    @abstractmethod
    def list_sections(self, document_id: str, *, scope: Scope | None = None) -> list[Section]:
        """Return a document's sections in document order; none for an unknown document."""

    @abstractmethod
    def list_chunks(
        self,
        document_id: str,
        *,
        where: PropertyFilter | None = None,
        scope: Scope | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[Chunk]:
        """Return a document's chunks in document order. `limit` in 1..10000, `offset` >= 0."""

    @abstractmethod
    def count(
        self,
        kind: type[Datum],
        *,
        where: PropertyFilter | None = None,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
    ) -> int:
        """Return how many documents, sections, chunks or entities there are.

        Args:
            kind: `Document`, `Section`, `Chunk` or `NamedEntityData`.
            where: What must be true of their own properties.
            scope: What the caller may see.
            collections: Where to look; entities belong to no collection.

        Raises:
            InvalidRequestError: Things of that kind are not counted.
            StoreError: The store failed; `retryable` says if trying again makes sense.
        """

    @abstractmethod
    def info(self) -> StoreInfo:
        """Return what the store holds and what it is."""

    @abstractmethod
    def graph_hash(self) -> str:
        """Return a hash of all nodes and relationships: ids, labels and properties.

        Vectors and times of writing are left out, so two stores with the same content have the same hash.
        """


class ContentElementRepository(ABC):
    """Writing documents. Every write is atomic and may be repeated."""

    @abstractmethod
    def prepare(self) -> None:
        """Make the schema where there is none, and check it where there is one, before the first write.

        Raises:
            SchemaError: What stands there does not fit; the message names the remedy.
        """

    @abstractmethod
    def chunks_to_embed(self, document: MaterializedDocument) -> frozenset[str]:
        """Return the ids of those chunks that the store lacks, or has with another text or model."""

    @abstractmethod
    def write_document(self, document: MaterializedDocument) -> WriteOutcome:
        """Write one document, or bring the stored one to this version.

        Args:
            document: Whole; each chunk of `chunks_to_embed` has an embedding.

        Raises:
            InvalidRequestError: A chunk lacks its embedding, or has one that cannot be stored; it is named.
            SchemaError: The schema is missing or does not fit.
            StoreError: The store failed; nothing is half-written.
        """

    @abstractmethod
    def write_documents(self, documents: Sequence[MaterializedDocument]) -> list[WriteOutcome | Exception]:
        """Write several documents, small ones together in one transaction.

        Returns:
            An outcome or an error a document, in their order: one that fails does not stop the others.
        """

    @abstractmethod
    def set_metadata(
        self, uri: str, changes: Mapping[str, object], *, collection: str, replace: bool = False, fingerprint: str = ""
    ) -> Document | None:
        """Change the metadata of a document and of its chunks, in one transaction.

        Args:
            uri: Canonical URI.
            changes: New values by name; None takes a name away.
            collection: The document's collection.
            replace: Take away all names that `changes` does not have.
            fingerprint: Written too, where not empty.

        Returns:
            The document as it is now; None where there is none.

        Raises:
            InvalidRequestError: A name or a value cannot be stored; nothing is changed.
        """

    @abstractmethod
    def delete_document(self, uri: str, *, collection: str) -> Deletion:
        """Delete a document with its sections and chunks; all zeros where there is none."""

    @abstractmethod
    def delete_documents(
        self, where: PropertyFilter, *, scope: Scope | None = None, collections: Collection[str] | None = None
    ) -> Deletion:
        """Delete the documents of which a filter is true: one after the other, each at once.

        A document of which it is not true any more when its turn comes stays.

        Args:
            where: What must be true of a document's own properties.
            scope: What the caller may see. A document that has a chunk which is not visible stays.
            collections: Where to look; None looks everywhere.
        """

    @abstractmethod
    def clear(self, *, collections: Collection[str] | None = None) -> Deletion:
        """Delete all documents, or those of some collections: one after the other, each at once."""


class ChunkingContentElementRepository(ContentElementRepository, Lookup):
    """What a store must be to take chunked documents in: it writes them, and tells what it has."""
