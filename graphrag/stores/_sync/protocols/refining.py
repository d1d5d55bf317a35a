# Generated from graphrag/stores/_async/protocols/refining.py by tools/generate_sync.py; do not edit.
"""What refining a search asks of a store: vectors of hits, and what stands around many of them."""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from graphrag.filters.scope import Scope
from graphrag.model import Chunk
from graphrag.stores._sync.protocols.searching import SearchOperations

__all__ = [
    "Neighbourhood",
    "VectorLookup",
]


class VectorLookup(SearchOperations):
    """Vectors of chunks, for code that compares them. They leave the store in no other way."""

    @abstractmethod
    def embeddings_of(
        self,
        ids: Sequence[str],
        *,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
    ) -> Mapping[str, NDArray[np.float32]]:
        """Return the vectors of chunks, by id.

        Args:
            ids: Ids of chunks, at most 1,000.
            scope: What the caller may see; None is everything.
            collections: Where to look; None looks everywhere.

        Returns:
            A vector of shape (dimensions,) an id, as it is stored. Ids that are unknown or out of scope, and chunks
            without a vector, are left out.

        Raises:
            InvalidRequestError: There are too many ids, or one of them is none.
            SchemaError: The schema is missing.
            StoreError: The store failed; `retryable` says if trying again makes sense.
        """


class Neighbourhood(SearchOperations):
    """What stands around many chunks, in one call."""

    @abstractmethod
    def neighbours_of(
        self,
        ids: Sequence[str],
        count: int = 1,
        *,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
    ) -> Mapping[str, Sequence[Chunk]]:
        """Return each chunk with its neighbours.

        Args:
            ids: Ids of chunks, at most 1,000.
            count: Chunks on each side, 0..20.
            scope: What the caller may see, on every hop: neighbours end before a hidden chunk. None is everything.
            collections: Where to look; None looks everywhere.

        Returns:
            By id, the chunk and its neighbours in document order, clipped at the ends of the document: what
            `expand_result` with SEQUENCE gives. Ids that are unknown or out of scope are left out.

        Raises:
            InvalidRequestError: `count` is out of bounds, there are too many ids, or one of them is none.
            StoreError: The store failed; `retryable` says if trying again makes sense.
        """
