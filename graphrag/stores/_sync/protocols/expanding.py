# Generated from graphrag/stores/_async/protocols/expanding.py by tools/generate_sync.py; do not edit.
"""From what was found to what stands around and above it."""

from abc import abstractmethod
from collections.abc import Collection

from graphrag.filters.scope import Scope
from graphrag.model import Chunk, ContentElement, ResultList
from graphrag.stores._sync.protocols.searching import SearchOperations
from graphrag.stores.reports import ExpandMethod

__all__ = [
    "ResultExpander",
]


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

    @abstractmethod
    def path_from_root(
        self,
        id: str,  # noqa: A002 - the name that the design gives it
        *,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
    ) -> list[Chunk | ContentElement]:
        """Return the way from a document down to one of its sections or chunks.

        Args:
            id: Of a chunk, a section or a document.
            scope: What the caller may see; None is everything.
            collections: Where to look; None looks everywhere.

        Returns:
            The document first, then the sections, the element itself last; a document alone for its own id. None
            for an id that is unknown or out of scope. The `chunk_count` of the document is that of its visible chunks.

        Raises:
            InvalidRequestError: `id` is out of bounds.
            StoreError: The store failed; `retryable` says if trying again makes sense.
        """
