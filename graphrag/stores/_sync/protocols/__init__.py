# Generated from graphrag/stores/_async/protocols/__init__.py by tools/generate_sync.py; do not edit.
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

from graphrag.stores._sync.protocols.clusters import ClusterSearch
from graphrag.stores._sync.protocols.expanding import ResultExpander
from graphrag.stores._sync.protocols.links import LinkFollower
from graphrag.stores._sync.protocols.looking_up import Lookup
from graphrag.stores._sync.protocols.refining import Neighbourhood, VectorLookup
from graphrag.stores._sync.protocols.searching import (
    CoreSearchOperations,
    FilteringTextSearch,
    FilteringVectorSearch,
    HybridSearch,
    RegexSearchOperations,
    SearchOperations,
    TextSearch,
    VectorSearch,
)
from graphrag.stores._sync.protocols.sections import SectionReader
from graphrag.stores._sync.protocols.statements import CypherSearch
from graphrag.stores._sync.protocols.writing import (
    ChunkingContentElementRepository,
    ContentElementRepository,
)

__all__ = [
    "ChunkingContentElementRepository",
    "ClusterSearch",
    "ContentElementRepository",
    "CoreSearchOperations",
    "CypherSearch",
    "FilteringTextSearch",
    "FilteringVectorSearch",
    "HybridSearch",
    "LinkFollower",
    "Lookup",
    "Neighbourhood",
    "RegexSearchOperations",
    "ResultExpander",
    "SearchOperations",
    "SectionReader",
    "TextSearch",
    "VectorLookup",
    "VectorSearch",
]
