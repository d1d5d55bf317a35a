"""The pipeline on a real store, with readers and embedders that do what a test asks of them."""

import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from graphrag.config import IngestionSettings, TikaSettings
from graphrag.errors import (
    InvalidRequestError,
    PasswordRequiredError,
    StoreUnavailableError,
    UnreadableDocumentError,
    UnsupportedDocumentError,
)
from graphrag.ingestion import Ingestor
from graphrag.ingestion.given import GivenChunk
from graphrag.ingestion.readers import AutoReader, SourceBytes, TikaPool, TikaReader
from graphrag.ingestion.refresh import AlwaysRefresh, NeverRefreshExisting
from graphrag.ingestion.verdicts import DocumentVerdict, IngestionReport, Verdict
from graphrag.model import (
    Block,
    Chunk,
    Document,
    MaterializedDocument,
    ParsedDocument,
    ParsedSection,
    TextSimilaritySearchRequest,
)
from graphrag.stores import Neo4jStore
from graphrag.stores.reports import WriteOutcome
from graphrag.testing.embedder import DeterministicEmbedder, FailingEmbedder, Fault
from tests.integration.neo4j.graph import Graph

Read = Callable[[SourceBytes, str | None], ParsedDocument]


def parsed(*texts: str, **more: object) -> ParsedDocument:
    blocks = tuple(Block(f"{text}\n\n") for text in texts)
    return ParsedDocument("A title", "text/plain", blocks, **more)  # type: ignore[arg-type]


class ScriptedReader:
    """Reads a file as the function of its name says; any other file as its own text."""

    version = "scripted-1"

    def __init__(self, by_name: Mapping[str, Read] | None = None) -> None:
        self.by_name = dict(by_name or {})
        self.reading = 0
        self.most = 0
        self.names: list[str] = []
        self._lock = threading.Lock()

    def read(self, source: SourceBytes, *, password: str | None = None) -> ParsedDocument:
        with self._lock:
            self.names.append(source.name)
        if source.name in self.by_name:
            return self.by_name[source.name](source, password)
        return parsed(source.data.decode())


def raising(error: Exception) -> Read:
    def read(source: SourceBytes, password: str | None) -> ParsedDocument:
        raise error

    return read


def ingestor(
    store: Neo4jStore, embedder: DeterministicEmbedder, reader: ScriptedReader | None = None, **settings: int
) -> Ingestor:
    return Ingestor(
        store,
        embedder,
        reader=reader or ScriptedReader(),
        settings=IngestionSettings(**settings),  # type: ignore[arg-type]
    )


def files(folder: Path, contents: Mapping[str, str]) -> list[str]:
    for name, text in contents.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [str(folder / name) for name in contents]


def by_name(report: IngestionReport) -> dict[str, DocumentVerdict]:
    return {item.uri.rsplit("/", 1)[1]: item for item in report.verdicts}


def verdicts(report: IngestionReport) -> dict[str, str]:
    return {name: str(item.verdict) for name, item in by_name(report).items()}


TEXTS = {f"{n}.txt": f"text number {n} of the batch" for n in range(6)}


