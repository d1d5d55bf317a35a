"""The capabilities of stores, both faces (DESIGN of the package: ARCHITECTURE.md, "Stores")."""

from graphrag.stores._async.protocols import (
    AsyncChunkingContentElementRepository,
    AsyncContentElementRepository,
    AsyncCoreSearchOperations,
    AsyncHybridSearch,
    AsyncLookup,
    AsyncResultExpander,
    AsyncSearchOperations,
    AsyncTextSearch,
    AsyncVectorSearch,
)
from graphrag.stores._sync.protocols import (
    ChunkingContentElementRepository,
    ContentElementRepository,
    CoreSearchOperations,
    HybridSearch,
    Lookup,
    ResultExpander,
    SearchOperations,
    TextSearch,
    VectorSearch,
)
from graphrag.stores.reports import Deletion, ExpandMethod, StoreInfo, WriteOutcome

__all__ = [
    "AsyncChunkingContentElementRepository",
    "AsyncContentElementRepository",
    "AsyncCoreSearchOperations",
    "AsyncHybridSearch",
    "AsyncLookup",
    "AsyncResultExpander",
    "AsyncSearchOperations",
    "AsyncTextSearch",
    "AsyncVectorSearch",
    "ChunkingContentElementRepository",
    "ContentElementRepository",
    "CoreSearchOperations",
    "Deletion",
    "ExpandMethod",
    "HybridSearch",
    "Lookup",
    "ResultExpander",
    "SearchOperations",
    "StoreInfo",
    "TextSearch",
    "VectorSearch",
    "WriteOutcome",
]
