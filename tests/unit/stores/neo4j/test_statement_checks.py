"""What a statement may do: by its words, and by the server's plan of it."""

import pytest

from graphrag.errors import InvalidRequestError
from graphrag.stores.neo4j.statement_checks import check_plan, check_text

ACCEPTED = [
    "RETURN 1", "RETURN 1;", "// why\nRETURN 1 ; ", "MATCH (n) WHERE n.a CONTAINS '=~' RETURN n",
    "MATCH (n) RETURN n.`a =~ b`", "RETURN 1 /* =~ */", "CALL db.labels", "CALL db.labels() YIELD label RETURN label",
    "CALL `db`.`labels`()", "call db.index.fulltext.queryNodes('chunk_text', $q) YIELD node RETURN node",
    "CALL { MATCH (n) RETURN n LIMIT 1 } RETURN n", "MATCH (n) CALL (n) { RETURN 1 AS x } RETURN x",
    "OPTIONAL CALL db.labels() YIELD label RETURN label", "MATCH (n) RETURN n.use, n.load, n.call, n.transactions",
    "RETURN {use: 1, call: 2, load: 3} AS m", "WITH 1 AS use RETURN use", "RETURN point.distance($a, $b) AS d",
    "RETURN date.truncate('year', date()) AS d", "RETURN vector.similarity.cosine([1.0], [1.0]) AS s",
    "RETURN [x IN range(1, 3) WHERE x > 1 | x] AS l", "MATCH (n:$($label)) RETURN n", "RETURN 'LOAD CSV FROM' AS s",
    "RETURN 'CALL apoc.x()' AS s", "MATCH (load)-->(csv) RETURN load, csv", "RETURN duration.between($a, $b).days AS d",
    "MATCH (n:Chunk) WHERE n.x IN [1] RETURN n", "UNWIND [1] AS transactions RETURN transactions",
    "UNWIND range(1, $n) AS x RETURN x", "RETURN COLLECT { UNWIND range(0, size($l)) AS i RETURN $l[i] } AS l",
    "RETURN [x IN range(-5, 9999, 10) | x] AS l", "RETURN $l[0..size($l)] AS l", "MATCH (n) RETURN n.apoc.x[0..2] AS x",
    "RETURN " + "CASE WHEN true THEN " * 60 + "1" + " END" * 60 + " AS x", "RETURN " + "NOT " * 60 + "true AS x",
    "MATCH (n) WHERE " + " AND ".join("NOT n.a IS NOT NULL" for _ in range(200)) + " RETURN n",
    "RETURN " + ", ".join("CASE WHEN NOT $a THEN x.end ELSE 2 END" for _ in range(100)),
    "RETURN $a" + ".b" * 60 + " AS x", "RETURN " + " + ".join("$a.b[0].c" for _ in range(100)),
    "MATCH (n:$any(['A', 'B'])) RETURN n", "MATCH (n:$ALL ($labels)) RETURN n", "MATCH (n) RETURN n.call AS x",
    "UNWIND [2, 1] AS call RETURN call ORDER BY call LIMIT 1",
    "UNWIND [1] AS call WITH call WHERE (call > 0) RETURN call", "WITH 1 AS call MATCH (n) RETURN call AS x, n",
    "WITH 1 AS call CALL (call) { RETURN call AS x } RETURN x",
    "MATCH (n) RETURN " + ", ".join(f"n.p{i}" for i in range(200)), "RETURN true" + " XOR true" * 8,
]  # fmt: skip