def test_each_kind_of_end_has_its_verdict(store: Neo4jStore, embedder: DeterministicEmbedder, tmp_path: Path) -> None:
    """CASES 47 and 48: the rest of the batch goes on, in the order of the files."""
    reader = ScriptedReader(
        {
            "bad.txt": raising(UnreadableDocumentError("it is damaged", uri="x")),
            "blank.txt": lambda *_: parsed("  \n"),
            "empty.txt": lambda *_: ParsedDocument("t", "text/plain"),
            "headings.txt": lambda *_: ParsedDocument("t", "text/plain", sections=(ParsedSection("Alone", 1),)),
            "locked.txt": raising(PasswordRequiredError("it is encrypted", uri="x")),
            "odd.txt": raising(UnsupportedDocumentError("no reader knows it", uri="x")),
            "part.txt": lambda *_: parsed("the first half", partial=True, notes=("the rest is damaged",)),
            "picture.txt": lambda *_: ParsedDocument("t", "application/pdf", no_text_layer=True),
            "crash.txt": raising(RecursionError("deep inside")),
        }
    )
    names = ["a.txt", *reader.by_name, "z.txt"]
    report = ingestor(store, embedder, reader).ingest(files(tmp_path, dict.fromkeys(names, "good text")))
    assert verdicts(report) == {
        "a.txt": "added",
        "bad.txt": "failed",
        "blank.txt": "empty",
        "empty.txt": "empty",
        "headings.txt": "added",
        "locked.txt": "needs_password",
        "odd.txt": "unsupported",
        "part.txt": "partial",
        "picture.txt": "no_text_layer",
        "crash.txt": "failed",
        "z.txt": "added",
    }
    assert [item.uri.rsplit("/", 1)[1] for item in report.verdicts] == names
    assert report.exit_code == 3
    assert by_name(report)["part.txt"].notes == ("the rest is damaged",)
    assert "the reader failed: RecursionError" in by_name(report)["crash.txt"].reason
    assert store.count(Document) == 4
    assert [chunk.urtext for chunk in store.list_chunks(str(by_name(report)["headings.txt"].document_id))] == ["Alone"]


def test_what_becomes_of_an_old_version(
    store: Neo4jStore, embedder: DeterministicEmbedder, tmp_path: Path, graph: Graph
) -> None:
    """Empty and without text layer: removed, and said so. Failed, locked, unsupported, partial: kept."""
    ends: dict[str, Read] = {
        "failed": raising(UnreadableDocumentError("it is damaged", uri="x")),
        "needs_password": raising(PasswordRequiredError("it is encrypted", uri="x")),
        "unsupported": raising(UnsupportedDocumentError("no reader knows it", uri="x")),
        "partial": lambda *_: parsed("the first half", partial=True),
        "empty": lambda *_: parsed("  "),
        "no_text_layer": lambda *_: ParsedDocument("t", "application/pdf", no_text_layer=True),
    }
    paths = files(tmp_path, {f"{name}.txt": f"old text of {name}" for name in ends})
    ingestor(store, embedder).ingest(paths)
    before = {d.uri: d for d in store.list_documents()}
    files(tmp_path, {f"{name}.txt": "new bytes" for name in ends})
    embedder.calls.clear()
    reader = ScriptedReader({f"{name}.txt": read for name, read in ends.items()})
    report = ingestor(store, embedder, reader).ingest(paths)
    assert verdicts(report) == {f"{name}.txt": name for name in ends}
    kept = {"failed", "needs_password", "unsupported", "partial"}
    left = {d.uri: d for d in store.list_documents()}
    assert {uri.rsplit("/", 1)[1].removesuffix(".txt") for uri in left} == kept
    assert all(left[uri] == before[uri] for uri in left)
    for name in ("empty", "no_text_layer"):
        assert "the version in the store was removed" in by_name(report)[f"{name}.txt"].reason
    assert "the version in the store was kept" in by_name(report)["partial.txt"].reason
    assert embedder.embedded_count == 0
    graph.check_whole()


def test_a_second_run_reads_embeds_and_changes_nothing(
    store: Neo4jStore, embedder: DeterministicEmbedder, tmp_path: Path
) -> None:
    """CASES 33."""
    paths = files(tmp_path, TEXTS)
    reader = ScriptedReader()
    first = ingestor(store, embedder, reader).ingest(paths)
    assert (first.embedded, first.exit_code) == (6, 0)
    before, listed = store.graph_hash(), store.list_documents()
    embedder.calls.clear()
    reader.names.clear()
    second = ingestor(store, embedder, reader).ingest(paths)
    assert set(verdicts(second).values()) == {"unchanged"}
    assert (second.embedded, embedder.calls, reader.names) == (0, [], [])
    assert (store.graph_hash(), store.list_documents()) == (before, listed)
    for path in map(Path, paths):  # another modification time alone
        path.touch()
    assert set(verdicts(ingestor(store, embedder).ingest(paths)).values()) == {"unchanged"}


