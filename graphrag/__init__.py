"""A graph-backed knowledge service: documents and entities in Neo4j, searched by meaning, words and graph.

    from graphrag import TextSimilaritySearchRequest, open_store

    with open_store() as store:
        for result in store.hybrid_search(TextSimilaritySearchRequest("who keeps the mill?")):
            print(f"{result.score:.2f}", result.match.document_title, result.match.urtext)

The names are imported when they are first used, so that `import graphrag` costs nothing.
"""

import importlib
import typing

if typing.TYPE_CHECKING:
    from graphrag.config import Settings, load_settings
    from graphrag.embedding import Embedder, open_embedder
    from graphrag.errors import (
        ConfigurationError,
        FilterError,
        GraphRagError,
        IngestionError,
        InvalidFilterError,
        InvalidPatternError,
        InvalidRequestError,
        MissingExtraError,
        ModelCallError,
        SchemaError,
        StoreError,
        StoreUnavailableError,
        TimeoutExceededError,
    )
    from graphrag.filters import EntityFilter, PropertyFilter, parse_filter, prop
    from graphrag.ingestion import AsyncIngestor, GivenChunk, IngestionReport, Ingestor, Verdict
    from graphrag.model import (
        Chunk,
        ContentElement,
        Datum,
        Document,
        NamedEntityData,
        ResultList,
        Retrievable,
        Section,
        SimilarityResult,
        TextSimilaritySearchRequest,
    )
    from graphrag.opening import make_async_ingestor, make_ingestor, open_async_store, open_store
    from graphrag.search import AsyncSearcher, Refinement, Searcher
    from graphrag.stores import AsyncNeo4jStore, Neo4jStore
    from graphrag.stores.reports import ExpandMethod

__all__ = [
    "AsyncIngestor",
    "AsyncNeo4jStore",
    "AsyncSearcher",
    "Chunk",
    "ConfigurationError",
    "ContentElement",
    "Datum",
    "Document",
    "Embedder",
    "EntityFilter",
    "ExpandMethod",
    "FilterError",
    "GivenChunk",
    "GraphRagError",
    "IngestionError",
    "IngestionReport",
    "Ingestor",
    "InvalidFilterError",
    "InvalidPatternError",
    "InvalidRequestError",
    "MissingExtraError",
    "ModelCallError",
    "NamedEntityData",
    "Neo4jStore",
    "PropertyFilter",
    "Refinement",
    "ResultList",
    "Retrievable",
    "SchemaError",
    "Searcher",
    "Section",
    "Settings",
    "SimilarityResult",
    "StoreError",
    "StoreUnavailableError",
    "TextSimilaritySearchRequest",
    "TimeoutExceededError",
    "Verdict",
    "__version__",
    "load_settings",
    "make_async_ingestor",
    "make_ingestor",
    "open_async_store",
    "open_embedder",
    "open_store",
    "parse_filter",
    "prop",
]

__version__ = "0.1.0"

_HOMES = {
    "Settings": "graphrag.config",
    "load_settings": "graphrag.config",
    "Embedder": "graphrag.embedding",
    "open_embedder": "graphrag.embedding",
    "ConfigurationError": "graphrag.errors",
    "FilterError": "graphrag.errors",
    "GraphRagError": "graphrag.errors",
    "IngestionError": "graphrag.errors",
    "InvalidFilterError": "graphrag.errors",
    "InvalidPatternError": "graphrag.errors",
    "InvalidRequestError": "graphrag.errors",
    "MissingExtraError": "graphrag.errors",
    "ModelCallError": "graphrag.errors",
    "SchemaError": "graphrag.errors",
    "StoreError": "graphrag.errors",
    "StoreUnavailableError": "graphrag.errors",
    "TimeoutExceededError": "graphrag.errors",
    "EntityFilter": "graphrag.filters",
    "PropertyFilter": "graphrag.filters",
    "parse_filter": "graphrag.filters",
    "prop": "graphrag.filters",
    "AsyncIngestor": "graphrag.ingestion",
    "GivenChunk": "graphrag.ingestion",
    "IngestionReport": "graphrag.ingestion",
    "Ingestor": "graphrag.ingestion",
    "Verdict": "graphrag.ingestion",
    "Chunk": "graphrag.model",
    "ContentElement": "graphrag.model",
    "Datum": "graphrag.model",
    "Document": "graphrag.model",
    "NamedEntityData": "graphrag.model",
    "ResultList": "graphrag.model",
    "Retrievable": "graphrag.model",
    "Section": "graphrag.model",
    "SimilarityResult": "graphrag.model",
    "TextSimilaritySearchRequest": "graphrag.model",
    "make_async_ingestor": "graphrag.opening",
    "make_ingestor": "graphrag.opening",
    "open_async_store": "graphrag.opening",
    "open_store": "graphrag.opening",
    "AsyncSearcher": "graphrag.search",
    "Refinement": "graphrag.search",
    "Searcher": "graphrag.search",
    "AsyncNeo4jStore": "graphrag.stores",
    "Neo4jStore": "graphrag.stores",
    "ExpandMethod": "graphrag.stores.reports",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        msg = f"module `graphrag` has no attribute `{name}`"
        raise AttributeError(msg)
    value: object = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