REFUSED = [
    ("", "empty"), (" // nothing\n", "empty"), (";", "empty"), ("/* x */", "empty"),
    ("RETURN 1; RETURN 2", "one is run at a time"), ("RETURN 1; MATCH (n) DETACH DELETE n;", "one is run at a time"),
    ("EXPLAIN RETURN 1", "explained before"), ("/* */ profile RETURN 1", "`PROFILE` is not accepted"),
    ("CYPHER 5 RETURN 1", "Cypher 25"), ("CYPHER runtime=slotted RETURN 1", "Cypher 25"),
    ("SHOW INDEXES", "administrator"), ("terminate TRANSACTIONS 'x'", "administrator"),
    ("USE system RETURN 1", "database of the store"), ("CALL { USE system RETURN 1 AS x } RETURN x", "of the store"),
    ("RETURN 1 AS x UNION USE system RETURN 2 AS x", "of the store"),
    ("RETURN 1 AS x UNION ALL USE `system` RETURN 2 AS x", "of the store"),
    ("MATCH (n) WHERE n.a =~ 'x' RETURN n", "no time-out stops it"), ("RETURN 'a'=~'b'", "no time-out stops it"),
    ("RETURN 'a' = ~ 'b'", "no time-out stops it"), ("RETURN 'a'/*'*/=~/*'*/'b'", "no time-out stops it"),
    ("LOAD CSV FROM 'file:///etc/passwd' AS l RETURN l", "reads files"),
    ("load /* x */ csv WITH HEADERS FROM $u AS l RETURN l", "reads files"),
    ("CALL apoc.load.json('x') YIELD value RETURN value", "`apoc.load.json` is not among those"),
    ("CALL `apoc`.`load.json`('x') YIELD value RETURN value", "is not among those"),
    ("CALL `db.create`.setLabels()", "is not among those"), ("CALL dbms.listConfig()", "`dbms.listConfig`"),
    ("CALL db.createLabel('x')", "`db.createLabel`"), ("CALL db.labelsX()", "`db.labelsX`"),
    ("CALL { CALL dbms.killQuery('x') YIELD queryId RETURN queryId } RETURN 1", "`dbms.killQuery`"),
    ("OPTIONAL CALL apoc.x() YIELD y RETURN y", "`apoc.x`"), ("CALL /* x */ apoc.x", "`apoc.x`"),
    ("RETURN apoc.text.regexGroups('a', 'b') AS x", "function `apoc.text.regexGroups`"),
    ("RETURN `apoc`.text . /* x */ `join` (['a'], 'b') AS x", "function `apoc.text.join`"),
    ("RETURN genai.vector.encode('x', 'OpenAI', {}) AS x", "function `genai.vector.encode`"),
    ("CALL { MATCH (n) RETURN n } IN TRANSACTIONS RETURN n", "commits by itself"),
    ("MATCH (n) CALL (n) { DELETE n } IN 3 CONCURRENT TRANSACTIONS OF 10 ROWS", "commits by itself"),
    ("CALL where.x() YIELD y RETURN y", "`where.x`"), ("CALL `where`() YIELD y RETURN y", "`where`"),
    ("WITH 1 AS call CALL apoc.x() YIELD y RETURN y", "`apoc.x`"),
    ("MATCH (n:$any(apoc.x('a'))) RETURN n", "function `apoc.x`"),
    ("RETURN " + "[" * 65 + "1" + "]" * 65, "more than 64 deep"),
    ("RETURN [0][0..apoc.x('a')] AS x", "function `apoc.x`"), ("RETURN [0][..apoc.x('a')] AS x", "function `apoc.x`"),
    ("RETURN [0] [ 0 . . /* x */ `apoc`.x('a') ] AS x", "function `apoc.x`"),
    ("RETURN `.` apoc.x('a') AS x", "function `apoc.x`"), ("RETURN $`.` apoc.x('a') AS x", "function `apoc.x`"),
    ("RETURN '.' apoc.x('a') AS x", "function `apoc.x`"), ("MATCH (`call` apoc.x('a')) RETURN 1", "function `apoc.x`"),
    ("RETURN " + "NOT " * 65 + "true", "more than 64 deep"),
    ("RETURN " + "NOT (" * 33 + "true" + ")" * 33, "more than 64 deep"),
    ("RETURN " + "CASE WHEN true THEN " * 65 + "1" + " END" * 65, "more than 64 deep"),
    ("RETURN " + "CASE WHEN true THEN 1 ELSE " * 65 + "1" + " END" * 65, "more than 64 deep"),
    ("MATCH (n:" + "!" * 65 + "A) RETURN n", "more than 64 deep"),
    ("RETURN $a" + ".b" * 65, "in a row"), ("RETURN $a" + "[0]" * 65, "in a row"),
    ("RETURN $a" + "[0..1].b" * 40, "in a row"), ("RETURN true" + " XOR true" * 9, "more than 8 XOR"),
    ("RETURN reduce(a = 0, x IN range(1, $n) | a + x) AS s", "stopped by no time-out"),
    ("RETURN [x IN range(1, 10000) WHERE x < 0] AS s", "stopped by no time-out"),
    ("RETURN any(x IN `range` (1, 9 * 999999) WHERE x < 0) AS s", "stopped by no time-out"),
]  # fmt: skip


