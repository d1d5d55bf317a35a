"""Chunks of the caller's own making: everything is checked before anything is embedded, and given vectors count."""

import asyncio
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from graphrag.config import Limits
from graphrag.errors import IngestionError, InvalidRequestError, ModelCallError, StoreUnavailableError
from graphrag.ingestion import AsyncIngestor, GivenChunk, Ingestor, Verdict
from graphrag.testing.embedder import DeterministicEmbedder, FailingEmbedder
from tests.unit.ingestion.pipeline_doubles import AsyncMemoryStore, BrokenReader, MemoryStore

URI = "own:one"
DIMENSIONS = 64


def make(store: MemoryStore, embedder: DeterministicEmbedder | None = None, limits: Limits | None = None) -> Ingestor:
    return Ingestor(
        store,  # type: ignore[arg-type]
        embedder or DeterministicEmbedder(DIMENSIONS),
        reader=BrokenReader(),
        limits=limits or Limits(),
    )


def axis(number: int) -> NDArray[np.float32]:
    return np.eye(DIMENSIONS, dtype=np.float32)[number]


def with_path(path: object) -> GivenChunk:
    return GivenChunk("text", section_path=path)  # type: ignore[arg-type]


class TestRefusals:
    @pytest.mark.parametrize(
        "bad, message",
        [
            (GivenChunk(""), "chunk 1 of `own:one`: `urtext` has no text"),
            (GivenChunk("\0"), "chunk 1 of `own:one`: `urtext` has no text"),
            (GivenChunk(7), "chunk 1 of `own:one`: `urtext` is of type int; it must be text"),  # type: ignore[arg-type]
            (GivenChunk("x" * 8_001), "chunk 1 .*`urtext` has 8001 characters; at most 8000 are stored"),
            (GivenChunk("x", text="y" * 50_001), "chunk 1 .*`text` has 50001 characters; at most 50000"),
            (GivenChunk("x", text=""), "chunk 1 .*`text` has no text"),
            (with_path("Title"), "chunk 1 .*`section_path` is of type str; it must be a tuple of titles"),
            (with_path((1,)), "chunk 1 .*`section_path` is of type int; it must be text"),
            (with_path(("t" * 1_001,)), "chunk 1 .*`section_path` has 1001 characters; at most 1000"),
            (GivenChunk("x", embedding=["a"]), "chunk 1 .*`embedding` is no list of numbers"),  # type: ignore[list-item]
            (GivenChunk("x", embedding=[[1.0], [1.0, 2.0]]), "chunk 1 .*`embedding` is no list"),  # type: ignore[list-item]
            (GivenChunk("x", embedding=[1.0] * 3), r"chunk 1 .*the shape \(3,\); the model's have 64 numbers"),
            (GivenChunk("x", embedding=[0.0] * DIMENSIONS), "chunk 1 .*`embedding` is all zeros"),
            (GivenChunk("x", embedding=[float("nan")] * DIMENSIONS), "chunk 1 .*NaN or infinity"),
            (GivenChunk("x", embedding=[1e300] * DIMENSIONS), "chunk 1 .*NaN or infinity"),
            (GivenChunk("x", metadata={"text": 1}), "chunk 1 .*metadata name `text` is reserved"),
            (GivenChunk("x", metadata={"k": 2**64}), "chunk 1 of `own:one`: .*`k`"),
            (GivenChunk("x", metadata=["k"]), "chunk 1 .*`metadata` is of type list; it must be a mapping"),  # type: ignore[arg-type]
            (GivenChunk("x", page=0), "chunk 1 .*`page` is 0; it must be a whole number of at least 1"),
            (GivenChunk("x", page="2"), "chunk 1 .*`page` is '2'"),  # type: ignore[arg-type]
            ("x", "chunk 1 of `own:one`: it is of type str; it must be a `GivenChunk`"),
        ],
    )
    def test_a_bad_chunk_is_named_by_its_number_before_anything_is_embedded(
        self, bad: GivenChunk, message: str
    ) -> None:
        """CASES 39."""
        store, embedder = MemoryStore(), DeterministicEmbedder(DIMENSIONS)
        with pytest.raises(InvalidRequestError, match=message):
            make(store, embedder).ingest_chunks(URI, [GivenChunk("fine"), bad], title="Own")
        assert (embedder.calls, store.documents) == ([], {})

    def test_a_document_has_chunks_and_not_too_many(self) -> None:
        with pytest.raises(InvalidRequestError, match="`own:one` has no chunks; give at least one"):
            make(MemoryStore()).ingest_chunks(URI, [], title="Own")
        few = Limits(max_document_chunks=2)
        with pytest.raises(InvalidRequestError, match="has 3 chunks; a document may have at most 2: split it"):
            make(MemoryStore(), limits=few).ingest_chunks(URI, [GivenChunk("x")] * 3, title="Own")

    @pytest.mark.parametrize(
        "title, message", [(None, "`title` is of type NoneType"), ("t" * 1_001, "1001 characters")]
    )
    def test_a_title_is_text_of_bounded_length(self, title: str, message: str) -> None:
        with pytest.raises(InvalidRequestError, match=message):
            make(MemoryStore()).ingest_chunks(URI, [GivenChunk("x")], title=title)

    @pytest.mark.parametrize("uri", ["/tmp/\ud800", "own:\ud800", "https://host/\ud800", "file:///\ud800"])
    def test_a_lone_surrogate_in_a_uri_is_refused(self, uri: str) -> None:
        with pytest.raises(InvalidRequestError, match="surrogate"):
            make(MemoryStore()).ingest_chunks(uri, [GivenChunk("x")], title="Own")
        with pytest.raises(InvalidRequestError, match="surrogate"):
            make(MemoryStore()).ingest_text("x", uri)

    def test_no_model_is_asked_for_its_dimensions_where_no_vector_is_given(self) -> None:
        class Unknown(DeterministicEmbedder):
            @property
            def dimensions(self) -> int:
                raise ModelCallError("not loaded")

        assert (
            make(MemoryStore(), Unknown()).ingest_chunks(URI, [GivenChunk("x")], title="Own").verdict is Verdict.ADDED
        )


