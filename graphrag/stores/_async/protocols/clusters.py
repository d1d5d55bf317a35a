"""Groups of chunks that are nearly equal."""

from abc import abstractmethod
from collections.abc import Collection
from typing import TypeVar

from graphrag.filters.nodes import PropertyFilter
from graphrag.filters.scope import Scope
from graphrag.model import Chunk, Cluster, ClusterRequest, ResultList, Retrievable
from graphrag.stores._async.protocols.searching import AsyncSearchOperations

__all__ = [
    "AsyncClusterSearch",
]

R = TypeVar("R", bound=Retrievable)


class AsyncClusterSearch(AsyncSearchOperations):
    """Finding what is nearly equal, such as texts that were copied."""

    @abstractmethod
    async def find_clusters(
        self,
        request: ClusterRequest | None = None,
        kind: type[R] = Chunk,  # type: ignore[assignment]  # PEP 696 defaults come with Python 3.13
        *,
        where: PropertyFilter | None = None,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
    ) -> ResultList[Cluster[R]]:
        """Return groups of chunks that are nearly equal, the largest first.

        Chunks are taken in the order of their ids. One that stands in no cluster yet is an anchor, and all others
        that reach the threshold with it, and stand in no cluster yet, are its members. So a chunk stands in one
        cluster at most, and each member is near to its anchor. Two members may be less similar to each other
        (complete linkage would part them), and what is near to a member alone stands apart (single linkage would join
        it).

        Args:
            request: The threshold and how much to return; None takes the defaults.
            kind: What to find.
            where: What must be true of each chunk of a cluster.
            scope: What the caller may see; what is hidden is in no cluster, and counts in none.
            collections: Where to look; None looks everywhere.

        Returns:
            Clusters by falling size, then by the anchor's id. The neighbours come from the vector index, which may
            miss some. A note says so where the search was cut at its limits of chunks or time, and where there are
            more clusters than are listed.

        Raises:
            InvalidRequestError: `kind` cannot be searched.
            SchemaError: The vector index is missing.
            StoreError: The store failed; `retryable` says if trying again makes sense.
        """
