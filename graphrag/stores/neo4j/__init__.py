"""The Neo4j store."""

from graphrag.stores.neo4j._async.store import AsyncNeo4jStore
from graphrag.stores.neo4j._sync.store import Neo4jStore

__all__ = ["AsyncNeo4jStore", "Neo4jStore"]