def test_nul_and_lone_surrogates_are_cleaned_everywhere_and_reported() -> None:
    store = MemoryStore()
    chunk = GivenChunk("te\0xt", text="te\ud800xt", section_path=("A\ud800",), metadata={"k": "v\0"})
    verdict = make(store).ingest_chunks(URI, [chunk], title="T\ud800")
    assert verdict.notes == ("NUL characters removed: 2", "lone surrogates replaced by U+FFFD: 3")
    [stored] = store.chunks.values()
    assert (stored.urtext, stored.text, stored.section_path) == ("text", "te\ufffdxt", ("A\ufffd",))
    assert (stored.document_title, store.find(URI).title, stored.metadata["k"]) == ("T\ufffd", "T\ufffd", "v")


class TestVerdicts:
    def test_nothing_changed_is_unchanged_and_embeds_nothing(self) -> None:
        store, embedder = MemoryStore(), DeterministicEmbedder(DIMENSIONS)
        chunks = [GivenChunk("one"), GivenChunk("two", embedding=axis(0))]
        first = make(store, embedder).ingest_chunks(URI, chunks, title="Own", metadata={"k": 1})
        assert (first.verdict, first.chunks, first.embedded) == (Verdict.ADDED, 2, 1)
        again = make(store, embedder).ingest_chunks(URI, chunks, title="Own", metadata={"k": 1})
        assert (again.verdict, again.reason, again.embedded) == (Verdict.UNCHANGED, "nothing changed", 0)
        assert embedder.embedded_count == 1

    @pytest.mark.parametrize("before, after", [({"k": 1}, {"k": 2}), ({"k": 1}, {"k": True}), ({"k": 1}, {})])
    def test_other_metadata_is_an_update(self, before: dict[str, object], after: dict[str, object]) -> None:
        store = MemoryStore()
        make(store).ingest_chunks(URI, [GivenChunk("one")], title="Own", metadata=before)
        verdict = make(store).ingest_chunks(URI, [GivenChunk("one")], title="Own", metadata=after)
        assert verdict.verdict is Verdict.UPDATED

    def test_dates_are_compared_as_dates(self) -> None:
        store = MemoryStore()
        for expected, value in ((Verdict.ADDED, "2024-01-01"), (Verdict.UPDATED, date(2024, 1, 1))):
            verdict = make(store).ingest_chunks(URI, [GivenChunk("one")], title="Own", metadata={"when": value})
            assert verdict.verdict is expected

    def test_another_title_is_an_update(self) -> None:
        store = MemoryStore()
        make(store).ingest_chunks(URI, [GivenChunk("one")], title="Own")
        assert make(store).ingest_chunks(URI, [GivenChunk("one")], title="Other").verdict is Verdict.UPDATED

    def test_another_vector_for_the_same_text_is_stored(self) -> None:
        store = MemoryStore()
        make(store).ingest_chunks(URI, [GivenChunk("same", embedding=axis(0))], title="Own")
        verdict = make(store).ingest_chunks(URI, [GivenChunk("same", embedding=axis(1))], title="Own")
        assert (verdict.verdict, verdict.embedded) == (Verdict.UPDATED, 0)
        [vector] = store.vectors.values()
        assert np.array_equal(vector, axis(1))


