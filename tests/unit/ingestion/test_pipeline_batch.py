"""A batch of documents: how they are grouped and looked up, and that what goes wrong stays with its document."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from graphrag.config import ChunkerSettings, IngestionSettings
from graphrag.errors import (
    ModelCallError,
    PasswordRequiredError,
    StoreError,
    StoreUnavailableError,
    UnreadableDocumentError,
)
from graphrag.ingestion import AsyncIngestor, DocumentVerdict, IngestionReport, Ingestor, Verdict
from graphrag.ingestion.faults import as_ours
from graphrag.ingestion.refresh import (
    AlwaysRefresh,
    Decision,
    NeverRefreshExisting,
    RefreshByFingerprint,
    StoredVersion,
)
from graphrag.ingestion.transformers import AbstractChunkTransformer
from graphrag.ingestion.verdicts import SilentProgress
from graphrag.model import Chunk
from graphrag.stores.protocols import WriteOutcome
from graphrag.testing.embedder import DeterministicEmbedder, FailingEmbedder
from tests.unit.ingestion.pipeline_doubles import AsyncMemoryStore, BrokenReader, MemoryStore, map_threads

SMALL = ChunkerSettings(max_chunk_size=80, overlap_size=0)


def make(store: MemoryStore, embedder: DeterministicEmbedder | None = None, **parts: object) -> Ingestor:
    parts = {"reader": BrokenReader(), "chunker": SMALL, **parts}
    return Ingestor(store, embedder or DeterministicEmbedder(), **parts)  # type: ignore[arg-type]


def files(folder: Path, number: int, text: str = "word of {}") -> list[str]:
    paths = [folder / f"{n:04}.md" for n in range(number)]
    for n, path in enumerate(paths):
        path.write_text(f"# Title {n}\n\n{text.format(n)}\n", encoding="utf-8")
    return [str(path) for path in paths]


def verdicts(report: IngestionReport) -> list[Verdict]:
    return [item.verdict for item in report.verdicts]


class Collector(SilentProgress):
    def __init__(self, then: Callable[[int], None] = lambda _: None) -> None:
        self.given: list[DocumentVerdict] = []
        self._then = then

    def finished(self, verdict: DocumentVerdict) -> None:
        self.given.append(verdict)
        self._then(len(self.given))


class TestGroups:
    def test_one_missing_chunk_does_not_withhold_the_writes_of_known_documents(self, tmp_path: Path) -> None:
        store = MemoryStore()
        paths = files(tmp_path, 300)
        make(store).ingest(paths)
        first = next(id_ for id_, chunk in store.chunks.items() if chunk.uri and chunk.uri.endswith("0000.md"))
        store.remove_chunks({first})
        store.written.clear()
        report = make(store).ingest(paths, policy=AlwaysRefresh())
        assert report.embedded == 1
        assert sum(store.written) == 300
        assert max(store.written) <= 64

    def test_a_group_ends_by_its_chunks_though_few_are_missing(self, tmp_path: Path) -> None:
        store = MemoryStore()
        paths = files(tmp_path, 24, text="\n\n".join(f"paragraph {n} of {{0}}, and a few words" for n in range(200)))
        make(store).ingest(paths)
        assert len(store.chunks) > 24 * 80
        store.remove_chunks({next(iter(store.chunks))})
        store.written.clear()
        make(store).ingest(paths, policy=AlwaysRefresh())
        assert max(store.written) * len(store.chunks) / 24 < 1_200

    def test_a_group_ends_by_its_characters(self, tmp_path: Path) -> None:
        store = MemoryStore()
        paths = files(tmp_path, 40, text="{} " + "x" * 150_000)
        settings = IngestionSettings(embed_group_chunks=10_000)
        chunker = ChunkerSettings(max_chunk_size=8_000, overlap_size=0)
        make(store, settings=settings, chunker=chunker).ingest(paths)
        assert sum(store.written) == 40
        assert max(store.written) < 20

    def test_documents_without_missing_chunks_are_written_at_once(self, tmp_path: Path) -> None:
        store = MemoryStore()
        paths = files(tmp_path, 5)
        make(store).ingest(paths)
        store.written.clear()
        make(store).ingest(paths, policy=AlwaysRefresh())
        assert store.written == [1] * 5

    def test_small_new_documents_are_embedded_together(self, tmp_path: Path) -> None:
        embedder = DeterministicEmbedder()
        make(MemoryStore(), embedder).ingest(files(tmp_path, 40))
        assert len(embedder.calls) == 1


class TestLookups:
    def test_a_second_run_over_unchanged_files_asks_by_pages_and_embeds_nothing(self, tmp_path: Path) -> None:
        store = MemoryStore()
        paths = files(tmp_path, 200)
        assert set(verdicts(make(store).ingest(paths))) == {Verdict.ADDED}
        store.asked.clear()
        embedder, reader = DeterministicEmbedder(), BrokenReader()
        report = make(store, embedder, reader=reader).ingest(paths)
        assert set(verdicts(report)) == {Verdict.UNCHANGED}
        assert (embedder.calls, reader.read_uris) == ([], [])
        assert len(store.asked) <= 4
        assert max(store.asked) <= 64

    def test_the_question_which_files_are_new_is_asked_by_pages_too(self, tmp_path: Path) -> None:
        class Prepared(BrokenReader):
            def prepare(self, names: Sequence[str]) -> None:
                self.names = list(names)

        store = MemoryStore()
        paths = files(tmp_path, 1_100)
        make(store).ingest(paths[:600])
        store.asked.clear()
        reader = Prepared()
        make(store, reader=reader).ingest(paths)
        assert max(store.asked) == 500
        assert reader.names == [Path(path).name for path in paths[600:]]

    def test_a_failed_lookup_fails_its_page_alone(self, tmp_path: Path) -> None:
        class Flaky(MemoryStore):
            def find_documents(self, ids: Sequence[str]) -> dict[str, object]:  # type: ignore[override]
                if len(self.asked) == 1:
                    self.asked.append(0)
                    raise StoreError("the statement was interrupted", retryable=True)
                return super().find_documents(ids)  # type: ignore[return-value]

        report = make(Flaky()).ingest(files(tmp_path, 150))
        assert verdicts(report).count(Verdict.FAILED) == 64
        assert verdicts(report).count(Verdict.ADDED) == 86


class TestForeignErrors:
    def test_a_reader_that_raises_anything_costs_its_document(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        reader = BrokenReader({"0003.md": RuntimeError("key=geheim")})
        with caplog.at_level(logging.ERROR, "graphrag.ingestion"):
            report = make(MemoryStore(), reader=reader).ingest(files(tmp_path, 6))
        failed = report.verdicts[3]
        assert verdicts(report) == [Verdict.ADDED] * 3 + [Verdict.FAILED] + [Verdict.ADDED] * 2
        assert "the reader failed: RuntimeError, on `file://" in failed.reason
        assert "geheim" not in failed.reason
        [record] = [item for item in caplog.records if item.name == "graphrag.ingestion"]
        assert record.exc_info is not None
        assert isinstance(record.exc_info[1], RuntimeError)

    def test_a_transformer_that_raises_anything_costs_its_document(self, tmp_path: Path) -> None:
        class Broken(AbstractChunkTransformer):
            def transform(self, chunk: Chunk, context: object) -> Chunk:  # type: ignore[override]
                raise ZeroDivisionError

        report = make(MemoryStore(), transformer=Broken()).ingest(files(tmp_path, 3))
        assert verdicts(report) == [Verdict.FAILED] * 3

    def test_a_policy_that_raises_anything_costs_its_document(self, tmp_path: Path) -> None:
        class Broken(RefreshByFingerprint):
            def decide(self, stored: StoredVersion | None, current: object, *, now: object) -> Decision:
                raise KeyError("uri")

        report = make(MemoryStore()).ingest(files(tmp_path, 2), policy=Broken())
        assert verdicts(report) == [Verdict.FAILED] * 2
        assert "the refresh policy failed: KeyError" in report.verdicts[0].reason

    @pytest.mark.parametrize("lasting", [False, True])
    def test_one_vector_too_few_never_shifts_vectors_and_loses_no_verdict(self, tmp_path: Path, lasting: bool) -> None:
        store = MemoryStore()
        report = make(store, FailingEmbedder("too_few", lasting=lasting)).ingest(files(tmp_path, 6))
        assert verdicts(report) == [Verdict.FAILED if lasting else Verdict.ADDED] * 6
        good = DeterministicEmbedder()
        for id_, chunk in store.chunks.items():
            assert np.array_equal(store.vectors[id_], good.embed_query(chunk.text))
        if lasting:
            assert "gave 0 vectors for 1 texts" in report.verdicts[0].reason

    def test_an_embedder_that_raises_anything_fails_those_that_it_fails_on(self, tmp_path: Path) -> None:
        class Picky(DeterministicEmbedder):
            def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
                if any("word of 2" in text for text in texts):
                    raise OSError("token=geheim")
                return super().embed_documents(texts)

        report = make(MemoryStore(), Picky()).ingest(files(tmp_path, 4))
        assert verdicts(report) == [Verdict.ADDED, Verdict.ADDED, Verdict.FAILED, Verdict.ADDED]
        assert "the embedding model `deterministic` failed: OSError" in report.verdicts[2].reason
        assert "geheim" not in report.verdicts[2].reason

    def test_an_outcome_that_is_no_error_of_ours_is_a_verdict_too(self, tmp_path: Path) -> None:
        class Broken(MemoryStore):
            def write_document(self, document: object) -> WriteOutcome:  # type: ignore[override]
                raise IndexError

        report = make(Broken()).ingest(files(tmp_path, 2))
        assert ["the store failed: IndexError" in item.reason for item in report.verdicts] == [True, True]

    def test_an_interrupt_passes(self, tmp_path: Path) -> None:
        reader = BrokenReader({"0001.md": KeyboardInterrupt()})
        with pytest.raises(KeyboardInterrupt):
            make(MemoryStore(), reader=reader).ingest(files(tmp_path, 3))
        assert map_threads() == []

    def test_the_original_stands_in_the_cause(self) -> None:
        original = RuntimeError("inner")
        for stage in ("read", "chunk", "embed"):
            ours = as_ours(original, "a:b", stage=stage, what="it")
            assert ours.__cause__ is original
            assert getattr(ours, "stage", None) == stage
        assert isinstance(as_ours(original, "a:b", stage="read", what="it"), UnreadableDocumentError)
        known = PasswordRequiredError("locked", uri="a:b")
        assert as_ours(known, "a:b", stage="read", what="it") is known


class TestLostStore:
    def test_the_rest_fails_at_once_when_the_store_is_gone(self, tmp_path: Path) -> None:
        class Gone(MemoryStore):
            def write_documents(self, documents: Sequence[object]) -> list[WriteOutcome | Exception]:
                self.written.append(len(documents))
                raise StoreUnavailableError("no server answers", retryable=True)

        store, embedder = Gone(), DeterministicEmbedder()
        report = make(store, embedder, settings=IngestionSettings(embed_group_chunks=1)).ingest(files(tmp_path, 60))
        assert verdicts(report) == [Verdict.FAILED] * 60
        assert {item.reason for item in report.verdicts} == {"no server answers"}
        assert len(store.written) == 1
        assert embedder.embedded_count < 10


class TestRace:
    def test_a_chunk_that_another_writer_removed_is_embedded_after_all(self, tmp_path: Path) -> None:
        store = MemoryStore()
        paths = files(tmp_path, 3, text="first {0}\n\nsecond {0}" + " words" * 20)
        make(store).ingest(paths)
        gone = next(iter(store.chunks))

        def other_writer(seen: MemoryStore) -> None:
            seen.before_write = lambda _: None
            seen.remove_chunks({gone})

        store.before_write = other_writer
        embedder = DeterministicEmbedder()
        report = make(store, embedder).ingest(paths, policy=AlwaysRefresh())
        assert verdicts(report) == [Verdict.UPDATED] * 3
        assert (report.embedded, embedder.embedded_count) == (1, 1)
        assert gone in store.vectors

    def test_it_is_tried_once_more_and_not_for_ever(self, tmp_path: Path) -> None:
        store = MemoryStore()
        [path] = files(tmp_path, 1, text="\n\n".join(f"part {n}" + " of many words" * 4 for n in range(5)))
        make(store).ingest([path])
        chunks = list(store.chunks)
        assert len(chunks) >= 5
        store.before_write = lambda seen: seen.remove_chunks({chunks.pop()})
        report = make(store).ingest([path], policy=AlwaysRefresh())
        assert verdicts(report) == [Verdict.FAILED]
        assert "have no embedding" in report.verdicts[0].reason
        assert len(chunks) == len(store.chunks) == 3

    def test_an_embedder_that_fails_in_the_second_attempt_is_a_verdict(self, tmp_path: Path) -> None:
        store = MemoryStore()
        [path] = files(tmp_path, 1)
        make(store).ingest([path])
        store.before_write = lambda seen: seen.remove_chunks(set(seen.chunks))
        report = make(store, FailingEmbedder("error")).ingest([path], policy=AlwaysRefresh())
        assert verdicts(report) == [Verdict.FAILED]
        assert "as the test asked" in report.verdicts[0].reason


class TestThreads:
    """No thread outlives a run, however it ends; the error that ended it is still held meanwhile."""

    def stop(self, given: int) -> None:
        if given == 3:
            raise LookupError("the consumer fails")

    def test_after_an_error_in_the_consumer(self, tmp_path: Path) -> None:
        settings = IngestionSettings(embed_group_chunks=1)
        with pytest.raises(LookupError, match="the consumer fails") as held:
            make(MemoryStore(), settings=settings).ingest(files(tmp_path, 40), progress=Collector(self.stop))
        assert map_threads() == []
        assert held.value.__traceback__ is not None

    def test_after_an_error_in_the_consumer_of_the_asynchronous_face(self, tmp_path: Path) -> None:
        async def run() -> list[str]:
            ingestor = AsyncIngestor(
                AsyncMemoryStore(MemoryStore()),  # type: ignore[arg-type]
                DeterministicEmbedder(),
                reader=BrokenReader(),
                settings=IngestionSettings(embed_group_chunks=1),
            )
            with pytest.raises(LookupError, match="the consumer fails") as held:
                await ingestor.ingest(files(tmp_path, 40), progress=Collector(self.stop))
            assert held.value.__traceback__ is not None
            return map_threads()

        assert asyncio.run(run()) == []


def test_both_faces_give_the_same_verdicts(tmp_path: Path) -> None:
    paths = files(tmp_path, 30)
    reader = BrokenReader({"0007.md": RuntimeError(), "0011.md": ModelCallError("tokenizer")})
    plain = MemoryStore()
    twin = AsyncIngestor(
        AsyncMemoryStore(plain),  # type: ignore[arg-type]
        DeterministicEmbedder(),
        reader=reader,
        chunker=SMALL,
    )
    report = asyncio.run(twin.ingest(paths))
    assert verdicts(report) == verdicts(make(MemoryStore(), reader=reader).ingest(paths))
    assert verdicts(make(plain, reader=reader).ingest(paths, policy=NeverRefreshExisting())).count(
        Verdict.UNCHANGED
    ) == len(plain.documents)
