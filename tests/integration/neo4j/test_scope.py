"""What a caller may see, on every way to see it: generated graphs and scopes, compared with the definition."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest

from graphrag.errors import InvalidFilterError, InvalidRequestError
from graphrag.filters.nodes import EntityFilter, Eq, Exists, Gte, In, Ne, Not, PropertyFilter
from graphrag.filters.scope import EVERYTHING, Node, Scope
from graphrag.ingestion.given import GivenChunk
from graphrag.model import (
    Chunk,
    ClusterRequest,
    ContentElement,
    Document,
    NamedEntityData,
    Section,
    SectionText,
    TextSimilaritySearchRequest,
)
from graphrag.stores import Neo4jStore
from graphrag.stores.neo4j._sync.connection import Connection
from graphrag.stores.reports import ExpandMethod
from graphrag.testing.embedder import DeterministicEmbedder
from tests.conftest import ENVIRON
from tests.integration.neo4j.all_pairs import leaders, shown
from tests.integration.neo4j.documents import make_document
from tests.integration.neo4j.graph import Graph

SEED = int(ENVIRON.get("GRAPHRAG_TEST_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)
EMBEDDER = DeterministicEmbedder(Graph.DIMENSIONS)
ALL = TextSimilaritySearchRequest("shared word", None, 1_000)
MISSING = "z" * 32


@dataclass
class World:
    """What stands in the database, as the definition needs it."""

    documents: dict[str, tuple[Document, list[str]]] = field(default_factory=dict)
    chunks: dict[str, Chunk] = field(default_factory=dict)
    sections: dict[str, list[str]] = field(default_factory=dict)
    """Section to the chunks below it."""
    entities: dict[str, tuple[Node, list[str]]] = field(default_factory=dict)
    links: list[tuple[str, str]] = field(default_factory=list)
    """From chunks to documents and sections."""

    def node(self, chunk_id: str) -> Node:
        chunk = self.chunks[chunk_id]
        own = {"collection": chunk.collection, "uri": chunk.uri, "sequence_number": chunk.sequence_number}
        return {**chunk.metadata, **own}, chunk.labels()

    def nodes(self, chunk_ids: list[str]) -> list[Node]:
        return [self.node(id_) for id_ in chunk_ids]

    def visible_chunks(self, scope: Scope) -> set[str]:
        return {id_ for id_ in self.chunks if scope.sees_chunk(self.node(id_))}

    def visible_entities(self, scope: Scope) -> set[str]:
        return {id_ for id_, (node, by) in self.entities.items() if scope.sees_entity(node, self.nodes(by))}


def make_world(store: Neo4jStore, graph: Graph, chance: random.Random) -> World:
    world = World()
    for number in range(8):
        owner = chance.choice(["a", "b", None])
        metadata = {"owner": owner, "rank": chance.randrange(3), "n": number}
        chunks = [
            GivenChunk(
                f"shared word, text {number} {place} only here",
                section_path=chance.choice([(), ("One",), ("One", "Two"), ("Three",)]),
                metadata={"owner": chance.choice(["a", "b"])} if chance.random() < 0.25 else {},
            )
            for place in range(chance.randrange(1, 7))
        ]
        chunks.sort(key=lambda chunk: chunk.section_path)
        document = make_document(
            EMBEDDER,
            f"file:///{number}",
            chunks,
            collection=chance.choice(["one", "two"]),
            metadata={name: value for name, value in metadata.items() if value is not None},
        )
        store.write_document(document)
        world.documents[document.document.id] = (document.document, [chunk.id for chunk in document.chunks])
        world.chunks |= {chunk.id: chunk for chunk in store.list_chunks(document.document.id)}
        for section in document.sections:
            world.sections[section.id] = [c.id for c in document.chunks if section.id in c.section_ids]
    for number in range(20):
        add_entity(world, graph, chance, number)
    targets = [*world.documents, *world.sections]
    pairs = {(chance.choice(sorted(world.chunks)), chance.choice(sorted(targets))) for _ in range(40)}
    world.links = sorted(pairs)
    graph.run(
        "UNWIND $pairs AS pair MATCH (c:Datum {id: pair[0]}), (t:Datum {id: pair[1]}) CREATE (c)-[:LINKS_TO]->(t)",
        pairs=[list(pair) for pair in world.links],
    )
    return world


def add_entity(world: World, graph: Graph, chance: random.Random, number: int) -> None:
    """Extracted or the application's own; mentioned nowhere, by one owner alone, or by several."""
    id_ = f"{number:032d}"
    properties = {"id": id_, "name": f"E{number}", "origin": chance.choice(["extracted", "application"])}
    if chance.random() < 0.6:
        properties["owner"] = chance.choice(["a", "b"])
    label = chance.choice(["Person", "Place"])
    mentions = chance.sample(sorted(world.chunks), chance.choice([0, 1, 1, 2, 5]))
    graph.run(
        "CREATE (e:Datum:Retrievable:NamedEntity:$($label)) SET e = $properties "
        "WITH e UNWIND $mentions AS id MATCH (c:Datum {id: id}) CREATE (c)-[:MENTIONS]->(e)",
        label=label,
        properties=properties,
        mentions=mentions,
    )
    world.entities[id_] = ((properties, ("Datum", "Retrievable", "NamedEntity", label)), mentions)


