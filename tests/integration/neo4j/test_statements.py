"""Cypher search on a real server: it reads, within bounds, and no write form gets through."""

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from graphrag.config import SearchSettings, Settings
from graphrag.errors import InvalidRequestError, StatementError, StoreError, TimeoutExceededError
from graphrag.stores import AsyncNeo4jStore, Neo4jStore
from graphrag.stores.protocols import AsyncCypherSearch, CypherSearch, SearchOperations
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.documents import make_document
from tests.integration.neo4j.graph import Graph

EMBEDDER = DeterministicEmbedder(Graph.DIMENSIONS)

WRITES = [
    "CREATE (n:Evil)", "CREATE (n:Evil) RETURN n", "CREATE (:Evil)-[:R]->(:Evil)", "INSERT (n:Evil)",
    "MERGE (n:Evil {id: 1}) RETURN n", "MERGE (n:Evil) ON CREATE SET n.a = 1 ON MATCH SET n.b = 2",
    "MATCH (a:Chunk), (b:Document) MERGE (a)-[:EVIL]->(b)", "MATCH (n:Chunk) SET n.text = 'x'",
    "MATCH (n:Chunk) SET n += {text: 'x'}", "MATCH (n:Chunk) SET n = {}", "MATCH (n:Chunk) SET n[$key] = 1",
    "MATCH (n:Chunk) SET n:Evil", "MATCH (n:Chunk) SET n:$($label)", "MATCH (n:Chunk) SET n IS Evil",
    "MATCH (n:Chunk) REMOVE n.text", "MATCH (n:Chunk) REMOVE n:Chunk", "MATCH (n:Chunk) REMOVE n:$($label)",
    "MATCH (n:Chunk) REMOVE n[$key]", "MATCH (n) DETACH DELETE n", "MATCH (n) NODETACH DELETE n", "MATCH (n) DELETE n",
    "MATCH ()-[r]->() DELETE r", "MATCH p = ()-->() DELETE p", "MATCH (n:Chunk) DETACH DELETE n RETURN 1 AS x",
    "FOREACH (x IN [1] | CREATE (:Evil))", "MATCH (n) FOREACH (x IN [1] | SET n.a = x)",
    "MATCH (n) FOREACH (x IN [1] | DETACH DELETE n)", "UNWIND [1, 2] AS x CREATE (:Evil {x: x})",
    "CALL { CREATE (:Evil) }", "CALL { CREATE (n:Evil) RETURN n } RETURN n", "MATCH (n) CALL (n) { SET n.a = 1 }",
    "MATCH (n) CALL (n) { DETACH DELETE n } RETURN count(*) AS x", "CALL { MATCH (n) DETACH DELETE n } IN TRANSACTIONS",
    "MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 1 ROW",
    "MATCH (n) CALL (n) { DETACH DELETE n } IN 2 CONCURRENT TRANSACTIONS",
    "MATCH (n) CALL (*) { DELETE n } IN TRANSACTIONS ON ERROR CONTINUE",
    "RETURN 1 AS x UNION CREATE (n:Evil) RETURN 2 AS x",
    "RETURN 1 AS x NEXT CREATE (n:Evil) RETURN n", "WHEN true THEN CREATE (n:Evil) RETURN 1 AS x ELSE RETURN 2 AS x",
    "MATCH (n) WITH n LIMIT 1 SET n.a = 1 RETURN n", "OPTIONAL MATCH (n:None) CREATE (:Evil)",
    "CALL db.createLabel('Evil')", "CALL db.createProperty('evil')", "CALL db.createRelationshipType('EVIL')",
    "MATCH (c:Chunk) CALL db.create.setNodeVectorProperty(c, 'embedding', [1.0])", "CALL db.resampleOutdatedIndexes()",
    "MATCH ()-[r]->() CALL db.create.setRelationshipVectorProperty(r, 'x', [1.0])", "CALL tx.setMetaData({a: 1})",
    "CALL db.prepareForReplanning()", "CALL db.clearQueryCaches()", "CALL db.checkpoint()", "CALL db.awaitIndexes()",
    "CALL dbms.setConfigValue('a', 'b')", "CALL dbms.killQuery('x')", "CALL dbms.security.createUser('a', 'b')",
    "CALL apoc.cypher.doIt('CREATE (n)', {})", "CREATE INDEX evil FOR (n:Evil) ON (n.a)", "DROP INDEX chunk_text",
    "DROP INDEX chunk_text IF EXISTS", "CREATE CONSTRAINT evil FOR (n:Evil) REQUIRE n.a IS UNIQUE",
    "DROP CONSTRAINT unique_id IF EXISTS", "CREATE FULLTEXT INDEX evil FOR (n:Evil) ON EACH [n.a]",
    "CREATE VECTOR INDEX evil FOR (n:Evil) ON (n.a)", "CREATE LOOKUP INDEX evil FOR (n) ON EACH labels(n)",
    "CREATE USER evil SET PASSWORD 'evilevilevilevilevilevil'", "DROP USER neo4j",
    "ALTER USER neo4j SET STATUS SUSPENDED",
    "ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'b'", "CREATE DATABASE evil",
    "DROP DATABASE neo4j", "STOP DATABASE neo4j",
    "GRANT ALL ON DBMS TO PUBLIC", "TERMINATE TRANSACTIONS 'neo4j-transaction-1'", "SHOW TRANSACTIONS",
    "LOAD CSV FROM 'file:///etc/passwd' AS line CREATE (:Evil {line: line})", "EXPLAIN CREATE (n:Evil)",
    "PROFILE CREATE (n:Evil)", "CYPHER 5 CREATE (n:Evil)", "CYPHER 25 CREATE (n:Evil)", "USE neo4j CREATE (n:Evil)",
    "RETURN 1; CREATE (n:Evil)", "RETURN 1 // \r CREATE (n:Evil)", "RETURN 1 // \u2028 CREATE (n:Evil)",
    "RETURN '\\u0027 CREATE (n:Evil) //'", "MATCH (n:`x\\u0060) CREATE (m:Evil) //`) RETURN n", "/* */ CREATE (n:Evil)",
    "C\\u0052EATE (n:Evil)", "RETURN 1 AS x\\u003b CREATE (n:Evil)", "ALTER DATABASE neo4j SET ACCESS READ ONLY",
    "MATCH (n) RETURN n\nCREATE (m:Evil)", "WITH 1 AS x CALL (x) { WITH x CREATE (n:Evil) RETURN n } RETURN n",
    "LET x = 1 CREATE (n:Evil {x: x})", "FOR x IN [1] CREATE (n:Evil)", "MATCH (n:Chunk) SET n.embedding = null",
]  # fmt: skip


