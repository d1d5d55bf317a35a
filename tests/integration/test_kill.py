"""Fault 1: the server process is killed in the middle of an ingestion, started again, and the ingestion re-run."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphrag.config import IngestionSettings, LocalServerSettings, Neo4jSettings, TikaSettings
from graphrag.errors import LocalServerError
from graphrag.ingestion import Ingestor
from graphrag.ingestion.readers import AutoReader, TikaPool, TikaReader
from graphrag.ingestion.verdicts import DocumentVerdict, IngestionReport, Verdict
from graphrag.model import Document
from graphrag.stores import Neo4jStore
from graphrag.stores.neo4j._sync import write as writing
from graphrag.testing.embedder import DeterministicEmbedder
from tests.conftest import ENVIRON
from tests.integration.neo4j.graph import Graph

psutil = pytest.importorskip("psutil", reason="the extra `local` is not installed")
local_neo4j = pytest.importorskip("graphrag.local_neo4j", reason="the extra `local` is not installed")

DOCUMENTS = 48
KILL_AFTER = 12
STAGE_ABOVE = 3
"""Every second document has more chunks, so both ways of writing are cut off."""


class KillingProgress:
    """Keeps what was acknowledged, and kills the server after so many documents."""

    def __init__(self, pid: int) -> None:
        self.acknowledged: list[str] = []
        self._pid = pid

    def found(self, documents: int) -> None:
        """Start a thread that waits for nothing but the documents."""

    def embedded(self, chunks: int) -> None:
        """Kill while the next group is already on its way into the store."""
        if len(self.acknowledged) >= KILL_AFTER and self._pid:
            pid, self._pid = self._pid, 0
            threading.Timer(0.02, psutil.Process(pid).kill).start()

    def finished(self, verdict: DocumentVerdict) -> None:
        """Keep what the store has acknowledged."""
        if verdict.verdict in {Verdict.ADDED, Verdict.UNCHANGED}:
            self.acknowledged.append(verdict.uri)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for number in range(DOCUMENTS):
        parts = 2 if number % 2 else STAGE_ABOVE + 1
        sections = [f"# Part {part}\n\nSentence {number} of part {part}." for part in range(parts)]
        (folder / f"{number:03d}.md").write_text("\n\n".join(sections), encoding="utf-8")
    return folder


@pytest.fixture
def server(tmp_path: Path) -> Iterator[object]:
    server = local_neo4j.LocalServer(LocalServerSettings(home=tmp_path / "neo4j"))
    try:
        server.start()
    except LocalServerError as error:
        if ENVIRON.get("GRAPHRAG_REQUIRE_SERVERS") == "1":
            pytest.fail(str(error))
        pytest.skip(f"no local server: {error}")
    try:
        yield server
    finally:
        server.stop()


def settings_of(info: object) -> Neo4jSettings:
    return Neo4jSettings(
        uri=info.bolt_uri,  # type: ignore[attr-defined]
        username=info.username,  # type: ignore[attr-defined]
        password=info.password,  # type: ignore[attr-defined]
        call_timeout_s=4.0,
        connect_timeout_s=2.0,
    )


def ingest(neo4j: Neo4jSettings, folder: Path, progress: KillingProgress | None = None) -> IngestionReport:
    embedder = DeterministicEmbedder(Graph.DIMENSIONS)
    with Neo4jStore(neo4j, embedder) as store:
        ingestor = Ingestor(
            store,
            embedder,
            reader=AutoReader(TikaReader(TikaPool(TikaSettings()))),
            settings=IngestionSettings(embed_group_chunks=6),
        )
        return ingestor.ingest([str(folder)], progress=progress)


@pytest.mark.slow
@pytest.mark.server
@pytest.mark.timeout(240)
def test_a_killed_server_leaves_whole_documents_and_a_rerun_completes_them(
    server: object, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I1, I2, I3 and I6: no torn document, nothing doubled, all acknowledged ones there, the same graph as without."""
    monkeypatch.setattr(writing, "STAGE_ABOVE", STAGE_ABOVE)
    info = server.info()  # type: ignore[attr-defined]
    progress = KillingProgress(info.pid)
    report = ingest(settings_of(info), folder, progress)
    assert len(report.verdicts) == DOCUMENTS
    failed = [item for item in report.verdicts if item.verdict is Verdict.FAILED]
    assert failed, "the server was killed too late"
    assert "no Neo4j server" in failed[-1].reason or "broke during a commit" in failed[-1].reason
    assert not psutil.pid_exists(info.pid) or psutil.Process(info.pid).status() == psutil.STATUS_ZOMBIE

    again = server.start()  # type: ignore[attr-defined]
    with Graph(settings_of(again)) as graph:
        graph.check_whole()
        uris = [row["uri"] for row in graph.run("MATCH (d:Document) RETURN d.uri AS uri")]
        assert len(uris) == len(set(uris))
        assert set(progress.acknowledged) <= set(uris)
        second = ingest(settings_of(again), folder)
        assert {item.verdict for item in second.verdicts} <= {Verdict.ADDED, Verdict.UNCHANGED}
        assert sum(item.verdict is Verdict.UNCHANGED for item in second.verdicts) == len(uris)
        graph.check_whole()
        assert graph.value("MATCH (s:Staged) RETURN count(s)") == 0
        with Neo4jStore(settings_of(again), DeterministicEmbedder(Graph.DIMENSIONS)) as store:
            assert store.count(Document) == DOCUMENTS
            after = store.graph_hash()
            store.clear()
            ingest(settings_of(again), folder)
            assert store.graph_hash() == after