def make_scopes(chance: random.Random) -> Iterator[Scope]:
    yield EVERYTHING
    metadata: list[PropertyFilter] = [
        Eq("owner", "a"), Eq("owner", "b"), In("owner", ("a", "b")), Gte("rank", 1), Exists("owner"),
        Eq("owner", "a") & Not(Eq("rank", 2)), Eq("owner", "nobody"), Eq("uri", "file:///3"),
        EntityFilter.has_any_label("Chunk") & Eq("rank", 0),
    ]  # fmt: skip
    entity: list[PropertyFilter] = [
        EntityFilter.has_any_label("Person"), Eq("owner", "a"), Ne("owner", "b"),
        Not(EntityFilter.has_any_label("Place")),
    ]  # fmt: skip
    for _ in range(6):
        scope = Scope()
        for filter_ in chance.sample(metadata, chance.choice([1, 1, 2])):
            scope = scope.with_metadata_filter(filter_)
        for filter_ in chance.sample(entity, chance.choice([0, 1])):
            scope = scope.with_entity_filter(filter_)
        yield scope.within(chance.choice([None, ["one"], ["one", "two"]]))
    yield Scope().with_entity_filter(entity[0])


@pytest.fixture(params=range(2))
def world(store: Neo4jStore, graph: Graph, request: pytest.FixtureRequest) -> World:
    seed = SEED + int(request.param)
    print(f"seed {seed}: GRAPHRAG_TEST_SEED={seed} repeats it as the first")  # noqa: T201 - shown on failure
    return make_world(store, graph, random.Random(seed))  # noqa: S311 - tests


def test_every_way_to_see_shows_what_the_scope_shows_and_nothing_else(store: Neo4jStore, world: World) -> None:
    """THREATS 9, 18, 19, 20: hits, lists, counts, ids, neighbours and parents, for generated scopes."""
    chance = random.Random(SEED)  # noqa: S311 - tests
    shown = hidden = 0
    for scope in make_scopes(chance):
        visible = world.visible_chunks(scope)
        shown, hidden = shown + len(visible), hidden + len(world.chunks) - len(visible)
        check_searches(store, scope, visible)
        check_documents(store, world, scope, visible)
        check_ids(store, world, scope, visible)
        check_expansion(store, world, scope, visible)
    assert shown > 30
    assert hidden > 30


def check_searches(store: Neo4jStore, scope: Scope, visible: set[str]) -> None:
    for search in (store.vector_search, store.text_search, store.hybrid_search):
        found = search(ALL, scope=scope)
        assert sorted(result.match.id for result in found) == sorted(visible), search.__name__
    for pattern in ("shared", ".", "(?i)WORD"):
        assert sorted(result.match.id for result in store.regex_search(pattern, 1_000, scope=scope)) == sorted(visible)
    vector = EMBEDDER.embed_query("x")
    near = store.vector_search_by_embedding(vector, top_k=5, scope=scope, where=Gte("rank", 1))
    wanted = [id_ for id_ in visible if (chunk := store.find_by_id(id_)) and int(str(chunk.metadata["rank"])) >= 1]
    assert len(near) == min(5, len(wanted))
    assert {result.match.id for result in near} <= set(wanted)


