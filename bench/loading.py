"""Chunks in bulk, for searches alone: no documents, sections or relationships, which no search reads."""

from collections.abc import Callable
from typing import cast

from neo4j import Driver
from neo4j.vector import Vector

from bench.data import make_documents
from bench.plain import LABELLED_CHUNKS, Row
from bench.setting import Setting

__all__ = ["load_chunks", "vector_index_name"]

_BATCH = 500


def load_chunks(setting: Setting, extra: Callable[[int], tuple[Row, list[str]]], *, name: str) -> dict[str, int]:
    """Write the corpus; return the place in it of each chunk by its id.

    By plain statements, with the properties that the store gives chunks: 100,000 whole documents take longer than
    all measurements.

    Args:
        setting: Its database has the schema, and no chunk.
        extra: Further properties and labels of the chunk at a place.
        name: Part of each URI.
    """
    places: dict[str, int] = {}
    size = setting.corpus.sizes.chunks_a_document
    documents = make_documents(setting.corpus, name=name, model=setting.model)
    for number in range(0, len(documents), max(1, _BATCH // size)):
        rows = setting.plain_rows(documents[number : number + max(1, _BATCH // size)])
        sent: list[Row] = []
        for row in rows.chunks:
            place = places[str(row["id"])] = len(places)
            properties, labels = extra(place)
            sent.append(
                {
                    "properties": {**cast("Row", row["properties"]), **properties},
                    "labels": labels,
                    "embedding": Vector.from_numpy(setting.corpus.vectors[place]),
                }
            )
        for start in range(0, len(sent), _BATCH):
            setting.driver.execute_query(LABELLED_CHUNKS, rows=sent[start : start + _BATCH])
    setting.driver.execute_query("CALL db.awaitIndexes(600)")
    return places


def vector_index_name(driver: Driver) -> str:
    """Return the name of the live vector index of chunks."""
    records, _, _ = driver.execute_query("SHOW VECTOR INDEXES YIELD name, labelsOrTypes, state RETURN *")
    return str(next(record["name"] for record in records if record["labelsOrTypes"] == ["Chunk"]))
