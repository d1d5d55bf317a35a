"""Links between what was ingested."""

from abc import ABC, abstractmethod
from collections.abc import Collection

from graphrag.filters.scope import Scope
from graphrag.model import Link, LinkDirection, ResultList

__all__ = [
    "AsyncLinkFollower",
]


class AsyncLinkFollower(ABC):
    """Following links from what was found to what it points to, and back."""

    @abstractmethod
    async def follow_links(
        self,
        id: str,  # noqa: A002 - the name that the design gives it
        *,
        direction: LinkDirection = "out",
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
        limit: int = 100,
    ) -> ResultList[Link]:
        """Return the links of a chunk, section or document.

        Args:
            id: Of a chunk; or of a section or document, whose links are those of all that stands below it.
            direction: `out`: from it to documents and sections. `in`: from chunks and sections to it, or to a
                section below it; nothing links to a chunk.
            scope: What the caller may see, on both ends of each link.
            collections: Where to look, on both ends; None looks everywhere.
            limit: Most links, 1..1000.

        Returns:
            Each pair of source and target once: links `out` by their place in the document, links `in` by the
            source's document and its place in it, then by the target's id. None for an id that is unknown or out of
            scope. A note says so where there are more.

        Raises:
            InvalidRequestError: An argument is out of bounds.
            StoreError: The store failed; `retryable` says if trying again makes sense.
        """
