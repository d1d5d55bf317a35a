"""The contract of both ways to Tika: what a server reads is what our workers read, errors and all."""

import json
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import psutil
import pytest

from graphrag.config import TikaSettings
from graphrag.errors import GraphRagError
from graphrag.ingestion.readers import AutoReader, SourceBytes, TikaPool, TikaReader, TikaServer, TikaServerReader
from graphrag.ingestion.readers.detect import detect
from graphrag.model.parsed import ParsedDocument
from tests.conftest import ENVIRON
from tests.integration.test_tika import FORMATS, archive, docx
from tests.integration.tika_stand_in import serving

pytest.importorskip("jpype", reason="the extra `tika` is not installed")

FOLDER = ENVIRON.get("GRAPHRAG_TEST_DATA")
ENTRIES: Sequence[Mapping[str, Any]] = (
    json.loads((Path(FOLDER) / "documents" / "manifest.json").read_text(encoding="utf-8"))["documents"]
    if FOLDER
    else ()
)
LOCKED = [entry for entry in ENTRIES if entry["expect"]["status"] == "needs_password"]
EXAMPLES = sorted(
    path
    for path in (Path(__file__).parents[2] / "examples" / "documents").iterdir()
    if path.suffix in {".pdf", ".pptx", ".docx"}
)


class Readers:
    """One reader by our workers, and one by a server in which the same workers parse."""

    def __init__(self, pool: TikaPool, server: TikaServer) -> None:
        self.by_workers = AutoReader(TikaReader(pool))
        self.by_server = AutoReader(TikaServerReader(server))

    def both(
        self, data: bytes, name: str, *, password: str | None = None
    ) -> tuple[ParsedDocument | tuple[type, str], ParsedDocument | tuple[type, str]]:
        source = SourceBytes(uri=f"file:///{name}", data=data, name=name)
        return outcome(self.by_workers, source, password), outcome(self.by_server, source, password)


def outcome(reader: AutoReader, source: SourceBytes, password: str | None) -> ParsedDocument | tuple[type, str]:
    try:
        return reader.read(source, password=password)
    except GraphRagError as error:
        return type(error), str(error)


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Readers]:
    with (
        mock.patch.dict(os.environ, {"GRAPHRAG_HOME": str(tmp_path_factory.mktemp("home"))}),
        TikaPool(TikaSettings(timeout_s=60)) as pool,
        serving(pool) as address,
        TikaServer(TikaSettings(server_endpoint=address, timeout_s=60)) as server,
    ):
        server.prepare()
        pool.prepare()
        before = {child.pid for child in psutil.Process().children(recursive=True)}
        yield Readers(pool, server)
        # No process beside the worker, and none in its place.
        assert {child.pid for child in psutil.Process().children(recursive=True)} == before


def by_name(entry: Mapping[str, Any]) -> str:
    return str(entry["file"])


def of_test_data(name: str) -> bytes:
    assert FOLDER is not None
    return (Path(FOLDER) / "documents" / name).read_bytes()


@pytest.mark.parametrize("entry", ENTRIES, ids=by_name)
def test_every_file_of_the_test_data_is_read_alike(readers: Readers, entry: Mapping[str, Any]) -> None:
    name, data = entry["file"], of_test_data(entry["file"])
    by_workers, by_server = readers.both(data, name)
    assert by_server == by_workers


@pytest.mark.skipif(FOLDER is None, reason="GRAPHRAG_TEST_DATA is not set: no shared data to read")
def test_test_data_has_files_for_tika() -> None:
    """Without this the comparison above might compare nothing."""
    kinds = [
        detect(SourceBytes(uri="u", data=of_test_data(entry["file"]), name=entry["file"])).format for entry in ENTRIES
    ]
    assert kinds.count("tika") >= 15


@pytest.mark.parametrize("entry", LOCKED, ids=by_name)
@pytest.mark.parametrize("which", ["wrong", "right"])
def test_passwords_reach_the_server(readers: Readers, entry: Mapping[str, Any], which: str) -> None:
    password = entry["expect"]["password"] if which == "right" else "wrøng"
    by_workers, by_server = readers.both(of_test_data(entry["file"]), entry["file"], password=password)
    assert by_server == by_workers
    if which == "right":
        assert isinstance(by_server, ParsedDocument)
        assert by_server.canonical_text()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_are_read_alike(readers: Readers, path: Path) -> None:
    by_workers, by_server = readers.both(path.read_bytes(), path.name)
    assert by_server == by_workers
    assert isinstance(by_server, ParsedDocument)


MADE_UP: Mapping[str, bytes] = {
    **{name: make("harmless") for name, make in FORMATS.items()},
    "Über „alles“ & mehr.docx": docx("a name"),
    "cut.docx": docx("text")[:400],
    "cut.pdf": EXAMPLES[0].read_bytes()[:2_000],
    "half.pdf": EXAMPLES[0].read_bytes()[: EXAMPLES[0].stat().st_size * 3 // 4],
    "random": random.Random(1).randbytes(200_000),  # noqa: S311 - the same bytes in every run, no secret
    "random.csv": random.Random(1).randbytes(200_000),  # noqa: S311 - the same
    "bomb.docx": docx("x" * 60_000_000),
    "mixed.zip": archive(
        {
            "one.txt": "first",
            "two.zip": archive({"deep.docx": docx("in the inner one"), "../../up.txt": "a path is a name"}),
            "cut.docx": docx("text")[:300],
            'a "name" <of> & signs.txt': "third",
            "page.html": "<h1>Head</h1><p>text",
        }
    ),
}


@pytest.mark.parametrize("name", MADE_UP)
def test_made_up_files_are_read_alike(readers: Readers, name: str) -> None:
    """CASES 48, THREATS 54, 57, 65."""
    by_workers, by_server = readers.both(MADE_UP[name], name)
    assert by_server == by_workers


def test_a_batch_is_ready_when_the_server_answers(readers: Readers) -> None:
    readers.by_server.prepare(["a.pdf"])
