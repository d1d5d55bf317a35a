"""A store on a real server: each test starts from an emptied graph with its schema kept."""

from collections.abc import AsyncIterator, Iterator

import pytest

from graphrag.config import Neo4jSettings
from graphrag.stores import AsyncNeo4jStore, Neo4jStore
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.graph import Graph


@pytest.fixture(scope="session")
def raw_graph(neo4j_server: Neo4jSettings) -> Iterator[Graph]:
    """The database beside the store: what really stands there, and how to damage it."""
    with Graph(neo4j_server) as graph:
        yield graph


@pytest.fixture
def graph(raw_graph: Graph) -> Graph:
    """The same, emptied, with the schema as a fresh store makes it."""
    raw_graph.reset()
    return raw_graph


@pytest.fixture
def embedder() -> DeterministicEmbedder:
    return DeterministicEmbedder(Graph.DIMENSIONS)


@pytest.fixture
def store(graph: Graph, embedder: DeterministicEmbedder) -> Iterator[Neo4jStore]:
    with Neo4jStore(graph.settings, embedder) as store:
        yield store


@pytest.fixture
async def async_store(graph: Graph, embedder: DeterministicEmbedder) -> AsyncIterator[AsyncNeo4jStore]:
    async with AsyncNeo4jStore(graph.settings, embedder) as store:
        yield store