def test_an_edit_embeds_only_what_is_new(store: Neo4jStore, embedder: DeterministicEmbedder) -> None:
    """CASES 35."""
    brought = ingestor(store, embedder)
    long = "\n\n".join(f"Paragraph {n}. " + f"word{n} " * 150 for n in range(6))
    assert brought.ingest_bytes(long.encode(), "file:///doc.txt").verdict is Verdict.ADDED
    chunks = store.list_chunks(store.list_documents()[0].id)
    assert len(chunks) > 3
    embedder.calls.clear()
    verdict = brought.ingest_bytes((long + "\n\nOne more.").encode(), "file:///doc.txt")
    assert verdict.verdict is Verdict.UPDATED
    assert 1 <= embedder.embedded_count < len(chunks)
    assert "content" in verdict.reason


def test_a_change_of_metadata_alone_embeds_nothing(
    store: Neo4jStore, embedder: DeterministicEmbedder, tmp_path: Path, graph: Graph
) -> None:
    paths = files(tmp_path, TEXTS)
    brought = ingestor(store, embedder)
    brought.ingest(paths, metadata={"year": 2020, "old": True})
    embedder.calls.clear()
    report = brought.ingest(paths, metadata={"year": 2024, "tags": ["a"]})
    assert set(verdicts(report).values()) == {"updated"}
    assert all("metadata" in item.reason for item in report.verdicts)
    assert embedder.calls == []
    document = store.list_documents()[0]
    assert document.metadata == {"year": 2024, "tags": ["a"]}
    assert store.list_chunks(document.id)[0].metadata == document.metadata
    assert set(verdicts(brought.ingest(paths, metadata={"year": 2024, "tags": ["a"]})).values()) == {"unchanged"}
    after = store.graph_hash()
    store.clear()
    brought.ingest(paths, metadata={"year": 2024, "tags": ["a"]})
    assert store.graph_hash() == after
    graph.check_whole()


def test_policies_decide(store: Neo4jStore, embedder: DeterministicEmbedder, tmp_path: Path) -> None:
    [path] = files(tmp_path, {"a.txt": "one"})
    brought = ingestor(store, embedder)
    brought.ingest([path])
    files(tmp_path, {"a.txt": "two"})
    assert verdicts(brought.ingest([path], policy=NeverRefreshExisting())) == {"a.txt": "unchanged"}
    assert verdicts(brought.ingest([path])) == {"a.txt": "updated"}
    assert verdicts(brought.ingest([path], policy=AlwaysRefresh())) == {"a.txt": "updated"}


def test_passwords_are_tried_in_order(store: Neo4jStore, embedder: DeterministicEmbedder, tmp_path: Path) -> None:
    tried: list[str | None] = []

    def read(source: SourceBytes, password: str | None) -> ParsedDocument:
        tried.append(password)
        if password != "right":
            raise PasswordRequiredError("the password is absent or wrong", uri=source.uri)
        return parsed("secret text")

    [path] = files(tmp_path, {"locked.txt": "x"})
    brought = ingestor(store, embedder, ScriptedReader({"locked.txt": read}))
    assert verdicts(brought.ingest([path])) == {"locked.txt": "needs_password"}
    assert verdicts(brought.ingest([path], passwords=["wrong", "right", "other"])) == {"locked.txt": "added"}
    assert tried == [None, "wrong", "right"]


# -- broken embedders


@pytest.mark.parametrize("fault", ["error", "too_few", "wrong_dimensions", "nan", "infinite", "zero"])
def test_a_broken_embedding_fails_its_document_alone(
    store: Neo4jStore, graph: Graph, tmp_path: Path, fault: Fault
) -> None:
    """Fault 23 and CASES 39: no vector is shifted, no bad one stored; a re-run repairs."""
    paths = files(tmp_path, TEXTS)
    embedder = FailingEmbedder(fault, 3, dimensions=Graph.DIMENSIONS)
    report = ingestor(store, embedder, embed_group_chunks=1).ingest(paths)
    found = verdicts(report)
    assert list(found.values()).count("failed") == 1, found
    assert found["2.txt"] == "failed"
    assert store.count(Document) == 5
    graph.check_whole()
    good = DeterministicEmbedder(Graph.DIMENSIONS)
    again = ingestor(store, good).ingest(paths)
    assert list(verdicts(again).values()) == ["unchanged", "unchanged", "added", "unchanged", "unchanged", "unchanged"]
    for name, text in TEXTS.items():
        chunk = store.list_chunks(str(by_name(again)[name].document_id))[0]
        vector = good.embed_query(chunk.text)
        assert store.vector_search_by_embedding(vector, top_k=1)[0].match.urtext.strip() == text


