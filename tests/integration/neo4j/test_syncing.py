"""Folders that are synchronised, and plans that are only told."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphrag.errors import InvalidRequestError, StoreUnavailableError
from graphrag.ingestion import Ingestor
from graphrag.ingestion.readers import MarkdownReader
from graphrag.ingestion.refresh import AlwaysRefresh, NeverRefreshExisting
from graphrag.ingestion.sources import file_uri
from graphrag.ingestion.verdicts import DocumentVerdict, IngestionReport, SilentProgress, Verdict
from graphrag.model import Document
from graphrag.stores import Neo4jStore
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.graph import Graph

TEXTS = {"a.md": "# A\n\nabout otters", "b.md": "# B\n\nabout badgers", "below/c.md": "# C\n\nabout herons"}


@pytest.fixture
def embedder() -> DeterministicEmbedder:
    return DeterministicEmbedder(Graph.DIMENSIONS)


@pytest.fixture
def store(graph: Graph, embedder: DeterministicEmbedder) -> Iterator[Neo4jStore]:
    with Neo4jStore(graph.settings, embedder) as store:
        yield store


@pytest.fixture
def ingestor(store: Neo4jStore, embedder: DeterministicEmbedder) -> Iterator[Ingestor]:
    with Ingestor(store, embedder, reader=MarkdownReader()) as ingestor:
        yield ingestor


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "Notes #1 %41"
    for name, text in TEXTS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def told(report: IngestionReport) -> dict[str, str]:
    """Return the verdict of each file by its name; each has one."""
    names = [verdict.uri.rpartition("/")[2] for verdict in report.verdicts]
    assert len(names) == len(set(names))
    return {name: verdict.verdict.value for name, verdict in zip(names, report.verdicts, strict=True)}


def stored(store: Neo4jStore, collection: str = "default") -> list[str]:
    return [document.uri.rpartition("/")[2] for document in store.list_documents(collections=[collection])]


def test_what_is_gone_from_a_folder_is_deleted_and_nothing_else(
    ingestor: Ingestor, store: Neo4jStore, folder: Path, tmp_path: Path
) -> None:
    """Not in another collection, not beside the folder, not what came from elsewhere."""
    beside = tmp_path / f"{folder.name}2"
    beside.mkdir()
    (beside / "d.md").write_text("about mills", encoding="utf-8")
    ingestor.ingest([str(folder), str(beside)])
    ingestor.ingest([str(folder)], collection="other")
    ingestor.ingest_text("about tides", f"https://example.com{folder}/a.md")
    (folder / "a.md").rename(folder / "z.md")
    (folder / "below" / "c.md").unlink()
    (folder / "below").rmdir()
    (beside / "d.md").unlink()
    assert told(ingestor.ingest([str(folder)])) == {"b.md": "unchanged", "z.md": "added"}
    assert len(stored(store)) == 6
    report = ingestor.ingest([str(folder)], sync=True)
    assert told(report) == {"b.md": "unchanged", "z.md": "unchanged", "a.md": "removed", "c.md": "removed"}
    assert {each.reason for each in report.verdicts if each.verdict is Verdict.REMOVED} == {"its file is gone"}
    assert report.exit_code == 0
    assert sorted(stored(store)) == ["a.md", "b.md", "d.md", "z.md"]
    assert store.list_documents(collections=["default"])[-1].uri.startswith("https://example.com/")
    assert sorted(stored(store, "other")) == ["a.md", "b.md", "c.md"]
    assert told(ingestor.ingest([str(folder)], sync=True)) == {"b.md": "unchanged", "z.md": "unchanged"}


def test_files_that_are_there_and_not_read_keep_their_documents(
    ingestor: Ingestor, store: Neo4jStore, folder: Path
) -> None:
    ingestor.ingest([str(folder), str(folder / "a.md")])
    (folder / ".hidden.md").write_text("about nothing", encoding="utf-8")
    ingestor.ingest([str(folder / ".hidden.md")])
    (folder / "b.md").write_text("", encoding="utf-8")
    report = ingestor.ingest([str(folder)], sync=True, recursive=False)
    assert told(report) == {"a.md": "unchanged", "b.md": "empty"}
    assert sorted(stored(store)) == [".hidden.md", "a.md", "c.md"]
    (folder / "below" / "c.md").unlink()
    ingestor.ingest([str(folder)], sync=True, recursive=False)
    assert "c.md" in stored(store), "below the folder, where nothing was looked at"
    ingestor.ingest([str(folder)], sync=True)
    assert sorted(stored(store)) == [".hidden.md", "a.md"]


def test_a_folder_without_any_file_keeps_its_documents(ingestor: Ingestor, store: Neo4jStore, folder: Path) -> None:
    """One that is not mounted looks so. The others that are named are synchronised all the same."""
    ingestor.ingest([str(folder)])
    below = folder / "below"
    (below / "c.md").unlink()
    (folder / "a.md").unlink()
    report = ingestor.ingest([str(below)], sync=True)
    assert (report.verdicts, report.nothing_found) == ((), (str(below),))
    (note,) = report.notes
    assert note.startswith(f"`{below}` holds no file to read, so no document of it was taken for gone")
    assert len(stored(store)) == 3
    assert told(ingestor.ingest([str(below), str(folder)], sync=True)) == {
        "b.md": "unchanged",
        "a.md": "removed",
        "c.md": "removed",
    }


def test_a_folder_that_became_a_file_and_a_file_that_became_a_folder(
    ingestor: Ingestor, store: Neo4jStore, folder: Path
) -> None:
    ingestor.ingest([str(folder)])
    (folder / "a.md").unlink()
    (folder / "a.md").mkdir()
    (folder / "below" / "c.md").unlink()
    (folder / "below").rmdir()
    (folder / "below").write_text("# below\n\nnow a file", encoding="utf-8")
    report = ingestor.ingest([str(folder)], sync=True)
    assert told(report) == {"b.md": "unchanged", "below": "added", "a.md": "removed", "c.md": "removed"}
    assert sorted(stored(store)) == ["b.md", "below"]


@pytest.mark.parametrize("paths", [["*.md"], ["nowhere"], ["a.md"], []])
def test_a_synchronisation_needs_a_folder(
    ingestor: Ingestor, folder: Path, monkeypatch: pytest.MonkeyPatch, paths: list[str]
) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(InvalidRequestError, match="no folder that is there is among the paths; name one"):
        ingestor.ingest(paths, sync=True)


def test_a_file_that_is_back_when_its_turn_comes_keeps_its_document(
    ingestor: Ingestor, store: Neo4jStore, folder: Path
) -> None:
    ingestor.ingest([str(folder)])
    (folder / "a.md").unlink()
    (folder / "b.md").unlink()

    class PuttingBack(SilentProgress):
        def finished(self, verdict: DocumentVerdict) -> None:
            if verdict.uri == file_uri(folder / "a.md"):
                (folder / "b.md").write_text("here again", encoding="utf-8")

    report = ingestor.ingest([str(folder)], sync=True, progress=PuttingBack())
    assert told(report) == {"c.md": "unchanged", "a.md": "removed"}
    assert sorted(stored(store)) == ["b.md", "c.md"]


def test_a_store_that_fails_while_it_deletes_gives_each_document_its_verdict(
    ingestor: Ingestor, store: Neo4jStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingestor.ingest([str(folder)])
    for name in TEXTS:
        if name != "b.md":
            (folder / name).unlink()

    def fail(*_: object, **__: object) -> None:
        msg = "the server is gone"
        raise StoreUnavailableError(msg, retryable=True)

    with monkeypatch.context() as patched:
        patched.setattr(store, "delete_document", fail)
        report = ingestor.ingest([str(folder)], sync=True)
        assert told(report) == {"b.md": "unchanged", "a.md": "failed", "c.md": "failed"}
        assert report.exit_code == 3
        patched.setattr(store, "list_documents", fail)
        report = ingestor.ingest([str(folder)], sync=True)
        assert told(report) == {"b.md": "unchanged", "Notes%20%231%20%2541": "failed"}
    assert len(stored(store)) == 3
    assert told(ingestor.ingest([str(folder)], sync=True))["a.md"] == "removed"


def test_a_plan_tells_what_would_be_done_and_does_nothing(
    ingestor: Ingestor, store: Neo4jStore, graph: Graph, embedder: DeterministicEmbedder, folder: Path
) -> None:
    ingestor.ingest([str(folder)])
    (folder / "a.md").write_text("# A\n\nchanged", encoding="utf-8")
    (folder / "below" / "c.md").unlink()
    (folder / "new.md").write_text("new", encoding="utf-8")
    before, embedded = store.graph_hash(), embedder.embedded_count
    report = ingestor.ingest([str(folder)], sync=True, dry_run=True)
    assert {each.uri.rpartition("/")[2]: (each.verdict.value, each.reason) for each in report.verdicts} == {
        "a.md": ("updated", "changed: content"),
        "b.md": ("unchanged", "nothing changed"),
        "new.md": ("added", "new document"),
        "c.md": ("removed", "its file is gone"),
    }
    assert told(ingestor.ingest([str(folder)], dry_run=True, policy=AlwaysRefresh()))["b.md"] == "updated"
    assert told(ingestor.ingest([str(folder)], dry_run=True, policy=NeverRefreshExisting()))["a.md"] == "unchanged"
    assert told(ingestor.ingest([str(folder)], dry_run=True, metadata={"k": 1}))["b.md"] == "updated"
    assert (store.graph_hash(), embedder.embedded_count) == (before, embedded)
    done = ingestor.ingest([str(folder)], sync=True)
    assert told(done) == told(report)


def test_a_plan_for_an_empty_database_makes_no_schema(
    ingestor: Ingestor, store: Neo4jStore, graph: Graph, folder: Path
) -> None:
    store.drop_schema()
    indexes = graph.run("SHOW INDEXES YIELD name RETURN collect(name) AS names")
    report = ingestor.ingest([str(folder), str(folder / "nowhere.md")], dry_run=True)
    assert told(report) == {"a.md": "added", "b.md": "added", "c.md": "added", "nowhere.md": "failed"}
    assert report.exit_code == 3
    assert graph.run("SHOW INDEXES YIELD name RETURN collect(name) AS names") == indexes
    assert store.count(Document) == 0