def check_documents(store: Neo4jStore, world: World, scope: Scope, visible: set[str]) -> None:
    counts = {id_: len(visible & set(chunks)) for id_, (_, chunks) in world.documents.items()}
    seen = {id_: count for id_, count in counts.items() if count or scope == EVERYTHING}
    seen = {id_: count for id_, count in seen.items() if scope.metadata == () or count}
    listed = store.list_documents(scope=scope, limit=1_000)
    assert {document.id: document.chunk_count for document in listed} == seen
    found = store.find_documents(list(world.documents), scope=scope)
    assert {id_: document.chunk_count for id_, document in found.items()} == seen
    assert store.count(Document, scope=scope) == len(seen)
    assert store.count(Chunk, scope=scope) == len(visible)
    sections = {id_ for id_, chunks in world.sections.items() if not scope.metadata or visible & set(chunks)}
    assert store.count(Section, scope=scope) == len(sections)
    assert store.count(NamedEntityData, scope=scope) == len(world.visible_entities(scope))
    for id_, (document, chunks) in world.documents.items():
        assert [c.id for c in store.list_chunks(id_, scope=scope)] == [c for c in chunks if c in visible]
        assert {s.id for s in store.list_sections(id_, scope=scope)} <= sections
        by_uri = store.find_document(str(document.uri), collection=document.collection, scope=scope)
        assert (by_uri is not None) == (id_ in seen)
    everywhere = [s.id for id_ in world.documents for s in store.list_sections(id_, scope=scope)]
    assert sorted(everywhere) == sorted(sections)


def check_ids(store: Neo4jStore, world: World, scope: Scope, visible: set[str]) -> None:
    """A hidden id and a missing one get the same answer."""
    entities = world.visible_entities(scope)
    for id_ in [*world.documents, *world.sections, *world.chunks, *world.entities, MISSING]:
        below = {id_} if id_ in world.chunks else set(world.sections.get(id_) or world.documents.get(id_, (0, []))[1])
        expected = id_ in entities if id_ in world.entities else bool(below & visible)
        found = store.find_by_id(id_, scope=scope)
        assert (found is not None) == expected, id_
        if isinstance(found, Document) and scope.metadata:
            assert found.chunk_count == len(below & visible)


def check_expansion(store: Neo4jStore, world: World, scope: Scope, visible: set[str]) -> None:
    for id_, chunk in world.chunks.items():
        siblings = world.documents[chunk.document_id][1]
        around = [found.id for found in store.expand_result(id_, ExpandMethod.SEQUENCE, 2, scope=scope)]
        assert around == neighbours(siblings, siblings.index(id_), visible, 2), id_
        above = store.expand_result(id_, ExpandMethod.ZOOM_OUT, scope=scope)
        assert len(above) == (id_ in visible)
        for parent in above:
            check_zoomed(world, parent, visible)
    for section in world.sections:
        shown = store.expand_result(section, ExpandMethod.ZOOM_OUT, scope=scope)
        assert len(shown) == bool(visible & set(world.sections[section]) or not scope.metadata)
    assert not store.expand_result(MISSING, ExpandMethod.SEQUENCE, 1, scope=scope)
    check_ways(store, world, scope, visible)
    check_sections(store, world, scope, visible)
    check_links(store, world, scope, visible)
    check_clusters(store, world, scope, visible)


def check_ways(store: Neo4jStore, world: World, scope: Scope, visible: set[str]) -> None:
    """From the document down to what is visible, and nothing for the rest."""
    for id_, chunk in world.chunks.items():
        way = [chunk.document_id, *chunk.section_ids, id_] if id_ in visible else []
        assert [element.id for element in store.path_from_root(id_, scope=scope)] == way
    for id_, chunks in world.sections.items():
        way_down = [element.id for element in store.path_from_root(id_, scope=scope)]
        assert way_down[-1:] == ([id_] if not scope.metadata or visible & set(chunks) else [])
    for id_ in (MISSING, *world.entities):
        assert store.path_from_root(id_, scope=scope) == []


def check_sections(store: Neo4jStore, world: World, scope: Scope, visible: set[str]) -> None:
    """Outlines, titles and texts tell of visible chunks alone."""
    counts = {id_: len(visible & set(chunks)) for id_, chunks in world.sections.items()}
    seen = {id_: count for id_, count in counts.items() if count or not scope.metadata}
    outlines = store.table_of_contents(scope=scope, limit=100)
    assert {entry.id: entry.chunk_count for outline in outlines for entry in outline.sections} == seen
    titled = [entry for title in ("ONE", "two", "Three") for entry in store.find_sections(title, scope=scope)]
    assert {entry.id: entry.chunk_count for entry in titled} == seen
    for id_, chunks in world.sections.items():
        reading = store.read_section(id_, scope=scope)
        assert (reading is not None) == (id_ in seen)
        if reading is not None:
            assert isinstance(reading, SectionText)
            for chunk in chunks:
                assert (world.chunks[chunk].urtext in reading.text) == (chunk in visible)


