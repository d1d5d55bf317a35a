"""What an administrator said of a document by hand outlives new versions of its file."""

from graphrag.ingestion import GivenChunk, Ingestor, Verdict
from graphrag.ingestion.readers.protocol import SourceBytes
from graphrag.ingestion.refresh import AlwaysRefresh
from graphrag.model.parsed import ParsedDocument
from graphrag.testing.embedder import DeterministicEmbedder
from tests.unit.ingestion.pipeline_doubles import BrokenReader, MemoryStore

URI = "note:one"


def make(store: MemoryStore, reader: BrokenReader | None = None) -> Ingestor:
    return Ingestor(store, DeterministicEmbedder(), reader=reader or BrokenReader())  # type: ignore[arg-type]


def said(store: MemoryStore) -> tuple[dict[str, object], tuple[str, ...]]:
    document = store.find(URI)
    [chunk] = [chunk for chunk in store.chunks.values() if chunk.document_id == document.id]
    assert chunk.metadata == document.metadata
    return dict(document.metadata), document.pinned_metadata


def set_by_hand(store: MemoryStore, **changes: object) -> None:
    store.set_metadata(URI, changes, collection="default")


def test_a_changed_file_keeps_what_was_set_by_hand() -> None:
    store = MemoryStore()
    make(store).ingest_text("one", URI, metadata={"lang": "en"})
    set_by_hand(store, owner="anna")
    verdict = make(store).ingest_text("two", URI, metadata={"lang": "en"})
    assert verdict.reason == "changed: content"
    assert said(store) == ({"lang": "en", "owner": "anna"}, ("owner",))
    make(store).ingest_text("three", URI, metadata={"lang": "en"})
    assert said(store) == ({"lang": "en", "owner": "anna"}, ("owner",))


def test_what_the_job_names_is_the_jobs() -> None:
    store = MemoryStore()
    make(store).ingest_text("one", URI)
    set_by_hand(store, owner="anna", year=2024)
    make(store).ingest_text("two", URI, metadata={"owner": "bob"})
    assert said(store)[0] == {"owner": "bob", "year": 2024}
    make(store).ingest_text("three", URI, metadata={"year": None})
    assert said(store) == ({"owner": "bob"}, ("owner",))


def test_a_change_of_the_jobs_metadata_alone_keeps_it_too() -> None:
    store = MemoryStore()
    make(store).ingest_text("one", URI, metadata={"lang": "en"})
    set_by_hand(store, owner="anna")
    verdict = make(store).ingest_text("one", URI, metadata={"lang": "de"})
    assert (verdict.verdict, verdict.reason, verdict.embedded) == (Verdict.UPDATED, "changed: metadata", 0)
    assert dict(store.find(URI).metadata) == {"lang": "de", "owner": "anna"}
    assert store.find(URI).pinned_metadata == ("owner",)


def test_what_an_earlier_job_said_goes_when_the_job_no_longer_says_it() -> None:
    store = MemoryStore()
    make(store).ingest_text("one", URI, metadata={"lang": "en"})
    make(store).ingest_text("two", URI)
    assert said(store) == ({}, ())


def test_the_fingerprint_is_of_the_jobs_metadata_alone() -> None:
    store = MemoryStore()
    make(store).ingest_text("one", URI, metadata={"lang": "en"})
    set_by_hand(store, owner="anna", lang="fr")
    assert make(store).ingest_text("one", URI, metadata={"lang": "en"}).verdict is Verdict.UNCHANGED
    assert dict(store.find(URI).metadata) == {"lang": "fr", "owner": "anna"}


def test_what_is_set_while_the_batch_runs_is_not_lost() -> None:
    """The look-up of a page is long past when a document of it is read."""
    store = MemoryStore()

    class SetsLast(BrokenReader):
        def read(self, source: SourceBytes, *, password: str | None = None) -> ParsedDocument:
            return super().read(source, password=password)

        @property
        def version(self) -> str:
            # Asked for while the bytes are loaded: after the look-up, and before the decision.
            set_by_hand(store, owner="anna")
            return "markdown 1"

    make(store).ingest_text("one", URI)
    make(store, SetsLast()).ingest_text("two", URI, policy=AlwaysRefresh())
    assert said(store) == ({"owner": "anna"}, ("owner",))


def test_chunks_of_the_callers_own_keep_it_too() -> None:
    store = MemoryStore()
    make(store).ingest_chunks(URI, [GivenChunk("one")], title="Own", metadata={"lang": "en"})
    set_by_hand(store, owner="anna")
    make(store).ingest_chunks(URI, [GivenChunk("two")], title="Own", metadata={"lang": "de"})
    assert said(store) == ({"owner": "anna", "lang": "de"}, ("owner",))
