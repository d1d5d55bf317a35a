# Generated from graphrag/stores/neo4j/_async/store.py by tools/generate_sync.py; do not edit.
"""The Neo4j store: all capabilities in one object."""

from types import TracebackType
from typing import Self

from graphrag.config import Neo4jSettings, Settings
from graphrag.embedding.protocol import Embedder
from graphrag.stores._sync.protocols import ChunkingContentElementRepository
from graphrag.stores.neo4j._sync.clusters import Neo4jClusters
from graphrag.stores.neo4j._sync.connection import Connection
from graphrag.stores.neo4j._sync.expand import Neo4jExpansion
from graphrag.stores.neo4j._sync.filtering import Neo4jFilterProperties
from graphrag.stores.neo4j._sync.links import Neo4jLinks
from graphrag.stores.neo4j._sync.lookup import Neo4jLookup
from graphrag.stores.neo4j._sync.refining import Neo4jRefining
from graphrag.stores.neo4j._sync.regex import Neo4jRegex
from graphrag.stores.neo4j._sync.sections import Neo4jSections
from graphrag.stores.neo4j._sync.statements import Neo4jStatements
from graphrag.stores.neo4j._sync.upkeep import Neo4jUpkeep
from graphrag.stores.neo4j._sync.write import Neo4jWriting
from graphrag.stores.neo4j.stamp import Stamp

__all__ = ["Neo4jStore"]


class Neo4jStore(
    Neo4jFilterProperties,
    Neo4jWriting,
    Neo4jUpkeep,
    Neo4jRegex,
    Neo4jClusters,
    Neo4jExpansion,
    Neo4jSections,
    Neo4jLinks,
    Neo4jRefining,
    Neo4jLookup,
    Neo4jStatements,
    ChunkingContentElementRepository,
):
    """Documents, sections, chunks and entities in Neo4j.

    Use it as a context manager, or call `open` and `close`. One object may be shared between tasks.

    Args:
        neo4j: Where the server is.
        embedder: Embeds queries, and tells dimensions and model when the schema is made. Without one,
            everything works but search by meaning and the making of a schema.
        settings: Schema, search and limits.

    Raises:
        ConfigurationError: The address is refused; nothing is sent before that check.
    """

    def __init__(
        self, neo4j: Neo4jSettings, embedder: Embedder | None = None, *, settings: Settings | None = None
    ) -> None:
        settings = settings or Settings()
        super().__init__(
            Connection(neo4j),
            embedder=embedder,
            schema=settings.schema_,
            search=settings.search,
            limits=settings.limits,
        )

    def _ready(self) -> Stamp:
        """Check the schema, and clear old writes that were cut off, before the first write."""
        if not self._prepared:
            self.prepare()
            self._delete_staged(None)
            self._prepared = True
        return self._live_stamp()

    def open(self) -> Self:
        """Connect and check the server; return itself.

        Raises:
            StoreUnavailableError: Nothing answers, or the credentials or the database's name are refused.
            StoreError: The server is too old.
        """
        self._connection.reopen()
        self._connection.check_server()
        return self

    def close(self) -> None:
        """Close all connections. May be called twice."""
        self._connection.close()

    def __enter__(self) -> Self:
        try:
            return self.open()
        except BaseException:
            self.close()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
