"""Writing documents."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence

from graphrag.filters.nodes import PropertyFilter
from graphrag.filters.scope import Scope
from graphrag.model import Document, MaterializedDocument
from graphrag.stores._async.protocols.looking_up import AsyncLookup
from graphrag.stores.reports import Deletion, WriteOutcome

__all__ = [
    "AsyncChunkingContentElementRepository",
    "AsyncContentElementRepository",
]


class AsyncContentElementRepository(ABC):
    """Writing documents. Every write is atomic and may be repeated."""

    @abstractmethod
    async def prepare(self, *, dry_run: bool = False) -> None:
        """Make the schema where there is none, and check it where there is one, before the first write.

        Args:
            dry_run: Make nothing.

        Raises:
            SchemaError: What stands there does not fit; the message names the remedy.
        """

    @abstractmethod
    async def chunks_to_embed(self, document: MaterializedDocument) -> frozenset[str]:
        """Return the ids of those chunks that the store lacks, or has with another text or model."""

    @abstractmethod
    async def write_document(self, document: MaterializedDocument) -> WriteOutcome:
        """Write one document, or bring the stored one to this version.

        Args:
            document: Whole; each chunk of `chunks_to_embed` has an embedding.

        Raises:
            InvalidRequestError: A chunk lacks its embedding, or has one that cannot be stored; it is named.
            SchemaError: The schema is missing or does not fit.
            StoreError: The store failed; nothing is half-written.
        """

    @abstractmethod
    async def write_documents(self, documents: Sequence[MaterializedDocument]) -> list[WriteOutcome | Exception]:
        """Write several documents, small ones together in one transaction.

        Returns:
            An outcome or an error a document, in their order: one that fails does not stop the others.
        """

    @abstractmethod
    async def set_metadata(
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
    async def delete_document(self, uri: str, *, collection: str) -> Deletion:
        """Delete a document with its sections and chunks; all zeros where there is none."""

    @abstractmethod
    async def delete_documents(
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
    async def clear(self, *, collections: Collection[str] | None = None) -> Deletion:
        """Delete all documents, or those of some collections: one after the other, each at once."""


class AsyncChunkingContentElementRepository(AsyncContentElementRepository, AsyncLookup):
    """What a store must be to take chunked documents in: it writes them, and tells what it has."""
