"""The server that tests are given."""

import neo4j

from graphrag.config import Neo4jSettings


def test_the_server_answers_and_is_on_loopback(neo4j_server: Neo4jSettings) -> None:
    auth = (neo4j_server.username, neo4j_server.password.get_secret_value())
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=auth) as driver:
        records, summary, _ = driver.execute_query("CYPHER 25 RETURN 1 AS one")
    assert [record["one"] for record in records] == [1]
    assert summary.server.address[0] in {"127.0.0.1", "localhost"}
