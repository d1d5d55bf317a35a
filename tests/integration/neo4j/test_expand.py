"""From a result to what stands around it: never over a border, never out of scope."""

from threading import Event, Thread

import pytest

from graphrag.config import Limits, Settings
from graphrag.errors import InvalidRequestError, StoreError
from graphrag.filters.nodes import Eq
from graphrag.filters.scope import Scope
from graphrag.ingestion.given import GivenChunk
from graphrag.model import Chunk, ContentElement, Document, Section
from graphrag.stores import Neo4jStore
from graphrag.stores.neo4j._sync.connection import Connection
from graphrag.stores.reports import ExpandMethod
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.documents import make_document, words
from tests.integration.neo4j.graph import Graph

EMBEDDER = DeterministicEmbedder(Graph.DIMENSIONS)
SEQUENCE, ZOOM_OUT = ExpandMethod.SEQUENCE, ExpandMethod.ZOOM_OUT


def sequence(store: Neo4jStore, id_: str, count: int, **scope: list[str]) -> list[str]:
    found = store.expand_result(id_, SEQUENCE, count, **scope)  # type: ignore[arg-type]
    return [element.urtext for element in found if isinstance(element, Chunk)]


def test_a_sequence_is_in_order_and_clipped_at_the_ends(store: Neo4jStore) -> None:
    """CASES 30: it never runs into another document."""
    texts = words(30)
    one, two = make_document(EMBEDDER, "file:///1", texts), make_document(EMBEDDER, "file:///2", words(5, "x"))
    store.write_documents([one, two])
    ids = [chunk.id for chunk in one.chunks]
    assert sequence(store, ids[10], 2) == texts[8:13]
    assert sequence(store, ids[10], 0) == [texts[10]]
    assert sequence(store, ids[0], 3) == texts[:4]
    assert sequence(store, ids[29], 3) == texts[26:]
    assert sequence(store, ids[29], 20) == texts[9:]
    assert sequence(store, two.chunks[4].id, 20) == words(5, "x")


def test_a_sequence_crosses_sections(store: Neo4jStore) -> None:
    document = make_document(EMBEDDER)
    store.write_document(document)
    assert sequence(store, document.chunks[2].id, 1) == [chunk.urtext for chunk in document.chunks[1:4]]


