"""Links followed from what holds them to what they lead to, and back."""

import pytest

from graphrag.errors import InvalidRequestError
from graphrag.filters.nodes import Eq
from graphrag.filters.scope import Scope
from graphrag.ingestion.given import GivenChunk
from graphrag.model import Chunk, Document, Link, MaterializedDocument, Section
from graphrag.stores import Neo4jStore
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.documents import make_document
from tests.integration.neo4j.graph import Graph

EMBEDDER = DeterministicEmbedder(Graph.DIMENSIONS)
MISSING = "z" * 32
SEES_A = Scope().with_metadata_filter(Eq("owner", "a"))
A, B = {"owner": "a"}, {"owner": "b"}


@pytest.fixture
def guide(store: Neo4jStore) -> MaterializedDocument:
    document = make_document(EMBEDDER, "file:///guide", [
        GivenChunk("start", section_path=("Start",), metadata=A),
        GivenChunk("more of the start", section_path=("Start",), metadata=B),
        GivenChunk("end", section_path=("End",), metadata=A),
    ], title="Guide")  # fmt: skip
    store.write_document(document)
    return document


@pytest.fixture
def target(store: Neo4jStore) -> MaterializedDocument:
    document = make_document(EMBEDDER, "file:///target", [
        GivenChunk("open", section_path=("Open",), metadata=A),
        GivenChunk("closed", section_path=("Closed",), metadata=B),
    ], title="Target")  # fmt: skip
    store.write_document(document)
    return document


def link(graph: Graph, source: str, target: str) -> None:
    graph.run("MATCH (s:Datum {id: $s}), (t:Datum {id: $t}) CREATE (s)-[:LINKS_TO]->(t)", s=source, t=target)


def ends(links: list[Link]) -> list[tuple[str, str]]:
    return [(one.source_id, one.target_id) for one in links]


def test_links_lead_out_in_the_order_of_the_document_and_back_in(
    store: Neo4jStore, graph: Graph, guide: MaterializedDocument, target: MaterializedDocument
) -> None:
    chunks, sections = guide.chunks, target.sections
    link(graph, chunks[2].id, target.document.id)
    link(graph, chunks[0].id, sections[1].id)
    link(graph, chunks[0].id, target.document.id)
    link(graph, chunks[0].id, target.document.id)
    link(graph, guide.sections[1].id, sections[0].id)
    out = store.follow_links(guide.document.id)
    from_first = sorted((chunks[0].id, id_) for id_ in (sections[1].id, target.document.id))
    expected = [(guide.sections[1].id, sections[0].id), *from_first, (chunks[2].id, target.document.id)]
    assert ends(out) == expected
    assert {one.direction for one in out} == {"out"}
    assert all(one.element.id == one.target_id for one in out)
    assert {type(one.element) for one in out} <= {Document, *type(sections[0]).__mro__}
    assert ends(store.follow_links(chunks[0].id)) == from_first
    assert ends(store.follow_links(guide.sections[1].id)) == [expected[0], expected[-1]]
    back = store.follow_links(target.document.id, direction="in")
    assert sorted(ends(back)) == sorted(expected)
    assert all(one.element.id == one.source_id for one in back)
    assert isinstance(back[0].element, Section)
    assert isinstance(back[1].element, Chunk)
    assert back[1].element.urtext == "start"
    assert ends(store.follow_links(sections[1].id, direction="in")) == [(chunks[0].id, sections[1].id)]
    assert store.follow_links(chunks[0].id, direction="in") == []
    few = store.follow_links(guide.document.id, limit=2)
    assert (ends(few), few.notes) == (expected[:2], ("there are more links; the first 2 are listed",))


def test_a_scope_holds_on_both_ends_of_a_link(
    store: Neo4jStore, graph: Graph, guide: MaterializedDocument, target: MaterializedDocument
) -> None:
    """THREATS 9, 19 and 20: neither hidden sources nor hidden targets show."""
    open_, closed = target.sections
    for chunk in guide.chunks:
        for to in (open_.id, closed.id, target.document.id):
            link(graph, chunk.id, to)
    seen = [(guide.chunks[n].id, to) for n in (0, 2) for to in sorted((open_.id, target.document.id))]
    out = store.follow_links(guide.document.id, scope=SEES_A)
    assert ends(out) == seen
    assert [one.element.chunk_count for one in out if isinstance(one.element, Document)] == [1, 1]
    assert sorted(ends(store.follow_links(target.document.id, direction="in", scope=SEES_A))) == sorted(seen)
    for id_ in (guide.chunks[1].id, closed.id, MISSING, "u1"):
        for direction in ("out", "in"):
            found = store.follow_links(id_, direction=direction, scope=SEES_A)  # type: ignore[arg-type]
            assert (list(found), found.notes) == ([], ()), id_
    for direction in ("out", "in"):
        of = guide if direction == "out" else target
        assert store.follow_links(of.document.id, direction=direction, collections=["other"]) == []  # type: ignore[arg-type]
        assert len(store.follow_links(of.document.id, direction=direction, collections=["default"])) == 9  # type: ignore[arg-type]


def test_links_of_others_are_not_followed(store: Neo4jStore, graph: Graph, guide: MaterializedDocument) -> None:
    graph.run(
        "MATCH (c:Chunk {id: $id}) CREATE (c)-[:LINKS_TO]->(:Document {id: 'theirs', uri: 'x', title: 'x'}), "
        "(c)-[:LINKS_TO]->(:Datum:Retrievable:NamedEntity {id: 'e', name: 'E'})",
        id=guide.chunks[0].id,
    )
    assert store.follow_links(guide.document.id) == []


@pytest.mark.parametrize("wrong", [0, 1_001, True, 2.0, "1", None])
def test_the_number_of_links_is_bounded(store: Neo4jStore, wrong: object) -> None:
    """THREATS 6."""
    with pytest.raises(InvalidRequestError, match="`limit` is .*; it must be a whole number from 1 to 1000"):
        store.follow_links("x", limit=wrong)  # type: ignore[arg-type]


def test_directions_are_a_closed_list(store: Neo4jStore) -> None:
    """THREATS 5."""
    with pytest.raises(InvalidRequestError, match="`direction` is 'up'; it must be one of out, in"):
        store.follow_links("x", direction="up")  # type: ignore[arg-type]
    with pytest.raises(InvalidRequestError, match="`id` is "):
        store.follow_links("")
