# Generated from graphrag/stores/_async/protocols/looking_up.py by tools/generate_sync.py; do not edit.
"""Finding by id, listing and counting."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence

from graphrag.filters.nodes import PropertyFilter
from graphrag.filters.scope import Scope
from graphrag.model import Chunk, Datum, Document, Section
from graphrag.stores.reports import StoreInfo

__all__ = [
    "Lookup",
]


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
