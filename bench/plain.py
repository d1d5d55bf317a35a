"""What a good engineer would write with the driver alone: the measure that ours is held against.

The same nodes, labels, properties and relationships, under the same indexes; the rows of properties are made
before the clock starts. The ways are tried against each other first, and the best one is taken.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from neo4j import READ_ACCESS, Driver, RoutingControl
from neo4j.vector import Vector
from numpy.typing import NDArray

from graphrag.model import MaterializedDocument
from graphrag.stores.neo4j.plan import plan_write, prepare_document

__all__ = [
    "LABELLED_CHUNKS",
    "SEARCHES",
    "WRITES",
    "PlainRows",
    "PlainSearch",
    "PlainWrite",
    "exact_scan",
    "plain_rows",
]

Row = dict[str, object]
Vectors = Mapping[str, NDArray[np.float32]]

_SECTIONS = """CYPHER 25
UNWIND $rows AS row
CREATE (s:Datum:ContentElement:Section:$(row.kind))
SET s = row.properties"""

_DOCUMENTS = """CYPHER 25
UNWIND $rows AS row
CREATE (d:Datum:ContentElement:ContentRoot:Document)
SET d = row.properties"""

_CHILDREN = """CYPHER 25
UNWIND $rows AS row
MATCH (p:Datum {id: row.parent_id})
MATCH (c:Datum {id: row.id})
CREATE (p)-[:HAS_CHILD {position: row.position}]->(c)"""

_NEXT = """CYPHER 25
UNWIND $rows AS row
MATCH (a:Datum {id: row.id})
MATCH (b:Datum {id: row.next_id})
CREATE (a)-[:NEXT]->(b)"""

_CHUNKS_AND_LINKS = """CYPHER 25
UNWIND $rows AS row
MATCH (p:Datum {id: row.parent_id})
CREATE (p)-[:HAS_CHILD {position: row.position}]->(c:Datum:Retrievable:Chunk)
SET c = row.properties
WITH c, row
CALL db.create.setNodeVectorProperty(c, 'embedding', row.embedding)"""

_CHUNKS_AND_CHAIN = f"""{_CHUNKS_AND_LINKS}
WITH collect({{node: c, previous: row.previous_id}}) AS made
UNWIND range(1, size(made) - 1) AS place
WITH made[place - 1].node AS a, made[place].node AS b, made[place].previous AS previous
WHERE previous = a.id
CREATE (a)-[:NEXT]->(b)"""

_CHUNKS_ALONE = """CYPHER 25
UNWIND $rows AS row
CREATE (c:Datum:Retrievable:Chunk)
SET c = row.properties
WITH c, row
CALL db.create.setNodeVectorProperty(c, 'embedding', row.embedding)"""

LABELLED_CHUNKS = """CYPHER 25
UNWIND $rows AS row
CREATE (c:Datum:Retrievable:Chunk:$(row.labels))
SET c = row.properties
WITH c, row
CALL db.create.setNodeVectorProperty(c, 'embedding', row.embedding)"""
"""Chunks without relationships, with labels of an application too."""


@dataclass(frozen=True, slots=True)
class PlainRows:
    """The parameters of the statements, of some documents, without the vectors."""

    documents: list[Row]
    sections: list[Row]
    section_links: list[Row]
    chunks: list[Row]
    vectors: Vectors


def plain_rows(documents: Sequence[MaterializedDocument], *, model: str, dimensions: int) -> PlainRows:
    """Return the rows of documents that are not stored yet, with the same properties as ours."""
    rows = PlainRows([], [], [], [], {id_: v for document in documents for id_, v in document.vectors.items()})
    for document in documents:
        plan = plan_write(prepare_document(document), [], created=True, dimensions=dimensions, model_id=model)
        rows.documents.extend(plan.documents)
        for row in plan.new_sections:
            kind = "ContainerSection" if row["container"] else "LeafSection"
            rows.sections.append({"properties": row["properties"], "kind": kind})
        rows.section_links.extend(plan.children)
        previous = None
        for chunk, row in zip(document.chunks, plan.new_chunks, strict=True):
            rows.chunks.append(
                {
                    "id": chunk.id,
                    "properties": row["properties"],
                    "parent_id": chunk.parent_id,
                    "position": chunk.position,
                    "previous_id": previous,
                }
            )
            previous = chunk.id
    return rows


@dataclass(frozen=True, slots=True)
class PlainWrite:
    """One way to write: which statements, and how a vector is sent."""

    name: str
    statement: str
    vectors_as: str

    def run(self, driver: Driver, rows: PlainRows, batch: int) -> None:
        """Write all rows; each batch of chunks is a transaction of its own."""
        for statement, part in (
            (_DOCUMENTS, rows.documents),
            (_SECTIONS, rows.sections),
            (_CHILDREN, rows.section_links),
        ):
            for start in range(0, len(part), batch):
                driver.execute_query(statement, rows=part[start : start + batch])
        late = _NEXT if self.statement == _CHUNKS_AND_CHAIN else None
        edges: list[Row] = []
        for start in range(0, len(rows.chunks), batch):
            piece = rows.chunks[start : start + batch]
            driver.execute_query(self.statement, rows=[self._with_vector(row, rows.vectors) for row in piece])
            if late and start and piece[0]["previous_id"] is not None:
                edges.append({"id": piece[0]["previous_id"], "next_id": piece[0]["id"]})
        if late is None:
            if self.statement == _CHUNKS_ALONE:
                for start in range(0, len(rows.chunks), batch):
                    driver.execute_query(_CHILDREN, rows=_without_properties(rows.chunks[start : start + batch]))
            edges = [{"id": row["previous_id"], "next_id": row["id"]} for row in rows.chunks if row["previous_id"]]
        for start in range(0, len(edges), batch):
            driver.execute_query(_NEXT, rows=edges[start : start + batch])

    def _with_vector(self, row: Row, vectors: Vectors) -> Row:
        vector = vectors[str(row["id"])]
        return {**row, "embedding": Vector.from_numpy(vector) if self.vectors_as == "vector" else vector.tolist()}


def _without_properties(rows: Sequence[Row]) -> list[Row]:
    return [{name: value for name, value in row.items() if name != "properties"} for row in rows]


WRITES = (
    PlainWrite("one statement, vectors", _CHUNKS_AND_CHAIN, "vector"),
    PlainWrite("one statement, lists", _CHUNKS_AND_CHAIN, "list"),
    PlainWrite("chunks with parents, then NEXT, vectors", _CHUNKS_AND_LINKS, "vector"),
    PlainWrite("nodes, then relationships, vectors", _CHUNKS_ALONE, "vector"),
)

_RESCORED = """WITH c, vector.similarity.cosine(c.embedding, $embedding) AS score
ORDER BY score DESC, c.id ASC
LIMIT $top_k
RETURN c {.*, embedding: null} AS chunk, score"""

_SEARCH = f"""CYPHER 25
MATCH (c:Chunk)
SEARCH c IN (VECTOR INDEX chunk_embedding FOR $embedding LIMIT $candidates)
{_RESCORED}"""

_SEARCH_FILTERED = f"""CYPHER 25
MATCH (c:Chunk)
SEARCH c IN (VECTOR INDEX chunk_embedding FOR $embedding WHERE c.collection = $collection LIMIT $candidates)
{_RESCORED}"""

_PROCEDURE = f"""CYPHER 25
CALL db.index.vector.queryNodes('chunk_embedding', $candidates, $embedding) YIELD node AS c
{_RESCORED}"""

_TEXT = """CYPHER 25
CALL db.index.fulltext.queryNodes('chunk_text', $query) YIELD node AS c, score
RETURN c {.*, embedding: null} AS chunk, score LIMIT $top_k"""


@dataclass(frozen=True, slots=True)
class PlainSearch:
    """One way to search: the statement, how it is sent, and how the vector is sent."""

    name: str
    statement: str
    vectors_as: str
    call: Callable[[Driver, str, Row], list[Row]]

    def run(self, driver: Driver, vector: NDArray[np.float32], **parameters: object) -> list[Row]:
        """Return the rows, best first."""
        sent: object = Vector.from_numpy(vector) if self.vectors_as == "vector" else vector.tolist()
        return self.call(driver, self.statement, {"embedding": sent, **parameters})

    def text(self, driver: Driver, query: str, top_k: int) -> list[Row]:
        """Return the rows of a full-text search, sent in the same way."""
        return self.call(driver, _TEXT, {"query": query, "top_k": top_k})

    def filtered(self) -> "PlainSearch":
        """Return the same with the filter inside the search (the procedure has none)."""
        return PlainSearch(f"{self.name}, filtered", _SEARCH_FILTERED, self.vectors_as, self.call)


def _autocommit(driver: Driver, statement: str, parameters: Row) -> list[Row]:
    with driver.session(default_access_mode=READ_ACCESS) as session:
        return session.run(statement, parameters).data()  # type: ignore[arg-type]  # a literal above


def _execute_query(driver: Driver, statement: str, parameters: Row) -> list[Row]:
    result = driver.execute_query(statement, parameters, routing_=RoutingControl.READ)  # type: ignore[arg-type]  # the same
    return [record.data() for record in result.records]


SEARCHES = tuple(
    PlainSearch(f"{name}, {call_name}, {vectors_as}", statement, vectors_as, call)
    for name, statement in (("SEARCH", _SEARCH), ("procedure", _PROCEDURE))
    for call_name, call in (("session.run", _autocommit), ("execute_query", _execute_query))
    for vectors_as in ("list", "vector")
)


def exact_scan(condition: str) -> PlainSearch:
    """Return the search that compares all chunks of which a predicate over `c` is true.

    Args:
        condition: Written by us: it stands in the statement.
    """
    statement = f"CYPHER 25\nMATCH (c:Chunk)\nWHERE {condition}\n{_RESCORED}"
    return PlainSearch("exact scan", statement, "vector", _autocommit)
