"""Writing documents: whole or absent, by diff, idempotent, and safe beside other writers."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from graphrag.errors import InvalidRequestError, SchemaError, StoreError
from graphrag.ingestion.given import GivenChunk
from graphrag.model import Chunk, Document, MaterializedDocument, Section
from graphrag.stores import Neo4jStore
from graphrag.stores.neo4j import batches
from graphrag.stores.neo4j._sync import staging, write as writing
from graphrag.stores.reports import Deletion, WriteOutcome
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.documents import SECTIONED, SINGLE, make_document, words
from tests.integration.neo4j.graph import Graph

EMBEDDER = DeterministicEmbedder(Graph.DIMENSIONS)


def outcome_of(result: WriteOutcome | Exception) -> WriteOutcome:
    assert isinstance(result, WriteOutcome), result
    return result


def test_a_document_is_written_with_its_sections_chunks_chain_and_vectors(store: Neo4jStore, graph: Graph) -> None:
    document = make_document(EMBEDDER)
    outcome = store.write_document(document)
    assert outcome == WriteOutcome(document.document.id, created=True, chunks_added=4)
    graph.check_whole()
    assert (store.count(Document), store.count(Section), store.count(Chunk)) == (1, 2, 4)
    assert [chunk.urtext for chunk in store.list_chunks(document.document.id)] == [c.urtext for c in SECTIONED]
    assert [section.title for section in store.list_sections(document.document.id)] == ["Alpha", "Beta"]
    labels = graph.run("MATCH (n:Datum) RETURN DISTINCT labels(n) AS labels ORDER BY size(labels)")
    assert sorted(sorted(row["labels"]) for row in labels) == sorted(
        sorted(kind)
        for kind in (
            ["Datum", "Retrievable", "Chunk"],
            ["Datum", "ContentElement", "Section", "LeafSection"],
            ["Datum", "ContentElement", "ContentRoot", "Document"],
        )
    )


def test_a_second_write_of_the_same_version_changes_nothing(store: Neo4jStore, graph: Graph) -> None:
    """CASES 33: counts, relationships, ids and the graph's hash stay."""
    document = make_document(EMBEDDER)
    store.write_document(document)
    before, relationships = store.graph_hash(), graph.value("MATCH ()-[r]->() RETURN count(r)")
    outcome = store.write_document(document)
    assert not outcome.changed
    assert outcome.chunks_kept == 4
    assert (store.graph_hash(), graph.value("MATCH ()-[r]->() RETURN count(r)")) == (before, relationships)
    assert store.chunks_to_embed(document) == frozenset()


def test_a_chunk_that_stays_needs_no_vector_again(store: Neo4jStore, graph: Graph) -> None:
    first = make_document(EMBEDDER)
    store.write_document(first)
    second = make_document(EMBEDDER, chunks=[*SECTIONED, GivenChunk("new at the end", section_path=("Beta",))])
    missing = store.chunks_to_embed(second)
    assert missing == {second.chunks[-1].id}
    store.write_document(replace(second, vectors={id_: second.vectors[id_] for id_ in missing}))
    graph.check_whole()
    assert store.count(Chunk) == 5


def test_an_edit_removes_the_old_text_keeps_other_ids_and_closes_the_chain(store: Neo4jStore, graph: Graph) -> None:
    """CASES 35: c2 removed, c3 edited, a section renamed; then one chunk alone."""
    first = make_document(EMBEDDER)
    store.write_document(first)
    edited = make_document(
        EMBEDDER,
        chunks=[
            SECTIONED[0],
            GivenChunk("see a/b testing and tb-909", section_path=("Alpha",)),
            GivenChunk(SECTIONED[3].urtext, section_path=("Delta",)),
        ],
    )
    outcome = store.write_document(edited)
    assert (outcome.chunks_added, outcome.chunks_removed) == (1, 2)
    graph.check_whole()
    texts = [chunk.urtext for chunk in store.list_chunks(edited.document.id)]
    assert texts == ["the quick brown fox", "see a/b testing and tb-909", "NORD EBITDA report OR summary"]
    kept = {chunk.id for chunk in first.chunks} & {chunk.id for chunk in edited.chunks}
    assert {first.chunks[0].id, first.chunks[3].id} == kept
    assert [section.title for section in store.list_sections(edited.document.id)] == ["Alpha", "Delta"]
    store.write_document(make_document(EMBEDDER, chunks=["only this"]))
    graph.check_whole()
    assert (store.count(Chunk), store.count(Section)) == (1, 0)


