"""The database as it really is, seen beside the store: raw statements, and the checks that hold after any write."""

from types import TracebackType
from typing import Any, Self

from neo4j import GraphDatabase

from graphrag.config import Neo4jSettings
from graphrag.stores import Neo4jStore
from graphrag.testing.embedder import DeterministicEmbedder

Rows = list[dict[str, Any]]


class Graph:
    """Runs statements of the tests, and brings the database back to an empty graph with its schema."""

    DIMENSIONS = 16

    def __init__(self, settings: Neo4jSettings) -> None:
        self.settings = settings
        self._driver = GraphDatabase.driver(
            settings.uri,
            auth=(settings.username, settings.password.get_secret_value()),
            telemetry_disabled=True,
            notifications_min_severity="OFF",
        )
        self._schema: Rows = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._driver.close()

    def run(self, text: str, /, **parameters: object) -> Rows:
        """Return the rows of one statement, in a transaction of its own."""
        with self._driver.session(database=self.settings.database) as session:
            return [record.data() for record in session.run(text, parameters)]  # type: ignore[arg-type]

    def value(self, text: str, /, **parameters: object) -> Any:
        """Return the one value of a statement's first row."""
        return next(iter(self.run(text, **parameters)[0].values()))

    def explain(self, text: str, /, **parameters: object) -> list[str]:
        """Return the operators of a statement's plan, without running it."""
        with self._driver.session(database=self.settings.database) as session:
            plan = session.run(f"EXPLAIN {text}", parameters).consume().plan  # type: ignore[arg-type]
        operators: list[str] = []
        stack = [plan] if plan else []
        while stack:
            step = stack.pop()
            operators.append(step["operatorType"].partition("@")[0])
            stack.extend(step.get("children", []))
        return operators

    def reset(self) -> None:
        """Empty the graph; make the schema again where a test changed it."""
        while self.value("MATCH (n) WHERE NOT n:GraphragSchema WITH n LIMIT 20000 DETACH DELETE n RETURN count(*)"):
            pass
        if not self._schema or self._schema != self.schema():
            self.drop_everything()
            with Neo4jStore(self.settings, DeterministicEmbedder(self.DIMENSIONS)) as store:
                store.apply_schema()
            self._schema = self.schema()

    def schema(self) -> Rows:
        """Return the stamp and all indexes and constraints, in one comparable form."""
        stamp = self.run("MATCH (s:GraphragSchema) RETURN properties(s) AS stamp")
        indexes = self.run(
            "SHOW INDEXES YIELD name, type, state, labelsOrTypes, properties, options, owningConstraint "
            "WHERE type <> 'LOOKUP' RETURN name, type, state, labelsOrTypes, properties, options, owningConstraint "
            "ORDER BY name"
        )
        return [*stamp, *indexes]

    def drop_everything(self) -> None:
        """Take away all nodes, constraints and indexes, whoever made them."""
        self.run("MATCH (n) DETACH DELETE n")
        for row in self.run("SHOW CONSTRAINTS YIELD name"):
            self.run(f"DROP CONSTRAINT `{row['name']}` IF EXISTS")
        for row in self.run("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name"):
            self.run(f"DROP INDEX `{row['name']}` IF EXISTS")

    def check_whole(self) -> None:
        """Assert what holds after every write: no torn document, no orphan, one chain, ordered children."""
        documents = self.run(
            """
            MATCH (d:Document)
            RETURN d.id AS id, d.uri AS uri, d.chunk_count AS told,
                   COUNT { MATCH (c:Chunk {document_id: d.id}) } AS chunks,
                   COUNT { MATCH (c:Chunk {document_id: d.id}) WHERE c.embedding IS NULL } AS without_vector,
                   COUNT { MATCH (:Chunk {document_id: d.id})-[:NEXT]->(:Chunk {document_id: d.id}) } AS links,
                   COUNT { MATCH (d)-[:HAS_CHILD]->+(c:Chunk) } AS reachable,
                   COUNT { MATCH (d)-[:HAS_CHILD]->+(s:Section) } AS reachable_sections,
                   COUNT { MATCH (s:Section {document_id: d.id}) } AS sections
            """
        )
        for row in documents:
            assert row["told"] == row["chunks"] == row["reachable"], row
            assert row["links"] == max(0, row["chunks"] - 1), row
            assert row["sections"] == row["reachable_sections"], row
            assert row["without_vector"] == 0, row
        bad_links = """
            MATCH (a:Chunk)-[:NEXT]->(b)
            WHERE a.document_id <> b.document_id OR b.sequence_number <> a.sequence_number + 1
            RETURN count(*)
        """
        assert self.value(bad_links) == 0
        bad_children = """
            MATCH (p)-[r:HAS_CHILD]->(c)
            WITH p, collect(r.position) AS positions, collect(c.position) AS told, collect(c.parent_id) AS parents
            WHERE positions <> told OR any(id IN parents WHERE id <> p.id)
               OR size(positions) <> reduce(n = 0, x IN range(0, size(positions) - 1) |
                                              n + CASE WHEN x IN positions THEN 1 ELSE 0 END)
            RETURN count(*)
        """
        assert self.value(bad_children) == 0
        parents = "MATCH (n:Datum) WHERE n:Chunk OR n:Section RETURN max(COUNT { (n)<-[:HAS_CHILD]-() }) AS most"
        assert self.value(parents) in {None, 1}
        orphans = """
            MATCH (n:Datum)
            WHERE NOT n:Document AND NOT n:NamedEntity AND NOT EXISTS { MATCH (:Document)-[:HAS_CHILD]->+(n) }
            RETURN count(n)
        """
        assert self.value(orphans) == 0
        assert self.value("MATCH (n:Datum) WHERE n.write_lock IS NOT NULL OR n.run_id IS NOT NULL RETURN count(n)") == 0