@pytest.mark.parametrize("fault", ["error", "too_few"])
def test_a_group_that_fails_is_embedded_document_by_document(
    store: Neo4jStore, graph: Graph, tmp_path: Path, fault: Fault
) -> None:
    report = ingestor(store, FailingEmbedder(fault, 1, dimensions=Graph.DIMENSIONS)).ingest(files(tmp_path, TEXTS))
    assert set(verdicts(report).values()) == {"added"}
    graph.check_whole()


def test_an_embedder_that_raises_anything_is_a_typed_failure(store: Neo4jStore, tmp_path: Path) -> None:
    class Foreign(DeterministicEmbedder):
        def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
            raise RuntimeError("CUDA out of memory")

    report = ingestor(store, Foreign(Graph.DIMENSIONS)).ingest(files(tmp_path, TEXTS))
    assert set(verdicts(report).values()) == {"failed"}
    assert report.exit_code == 1
    assert "embedding model `deterministic` failed: RuntimeError" in report.verdicts[0].reason
    assert store.count(Chunk) == 0


def test_a_failed_refresh_keeps_the_old_version_searchable(store: Neo4jStore, graph: Graph, tmp_path: Path) -> None:
    """CASES 35: the embedder raises in the middle of the refresh."""
    paths = files(tmp_path, TEXTS)
    ingestor(store, DeterministicEmbedder(Graph.DIMENSIONS)).ingest(paths)
    before = store.graph_hash()
    files(tmp_path, {name: f"{text}, edited" for name, text in TEXTS.items()})
    broken = FailingEmbedder("error", 1, dimensions=Graph.DIMENSIONS, lasting=True)
    assert set(verdicts(ingestor(store, broken).ingest(paths)).values()) == {"failed"}
    assert store.graph_hash() == before
    assert store.text_search(TextSimilaritySearchRequest("number 3"))


# -- bounds, and a store that goes away


def test_memory_is_bounded_by_reading_only_a_few_ahead(
    graph: Graph, embedder: DeterministicEmbedder, tmp_path: Path
) -> None:
    """No more documents are read than the stages may hold, however slow the store is."""
    reader = ScriptedReader()
    ahead: list[int] = []
    written = 0

    class Slow(Neo4jStore):
        def write_documents(self, documents: Sequence[MaterializedDocument]) -> list[WriteOutcome | Exception]:
            nonlocal written
            time.sleep(0.02)
            ahead.append(len(reader.names) - written)
            outcomes = super().write_documents(documents)
            written += len(documents)
            return outcomes

    with Slow(graph.settings, embedder) as slow:
        brought = ingestor(slow, embedder, reader, read_ahead=2, embed_group_chunks=1)
        texts = {f"{n}.txt": f"text {n}" for n in range(40)}
        report = brought.ingest(files(tmp_path, texts))
    assert set(verdicts(report).values()) == {"added"}
    assert max(ahead) <= 2 * 2 + 2 + 3


