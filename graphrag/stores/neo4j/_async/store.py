"""The Neo4j store: all capabilities in one object."""

from types import TracebackType
from typing import Self

from graphrag.config import Neo4jSettings, Settings
from graphrag.embedding.protocol import Embedder
from graphrag.stores._async.protocols import AsyncChunkingContentElementRepository
from graphrag.stores.neo4j._async.clusters import AsyncNeo4jClusters
from graphrag.stores.neo4j._async.connection import AsyncConnection
from graphrag.stores.neo4j._async.expand import AsyncNeo4jExpansion
from graphrag.stores.neo4j._async.filtering import AsyncNeo4jFilterProperties
from graphrag.stores.neo4j._async.links import AsyncNeo4jLinks
from graphrag.stores.neo4j._async.lookup import AsyncNeo4jLookup
from graphrag.stores.neo4j._async.refining import AsyncNeo4jRefining
from graphrag.stores.neo4j._async.regex import AsyncNeo4jRegex
from graphrag.stores.neo4j._async.sections import AsyncNeo4jSections
from graphrag.stores.neo4j._async.statements import AsyncNeo4jStatements
from graphrag.stores.neo4j._async.upkeep import AsyncNeo4jUpkeep
from graphrag.stores.neo4j._async.write import AsyncNeo4jWriting
from graphrag.stores.neo4j.stamp import Stamp

__all__ = ["AsyncNeo4jStore"]


class AsyncNeo4jStore(
    AsyncNeo4jFilterProperties,
    AsyncNeo4jWriting,
    AsyncNeo4jUpkeep,
    AsyncNeo4jRegex,
    AsyncNeo4jClusters,
    AsyncNeo4jExpansion,
    AsyncNeo4jSections,
    AsyncNeo4jLinks,
    AsyncNeo4jRefining,
    AsyncNeo4jLookup,
    AsyncNeo4jStatements,
    AsyncChunkingContentElementRepository,
):
    """Documents, sections, chunks and entities in Neo4j.

    Use it as a context manager, or call `open` and `aclose`. One object may be shared between tasks.

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
            AsyncConnection(neo4j),
            embedder=embedder,
            schema=settings.schema_,
            search=settings.search,
            limits=settings.limits,
        )

    async def _ready(self) -> Stamp:
        """Check the schema, and clear old writes that were cut off, before the first write."""
        if not self._prepared:
            await self.prepare()
            await self._delete_staged(None)
            self._prepared = True
        return await self._live_stamp()

    async def open(self) -> Self:
        """Connect and check the server; return itself.

        Raises:
            StoreUnavailableError: Nothing answers, or the credentials or the database's name are refused.
            StoreError: The server is too old.
        """
        self._connection.reopen()
        await self._connection.check_server()
        return self

    async def aclose(self) -> None:
        """Close all connections. May be called twice."""
        await self._connection.aclose()

    async def __aenter__(self) -> Self:
        try:
            return await self.open()
        except BaseException:
            await self.aclose()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