def check_links(store: Neo4jStore, world: World, scope: Scope, visible: set[str]) -> None:
    below = {id_: set(chunks) for id_, (_, chunks) in world.documents.items()}
    below |= {id_: set(chunks) for id_, chunks in world.sections.items()}
    shown = {
        (source, target)
        for source, target in world.links
        if source in visible and (not scope.metadata or below[target] & visible)
    }
    for document in world.documents:
        out = store.follow_links(document, scope=scope, limit=1_000)
        assert {(one.source_id, one.target_id) for one in out} == {
            pair for pair in shown if world.chunks[pair[0]].document_id == document
        }
        back = store.follow_links(document, direction="in", scope=scope, limit=1_000)
        sections = {id_ for id_, chunks in world.sections.items() if set(chunks) <= below[document]}
        assert {(one.source_id, one.target_id) for one in back} == {
            pair for pair in shown if pair[1] in {document, *sections}
        }
    for chunk in world.chunks:
        out = store.follow_links(chunk, scope=scope)
        assert {(one.source_id, one.target_id) for one in out} == {pair for pair in shown if pair[0] == chunk}


def check_clusters(store: Neo4jStore, world: World, scope: Scope, visible: set[str]) -> None:
    """They are those of all pairs of visible chunks."""
    ids = sorted(visible)
    vectors = dict(zip(ids, EMBEDDER.embed_documents([world.chunks[id_].text for id_ in ids]), strict=True))
    found = store.find_clusters(ClusterRequest(0.6, top_k=100, max_clusters=1_000), scope=scope)
    assert shown(found) == (leaders(vectors, 0.6) if vectors else {})
    assert all(one.size == 1 + len(one.similar) for one in found)


def neighbours(siblings: list[str], at: int, visible: set[str], count: int) -> list[str]:
    """Walk along the chain on both sides, as far as all is visible."""
    if siblings[at] not in visible:
        return []
    first = last = at
    while first > max(0, at - count) and siblings[first - 1] in visible:
        first -= 1
    while last < min(len(siblings) - 1, at + count) and siblings[last + 1] in visible:
        last += 1
    return siblings[first : last + 1]


def check_zoomed(world: World, parent: Chunk | ContentElement, visible: set[str]) -> None:
    assert isinstance(parent, ContentElement)
    below = world.sections.get(parent.id) or world.documents[parent.id][1]
    for id_ in below:
        assert (world.chunks[id_].urtext in parent.text) == (id_ in visible), parent.id


def test_deleting_by_filter_keeps_to_the_scope(store: Neo4jStore, graph: Graph, world: World) -> None:
    scope = Scope().with_metadata_filter(Eq("owner", "a"))
    before = {document.id for document in store.list_documents(limit=1_000)}
    doomed = {
        id_
        for id_, (document, chunks) in world.documents.items()
        if int(str(document.metadata["rank"])) >= 1 and document.collection == "one"
        and all(map(scope.sees_chunk, world.nodes(chunks)))
    }  # fmt: skip
    deleted = store.delete_documents(Gte("rank", 1), scope=scope, collections=["one"])
    assert deleted.documents == len(doomed)
    assert deleted.chunks == sum(len(world.documents[id_][1]) for id_ in doomed)
    assert {document.id for document in store.list_documents(limit=1_000)} == before - doomed
    assert store.delete_documents(Gte("rank", 1), scope=scope, collections=["one"]).documents == 0
    graph.check_whole()