def test_chunks_of_two_documents_never_collide(store: Neo4jStore, graph: Graph) -> None:
    """CASES 30 and 31: equal texts in two documents are two chunks, each with its own document and metadata."""
    text = ["Confidential. Page 1", "the end"]
    one = make_document(EMBEDDER, "file:///one.md", text, metadata={"tenant": "a"})
    two = make_document(EMBEDDER, "file:///two.md", text, metadata={"tenant": "b"})
    assert all(isinstance(result, WriteOutcome) for result in store.write_documents([one, two]))
    graph.check_whole()
    assert store.count(Chunk) == 4
    tenants = graph.run("MATCH (c:Chunk) RETURN c.uri AS uri, collect(DISTINCT c.tenant) AS tenants ORDER BY uri")
    assert [row["tenants"] for row in tenants] == [["a"], ["b"]]
    assert store.delete_document("file:///one.md", collection="default") == Deletion(documents=1, chunks=2)
    assert [chunk.metadata["tenant"] for chunk in store.list_chunks(two.document.id)] == ["b", "b"]
    graph.check_whole()


def test_one_uri_in_two_collections_is_two_documents(store: Neo4jStore, graph: Graph) -> None:
    """CASES 34 kind: identity, refresh and deletion are per collection."""
    red = make_document(EMBEDDER, chunks=["red one"], collection="red")
    blue = make_document(EMBEDDER, chunks=["blue one", "blue two"], collection="blue")
    store.write_documents([red, blue])
    store.write_document(make_document(EMBEDDER, chunks=["red again"], collection="red"))
    assert [c.urtext for c in store.list_chunks(blue.document.id)] == ["blue one", "blue two"]
    assert store.delete_document(red.document.uri, collection="red") == Deletion(documents=1, chunks=1)
    assert store.count(Document) == 1
    assert store.find_document(blue.document.uri, collection="blue") is not None
    assert store.find_document(blue.document.uri, collection="red") is None
    graph.check_whole()


# -- generated edits


@st.composite
def outlines(draw: st.DrawFn) -> list[GivenChunk]:
    """A document's chunks: nested sections that close and open again, repeated and edited texts."""
    titles = st.sampled_from(["A", "B", "C"])
    pieces = draw(
        st.lists(
            st.tuples(
                st.lists(titles, max_size=3).map(tuple),
                st.sampled_from(["one", "two", "three", "four", "five", "six"]),
                st.sampled_from([None, "# Title\n"]),
            ),
            min_size=1,
            max_size=9,
        )
    )
    return [
        GivenChunk(text, text=None if head is None else head + text, section_path=path) for path, text, head in pieces
    ]