@pytest.mark.parametrize("wrong", [-1, 21, 2.0, True, "1", None, 10**9])
def test_the_number_of_neighbours_is_bounded(store: Neo4jStore, wrong: object) -> None:
    """THREATS 6."""
    with pytest.raises(InvalidRequestError, match="`elements_to_add` is .*; it must be a whole number from 0 to 20"):
        store.expand_result("x", SEQUENCE, wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", ["", "a\0b", "x" * 513, None, ["a"], 7, "\ud800"])
def test_an_id_is_one_short_text(store: Neo4jStore, wrong: object) -> None:
    """THREATS 23."""
    for call in (
        lambda: store.expand_result(wrong, SEQUENCE),  # type: ignore[arg-type]
        lambda: store.find_by_id(wrong),  # type: ignore[arg-type]
        lambda: store.list_chunks(wrong),  # type: ignore[arg-type]
        lambda: store.find_documents([wrong]),  # type: ignore[list-item]
    ):
        with pytest.raises(InvalidRequestError, match="`id` is .*; it must be 1 to 512 printable characters"):
            call()


def test_unknown_foreign_and_hidden_ids_answer_the_same(store: Neo4jStore, graph: Graph) -> None:
    """THREATS 19 and 23."""
    theirs = make_document(EMBEDDER, collection="theirs")
    store.write_document(theirs)
    graph.run("CREATE (:User {id: 'u1'}), (:GraphragSchema {id: 'other'})")
    section = theirs.sections[0].id
    for id_ in ("nowhere", "*", "u1", "other", "graphrag", theirs.chunks[0].id, theirs.document.id, section):
        for method in (SEQUENCE, ZOOM_OUT):
            found = store.expand_result(id_, method, 2, collections=["mine"])
            assert (list(found), found.notes) == ([], ()), id_
        assert store.find_by_id(id_, collections=["mine"]) is None
    assert isinstance(store.find_by_id(section, collections=["theirs"]), Section)
    assert isinstance(store.find_by_id(theirs.document.id, collections=["mine", "theirs"]), Document)
    assert len(sequence(store, theirs.chunks[0].id, 2, collections=["theirs"])) == 3
    graph.run("MATCH (n:GraphragSchema {id: 'other'}) DELETE n")


NESTED = (
    GivenChunk("own text of the document\n"),
    GivenChunk("own text of A\n", section_path=("A",)),
    GivenChunk("text of A1\n", section_path=("A", "A1")),
    GivenChunk("more of A1\n", section_path=("A", "A1")),
    GivenChunk("text of A2\n", section_path=("A", "A2")),
    GivenChunk("text of B\n", section_path=("B",)),
)


def zoom(store: Neo4jStore, id_: str) -> ContentElement:
    [element] = store.expand_result(id_, ZOOM_OUT)
    assert isinstance(element, ContentElement)
    return element


def test_zooming_out_gives_the_element_above_with_its_whole_text(store: Neo4jStore) -> None:
    document = make_document(EMBEDDER, chunks=NESTED)
    store.write_document(document)
    by_title = {section.title: section for section in document.sections}
    inner = zoom(store, document.chunks[2].id)
    assert (inner.id, inner.text) == (by_title["A1"].id, "text of A1\nmore of A1")
    outer = zoom(store, by_title["A1"].id)
    assert outer.id == by_title["A"].id
    assert outer.text == "own text of A\n## A1\n\ntext of A1\nmore of A1\n## A2\n\ntext of A2"
    whole = zoom(store, by_title["B"].id)
    assert whole.id == document.document.id
    assert whole.text.startswith("own text of the document\n# A\n\nown text of A\n## A1\n\n")
    assert whole.text.endswith("# B\n\ntext of B")
    assert not whole.truncated
    assert list(store.expand_result(document.document.id, ZOOM_OUT)) == []


def test_zooming_out_takes_overlaps_out(store: Neo4jStore) -> None:
    """Chunks that overlap give each character once."""
    document = make_document(EMBEDDER, chunks=[GivenChunk("abcdef"), GivenChunk("efghij"), GivenChunk("ghijkl")])
    places = [(0, 6), (4, 10), (6, 12)]
    chunks = tuple(
        chunk.model_copy(update={"start": start, "end": end})
        for chunk, (start, end) in zip(document.chunks, places, strict=True)
    )
    from dataclasses import replace

    store.write_document(replace(document, chunks=chunks))
    assert zoom(store, chunks[0].id).text == "abcdefghijkl"


def test_a_text_over_the_limit_is_cut_with_a_note(store: Neo4jStore, graph: Graph) -> None:
    document = make_document(EMBEDDER, chunks=[f"{n:04d} " * 20 for n in range(10)])
    store.write_document(document)
    with Neo4jStore(graph.settings, EMBEDDER, settings=Settings(limits=Limits(max_zoom_out_chars=250))) as small:
        found = small.expand_result(document.chunks[0].id, ZOOM_OUT)
    [element] = found
    assert isinstance(element, ContentElement)
    assert element.truncated
    assert element.text == "".join(chunk.urtext for chunk in document.chunks)[:250]
    assert found.notes == ("the text was cut at 250 characters",)


def test_hidden_text_does_not_use_up_the_limit(store: Neo4jStore, graph: Graph) -> None:
    """What stands behind much hidden text is shown all the same, and nothing is said to be cut."""
    hidden = [GivenChunk(f"secret {n} " * 5, metadata={"owner": "b"}) for n in range(20)]
    mine = [GivenChunk(text, metadata={"owner": "a"}) for text in ("before ", "behind ", "and last")]
    document = make_document(EMBEDDER, chunks=[mine[0], *hidden, mine[1], *hidden, mine[2]])
    store.write_document(document)
    scope = Scope().with_metadata_filter(Eq("owner", "a"))
    whole = "before behind and last"
    for limit in (len(whole) - 1, len(whole), len(whole) + 1):
        with Neo4jStore(graph.settings, EMBEDDER, settings=Settings(limits=Limits(max_zoom_out_chars=limit))) as small:
            [element] = small.expand_result(document.chunks[0].id, ZOOM_OUT, scope=scope)
        assert isinstance(element, ContentElement)
        assert (element.text, element.truncated) == (whole[:limit], limit < len(whole))


def test_an_element_that_a_writer_takes_away_while_it_is_read_is_read_again(
    store: Neo4jStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A statement is no snapshot: a parent without anything below it was being replaced."""
    document = make_document(EMBEDDER, chunks=NESTED)
    store.write_document(document)
    chunk = document.chunks[2].id
    read, torn = Connection.read, 2

    def tearing(self: Connection, name: str, /, *arguments: object, **more: object) -> object:
        nonlocal torn
        rows = read(self, name, *arguments, **more)  # type: ignore[arg-type]
        if name == "expand/zoom_out" and torn > 0:
            torn -= 1
            return [{**row, "below": []} for row in rows]
        return rows

    monkeypatch.setattr(Connection, "read", tearing)
    assert zoom(store, chunk).text == "text of A1\nmore of A1"
    torn = 3
    assert list(store.expand_result(chunk, ZOOM_OUT)) == []


def test_zooming_out_beside_a_writer_never_gives_an_element_without_text(store: Neo4jStore, graph: Graph) -> None:
    """A chunk that stays moves between two sections, which are made and deleted again and again."""
    versions = [
        make_document(EMBEDDER, chunks=[GivenChunk("it stays\n", section_path=(title,)), *words(30, title)])
        for title in ("One", "Two")
    ]
    store.write_document(versions[0])
    chunk = versions[0].chunks[0].id
    assert versions[1].chunks[0].id == chunk
    done = Event()

    def rewrite() -> None:
        with Neo4jStore(graph.settings, EMBEDDER) as writer:
            for number in range(30):
                writer.write_document(versions[number % 2])
        done.set()

    writing = Thread(target=rewrite)
    writing.start()
    shown = 0
    while not done.is_set():
        try:
            found = store.expand_result(chunk, ZOOM_OUT)
        except StoreError as error:
            assert error.retryable  # noqa: PT017 - many do not fail
            continue
        for element in found:
            shown += 1
            assert isinstance(element, ContentElement)
            assert element.text
    writing.join()
    assert shown


def test_methods_are_a_closed_list(store: Neo4jStore) -> None:
    """THREATS 5."""
    assert list(store.expand_result("x", "zoom_out")) == []  # type: ignore[arg-type]
    with pytest.raises(InvalidRequestError, match="`method` is 'up'; it must be one of sequence, zoom_out"):
        store.expand_result("x", "up")  # type: ignore[arg-type]