def test_what_leaves_the_scope_between_two_statements_of_a_search_is_not_shown(
    store: Neo4jStore, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """THREATS 20, I5: a hybrid search finds ids first, and reads the chunks then."""
    for owner in ("a", "b"):
        store.write_document(
            make_document(EMBEDDER, f"file:///{owner}", [f"shared word of {owner}"], metadata={"owner": owner})
        )
    scope = Scope().with_metadata_filter(Eq("owner", "a"))
    search = store.hybrid_search
    assert [result.match.metadata["owner"] for result in search(ALL, scope=scope)] == ["a"]
    read = Connection.read

    def changing(self: Connection, name: str, /, *arguments: object, **more: object) -> object:
        if name == "chunk/by_ids":
            graph.run("MATCH (n:Datum {owner: 'a'}) SET n.owner = 'b'")
        return read(self, name, *arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Connection, "read", changing)
    assert list(search(ALL, scope=scope)) == []


def test_what_is_no_scope_is_refused_on_every_way_to_see(store: Neo4jStore) -> None:
    """An empty mapping does not pass for the scope that sees everything."""
    document = make_document(EMBEDDER, "file:///a", ["shared word"])
    store.write_document(document)
    chunk_id = document.chunks[0].id
    wrong: Any = {}
    calls: list[Callable[[], object]] = [
        lambda: store.vector_search(ALL, scope=wrong),
        lambda: store.text_search(ALL, scope=wrong),
        lambda: store.hybrid_search(ALL, scope=wrong),
        lambda: store.regex_search("shared", scope=wrong),
        lambda: store.vector_search_by_embedding([1.0] * Graph.DIMENSIONS, scope=wrong),
        lambda: store.find_by_id(chunk_id, scope=wrong),
        lambda: store.find_document("file:///a", collection="default", scope=wrong),
        lambda: store.find_documents([document.document.id], scope=wrong),
        lambda: store.list_documents(scope=wrong),
        lambda: store.list_sections(document.document.id, scope=wrong),
        lambda: store.list_chunks(document.document.id, scope=wrong),
        *(partial(store.count, kind, scope=wrong) for kind in (Document, Section, Chunk, NamedEntityData)),
        *(partial(store.expand_result, chunk_id, method, scope=wrong) for method in ExpandMethod),
        lambda: store.path_from_root(chunk_id, scope=wrong),
        lambda: store.table_of_contents(scope=wrong),
        lambda: store.find_sections("x", scope=wrong),
        lambda: store.read_section("x", scope=wrong),
        lambda: store.follow_links(chunk_id, scope=wrong),
        lambda: store.find_clusters(scope=wrong),
        lambda: store.delete_documents(Eq("uri", "file:///a"), scope=wrong),
    ]
    for call in calls:
        with pytest.raises(InvalidRequestError, match="`scope` is of type dict"):
            call()
    assert store.count(Document) == 1


def test_deleting_takes_a_filter_and_never_none(store: Neo4jStore) -> None:
    """THREATS 82: a filter that a program forgot to make deletes nothing."""
    store.write_document(make_document(EMBEDDER, "file:///a", ["shared word"]))
    with pytest.raises(InvalidFilterError, match="a filter is wanted, and a NoneType is given"):
        store.delete_documents(None)  # type: ignore[arg-type]
    assert store.count(Document) == 1


def test_a_scope_tells_nothing_of_hidden_chunks_by_their_number_or_by_what_was_drawn_from_them(
    store: Neo4jStore, graph: Graph
) -> None:
    chunks = [GivenChunk("open", metadata={"owner": "a"}), GivenChunk("closed", metadata={"owner": "b"})]
    document = make_document(EMBEDDER, chunks=chunks)
    store.write_document(document)
    graph.run(
        "MATCH (c:Chunk {sequence_number: 0}) "
        "CREATE (c)-[:MENTIONS]->(:Datum:Retrievable:NamedEntity {id: $id, name: 'E', origin: 'extracted', "
        "description: 'told by the closed chunk', aliases: ['X']})",
        id=MISSING,
    )
    scope = Scope().with_metadata_filter(Eq("owner", "a"))
    with pytest.raises(InvalidFilterError, match="chunk_count"):
        store.list_documents(where=Gte("chunk_count", 2), scope=scope)
    with pytest.raises(InvalidFilterError, match="chunk_count"):
        store.count(Document, where=Gte("chunk_count", 2), scope=scope)
    assert len(store.list_documents(where=Gte("chunk_count", 2))) == 1
    found, whole = store.find_by_id(MISSING, scope=scope), store.find_by_id(MISSING)
    assert isinstance(found, NamedEntityData)
    assert isinstance(whole, NamedEntityData)
    assert (found.name, found.description, found.aliases) == ("E", "", ())
    assert (whole.description, whole.aliases) == ("told by the closed chunk", ("X",))
