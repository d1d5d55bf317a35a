"""Mutated files through all readers: each has a verdict in time, nothing of ours crashes, and what Tika reads is read.

`make fuzz` takes 2,000 a format. A file is cut, has bits flipped, parts of it swapped, doubled or taken from another
one; of formats that are archives, half are packed again around a member that was mutated, so that damage gets past
the archive's checks.
"""

import io
import json
import queue
import random
import subprocess
import sys
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graphrag.config import ChunkerSettings, TikaSettings
from graphrag.errors import GraphRagError
from graphrag.ingestion.chunker import Chunker
from graphrag.ingestion.readers import AutoReader, SourceBytes, TikaPool, TikaReader
from graphrag.ingestion.transformers import AddTitlesChunkTransformer
from graphrag.model.parsed import ParsedDocument
from tests.conftest import ENVIRON

pytest.importorskip("jpype", reason="the extra `tika` is not installed")

FILES = int(ENVIRON.get("GRAPHRAG_FUZZ") or "34")
FORMATS = ("docx", "epub", "html", "odt", "pdf", "xlsx")
DEADLINE_S = 60
"""A file has its verdict within this."""
_REPOSITORY = Path(__file__).parents[2]
_LARGEST = 2_000_000


def truncate(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    return data[: rng.randrange(len(data))]


def flip(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    flipped = bytearray(data)
    for _ in range(rng.choice((1, 4, 16, 64))):
        flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
    return bytes(flipped)


def splice(rng: random.Random, data: bytes, other: bytes) -> bytes:
    start, place = rng.randrange(len(other)), rng.randrange(len(data))
    piece = other[start : start + rng.choice((1, 64, 4_096, len(other)))]
    return data[:place] + piece + data[place + rng.choice((0, len(piece))) :]


def repeat(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    start = rng.randrange(len(data))
    piece = data[start : start + rng.choice((1, 16, 256))]
    return data[:start] + piece * rng.choice((2, 100, 1_000)) + data[start:]


def swap(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    low, middle, high = sorted(rng.randrange(len(data) + 1) for _ in range(3))
    return data[:low] + data[middle:high] + data[low:middle] + data[high:]


def blank(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    start = rng.randrange(len(data))
    length = min(rng.choice((1, 32, 512)), len(data) - start)
    return data[:start] + rng.choice((b"\0", b" ", b"<", b"\xff")) * length + data[start + length :]


MUTATIONS: tuple[Callable[[random.Random, bytes, bytes], bytes], ...] = (truncate, flip, splice, repeat, swap, blank)


def mutate(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Return a mutated file: the whole, or one member of an archive, which is then packed again."""
    if zipfile.is_zipfile(io.BytesIO(data)) and rng.random() < 0.5:
        return _mutated_member(rng, data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        data = rng.choice(MUTATIONS)(rng, data or b"\0", other)
    return data


def _mutated_member(rng: random.Random, data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        names = [info for info in source.infolist() if info.file_size]
        chosen = rng.choice(names)
        for info in source.infolist():
            content = source.read(info)
            if info is chosen:
                content = rng.choice(MUTATIONS)(rng, content, source.read(rng.choice(names)))
            target.writestr(info.filename, content)
    return buffer.getvalue()


class PlainTika:
    """Tika in a process; one that takes too long is replaced."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str] = queue.Queue()

    def letters(self, path: Path) -> int | None:
        """Return how many letters and digits it reads; None where it fails or takes too long."""
        process = self._process or self._start()
        assert process.stdin is not None
        process.stdin.write(f"{path}\n")
        process.stdin.flush()
        try:
            answer = self._answers.get(timeout=DEADLINE_S)
        except queue.Empty:
            self.close()
            return None
        if not answer:  # it died
            self.close()
            return None
        text = json.loads(answer)["text"]
        return None if text is None else int(text)

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate(timeout=30)

    def _start(self) -> "subprocess.Popen[str]":
        process = self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.integration.plain_tika"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=_REPOSITORY,
        )
        answers = self._answers = queue.Queue()
        stream = process.stdout
        assert stream is not None

        def forward() -> None:
            for line in stream:
                answers.put(line)
            answers.put("")

        threading.Thread(target=forward, daemon=True).start()
        return process


@pytest.fixture(scope="module")
def pool() -> Iterator[TikaPool]:
    with TikaPool(TikaSettings(timeout_s=DEADLINE_S - 10)) as pool:
        yield pool


@pytest.fixture(scope="module")
def plain() -> Iterator[PlainTika]:
    plain = PlainTika()
    yield plain
    plain.close()


def check_document(document: ParsedDocument, name: str) -> None:
    """Assert that it can be cut, and that its chunks laid together are its text."""
    chunker = Chunker(ChunkerSettings(overlap_size=0), tokenizer=None, transformer=AddTitlesChunkTransformer())
    result = chunker.chunk(document, uri=f"file:///{name}", collection="default", metadata={}, fingerprint="")
    place = 0
    for chunk in result.materialized.chunks:
        assert chunk.start == place
        place = chunk.end


@pytest.mark.slow
@pytest.mark.timeout(max(600, 4 * FILES))
@pytest.mark.parametrize("ending", FORMATS)
def test_mutated_files_have_their_verdicts(
    pool: TikaPool, plain: PlainTika, test_data: Path, tmp_path: Path, ending: str
) -> None:
    seed = int(ENVIRON.get("GRAPHRAG_SEED") or random.SystemRandom().randrange(2**32))
    rng = random.Random(f"{seed} {ending}")  # noqa: S311 - a choice of tests, no secret
    folder = test_data / "documents"
    files = [path.read_bytes() for path in sorted(folder.glob(f"*.{ending}")) if path.stat().st_size <= _LARGEST]
    files = [data for data in files if data]
    assert files, f"no file of the format {ending}"
    whole = tmp_path / f"whole.{ending}"
    whole.write_bytes(max(files, key=len))
    assert plain.letters(whole), "what the others are held against reads nothing"
    reader = AutoReader(TikaReader(pool))
    verdicts: Counter[str] = Counter()
    missed: list[str] = []
    longest = 0.0
    for number in range(FILES):
        data = mutate(rng, rng.choice(files), rng.choice(files))
        name = f"{number:05d}.{ending}"
        path = tmp_path / name
        path.write_bytes(data)
        told = f"file {number} of the seed {seed}: {path}"
        started = time.monotonic()
        try:
            document = reader.read(SourceBytes(uri=f"file:///{name}", data=data, name=name))
            check_document(document, name)
            read = sum(map(str.isalnum, document.canonical_text()))
            verdict = "partial" if document.partial else "text" if read else "no text"
        except GraphRagError as error:
            read, verdict = 0, error.code
        took = time.monotonic() - started
        longest = max(longest, took)
        assert took < DEADLINE_S, told
        verdicts[verdict] += 1
        expected = plain.letters(path)
        verdicts["read by plain Tika"] += bool(expected)
        if expected and not read:
            missed.append(f"{told}: {verdict}, where Tika reads {expected} letters")
        else:
            path.unlink()
    shown = ", ".join(f"{name} {count}" for name, count in sorted(verdicts.items()))
    assert not missed, "\n".join(missed)
    sys.stdout.write(f"{ending}: seed {seed}, {FILES} files, {shown}; longest {longest:.1f} s\n")
