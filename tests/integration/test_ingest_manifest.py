"""The 32 shared files through the real pipeline: verdicts, phrases found by text search, and a second run."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from graphrag.config import Neo4jSettings, TikaSettings
from graphrag.ingestion import Ingestor
from graphrag.ingestion.readers import AutoReader, TikaPool, TikaReader
from graphrag.ingestion.verdicts import IngestionReport, Verdict
from graphrag.model import TextSimilaritySearchRequest
from graphrag.stores import Neo4jStore
from graphrag.testing.embedder import DeterministicEmbedder
from tests.conftest import ENVIRON
from tests.integration.neo4j.graph import Graph

pytest.importorskip("jpype", reason="the extra `tika` is not installed")

FOLDER = ENVIRON.get("GRAPHRAG_TEST_DATA")
ENTRIES: Sequence[Mapping[str, Any]] = (
    json.loads((Path(FOLDER) / "documents" / "manifest.json").read_text(encoding="utf-8"))["documents"]
    if FOLDER
    else ()
)
VERDICTS = {
    "ok": {Verdict.ADDED},
    "type_mismatch": {Verdict.ADDED},
    "needs_password": {Verdict.NEEDS_PASSWORD},
    "no_text_layer": {Verdict.NO_TEXT_LAYER},
    "error": {Verdict.FAILED},
    "error_or_partial": {Verdict.FAILED, Verdict.PARTIAL},
}
PHRASES = [(entry["file"], phrase) for entry in ENTRIES for phrase in entry["expect"].get("phrases", ())]
pytestmark = pytest.mark.skipif(FOLDER is None, reason="GRAPHRAG_TEST_DATA is not set: no shared data to read")


class Ingested:
    """A store with the files in it, and what was said of them."""

    def __init__(self, store: Neo4jStore, embedder: DeterministicEmbedder, ingestor: Ingestor) -> None:
        self.store = store
        self.embedder = embedder
        self.ingestor = ingestor
        self.report = self.ingest()

    def ingest(self, passwords: Sequence[str] = ()) -> IngestionReport:
        """Ingest the files that the manifest names; not the manifest itself."""
        folder = Path(str(FOLDER)) / "documents"
        return self.ingestor.ingest([str(folder / entry["file"]) for entry in ENTRIES], passwords=passwords)

    def verdicts(self, report: IngestionReport) -> dict[str, Verdict]:
        """Return verdicts by file name."""
        return dict(zip((entry["file"] for entry in ENTRIES), (item.verdict for item in report.verdicts), strict=True))


@pytest.fixture(scope="module")
def ingested(neo4j_server: Neo4jSettings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ingested]:
    embedder = DeterministicEmbedder(Graph.DIMENSIONS)
    with Graph(neo4j_server) as graph:
        graph.reset()
        with (
            mock.patch.dict(os.environ, {"GRAPHRAG_HOME": str(tmp_path_factory.mktemp("home"))}),
            TikaPool(TikaSettings()) as pool,
            Neo4jStore(neo4j_server, embedder) as store,
        ):
            yield Ingested(store, embedder, Ingestor(store, embedder, reader=AutoReader(TikaReader(pool))))
        graph.check_whole()
        graph.reset()


def test_the_verdict_of_each_file_follows_from_the_manifest(ingested: Ingested) -> None:
    found = ingested.verdicts(ingested.report)
    assert len(found) == 32
    wrong = {}
    for entry in ENTRIES:
        name = entry["file"]
        empty = not (Path(str(FOLDER)) / "documents" / name).read_bytes()
        expected = {Verdict.EMPTY} if empty else VERDICTS[entry["expect"]["status"]]
        if found[name] not in expected:
            wrong[name] = (found[name], expected)
    assert wrong == {}
    assert ingested.report.exit_code == 3


@pytest.mark.parametrize("file, phrase", PHRASES)
def test_a_phrase_brings_its_document_among_the_first(ingested: Ingested, file: str, phrase: str) -> None:
    """Among the first 3 documents; among the first 10 for a phrase of one word."""
    wanted = 10 if len(phrase.split()) == 1 else 3
    found = ingested.store.text_search(TextSimilaritySearchRequest(phrase, top_k=1_000))
    documents = list(dict.fromkeys(str(result.match.uri).rsplit("/", 1)[1] for result in found))
    assert file in documents[:wanted], documents[:10]


def test_a_second_run_embeds_nothing_and_changes_nothing(ingested: Ingested) -> None:
    before = ingested.store.graph_hash()
    ingested.embedder.calls.clear()
    report = ingested.ingest()
    assert ingested.embedder.calls == []
    assert report.embedded == 0
    assert ingested.store.graph_hash() == before
    stored = {Verdict.ADDED: Verdict.UNCHANGED}
    first = ingested.verdicts(ingested.report)
    assert ingested.verdicts(report) == {name: stored.get(verdict, verdict) for name, verdict in first.items()}


def test_an_encrypted_file_is_added_with_its_password(ingested: Ingested) -> None:
    locked = [entry for entry in ENTRIES if entry["expect"]["status"] == "needs_password"]
    report = ingested.ingest([entry["expect"]["password"] for entry in locked])
    found = ingested.verdicts(report)
    assert {found[entry["file"]] for entry in locked} == {Verdict.ADDED}
    for entry in locked:
        for phrase in entry["expect"]["phrases_with_password"]:
            results = ingested.store.text_search(TextSimilaritySearchRequest(phrase, top_k=50))
            assert any(str(result.match.uri).endswith(entry["file"]) for result in results), phrase
    # The order of the tests is random: the others expect these files to be unknown.
    for item in report.verdicts:
        if item.uri.rpartition("/")[2] in {entry["file"] for entry in locked}:
            assert ingested.store.delete_document(item.uri, collection="default").documents == 1
