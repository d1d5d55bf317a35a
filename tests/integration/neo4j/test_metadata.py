"""Metadata in the graph: every type reads back equal, none touches what is ours, and changes reach the chunks."""

import math
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from graphrag.errors import InvalidRequestError
from graphrag.ingestion.given import GivenChunk
from graphrag.model import Chunk, Document
from graphrag.model.metadata import is_reserved
from graphrag.stores import Neo4jStore
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.documents import make_document, words
from tests.integration.neo4j.graph import Graph

EMBEDDER = DeterministicEmbedder(Graph.DIMENSIONS)
VALUES: dict[str, Any] = {
    "text": "Ünïcödé 漢字 🦊",
    "empty text": "",
    "control": "a\x0b\x1f\ufffe",
    "true": True,
    "int": 7,
    "largest": 2**63 - 1,
    "smallest": -(2**63),
    "float": 0.1,
    "whole float": 3.0,
    "infinite": math.inf,
    "date": date(2024, 2, 29),
    "naive": datetime(2024, 2, 29, 12, 30, 15, 123456),  # noqa: DTZ001 - that is the case
    "utc": datetime(2024, 2, 29, 12, 30, tzinfo=UTC),
    "offset": datetime(2024, 2, 29, 12, 30, tzinfo=timezone(timedelta(hours=5, minutes=30))),
    "zone": datetime(2024, 7, 1, 12, tzinfo=ZoneInfo("Europe/Berlin")),
    "time": time(12, 30, 15, 123456),
    "aware time": time(12, 30, tzinfo=timezone(timedelta(hours=-5))),
    "duration": timedelta(days=3, seconds=7, microseconds=9),
    "negative duration": timedelta(days=-1, microseconds=1),
    "long duration": timedelta(days=9_999, hours=23),
    "list": ["a", "b"],
    "empty list": [],
    "numbers": [1, 2, 3],
    "floats": [1, 2.5],
    "dates": [date(2024, 1, 1), date(2025, 1, 1)],
    "zones": [datetime(2024, 1, 1, tzinfo=ZoneInfo("Asia/Tokyo"))],
    "map": {"b": 1, "c": {"d": [1, 2]}, "when": date(2024, 1, 1), "none": None},
    "mixed": [1, "a", None, [2.0]],
    "a b": 1,
    "имя": "x",
    "a.b": 2,
    "a` = 1 OR true //": 3,
    "$k": 4,
}


@pytest.mark.parametrize("name", VALUES)
def test_a_value_reads_back_equal_on_document_and_chunk(store: Neo4jStore, name: str) -> None:
    """CASES 20, 23, 25 and 26: value and type, the zone as given."""
    value = VALUES[name]
    key = name if name in {"a b", "имя", "a.b", "a` = 1 OR true //", "$k"} else "key"
    document = make_document(EMBEDDER, metadata={key: value})
    store.write_document(document)
    found = store.find_by_id(document.document.id)
    chunk = store.list_chunks(document.document.id)[0]
    assert isinstance(found, Document)
    for metadata in (found.metadata, chunk.metadata):
        assert metadata == {key: value}
        assert type(metadata[key]) is type(value)
    if isinstance(value, datetime | time) and value.tzinfo is not None:
        stored = found.metadata[key]
        assert isinstance(stored, datetime | time)
        assert str(stored.tzinfo) == str(value.tzinfo)
        assert stored.utcoffset() == value.utcoffset()


def test_nan_reads_back_as_nan_and_does_not_disturb_the_diff(store: Neo4jStore) -> None:
    """CASES 25."""
    document = make_document(EMBEDDER, metadata={"x": math.nan})
    store.write_document(document)
    found = store.find_document(document.document.uri, collection="default")
    assert found is not None
    assert math.isnan(found.metadata["x"])  # type: ignore[arg-type]
    assert not store.write_document(document).changed


def test_none_is_absent_and_takes_an_old_value_away(store: Neo4jStore) -> None:
    """CASES 25."""
    store.write_document(make_document(EMBEDDER, metadata={"x": 1, "y": 2}))
    document = make_document(EMBEDDER, metadata={"x": None, "y": 2})
    store.write_document(document)
    assert store.list_chunks(document.document.id)[0].metadata == {"y": 2}


