"""From settings to open parts: which store a program uses, with which embedder and which reader.

The order is fixed, and never a silent switch: an explicit address, else `GRAPHRAG_STORE`, else
`NEO4J_URI`, else the local server if it is up; else an error that names the ways to go on.
"""

from collections.abc import Callable

from graphrag.config import Settings, load_settings
from graphrag.embedding import open_embedder
from graphrag.embedding.protocol import Embedder
from graphrag.errors import ConfigurationError, MissingExtraError
from graphrag.ingestion import AsyncIngestor, Ingestor
from graphrag.ingestion.readers import AutoReader, TikaPool, TikaReader, TikaServer, TikaServerReader
from graphrag.stores import AsyncNeo4jStore, Neo4jStore, make_async_store, make_store

__all__ = ["make_async_ingestor", "make_ingestor", "open_async_store", "open_store", "resolve_store"]

_LOCAL = "local:"


def resolve_store(settings: Settings, address: str | None = None) -> tuple[str, Settings]:
    """Return the address of the store that a program is to use, and settings with its credentials.

    Args:
        settings: Where the environment and the configuration file have been read.
        address: An explicit address; it stands over everything else.

    Raises:
        ConfigurationError: No store is configured and the local server is not up; or `local:` is asked
            for and it is not up. The message names the ways to go on.
    """
    chosen = address or settings.store
    if chosen is None and settings.neo4j_uri_given:
        chosen = settings.neo4j.uri
    if chosen is not None and chosen != _LOCAL:
        return chosen, settings
    found = _running_local_server(settings)
    if found is not None:
        return found
    if chosen == _LOCAL:
        msg = "the local server is not running; start it with `graphrag db start`"
    else:
        msg = (
            "no store is configured: start the local server (`graphrag db start`), or set NEO4J_URI, NEO4J_USERNAME "
            "and NEO4J_PASSWORD, or give an address (`--store`, GRAPHRAG_STORE)"
        )
    raise ConfigurationError(msg)


def _running_local_server(settings: Settings) -> tuple[str, Settings] | None:
    try:
        from graphrag.local_neo4j import LocalServer  # the extra `local` may be absent
    except (ImportError, MissingExtraError):
        return None
    info = LocalServer(settings.local).status().info
    if info is None:
        return None
    neo4j = settings.neo4j.model_copy(
        update={"uri": info.bolt_uri, "username": info.username, "password": info.password, "database": None}
    )
    return info.bolt_uri, settings.model_copy(update={"neo4j": neo4j})


def open_store(
    address: str | None = None, *, settings: Settings | None = None, embedder: Embedder | None = None
) -> Neo4jStore:
    """Return the store that the settings mean, with its embedder, not yet connected.

    Use it as a context manager:

        with open_store() as store:
            store.hybrid_search(TextSimilaritySearchRequest("who keeps the mill?"))

    Args:
        address: An explicit address (`neo4j://…`, `bolt://…`, `local:`).
        settings: By default those of `load_settings()`.
        embedder: By default the one that the settings name; no model is loaded before its first use.

    Raises:
        ConfigurationError: No store is configured, or the address is refused.
    """
    settings = settings or load_settings()
    chosen, settings = resolve_store(settings, address)
    return make_store(chosen, embedder or open_embedder(settings.embedding), settings=settings)


def open_async_store(
    address: str | None = None, *, settings: Settings | None = None, embedder: Embedder | None = None
) -> AsyncNeo4jStore:
    """Return the store that the settings mean, with the asynchronous face (see `open_store`)."""
    settings = settings or load_settings()
    chosen, settings = resolve_store(settings, address)
    return make_async_store(chosen, embedder or open_embedder(settings.embedding), settings=settings)


def make_ingestor(
    store: Neo4jStore, embedder: Embedder, *, settings: Settings | None = None, tika: TikaPool | None = None
) -> Ingestor:
    """Return an ingestor that reads all formats, with the sizes that the settings give.

    Use it as a context manager: leaving it ends the Tika workers that it started.

    Args:
        store: Takes the documents.
        embedder: Of the store's model.
        settings: Sizes, limits, and how Tika runs: where they name a Tika server, it parses.
        tika: Worker processes to share with others; they stay open, and idle where the settings name a Tika server.
            By default it has some of its own, which start when the first file needs them.

    Raises:
        ConfigurationError: The Tika server's address is no http address.
    """
    settings = settings or load_settings()
    reader, close = _reader(settings, tika)
    return Ingestor(
        store,
        embedder,
        reader=reader,
        chunker=settings.chunker,
        settings=settings.ingestion,
        limits=settings.limits,
        web=settings.web,
        on_close=close,
    )


def _reader(settings: Settings, tika: TikaPool | None) -> tuple[AutoReader, Callable[[], None] | None]:
    """Return the reader of all formats, and what frees that which was made for it."""
    if settings.tika.server_endpoint is not None:
        server = TikaServer(settings.tika)
        reader = TikaServerReader(server, max_file_bytes=settings.ingestion.max_file_bytes)
        return AutoReader(reader), server.close
    pool = tika or TikaPool(settings.tika)
    return AutoReader(TikaReader(pool)), None if tika else pool.close


def make_async_ingestor(
    store: AsyncNeo4jStore, embedder: Embedder, *, settings: Settings | None = None, tika: TikaPool | None = None
) -> AsyncIngestor:
    """Return an ingestor with the asynchronous face (see `make_ingestor`)."""
    settings = settings or load_settings()
    reader, close = _reader(settings, tika)
    return AsyncIngestor(
        store,
        embedder,
        reader=reader,
        chunker=settings.chunker,
        settings=settings.ingestion,
        limits=settings.limits,
        web=settings.web,
        on_close=close,
    )
