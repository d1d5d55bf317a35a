"""A real server gives filters the meaning of `graphrag.filters.evaluate`, whatever names and values they bear.

`make filters-check N=100000` is the same comparison over more filters.
"""

from collections.abc import Callable, Iterator

import pytest
from neo4j import Driver, GraphDatabase

from graphrag.compilers.cypher import CypherCompiler
from graphrag.config import Neo4jSettings
from graphrag.filters.evaluate import matches
from graphrag.filters.nodes import HasAnyLabel, PropertyFilter
from graphrag.filters.properties import prop
from tests.hostile import hostile_strings
from tests.integration.neo4j.graph import Graph
from tools.compare_filters import compare

SEED = 20_240_301
STRINGS = hostile_strings(200, seed=SEED)
# Words of the language are plain words too, and stand in the text.
WORDS = (
    "NOT", "NULL", "TYPED", "IS", "IN", "AND", "OR", "XOR", "CASE", "WHEN", "END", "true", "false", "null", "count",
    "any", "NORMALIZED", "NFC", "CONTAINS", "STARTS", "LIST", "labels", "WHERE", "RETURN", "MATCH", "_", "INF",
    "NaN", "e1", "c",
)  # fmt: skip


@pytest.fixture(scope="module")
def driver(neo4j_server: Neo4jSettings) -> Iterator[Driver]:
    auth = (neo4j_server.username, neo4j_server.password.get_secret_value())
    with GraphDatabase.driver(neo4j_server.uri, auth=auth, notifications_min_severity="OFF") as driver:
        yield driver


@pytest.mark.slow
def test_generated_filters_are_true_of_the_nodes_that_they_are_true_of_by_definition(
    neo4j_server: Neo4jSettings, driver: Driver
) -> None:
    found = compare(driver, neo4j_server.database or "neo4j", count=2_000, seed=SEED)
    assert found.mismatches == []
    assert found.filters == 2_000
    assert 0.1 <= found.share_true <= 0.9
    assert min(found.by_way.values()) > 300


def found_by(graph: Graph, filter_: PropertyFilter) -> set[int]:
    """Return the numbers of the nodes that pass a filter."""
    compiled = CypherCompiler().compile([filter_])
    text = f"CYPHER 25 MATCH (c:Hostile) WHERE {compiled.text} RETURN c.number AS number"
    return {row["number"] for row in graph.run(text, **compiled.parameters)}


@pytest.mark.parametrize("names", [STRINGS, WORDS], ids=["hostile strings", "words of the language"])
def test_a_name_matches_what_bears_it_and_changes_nothing(graph: Graph, names: list[str]) -> None:
    """THREATS 1, 2, 3: as a key, a label and a value."""
    nodes = [
        {"number": number, "properties": {name: "x", "value": name}, "labels": [name]}
        for number, name in enumerate(names)
    ]
    graph.run(
        "CYPHER 25 UNWIND $nodes AS node CREATE (n:Hostile {number: node.number}) "
        "SET n += node.properties SET n:$(node.labels)",
        nodes=nodes,
    )
    before = graph.value("MATCH (n) RETURN count(n)")
    shapes: tuple[Callable[[str], PropertyFilter], ...] = (
        lambda name: prop(name) == "x",
        lambda name: prop(name).exists(),
        lambda name: ~prop(name).in_("x"),
        lambda name: prop("value") == name,
        lambda name: prop("value").in_(name, "x"),
        lambda name: prop("value").eq_ignore_case(name),
        lambda name: HasAnyLabel((name,)),
        lambda name: ~HasAnyLabel((name, "Person")),
        lambda name: HasAnyLabel((name, "a b")),
    )
    for shape in shapes:
        for name in names:
            filter_ = shape(name)
            wanted = {
                number
                for number, node in enumerate(nodes)
                if matches(filter_, node["properties"], {*node["labels"], "Hostile"})
            }
            assert found_by(graph, filter_) == wanted, filter_
            assert wanted
    assert graph.value("MATCH (n) RETURN count(n)") == before


def test_an_index_answers_what_needs_no_guard(graph: Graph) -> None:
    """Equality, ranges, IN over what holds no lists, and alternatives of these seek; a guard keeps an index out."""
    graph.run("CREATE INDEX hostile_k IF NOT EXISTS FOR (n:Hostile) ON (n.k)")
    try:
        graph.run("CALL db.awaitIndexes(60)")
        graph.run("UNWIND range(1, 500) AS i CREATE (:Hostile {k: i})")
        sought = [
            prop("k") == 7,
            prop("k") == 0,
            prop("k") > 400,
            prop("k").between(5, 9),
            prop("k").in_(1, 2, "x"),
            prop("k").starts_with("a"),
            (prop("k") == 1) | (prop("k") == 2),
            (prop("k") == 1) & (prop("other") != 2),
        ]
        for filter_ in sought:
            compiled = CypherCompiler(scalar_keys={"k"}).compile([filter_])
            plan = graph.explain(f"CYPHER 25 MATCH (c:Hostile) WHERE {compiled.text} RETURN c", **compiled.parameters)
            assert any(step.startswith("NodeIndexSeek") for step in plan), (filter_, plan)
            assert "NodeByLabelScan" not in plan, filter_
    finally:
        graph.run("DROP INDEX hostile_k IF EXISTS")