class TestFailures:
    def test_errors_of_model_and_store_are_raised(self) -> None:
        with pytest.raises(ModelCallError, match="as the test asked"):
            make(MemoryStore(), FailingEmbedder("error")).ingest_chunks(URI, [GivenChunk("x")], title="Own")

        class Gone(MemoryStore):
            def write_document(self, document: object) -> object:  # type: ignore[override]
                raise StoreUnavailableError("no server answers")

        with pytest.raises(StoreUnavailableError, match="no server answers"):
            make(Gone()).ingest_chunks(URI, [GivenChunk("x")], title="Own")

    def test_a_foreign_error_of_the_model_is_mapped(self) -> None:
        class Foreign(DeterministicEmbedder):
            def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
                raise RuntimeError("device lost")

        with pytest.raises(IngestionError, match="`deterministic` failed: RuntimeError, on `own:one`") as held:
            make(MemoryStore(), Foreign()).ingest_chunks(URI, [GivenChunk("x")], title="Own")
        assert held.value.stage == "embed"
        assert isinstance(held.value.__cause__, RuntimeError)

    def test_a_chunk_that_another_writer_removed_is_embedded_after_all(self) -> None:
        store = MemoryStore()
        chunks = [GivenChunk("one"), GivenChunk("two")]
        make(store).ingest_chunks(URI, chunks, title="Own")

        def other_writer(seen: MemoryStore) -> None:
            seen.before_write = lambda _: None
            seen.remove_chunks({next(iter(seen.chunks))})

        store.before_write = other_writer
        verdict = make(store).ingest_chunks(URI, chunks, title="Own")
        assert (verdict.embedded, len(store.vectors)) == (1, 2)


def test_the_asynchronous_face_does_the_same() -> None:
    store = MemoryStore()
    twin = AsyncIngestor(
        AsyncMemoryStore(store),  # type: ignore[arg-type]
        DeterministicEmbedder(DIMENSIONS),
        reader=BrokenReader(),
    )
    chunks = [GivenChunk("one", embedding=axis(3)), GivenChunk("two")]
    verdict = asyncio.run(twin.ingest_chunks(URI, chunks, title="Own"))
    assert (verdict.verdict, verdict.embedded) == (Verdict.ADDED, 1)
    assert make(store).ingest_chunks(URI, chunks, title="Own").verdict is Verdict.UNCHANGED


@pytest.mark.parametrize(
    "paths, passwords, message",
    [
        ("fifo/ok.md", (), "`paths` is one string; give a list of paths"),
        ([b"a.md"], (), r"`paths\[0\]` is of type bytes; give a list of paths, each a string"),
        ([], "secret", "`passwords` is one string; give a list of passwords"),
        ([], [None], r"`passwords\[0\]` is of type NoneType; "),
    ],
)
def test_one_string_for_a_list_is_refused_before_the_store_is_asked(
    paths: object, passwords: object, message: str
) -> None:
    """The characters of a string would pass for paths, `/` among them, or for passwords; no secret is told."""
    with pytest.raises(InvalidRequestError, match=message) as caught:
        make(MemoryStore()).ingest(cast("list[str]", paths), passwords=cast("list[str]", passwords))
    assert "secret" not in str(caught.value)


def test_report_names_what_a_folder_holds_but_is_no_file_to_read(tmp_path: Path) -> None:
    """THREATS 54: what is left out is told, a hundred paths at most."""
    for number in range(101):
        (tmp_path / f"{number:03}.md").symlink_to(tmp_path / "nothing")
    report = make(MemoryStore()).ingest([str(tmp_path)])
    assert report.skipped == tuple(str(tmp_path / f"{number:03}.md") for number in range(100))
    assert report.verdicts == ()