versions = st.lists(
    st.tuples(
        outlines(),
        st.fixed_dictionaries({}, optional={"year": st.integers(1990, 2030), "tags": st.lists(st.sampled_from("xyz"))}),
        st.sampled_from(["Report", "Other title"]),
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.parametrize("staged", [False, True], ids=["direct", "staged"])
def test_after_any_edits_the_graph_is_that_of_a_fresh_write(
    store: Neo4jStore, graph: Graph, monkeypatch: pytest.MonkeyPatch, staged: bool
) -> None:
    """I6: any sequence of versions ends in the graph that the last version alone would make."""
    if staged:
        monkeypatch.setattr(writing, "STAGE_ABOVE", 0)
    monkeypatch.setattr(batches, "BATCH_ROWS", 3)

    @settings(max_examples=25, suppress_health_check=list(HealthCheck))
    @given(versions)
    def check(history: Sequence[tuple[list[GivenChunk], dict[str, object], str]]) -> None:
        store.clear()
        for chunks, metadata, title in history:
            document = make_document(EMBEDDER, chunks=chunks, metadata=metadata, title=title)
            store.write_document(document)
            graph.check_whole()
        after_edits = store.graph_hash()
        store.clear()
        store.write_document(document)
        assert store.graph_hash() == after_edits
        assert graph.value("MATCH (s:Staged) RETURN count(s)") == 0

    check()


# -- vectors


def broken(document: MaterializedDocument, vector: object, number: int = 2) -> MaterializedDocument:
    vectors = dict(document.vectors)
    if vector is None:
        del vectors[document.chunks[number].id]
    else:
        vectors[document.chunks[number].id] = vector  # type: ignore[assignment]
    return replace(document, vectors=vectors)


VECTORS = {
    "nan": (np.full(Graph.DIMENSIONS, np.nan, np.float32), "holds NaN or infinity"),
    "one nan": (np.array([np.nan] + [1.0] * (Graph.DIMENSIONS - 1), np.float32), "holds NaN or infinity"),
    "infinite": (np.full(Graph.DIMENSIONS, np.inf, np.float32), "holds NaN or infinity"),
    "zero": (np.zeros(Graph.DIMENSIONS, np.float32), "is all zeros"),
    "short": (np.ones(Graph.DIMENSIONS - 1, np.float32), r"shape \(15,\); the index takes \(16,\)"),
    "empty": (np.zeros(0, np.float32), r"shape \(0,\)"),
    "a list": ([1.0] * Graph.DIMENSIONS, r"has an embedding of shape"),
    "float64 overflow": (np.full(Graph.DIMENSIONS, 1e300), "holds NaN or infinity"),
    "tiny": (np.full(Graph.DIMENSIONS, 1e-30, np.float32), "is all zeros"),
}


@pytest.mark.parametrize("name", VECTORS)
def test_a_vector_that_cannot_be_compared_fails_its_document_alone(store: Neo4jStore, graph: Graph, name: str) -> None:
    """CASES 39 and THREATS 45: the chunk is named, the old version stays, the other documents are written."""
    vector, message = VECTORS[name]
    old = make_document(EMBEDDER, chunks=["old text"])
    store.write_document(old)
    new = make_document(EMBEDDER)
    others = [make_document(EMBEDDER, f"file:///{n}.md", words(3, f"d{n}")) for n in range(3)]
    results = store.write_documents([others[0], broken(new, vector), others[1], others[2]])
    assert [isinstance(result, WriteOutcome) for result in results] == [True, False, True, True]
    with pytest.raises(InvalidRequestError, match=rf"chunk 2 \(`{new.chunks[2].id}`\).*{message}"):
        raise results[1]  # type: ignore[misc]
    assert [c.urtext for c in store.list_chunks(old.document.id)] == ["old text"]
    assert store.count(Document) == 4
    graph.check_whole()


def test_a_missing_vector_is_told_with_the_numbers_of_its_chunks(store: Neo4jStore, graph: Graph) -> None:
    """CASES 39."""
    results = store.write_documents([broken(make_document(EMBEDDER), None), make_document(EMBEDDER, "file:///b.md")])
    with pytest.raises(
        InvalidRequestError,
        match=r"chunks? 2 .*ha(s|ve) no embedding.*nothing of it was written",
    ):
        raise results[0]  # type: ignore[misc]
    assert store.count(Document) == 1
    graph.check_whole()


def test_vectors_of_another_model_are_refused(store: Neo4jStore) -> None:
    """Fault 24: vectors of two models never stand side by side."""
    other = DeterministicEmbedder(Graph.DIMENSIONS, name="another")
    store.write_document(make_document(EMBEDDER))
    with pytest.raises(SchemaError, match=r"of the model `another@.*those of the database of `deterministic@"):
        store.write_document(make_document(other, "file:///b.md"))
    assert store.count(Document) == 1


# -- bounds and parts that do not fit together


def test_what_does_not_fit_together_is_refused_before_anything_is_sent(store: Neo4jStore, graph: Graph) -> None:
    document = make_document(EMBEDDER)
    section, chunk = document.sections[0], document.chunks[0]
    wrong: dict[str, tuple[MaterializedDocument, str]] = {
        "count": (replace(document, document=document.document.model_copy(update={"chunk_count": 9})), "9 chunks"),
        "twice": (replace(document, sections=(section, section, document.sections[1])), "two parts with one id"),
        "chunk's parent": (
            replace(document, chunks=(chunk.model_copy(update={"parent_id": "nowhere"}), *document.chunks[1:])),
            "parent",
        ),
        "below a chunk": (
            replace(
                document,
                chunks=(chunk, document.chunks[1].model_copy(update={"parent_id": chunk.id}), *document.chunks[2:]),
            ),
            "parent",
        ),
        "section's parent": (
            replace(document, sections=(section.model_copy(update={"parent_id": "nowhere"}), document.sections[1])),
            "parent",
        ),
        "another document's section": (
            replace(document, sections=(section.model_copy(update={"document_id": "x"}), document.sections[1])),
            "section",
        ),
        "order": (replace(document, chunks=document.chunks[::-1]), "another number"),
        "too long": (
            replace(document, chunks=(chunk.model_copy(update={"urtext": "x" * 8_001}), *document.chunks[1:])),
            "at most 8000",
        ),
    }
    for name, (bad, message) in wrong.items():
        with pytest.raises(InvalidRequestError, match=message):
            store.write_document(bad)
        assert graph.value("MATCH (n:Datum) RETURN count(n)") == 0, name


# -- concurrency


def in_threads(count: int, work: Callable[[int], object]) -> list[object]:
    barrier = threading.Barrier(count)

    def begin(number: int) -> object:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return [future.result() for future in [pool.submit(begin, number) for number in range(count)]]


@pytest.mark.parametrize("staged", [False, True], ids=["direct", "staged"])
def test_sixteen_writers_of_one_document_leave_one_whole_version(
    store: Neo4jStore, graph: Graph, monkeypatch: pytest.MonkeyPatch, staged: bool
) -> None:
    """Fault 16, I3 and I4: different contents at once; exactly one of them is live at the end."""
    if staged:
        monkeypatch.setattr(writing, "STAGE_ABOVE", 0)
        monkeypatch.setattr(writing, "_STAGED_ATTEMPTS", 50)
    contents = [[f"shared {n}" for n in range(5)] + [f"v{v} {n}" for n in range(20)] for v in range(16)]
    in_threads(16, lambda v: store.write_document(make_document(EMBEDDER, chunks=contents[v])))
    graph.check_whole()
    id_ = make_document(EMBEDDER).document.id
    live = [chunk.urtext for chunk in store.list_chunks(id_)]
    assert live in contents
    after = store.graph_hash()
    assert graph.value("MATCH (s:Staged) RETURN count(s)") == 0
    store.clear()
    store.write_document(make_document(EMBEDDER, chunks=contents[contents.index(live)]))
    assert store.graph_hash() == after


def test_eight_writers_of_eight_documents_lose_none(store: Neo4jStore, graph: Graph) -> None:
    """CASES 58: in groups that name the same documents in different order, too."""
    documents = [make_document(EMBEDDER, f"file:///{n}.md", words(10, f"d{n}")) for n in range(8)]

    def work(number: int) -> object:
        rotated = documents[number:] + documents[:number]
        return [outcome_of(result) for result in store.write_documents(rotated)]

    in_threads(8, work)
    graph.check_whole()
    assert (store.count(Document), store.count(Chunk)) == (8, 80)


def test_writing_beside_deleting_ends_as_one_of_the_two_orders(store: Neo4jStore, graph: Graph) -> None:
    """Fault 17: no orphan, no torn document, and no caller sees an error."""
    kept, uri = words(4), "file:///a/report.md"
    versions = [make_document(EMBEDDER, uri, [*kept, *words(8, f"v{number}-")]) for number in range(6)]

    def work(number: int) -> None:
        for _ in range(3):
            if number % 2:
                store.delete_document(uri, collection="default")
            else:
                store.write_document(versions[number])

    for _ in range(5):
        in_threads(6, work)
        graph.check_whole()
        assert store.count(Chunk) in {0, 12}


def test_a_reader_sees_two_versions_only_while_a_commit_runs(store: Neo4jStore, graph: Graph) -> None:
    """Fault 21: before and after each write there is one whole version.

    A statement is no snapshot in Neo4j (read committed): about one in a thousand that runs beside a commit sees
    nodes of both versions, and never of more than these two.
    """
    begun, ended = 0, 0
    quiet, beside = 0, 0
    stop = threading.Event()
    failures: list[object] = []

    def version(number: int) -> MaterializedDocument:
        chunks = [f"kept {n}" for n in range(10)] + [f"v{number} {n}" for n in range(10)]
        return make_document(EMBEDDER, chunks=chunks, metadata={"version": number})

    id_ = version(0).document.id
    store.write_document(version(0))

    def read() -> None:
        nonlocal quiet, beside
        while not stop.is_set():
            before = (begun, ended)
            chunks = graph.run(
                "MATCH (c:Datum {document_id: $id}) RETURN c.version AS version, c.urtext AS text", id=id_
            )
            after = (begun, ended)
            seen = {row["version"] for row in chunks} - {None}  # of a node that was deleted while it was read
            if before == after and begun == ended:
                quiet += 1
                whole = len(chunks) == 20 and all(row["text"].startswith(("kept", f"v{ended} ")) for row in chunks)
                if seen != {ended} or not whole:
                    failures.append((before, chunks))
            else:
                beside += 1
                if not seen <= set(range(before[1], after[0] + 1)):
                    failures.append((before, after, seen))

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for number in range(1, 25):
            begun = number
            store.write_document(version(number))
            ended = number
            time.sleep(0.02)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert failures == []
    assert min(quiet, beside) > 3, "the readers were too slow to see anything"


# -- staged writes


def test_an_interrupted_staging_is_invisible_and_cleared_at_the_next_write(
    store: Neo4jStore, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I2: what was staged bears no label that a search sees; the next write of the document takes it away."""
    monkeypatch.setattr(writing, "STAGE_ABOVE", 5)
    old = make_document(EMBEDDER, chunks=["old"])
    store.write_document(old)
    before = store.graph_hash()

    def cut_off(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(staging, "apply_staged_plan", cut_off)
        with pytest.raises(KeyboardInterrupt):
            store.write_document(make_document(EMBEDDER, chunks=words(20)))
    assert graph.value("MATCH (s:Staged) RETURN count(s)") == 20
    assert graph.run("MATCH (s:Staged) RETURN DISTINCT labels(s) AS labels") == [{"labels": ["Staged"]}]
    assert store.graph_hash() == before
    assert store.count(Chunk) == 1
    assert len(store.vector_search_by_embedding(EMBEDDER.embed_query("w3 stands alone"), top_k=10)) == 1
    store.write_document(make_document(EMBEDDER, chunks=["small", "again"]))
    assert graph.value("MATCH (s:Staged) RETURN count(s)") == 0
    graph.check_whole()


def test_a_staged_write_that_fails_leaves_the_old_version_and_nothing_staged(
    store: Neo4jStore, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "STAGE_ABOVE", 5)
    store.write_document(make_document(EMBEDDER, chunks=["old"]))
    before = store.graph_hash()

    def fail(*args: object, **kwargs: object) -> None:
        raise InvalidRequestError("as the test asked")

    with monkeypatch.context() as patch:
        patch.setattr(staging, "apply_staged_plan", fail)
        with pytest.raises(InvalidRequestError, match="as the test asked"):
            store.write_document(make_document(EMBEDDER, chunks=words(20)))
    assert store.graph_hash() == before
    assert graph.value("MATCH (s:Staged) RETURN count(s)") == 0


def test_a_node_that_lost_its_properties_is_a_typed_error(store: Neo4jStore, graph: Graph) -> None:
    """A search beside a deletion may meet what is being deleted; no foreign exception crosses."""
    document = make_document(EMBEDDER)
    store.write_document(document)
    graph.run("MATCH (c:Chunk {id: $id}) REMOVE c.urtext, c.text", id=document.chunks[0].id)
    with pytest.raises(StoreError, match="deleted while it was read, or changed by another program") as caught:
        store.list_chunks(document.document.id)
    assert caught.value.retryable


def test_a_staged_document_with_sections_equals_a_direct_one(
    store: Neo4jStore, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = make_document(EMBEDDER)
    store.write_document(document)
    direct = store.graph_hash()
    store.clear()
    monkeypatch.setattr(writing, "STAGE_ABOVE", 0)
    store.write_document(document)
    assert store.graph_hash() == direct
    graph.check_whole()


# -- deletion


def test_deleting_twice_and_deleting_the_unknown_report_zeros(store: Neo4jStore) -> None:
    """CASES 36 at the level of the store."""
    document = make_document(EMBEDDER)
    store.write_documents([document, make_document(EMBEDDER, "file:///b/report.md", SINGLE)])
    assert store.delete_document("file:///unknown.md", collection="default") == Deletion()
    assert store.delete_document(document.document.uri, collection="default") == Deletion(1, 2, 4)
    assert store.delete_document(document.document.uri, collection="default") == Deletion()
    assert (store.count(Document), store.count(Chunk), store.count(Section)) == (1, 1, 1)


def test_clear_takes_collections_or_all(store: Neo4jStore, graph: Graph) -> None:
    for collection in ("red", "blue", "green"):
        store.write_document(make_document(EMBEDDER, collection=collection))
    graph.run("CREATE (:Foreign {name: 'stays'})")
    assert store.clear(collections=["red", "none there"]) == Deletion(1, 2, 4)
    assert store.clear(collections=[]) == Deletion()
    assert store.info().collections == {"blue": 1, "green": 1}
    assert store.clear() == Deletion(2, 4, 8)
    assert graph.value("MATCH (n:Datum) RETURN count(n)") == 0
    assert graph.value("MATCH (n:Foreign) RETURN count(n)") == 1
    assert store.info().schema_version == 1


def test_chunk_labels_are_of_retrievables(store: Neo4jStore) -> None:
    document = make_document(EMBEDDER)
    store.write_document(document)
    found = store.find_by_id(document.chunks[0].id)
    assert isinstance(found, Chunk)
    assert found.embedding is None
    assert found.labels() == ("Datum", "Retrievable", "Chunk")
