"""Stores, and how an address names one."""

from graphrag.config import Settings
from graphrag.embedding.protocol import Embedder
from graphrag.errors import ConfigurationError
from graphrag.stores.neo4j import AsyncNeo4jStore, Neo4jStore
from graphrag.stores.neo4j.address import SCHEMES

__all__ = ["AsyncNeo4jStore", "Neo4jStore", "make_async_store", "make_store", "scheme_of"]


def scheme_of(address: str) -> str:
    """Return the scheme of a store's address, such as `neo4j` or `bolt+s`.

    Raises:
        ConfigurationError: It has none, or one that no store knows; those that are known are told.
    """
    scheme, separator, _ = address.partition(":")
    if not separator or scheme not in SCHEMES:
        known = ", ".join(f"{name}://" for name in SCHEMES)
        msg = f"a store's address must begin with one of {known} or be `local:`; this one begins with `{scheme[:20]}`"
        raise ConfigurationError(msg)
    return scheme


def make_store(address: str, embedder: Embedder | None = None, *, settings: Settings | None = None) -> Neo4jStore:
    """Return the store at an address, not yet connected: use it as a context manager.

    Args:
        address: `neo4j://…`, `bolt://…`, or one of these with `+s` or `+ssc`.
        embedder: Embeds queries.
        settings: Credentials, schema, search and limits.

    Raises:
        ConfigurationError: The address is refused.
    """
    settings = settings or Settings()
    scheme_of(address)
    neo4j = settings.neo4j.model_copy(update={"uri": address})
    return Neo4jStore(neo4j, embedder, settings=settings)


def make_async_store(
    address: str, embedder: Embedder | None = None, *, settings: Settings | None = None
) -> AsyncNeo4jStore:
    """Return the store at an address, not yet connected, with the asynchronous face (see `make_store`)."""
    settings = settings or Settings()
    scheme_of(address)
    neo4j = settings.neo4j.model_copy(update={"uri": address})
    return AsyncNeo4jStore(neo4j, embedder, settings=settings)