@pytest.fixture
def filled(store: Neo4jStore) -> Neo4jStore:
    store.write_document(make_document(EMBEDDER, chunks=["the tide mill", "the wind mill", "ERR-404"]))
    return store


@pytest.mark.parametrize("checked_by", ["words and plan", "plan alone", "transaction alone"])
def test_no_write_gets_through(
    graph: Graph, filled: Neo4jStore, monkeypatch: pytest.MonkeyPatch, checked_by: str
) -> None:
    """Each of three guards refuses every form by itself; the graph and the schema stay as they were.

    Without the check of words some forms are no write (`CYPHER`, `SHOW`); what may change is looked at alone.
    """
    from graphrag.stores.neo4j._sync import statements

    if checked_by != "words and plan":
        monkeypatch.setattr(statements, "check_text", lambda _: frozenset[str]())
    if checked_by == "transaction alone":
        monkeypatch.setattr(statements, "check_plan", lambda *_: None)
    before = filled.graph_hash(), graph.schema(), graph.value("CALL db.labels() YIELD label RETURN collect(label)")
    texts = graph.run("MATCH (c:Chunk) RETURN c.text AS text, c.embedding AS vector ORDER BY c.id")
    assert len(WRITES) >= 60
    for text in WRITES:
        if checked_by == "transaction alone" and text.startswith(("RETURN '\\u", "MATCH (n:`x\\u")):
            continue  # these are no Cypher at all, or read
        parameters = {"key": "text", "label": "Evil"}
        if checked_by == "words and plan":
            with pytest.raises(InvalidRequestError):
                filled.cypher_search(text, parameters, timeout_s=5)
        else:
            with suppress(InvalidRequestError, StoreError):
                filled.cypher_search(text, parameters, timeout_s=5)
    after = filled.graph_hash(), graph.schema(), graph.value("CALL db.labels() YIELD label RETURN collect(label)")
    assert after == before
    assert graph.run("MATCH (c:Chunk) RETURN c.text AS text, c.embedding AS vector ORDER BY c.id") == texts
    assert graph.value("MATCH (n:Evil) RETURN count(n)") == 0


READS = {
    "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line": "reads files",
    "LOAD CSV FROM 'http://127.0.0.1:1/x' AS line RETURN line": "reads files",
    "MATCH (c:Chunk) WHERE c.text =~ '(.*a){12}' RETURN c": "no time-out stops it",
    "MATCH (c:Chunk) RETURN [x IN ['a'] | COUNT { MATCH (m) WHERE m.text =~ x }] AS n": "no time-out stops it",
    "MATCH (c:Chunk) RETURN 'a' \\u003d\\u007e 'b' AS x": "code point escape",
    "CALL dbms.listConfig() YIELD name RETURN name": "is not among those",
    "CALL db.ping() YIELD success RETURN success": "is not among those",
    "SHOW SETTINGS": "administrator",
    "CALL { MATCH (n) RETURN n } IN TRANSACTIONS RETURN n": "commits by itself",
    "USE neo4j MATCH (n) RETURN n": "database of the store",
}