@pytest.mark.parametrize("value", [2**63, b"bytes", "ü" * 4_001, ["x" * 8_001], object()])
def test_a_value_that_cannot_be_stored_fails_its_document_alone(store: Neo4jStore, value: object) -> None:
    """CASES 25, THREATS 62: the key is named; the rest of the batch is written."""
    bad = make_document(EMBEDDER, "file:///bad")
    bad = type(bad)(
        bad.document.model_copy(update={"metadata": {"key": value}}),
        bad.sections,
        bad.chunks,
        bad.vectors,
        bad.embedding_model,
    )
    results = store.write_documents([make_document(EMBEDDER, "file:///1"), bad, make_document(EMBEDDER, "file:///2")])
    assert isinstance(results[1], InvalidRequestError)
    assert "`key`" in str(results[1])
    assert store.count(Document) == 2


@pytest.mark.parametrize("name", ["text", "id", "embedding", "embedding_2", "uri", "ingested_at", "labels", "score",
                                  "digest", "doc_title", "write_lock", "run_id", "metadata_json"])  # fmt: skip
def test_our_own_names_are_refused(store: Neo4jStore, name: str) -> None:
    """CASES 27: also in `set_metadata`."""
    document = make_document(EMBEDDER)
    store.write_document(document)
    before = store.graph_hash()
    with pytest.raises(InvalidRequestError, match=f"metadata name `{name}` is reserved"):
        store.set_metadata(document.document.uri, {"fine": 1, name: "EVIL"}, collection="default")
    assert store.graph_hash() == before


def test_every_property_of_a_node_of_ours_is_reserved(store: Neo4jStore, graph: Graph) -> None:
    """CASES 27: so no metadata can ever stand in its place."""
    chunk = GivenChunk("own", metadata={"mine": {"a": 1}}, page=3, section_path=("A", "B"))
    document = make_document(EMBEDDER, chunks=[chunk, "other"], metadata={"theirs": [1, "x"]}, fingerprint="f")
    root = document.document.model_copy(update={"language": "en", "document_properties": {"doc_author": "x"}})
    store.write_document(
        type(document)(root, document.sections, document.chunks, document.vectors, document.embedding_model)
    )
    names = graph.value("MATCH (n:Datum) UNWIND keys(n) AS key RETURN collect(DISTINCT key)")
    assert {"digest", "embedding", "embedding_model", "metadata_json", "doc_author", "language", "page"} <= set(names)
    assert [name for name in names if not is_reserved(name)] == []


def test_document_and_chunk_metadata_join_in_the_chunk(store: Neo4jStore) -> None:
    """Those that are JSON too: neither hides the other."""
    chunks = [GivenChunk("one", metadata={"own": {"a": 1}, "n": 2}), GivenChunk("two")]
    document = make_document(EMBEDDER, chunks=chunks, metadata={"shared": {"b": [1, None]}, "n": 1})
    store.write_document(document)
    one, two = store.list_chunks(document.document.id)
    assert one.metadata == {"shared": {"b": [1, None]}, "own": {"a": 1}, "n": 2}
    assert two.metadata == {"shared": {"b": [1, None]}, "n": 1}


def test_setting_metadata_reaches_document_and_chunks_and_equals_a_fresh_write(store: Neo4jStore) -> None:
    chunks = [*words(3), GivenChunk("own", metadata={"own": {"a": 1}, "year": 1900})]
    old = {"year": 2020, "gone": {"x": 1}, "stays": "s", "map": {"y": 2}}
    document = make_document(EMBEDDER, chunks=chunks, metadata=old)
    store.write_document(document)
    new: dict[str, object] = {"year": 2024, "gone": None, "fresh": date(2024, 1, 1), "more": {"z": 3}}
    found = store.set_metadata(document.document.uri, new, collection="default", fingerprint="f2")
    expected = {"year": 2024, "stays": "s", "map": {"y": 2}, "fresh": date(2024, 1, 1), "more": {"z": 3}}
    assert found is not None
    assert found.metadata == expected
    assert found.fingerprint == "f2"
    assert store.find_document(document.document.uri, collection="default") == found
    assert store.list_chunks(document.document.id)[0].metadata == expected
    assert store.list_chunks(document.document.id)[3].metadata == {**expected, "own": {"a": 1}, "year": 1900}
    after = store.graph_hash()
    fresh = make_document(EMBEDDER, chunks=chunks, metadata=expected, fingerprint="f2")
    fresh = replace(fresh, document=fresh.document.model_copy(update={"pinned_metadata": found.pinned_metadata}))
    assert not store.write_document(fresh).changed
    assert store.graph_hash() == after
    store.clear()
    store.write_document(fresh)
    assert store.graph_hash() == after


