"""What every part of the store stands on."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from graphrag.config import LIMITS, Limits, SchemaSettings, SearchSettings
from graphrag.cypher import Fragment, plain_word
from graphrag.embedding.protocol import Embedder
from graphrag.errors import ConfigurationError, SchemaError
from graphrag.stores.neo4j._async.connection import AsyncConnection, AsyncWriter
from graphrag.stores.neo4j.paths import MatchMemory
from graphrag.stores.neo4j.stamp import Stamp, parse_stamp

__all__ = ["AsyncPart", "hidden_vectors"]

T = TypeVar("T")


class AsyncPart:
    """A connection, the settings, the embedder, and the schema's stamp, which is read once."""

    def __init__(
        self,
        connection: AsyncConnection,
        *,
        embedder: Embedder | None = None,
        schema: SchemaSettings | None = None,
        search: SearchSettings | None = None,
        limits: Limits = LIMITS,
    ) -> None:
        self._connection = connection
        self._embedder = embedder
        self._schema_settings = schema or SchemaSettings()
        self._search_settings = search or SearchSettings()
        self._limits = limits
        self._stamp: Stamp | None = None
        self._prepared = False
        self._matches = MatchMemory()

    async def _read_stamp(self) -> Stamp | None:
        """Return the stamp that stands in the database now; None where there is none."""
        rows = await self._connection.read("schema/read_stamp")
        self._stamp = parse_stamp(rows[0]["stamp"]) if rows else None
        return self._stamp

    async def _live_stamp(self) -> Stamp:
        """Return the schema's stamp, read once.

        Raises:
            SchemaError: There is none, or it is of another version or another analyzer than the settings say.
        """
        stamp = self._stamp or await self._read_stamp()
        if stamp is None:
            msg = f"the database at {self._connection.where} has no schema of this package; run `graphrag schema apply`"
            raise SchemaError(msg)
        stamp.check_version()
        self._check_analyzer_of(stamp)
        return stamp

    def _check_analyzer_of(self, stamp: Stamp) -> None:
        if self._schema_settings.analyzer != stamp.analyzer:
            msg = (
                f"the full-text index was made with the analyzer `{stamp.analyzer}`, configured is "
                f"`{self._schema_settings.analyzer}`; configure the first (`schema.analyzer`), or run "
                "`graphrag schema apply --rebuild`"
            )
            raise SchemaError(msg)

    def _forget_stamp(self) -> None:
        """Read the stamp anew, and check the schema anew, before the next call that needs them."""
        self._stamp = None
        self._prepared = False

    async def _ready(self) -> Stamp:
        """Check the schema once, before the first write (see `AsyncNeo4jSchema`)."""
        raise NotImplementedError

    async def _in_transaction(self, work: Callable[[AsyncWriter], Awaitable[T]], *, what: str, chunks: int) -> T:
        """Run work in one transaction whose deadline grows with the number of chunks that it concerns."""
        timeout_s = self._connection.settings.write_timeout_s * (1 + chunks / 1_000)
        return await self._connection.write(work, what=what, timeout_s=timeout_s)

    def _need_embedder(self) -> Embedder:
        if self._embedder is None:
            msg = "this store was opened without an embedder; pass `embedder=` to search by meaning"
            raise ConfigurationError(msg)
        return self._embedder

    async def _hidden_vectors(self) -> Fragment:
        """Return what a map projection sets to null, so that vectors stay in the database."""
        stamp = self._stamp or await self._read_stamp()
        return hidden_vectors(stamp)


def hidden_vectors(stamp: Stamp | None) -> Fragment:
    """Return what a map projection sets to null, so that vectors of no generation leave the database."""
    live = stamp.embedding_property if stamp else "embedding"
    generation = int(live.rpartition("_")[2]) if live != "embedding" else 1
    names = ["embedding", *(f"embedding_{number}" for number in range(2, generation + 2))]
    return Fragment(", ".join(f"{plain_word(name)}: null" for name in names))