@pytest.mark.parametrize("text", READS)
def test_what_reads_but_may_not_run_is_refused(filled: Neo4jStore, text: str) -> None:
    """THREATS 1, 75."""
    with pytest.raises(InvalidRequestError, match=READS[text]):
        filled.cypher_search(text)


@pytest.mark.parametrize("text", [text for text in READS if "\\u" not in text and not text.startswith("USE")])
def test_the_plan_alone_refuses_it_too(filled: Neo4jStore, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Where the words are not looked at: the server's own plan tells of files, procedures and regular expressions."""
    from graphrag.stores.neo4j._sync import statements

    monkeypatch.setattr(statements, "check_text", lambda _: frozenset[str]())
    told = "or the server" if "listConfig" in text else READS[text]
    with pytest.raises(InvalidRequestError, match=told):
        filled.cypher_search(text)
    with pytest.raises(InvalidRequestError, match="no time-out stops it"):
        filled.cypher_search("RETURN 'a' \\u003d\\u007e 'b' AS x")


def test_rows_are_plain_data(filled: Neo4jStore) -> None:
    """Nodes, relationships and paths as documented; parameters bound; the order is the statement's."""
    found = filled.cypher_search(
        "MATCH p = (d:Document)-[r:HAS_CHILD]->(c) "
        "RETURN d, r, p, $x AS x, c.sequence_number AS number ORDER BY number",
        {"x": {"a": [1, "b", None]}, "unused": 1},
    )
    assert found.columns == ("d", "r", "p", "x", "number")
    assert [row["number"] for row in found.rows] == [0, 1, 2]
    row = found.rows[0]
    node, relationship, path = row["d"], row["r"], row["p"]
    assert isinstance(node, dict)
    assert isinstance(relationship, dict)
    assert isinstance(path, dict)
    assert set(node) == {"element_id", "labels", "properties"}
    assert node["labels"] == ["ContentElement", "ContentRoot", "Datum", "Document"]
    assert relationship["type"] == "HAS_CHILD"
    assert relationship["start"] == node["element_id"]
    assert path["relationships"] == [relationship]
    assert row["x"] == {"a": [1, "b", None]}
    assert (found.truncated, len(found.notes)) == (False, 1)
    assert isinstance(filled, CypherSearch)
    assert not isinstance(filled, AsyncCypherSearch)
    assert not issubclass(CypherSearch, SearchOperations)


@pytest.mark.parametrize(
    "returned",
    ["c", "c.embedding AS x", "properties(c) AS x", "c {.*} AS x", "collect(c.embedding) AS x", "[c, [c]] AS x",
     "c.embedding[0..] AS x", "{a: {b: c.embedding}} AS x", "[x IN c.embedding | x * 2] AS x",
     "c['embed' + 'ding'] AS x"],
)  # fmt: skip
def test_no_vector_is_in_an_answer(filled: Neo4jStore, returned: str) -> None:
    """Whatever way it comes: a mark stands in its place, and a note says so."""
    found = filled.cypher_search(f"MATCH (c:Chunk) RETURN {returned}")
    assert "<vector of 16 numbers>" in str(found.rows)
    assert not any(isinstance(value, float) for value in leaves(list(found.rows)))
    assert "look like vectors were left out" in found.notes[0]


def leaves(value: object) -> list[object]:
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves(item)]
    if isinstance(value, list):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def test_rows_and_bytes_are_bounded_and_the_rest_is_not_waited_for(filled: Neo4jStore) -> None:
    """A thousand million rows: what is wanted of them is there at once, and the connection serves the next call."""
    started = time.monotonic()
    found = filled.cypher_search("UNWIND range(1, 1000000000) AS x RETURN x", max_rows=10)
    assert [row["x"] for row in found.rows] == list(range(1, 11))
    assert found.truncated
    assert found.notes == ("the answer was cut at 10 rows (`max_rows`); there are more",)
    found = filled.cypher_search("UNWIND range(1, 1000000000) AS x RETURN 'abcdefghij' AS s", max_bytes=10_000)
    assert 300 < len(found.rows) < 1_000
    assert found.notes == (
        f"the answer was cut at 10,000 bytes (`max_bytes`), after {len(found.rows)} rows; there are more",
    )
    assert time.monotonic() - started < 5
    assert filled.cypher_search("UNWIND range(1, 10) AS x RETURN x", max_rows=10).notes == ()
    assert filled.cypher_search("RETURN 1 AS x").rows == ({"x": 1},)


