"""The server, the store and the driver that a benchmark works with, and how they are emptied."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from neo4j import Driver, GraphDatabase

from bench.data import Corpus
from bench.plain import PlainRows, plain_rows
from graphrag.config import LocalServerSettings, Neo4jSettings
from graphrag.local_neo4j import LocalServer
from graphrag.model import MaterializedDocument
from graphrag.stores import Neo4jStore
from graphrag.testing.embedder import DeterministicEmbedder

__all__ = ["Setting", "open_setting", "own_server"]

_EMPTY = """CYPHER 25
MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS"""


@dataclass(frozen=True, slots=True)
class Setting:
    """What all measurements share."""

    corpus: Corpus
    embedder: DeterministicEmbedder
    driver: Driver
    store: Neo4jStore
    server_pid: int | None

    @property
    def model(self) -> str:
        """Id of the model that the vectors are said to be of."""
        return self.embedder.model_id

    def plain_rows(self, documents: Sequence[MaterializedDocument]) -> PlainRows:
        """Return the parameters of the plain statements that write these documents."""
        return plain_rows(documents, model=self.model, dimensions=self.corpus.sizes.dimensions)

    def start_afresh(self) -> None:
        """Empty the database and make all indexes anew, so that no deleted rows weigh on them."""
        self.store.drop_schema()
        with self.driver.session() as session:
            session.run(_EMPTY).consume()
        self.store.apply_schema()


@contextmanager
def own_server() -> Iterator[tuple[Neo4jSettings, int]]:
    """Run a local server with default settings in a folder that is deleted at the end."""
    with tempfile.TemporaryDirectory(prefix="graphrag-bench-") as folder:
        server = LocalServer(LocalServerSettings(home=Path(folder) / "neo4j"))
        info = server.start()
        try:
            yield Neo4jSettings(uri=info.bolt_uri, username=info.username, password=info.password), info.pid
        finally:
            server.stop()


@contextmanager
def open_setting(corpus: Corpus, neo4j: Neo4jSettings, server_pid: int | None) -> Iterator[Setting]:
    """Open a store and a driver on a server whose database may be emptied."""
    vectors = dict(zip(corpus.query_texts, corpus.queries.tolist(), strict=True))
    embedder = DeterministicEmbedder(corpus.sizes.dimensions, vectors=vectors)
    auth = (neo4j.username, neo4j.password.get_secret_value())
    with (
        GraphDatabase.driver(neo4j.uri, auth=auth, notifications_min_severity="OFF") as driver,
        Neo4jStore(neo4j, embedder) as store,
    ):
        # A database that is given may bear the schema of another model.
        store.clear()
        store.drop_schema()
        store.apply_schema()
        yield Setting(corpus, embedder, driver, store, server_pid)