@pytest.mark.parametrize("statement", ACCEPTED)
def test_what_reads_is_accepted(statement: str) -> None:
    check_text(statement)


@pytest.mark.parametrize("statement, told", REFUSED)
def test_what_does_more_is_refused_by_its_words(statement: str, told: str) -> None:
    """THREATS 1, 75 and what else may not run; names in back-ticks and comments in between change nothing."""
    with pytest.raises(InvalidRequestError, match=told):
        check_text(statement)


def test_the_parameters_of_a_statement_are_told() -> None:
    assert check_text("MATCH (n {a: $a, b: '$b'}) /* $c */ WHERE n.d IN $`d e` RETURN $1") == {"a", "d e", "1"}


def plan(operator: str = "ProduceResults@neo4j", details: str = "", *children: dict[str, object]) -> dict[str, object]:
    return {"operatorType": operator, "args": {"Details": details}, "children": list(children)}


@pytest.mark.parametrize(
    "step, told",
    [
        (plan("LoadCSV@neo4j", "line"), "reads files"),
        (plan("ProcedureCall@neo4j", "apoc.load.json($a) :: (value :: MAP)"), "`apoc.load.json`"),
        (plan("ProcedureCall@neo4j"), "procedure"),
        (plan("TransactionApply@neo4j", "IN TRANSACTIONS OF 1000 ROWS"), "commits by itself"),
        (plan("TransactionForeach@neo4j"), "commits by itself"),
        (plan("ShowIndexes@neo4j", "allIndexes"), "administrator"),
        (plan("TerminateTransactions@neo4j"), "administrator"),
        (plan("RunQueryAt@neo4j"), "database of the store"),
        (plan("Filter@neo4j", "n.name =~ $autostring_0"), "no time-out stops it"),
        (plan("Projection@neo4j", "'unclosed =~"), "no time-out stops it"),
    ],
)
def test_what_does_more_is_refused_by_its_plan(step: dict[str, object], told: str) -> None:
    """Wherever in the plan it stands."""
    with pytest.raises(InvalidRequestError, match=told):
        check_plan(plan("ProduceResults@neo4j", "x", plan("Apply@neo4j", "", plan(), step)), "r")


def test_a_plan_that_reads_is_accepted() -> None:
    inner = plan("ProcedureCall@neo4j", "db.index.fulltext.queryNodes($a, $b) :: (node :: NODE)")
    check_plan(plan("ProduceResults@neo4j", "`'a =~ b'`", inner, {"operatorType": "Argument@neo4j"}), "r")


def test_a_statement_without_a_plan_is_refused() -> None:
    with pytest.raises(InvalidRequestError, match="tells no plan"):
        check_plan({}, "r")


@pytest.mark.parametrize(
    "query_type, told", [("w", "it writes"), ("rw", "it writes"), ("s", "changes the schema"), (None, "does more")]
)
def test_only_what_the_server_calls_reading_is_run(query_type: str | None, told: str) -> None:
    with pytest.raises(InvalidRequestError, match=told):
        check_plan(plan(), query_type)