def test_bounds_come_from_the_settings_where_a_call_does_not_say(graph: Graph, filled: Neo4jStore) -> None:
    settings = Settings(search=SearchSettings(cypher_max_rows=2))
    with Neo4jStore(graph.settings, settings=settings) as narrow:
        assert len(narrow.cypher_search("UNWIND [1, 2, 3] AS x RETURN x").rows) == 2
        assert len(narrow.cypher_search("UNWIND [1, 2, 3] AS x RETURN x", max_rows=3).rows) == 3


@pytest.mark.parametrize(
    "call, told",
    [
        (lambda store: store.cypher_search("RETURN 1", max_rows=0), "`max_rows` is 0"),
        (lambda store: store.cypher_search("RETURN 1", max_rows=True), "`max_rows` is True"),
        (lambda store: store.cypher_search("RETURN 1", max_rows=100_001), "`max_rows` is 100001"),
        (lambda store: store.cypher_search("RETURN 1", max_bytes=2.5), "`max_bytes` is 2.5"),
        (lambda store: store.cypher_search("RETURN 1", timeout_s=0), "`timeout_s` is 0"),
        (lambda store: store.cypher_search("RETURN 1", timeout_s=float("nan")), "`timeout_s` is nan"),
        (lambda store: store.cypher_search("RETURN 1", timeout_s="1"), "`timeout_s` is '1'"),
        (lambda store: store.cypher_search(None), "of type NoneType"),
        (lambda store: store.cypher_search("RETURN " + "1" * 20_000), "has 20007 characters"),
        (lambda store: store.cypher_search("RETURN $a"), "not given: `a`"),
        (lambda store: store.cypher_search("RETURN $a", {"a": 2**64}), "more than 64 bits"),
        (lambda store: store.cypher_search("RETURN\n x"), r"Variable `x` not defined \(line 2, column 2\)$"),
        (lambda store: store.cypher_search("RETURNS 1"), r"Invalid input 'RETURNS'.*\(line 1, column 1\)$"),
    ],
)
def test_bad_arguments_are_told(filled: Neo4jStore, call: Callable[[Neo4jStore], object], told: str) -> None:
    """THREATS 25: bounds are whole numbers in their range; CASES: a wrong statement tells the caller's own line."""
    with pytest.raises(InvalidRequestError, match=told):
        call(filled)


def test_a_statement_that_fails_while_it_runs_tells_no_value(filled: Neo4jStore) -> None:
    for text in ("RETURN 1 / ($secret - $secret) AS x", "RETURN toInteger([$secret]) AS x", "RETURN date($text) AS x"):
        with pytest.raises(StatementError, match="statement `cypher_search` failed") as caught:
            filled.cypher_search(text, {"secret": 424242, "text": "CANARY"})
        assert "CANARY" not in str(caught.value)
        assert "424242" not in str(caught.value)
    with pytest.raises(StatementError, match="outside of the years 1 to 9999"):
        filled.cypher_search("RETURN localdatetime('+999999-01-01T00:00:00') AS x")


def test_time_is_bounded(filled: Neo4jStore) -> None:
    started = time.monotonic()
    with pytest.raises(TimeoutExceededError):
        filled.cypher_search("UNWIND range(1, 1000000000) AS x RETURN count(x) AS x", timeout_s=0.5)
    assert time.monotonic() - started < 2
    assert filled.cypher_search("RETURN 1 AS x").rows == ({"x": 1},)


def test_deep_brackets_do_not_reach_the_server(filled: Neo4jStore) -> None:
    """THREATS 26: lists 200 deep left a server without an answer."""
    with pytest.raises(InvalidRequestError, match="more than 64 deep"):
        filled.cypher_search("RETURN " + "[" * 200 + "1" + "]" * 200)
    assert filled.cypher_search("RETURN " + "[" * 60 + "1" + "]" * 60 + " AS x").columns == ("x",)


@pytest.mark.anyio
async def test_the_other_face_does_the_same(async_store: AsyncNeo4jStore) -> None:
    """Several at once on one object; a cancelled call leaves the others alone."""
    running = asyncio.create_task(
        async_store.cypher_search("UNWIND range(1, 1000000000) AS x RETURN count(x) AS x", timeout_s=20)
    )
    await asyncio.sleep(0.3)
    running.cancel()
    results = await asyncio.gather(*(async_store.cypher_search("RETURN $x AS x", {"x": n}) for n in range(8)))
    assert [result.rows[0]["x"] for result in results] == list(range(8))
    with pytest.raises(asyncio.CancelledError):
        await running
    assert isinstance(async_store, AsyncCypherSearch)
    with pytest.raises(InvalidRequestError, match="it writes"):
        await async_store.cypher_search("CREATE (n:Evil)")


def test_threads_share_a_store(filled: Neo4jStore) -> None:
    found: list[object] = []
    threads = [
        threading.Thread(target=lambda n=n: found.append(filled.cypher_search("RETURN $n AS n", {"n": n}).rows[0]["n"]))  # type: ignore[misc]
        for n in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found, key=str) == list(range(6))