def test_a_store_that_goes_away_fails_the_rest_at_once(
    store: Neo4jStore, embedder: DeterministicEmbedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I7: the first document waits for its deadline; the others are not tried one after the other."""
    calls = 0

    def gone(documents: Sequence[object]) -> list[object]:
        nonlocal calls
        calls += 1
        return [StoreUnavailableError("no Neo4j server answers at db", retryable=True) for _ in documents]

    monkeypatch.setattr(store, "write_documents", gone)
    texts = {f"{n}.txt": f"text {n}" for n in range(60)}
    report = ingestor(store, embedder, embed_group_chunks=1).ingest(files(tmp_path, texts))
    assert len(report.verdicts) == 60
    assert {item.reason for item in report.verdicts} == {"no Neo4j server answers at db"}
    assert (calls, report.exit_code) == (1, 1)


# -- single documents


def test_text_and_bytes_and_chunks_of_ones_own(
    store: Neo4jStore, embedder: DeterministicEmbedder, graph: Graph
) -> None:
    brought = Ingestor(store, embedder, reader=AutoReader(TikaReader(TikaPool(TikaSettings()))))
    text = "# Heading\n\nfirst zebra\ud800 text\n\n## Below\n\nmore"
    assert brought.ingest_text(text, "note:one").verdict is Verdict.ADDED
    assert brought.ingest_text(text, "note:one").verdict is Verdict.UNCHANGED
    document = store.list_documents()[0]
    assert [section.title for section in store.list_sections(document.id)] == ["Heading", "Below"]
    assert store.list_chunks(document.id)[0].urtext.startswith("first zebra\ufffd")
    chunks = [GivenChunk("one", section_path=("A",)), GivenChunk("two", embedding=[1.0] * Graph.DIMENSIONS)]
    verdict = brought.ingest_chunks("own:chunks", chunks, title="Own", metadata={"k": 1})
    assert (verdict.verdict, verdict.chunks, verdict.embedded) == (Verdict.ADDED, 2, 1)
    assert store.list_chunks(str(verdict.document_id))[1].metadata == {"k": 1}
    again = brought.ingest_chunks("own:chunks", chunks, title="Own", metadata={"k": 1})
    assert again.embedded == 0
    graph.check_whole()
    with pytest.raises(InvalidRequestError, match="has no chunks; give at least one"):
        brought.ingest_chunks("own:none", [], title="None")
    with pytest.raises(
        InvalidRequestError, match="`content_type` is 'application/pdf'; it must be one of text/markdown"
    ):
        brought.ingest_text("x", "note:two", content_type="application/pdf")


def test_bad_chunks_of_ones_own_are_named(store: Neo4jStore, embedder: DeterministicEmbedder) -> None:
    """CASES 39, DESIGN: at most 8,000 characters."""
    brought = ingestor(store, embedder)
    for bad, message in (
        (GivenChunk("x", embedding=[1.0] * 3), "chunk 1 .*shape"),
        (GivenChunk("x", embedding=[0.0] * Graph.DIMENSIONS), "chunk 1 .*all zeros"),
        (GivenChunk("x" * 8_001), "chunk 1 .*at most 8000"),
        (GivenChunk(""), "chunk 1 .*no text"),
        (GivenChunk("x", metadata={"text": "EVIL"}), "`text` is reserved"),
    ):
        try:
            verdict = brought.ingest_chunks("own:bad", [GivenChunk("fine"), bad], title="Bad")
        except InvalidRequestError as error:
            reason = str(error)
        else:
            assert verdict.verdict is Verdict.FAILED
            reason = verdict.reason
        assert re.search(message, reason), reason
    assert store.count(Document) == 0


def test_bad_arguments_are_refused_before_anything_is_read(
    store: Neo4jStore, embedder: DeterministicEmbedder, tmp_path: Path
) -> None:
    paths = files(tmp_path, TEXTS)
    reader = ScriptedReader()
    brought = ingestor(store, embedder, reader)
    for call in (
        lambda: brought.ingest(paths, collection=" x"),
        lambda: brought.ingest(paths, metadata={"embedding": 1}),
        lambda: brought.ingest_bytes(b"x", "file:///a.txt", metadata={"k": 2**64}),
    ):
        with pytest.raises(InvalidRequestError):
            call()
    assert reader.names == []


def test_an_empty_folder_is_no_error(store: Neo4jStore, embedder: DeterministicEmbedder, tmp_path: Path) -> None:
    """CASES 49."""
    report = ingestor(store, embedder).ingest([str(tmp_path)])
    assert (report.verdicts, report.exit_code, len(report.nothing_found)) == ((), 0, 1)
