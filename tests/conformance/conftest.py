"""The servers that the stores stand on."""

from tests.integration.neo4j.conftest import graph, raw_graph

__all__ = ["graph", "raw_graph"]
