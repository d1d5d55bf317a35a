"""The capabilities of stores.

A store inherits those that it does well, and nothing pretends: callers ask `isinstance(store,
AsyncTextSearch)`. These are abstract classes rather than structural protocols, since both faces have
methods of the same names: only inheritance tells them apart.

`where` says what must be true of the things to find; it is applied before `top_k` or `limit` is counted, so a
filter never shortens a full answer. `scope` says what the caller may see at all (`graphrag.filters.scope`), on
every step of the way; what is hidden looks like what is missing. `collections` limits a call to chunks, sections
and documents of these collections; None takes all.

What every call may raise beside what it names itself: `InvalidRequestError` for an argument out of bounds (`top_k`,
`limit`, an id, the name of a collection), `UnsupportedFilterError` for a filter of somebody else's class or one that
the store cannot run, `StoreError` where the store failed (`retryable` says if trying again makes sense).
"""

from graphrag.stores._async.protocols.clusters import AsyncClusterSearch
from graphrag.stores._async.protocols.expanding import AsyncResultExpander
from graphrag.stores._async.protocols.links import AsyncLinkFollower
from graphrag.stores._async.protocols.looking_up import AsyncLookup
from graphrag.stores._async.protocols.refining import AsyncNeighbourhood, AsyncVectorLookup
from graphrag.stores._async.protocols.searching import (
    AsyncCoreSearchOperations,
    AsyncFilteringTextSearch,
    AsyncFilteringVectorSearch,
    AsyncHybridSearch,
    AsyncRegexSearchOperations,
    AsyncSearchOperations,
    AsyncTextSearch,
    AsyncVectorSearch,
)
from graphrag.stores._async.protocols.sections import AsyncSectionReader
from graphrag.stores._async.protocols.statements import AsyncCypherSearch
from graphrag.stores._async.protocols.writing import (
    AsyncChunkingContentElementRepository,
    AsyncContentElementRepository,
)

__all__ = [
    "AsyncChunkingContentElementRepository",
    "AsyncClusterSearch",
    "AsyncContentElementRepository",
    "AsyncCoreSearchOperations",
    "AsyncCypherSearch",
    "AsyncFilteringTextSearch",
    "AsyncFilteringVectorSearch",
    "AsyncHybridSearch",
    "AsyncLinkFollower",
    "AsyncLookup",
    "AsyncNeighbourhood",
    "AsyncRegexSearchOperations",
    "AsyncResultExpander",
    "AsyncSearchOperations",
    "AsyncSectionReader",
    "AsyncTextSearch",
    "AsyncVectorLookup",
    "AsyncVectorSearch",
]