def test_replacing_metadata_takes_all_other_names_away(store: Neo4jStore) -> None:
    document = make_document(EMBEDDER, metadata={"a": 1, "b": {"x": 1}})
    store.write_document(document)
    found = store.set_metadata(document.document.uri, {"c": 3}, collection="default", replace=True)
    assert found is not None
    assert found.metadata == {"c": 3}
    assert all(chunk.metadata == {"c": 3} for chunk in store.list_chunks(document.document.id))
    assert store.chunks_to_embed(document) == frozenset()


def test_setting_metadata_of_an_unknown_document_is_none(store: Neo4jStore) -> None:
    assert store.set_metadata("file:///unknown", {"a": 1}, collection="default") is None
    assert store.count(Chunk) == 0


def test_nul_and_lone_surrogates_are_cleaned_in_values_and_texts(store: Neo4jStore) -> None:
    """CASES 52, THREATS 61: nothing raises, and the text without NUL is found."""
    chunks = [GivenChunk("a\0b zebra\ud800", text="a\0b zebra\ud800", section_path=("S\0\ud800",))]
    document = make_document(EMBEDDER, chunks=chunks, metadata={"k": "v\0\ud800"}, title="T\0\ud800")
    store.write_document(document)
    chunk = store.list_chunks(document.document.id)[0]
    assert chunk.urtext == "ab zebra\ufffd"
    assert chunk.section_path == ("S\ufffd",)
    assert chunk.document_title == "T\ufffd"
    assert chunk.metadata == {"k": "v\ufffd"}


# -- look-ups


@pytest.mark.parametrize("wrong", [0, -1, 10_001, 2.0, True, "1", None])
def test_limits_of_lists_are_bounded(store: Neo4jStore, wrong: object) -> None:
    """THREATS 6."""
    for call in (lambda: store.list_documents(limit=wrong), lambda: store.list_chunks("x", limit=wrong)):  # type: ignore[arg-type]
        with pytest.raises(InvalidRequestError, match="`limit` is .*; it must be a whole number from 1 to 10000"):
            call()
    if wrong not in {0, 10_001}:
        with pytest.raises(InvalidRequestError, match="`offset` is .*; it must be a whole number from 0 up"):
            store.list_documents(offset=wrong)  # type: ignore[arg-type]


def test_lists_are_in_order_and_paged(store: Neo4jStore) -> None:
    documents = [make_document(EMBEDDER, f"file:///{n}", words(n + 1), collection=c) for c in "ba" for n in range(3)]
    store.write_documents(documents)
    listed = store.list_documents()
    assert [(d.collection, d.uri) for d in listed] == [(c, f"file:///{n}") for c in "ab" for n in range(3)]
    assert store.list_documents(limit=2, offset=1) == listed[1:3]
    assert store.list_documents(collections=["b"]) == listed[3:]
    assert store.list_documents(offset=99) == []
    assert store.list_chunks(listed[2].id, limit=2, offset=1)[0].sequence_number == 1
    assert store.list_chunks("unknown") == store.list_sections("unknown") == []
    assert store.find_documents([]) == {}
    assert set(store.find_documents([listed[0].id, "unknown"])) == {listed[0].id}
    assert (store.count(Chunk), store.count(Chunk, collections=["a"]), store.count(Chunk, collections=[])) == (12, 6, 0)
    info = store.info()
    assert (info.documents, info.chunks, info.sections, info.entities) == (6, 12, 0, 0)
    assert info.collections == {"a": 3, "b": 3}
    assert (info.dimensions, info.embedding_model) == (16, EMBEDDER.model_id)


def test_only_whole_kinds_are_counted(store: Neo4jStore) -> None:
    from graphrag.model import ContentElement, LeafSection

    for kind in (ContentElement, LeafSection):
        with pytest.raises(InvalidRequestError, match=f"`{kind.__name__}` cannot be counted; Document, Section, Chunk"):
            store.count(kind)
