"""Every statement is explained on the real server, as it stands and as the store fills it."""

from collections.abc import Mapping

import pytest

from graphrag.config import SchemaSettings, SearchSettings, Settings
from graphrag.cypher import Fragment, PlainWord, plain_word, statement, statement_names
from graphrag.filters.nodes import Eq, PropertyFilter
from graphrag.filters.properties import prop
from graphrag.filters.scope import Scope
from graphrag.model import (
    Chunk,
    ClusterRequest,
    Document,
    MaterializedDocument,
    NamedEntityData,
    Section,
    TextSimilaritySearchRequest,
)
from graphrag.stores import Neo4jStore
from graphrag.stores.neo4j._sync import regex
from graphrag.stores.neo4j._sync.connection import Connection, Writer
from graphrag.stores.reports import ExpandMethod
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.documents import make_document, words
from tests.integration.neo4j.graph import Graph

EMBEDDER = DeterministicEmbedder(Graph.DIMENSIONS)
MISSING = "z" * 32
SCANS = {"AllNodesScan", "NodeByLabelScan", "UnionNodeByLabelsScan", "IntersectionNodeByLabelsScan",
         "PartitionedNodeByLabelScan", "PartitionedAllNodesScan"}  # fmt: skip
MAY_SCAN = {
    "chunk/exact_candidates": "compares all that match a filter, by a range index where the filter allows",
    "chunk/exact_search": "compares all that match a filter, by a range index where the filter allows",
    "cluster/all_neighbours": "compares all that match, for a chunk with more near ones than the index gives",
    "content/delete_leftovers": "goes through all nodes of ours to empty the database",
    "content/delete_staged": "the branch of old runs reads all staged nodes, of which there are hardly any",
    "content/document_ids": "goes through all documents where no collection is named",
    "lookup/count_matching_chunks": "counts all that match a filter, by a range index where the filter allows",
    "lookup/count_share": "as it stands, without a predicate, counts all chunks",
    "lookup/count_chunks": "sums over all documents",
    "lookup/count_documents": "counts all documents",
    "lookup/count_sections": "counts all sections, or those of the documents of some collections",
    "lookup/count_entities": "counts all entities",
    "lookup/info": "groups all documents",
    "lookup/list_documents": "a page of all documents, in order",
    "section/outlines": "a page of all documents, in order",
    "section/without_key": "looks at all sections, once, when a schema is made or brought up to date",
    "section/scan_titles": "looks at all sections of a database of an older package",
    "schema/list_valued_names": "looks at all, where the stamp does not tell, or a schema is made",
    "schema/long_values": "looks at all chunks, once, before a property is declared",
    "schema/other_model": "looks for one wrong chunk among all, where no stamp tells",
}
ACCESS = {
    "chunk/by_ids": "NodeUniqueIndexSeek",
    "chunk/regex_candidates": "NodeIndexContainsScan",
    "chunk/regex_look": "NodeIndex",
    "chunk/regex_scan": "NodeIndex",
    "chunk/text_candidates": "ProcedureCall",
    "chunk/text_search": "ProcedureCall",
    "chunk/text_top": "ProcedureCall",
    "chunk/vector_candidates": "NodeVectorIndexSearch",
    "chunk/vector_search": "NodeVectorIndexSearch",
    "chunk/vectors_of": "NodeUniqueIndexSeek",
    "cluster/neighbours": "NodeVectorIndexSearch",
    "content/delete_documents": "NodeUniqueIndexSeek",
    "content/lock_documents": "MergeUniqueNode",
    "content/read_document": "NodeUniqueIndexSeek",
    "content/read_state": "NodeIndexSeek",
    "expand/path_from_root": "NodeUniqueIndexSeek",
    "expand/neighbours": "NodeUniqueIndexSeek",
    "expand/sequence": "NodeUniqueIndexSeek",
    "expand/zoom_out": "NodeUniqueIndexSeek",
    "link/incoming": "NodeUniqueIndexSeek",
    "link/outgoing": "NodeUniqueIndexSeek",
    "lookup/by_id": "NodeUniqueIndexSeek",
    "lookup/documents_by_id": "NodeUniqueIndexSeek",
    "lookup/list_chunks": "NodeIndexSeek",
    "lookup/list_sections": "NodeUniqueIndexSeek",
    "section/find_by_title": "NodeIndexSeek",
    "section/read": "NodeUniqueIndexSeek",
    "section/set_keys": "NodeUniqueIndexSeek",
    "schema/lock_stamp": "NodeUniqueIndexSeek",
    "schema/read_stamp": "NodeUniqueIndexSeek",
}
"""What must be among the operators; variants such as `(Locking)` count."""
NO_PLAN = ("schema/create_", "schema/drop_", "schema/show_")


def examples(names: frozenset[str]) -> dict[str, object]:
    """Return a value of the right type for each parameter."""
    values: dict[str, object] = {
        "embedding": [1.0] * Graph.DIMENSIONS,
        "rows": [],
        "children": [],
        "next": [],
        "ids": ["x"],
        "names": ["x"],
        "document_ids": ["x"],
        "identifiers": [],
        "literals": ["fox"],
        "clauses": [["fox"]],
        "after_document": "",
        "containers": [],
        "properties": {},
        "changes": {},
        "old": {},
        "options": {},
        "scoped": True,
        "must_hold": False,
        "rescore": False,
        "floor": 0.0,
        "query": "fox",
        "previous": None,
        "fingerprint": None,
    }
    numbers = {
        "top_k",
        "checked",
        "terms",
        "candidates",
        "most",
        "hits",
        "limit",
        "looked_at",
        "sections",
        "after_number",
        "offset",
        "count",
        "timeout_s",
        "older_than_s",
        "max_bytes",
        "element_bytes",
        "overhead_bytes",
        "digest_prefix_length",
    }
    return {name: values.get(name, 10 if name in numbers else "x") for name in names}


def check_plan(name: str, operators: list[str]) -> None:
    scans = SCANS.intersection(operators)
    assert not scans or name in MAY_SCAN, f"{name} scans: {operators}"
    if name in ACCESS:
        assert any(operator.startswith(ACCESS[name]) for operator in operators), f"{name}: {operators}"


@pytest.fixture
def filled(graph: Graph) -> Graph:
    """Enough nodes that the planner has a reason to use an index."""
    with Neo4jStore(graph.settings, EMBEDDER) as store:
        store.write_documents([make_document(EMBEDDER, f"file:///{n}", words(20)) for n in range(30)])
    graph.run("CALL db.prepareForReplanning(30)")
    return graph


def test_each_statement_stands_as_it_is(filled: Graph) -> None:
    for name in statement_names():
        found = statement(name)
        operators = filled.explain(found.text, **examples(found.parameters))
        if not name.startswith(NO_PLAN):
            assert operators, name
            check_plan(name, operators)


def test_the_planner_seeks_in_an_empty_database_too(graph: Graph) -> None:
    """The first statements of a database are planned while it is empty, and their plans are kept.

    Those that name the label Document may scan it while there is none: they are planned again as it fills.
    """
    for name in ACCESS:
        if ":Document" in statement(name).text:
            continue
        found = statement(name)
        check_plan(name, graph.explain(found.text, **examples(found.parameters)))


def test_each_statement_as_the_store_fills_it(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a whole life of a store sends is recorded with its slots and parameters, and explained."""
    sent: dict[tuple[str, str], Mapping[str, object]] = {}
    read, run, outside = Connection.read, Writer.run_filled, Connection.run_outside

    def record(
        name: str, parameters: Mapping[str, object] | None, slots: Mapping[str, PlainWord | Fragment] | None
    ) -> None:
        sent[name, statement(name).render(**(slots or {}))] = dict(parameters or {})

    def recording_read(self: Connection, name: str, /, parameters: object = None, **more: object) -> object:
        record(name, parameters, more.get("slots"))  # type: ignore[arg-type]
        return read(self, name, parameters, **more)  # type: ignore[arg-type]

    def recording_outside(self: Connection, name: str, /, parameters: object = None, **more: object) -> object:
        record(name, parameters, more.get("slots"))  # type: ignore[arg-type]
        return outside(self, name, parameters, **more)  # type: ignore[arg-type]

    def recording_run(
        self: Writer, name: str, slots: Mapping[str, PlainWord | Fragment], /, **parameters: object
    ) -> object:
        record(name, parameters, slots)
        return run(self, name, slots, **parameters)

    monkeypatch.setattr(Connection, "read", recording_read)
    monkeypatch.setattr(Connection, "run_outside", recording_outside)
    monkeypatch.setattr(Writer, "run_filled", recording_run)
    # So few chunks are all looked at before the index would be asked.
    monkeypatch.setattr(regex, "_LOOKS", (1,))
    graph.drop_everything()
    live_a_whole_life(graph, monkeypatch)
    # A consistent search asks for the position beside the calls that are recorded; it has no slot to fill.
    unsent = set(statement_names()) - {name for name, _ in sent} - {"lookup/position"}
    assert unsent == set(), "no test of this file makes the store send them"
    with Neo4jStore(
        graph.settings, EMBEDDER, settings=Settings(schema=SchemaSettings(filter_properties=("year",)))
    ) as store:
        store.apply_schema()
        store.write_documents([make_document(EMBEDDER, f"file:///{n}", words(20)) for n in range(30)])
    graph.run("CALL db.prepareForReplanning(30)")
    for (name, text), parameters in sent.items():
        given = {**examples(statement(name).parameters), **parameters}
        operators = graph.explain(text, **given)
        if not name.startswith(NO_PLAN):
            check_plan(name, operators)
    filtered = {name for name, text in sent if name.startswith("chunk/") and "c.collection IN $" in text}
    assert filtered == {name for name in statement_names() if name.startswith("chunk/")}


def search_and_count(
    store: Neo4jStore, where: PropertyFilter | None, scope: Scope | None, collections: list[str] | None
) -> None:
    for query in ("x", "C++"):
        request = TextSimilaritySearchRequest(query)
        store.vector_search(request, where=where, scope=scope, collections=collections)
        store.text_search(request, where=where, scope=scope, collections=collections)
        store.hybrid_search(request, where=where, scope=scope, collections=collections)
    for pattern in ("fox|hen", "."):
        store.regex_search(pattern, where=where, scope=scope, collections=collections)
    store.list_documents(where=where, scope=scope, collections=collections)
    for kind in (Document, Section, Chunk, NamedEntityData):
        store.count(kind, where=where, scope=scope, collections=collections)


def read_and_follow(
    store: Neo4jStore,
    document: MaterializedDocument,
    scope: Scope | None,
    collections: list[str] | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from graphrag.stores.neo4j._sync import clusters

    chunk = document.chunks[0]
    store.list_sections(document.document.id, scope=scope)
    store.list_chunks(document.document.id, scope=scope)
    store.path_from_root(chunk.id, scope=scope, collections=collections)
    store.table_of_contents("report", scope=scope, collections=collections)
    store.read_section(document.sections[0].id, scope=scope, collections=collections)
    store.read_section("A", document_title="r", document_id=MISSING, scope=scope, collections=collections)
    for direction in ("out", "in"):
        store.follow_links(chunk.id, direction=direction, scope=scope, collections=collections)  # type: ignore[arg-type]
    with monkeypatch.context() as patch:
        patch.setattr(clusters, "_CANDIDATES", (1,))
        for where in (None, Eq("year", 2020)):
            store.find_clusters(ClusterRequest(0.5), where=where, scope=scope, collections=collections)


def come_from_an_older_package(graph: Graph, settings: Settings) -> None:
    graph.run("MATCH (s:GraphragSchema) REMOVE s.section_titles")
    graph.run("MATCH (s:Section) REMOVE s.title_key")
    with Neo4jStore(graph.settings, EMBEDDER, settings=settings) as store:
        store.find_sections("A")
        store.apply_schema()


def live_a_whole_life(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    from graphrag.stores.neo4j._sync import staging, write as writing

    settings = Settings(schema=SchemaSettings(filter_properties=("year",)))
    with Neo4jStore(graph.settings, EMBEDDER) as store:
        store.apply_schema()
        store.add_filter_properties(["year"])
        store.remove_filter_properties(["year"])
        store.drop_schema()
    with Neo4jStore(graph.settings, EMBEDDER, settings=settings) as store:
        store.apply_schema()
        first = make_document(EMBEDDER, metadata={"year": 2020})
        store.write_document(first)
        store.write_document(make_document(EMBEDDER, chunks=["moved", "the quick brown fox"], title="Other"))
        store.write_document(make_document(EMBEDDER, chunks=list(reversed(words(6)))))
        store.write_document(make_document(EMBEDDER, chunks=words(6)))
        from graphrag.ingestion.given import GivenChunk

        for title in ("Alpha", "Beta"):
            chunks = [GivenChunk("x", text=title, section_path=("A",)), GivenChunk("y", section_path=("A", title))]
            store.write_document(make_document(EMBEDDER, chunks=chunks))
        chunks = [GivenChunk("y", section_path=("B",)), GivenChunk("x", section_path=("A",))]
        document = make_document(EMBEDDER, chunks=chunks)
        store.write_document(document)
        with monkeypatch.context() as patch:
            patch.setattr(writing, "STAGE_ABOVE", 0)
            patch.setattr(staging, "apply_staged_plan", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt()))
            with pytest.raises(KeyboardInterrupt):
                store.write_document(
                    make_document(EMBEDDER, "file:///staged", [GivenChunk("z", section_path=("A", "B"))])
                )
        with monkeypatch.context() as patch:
            patch.setattr(writing, "STAGE_ABOVE", 0)
            store.write_document(make_document(EMBEDDER, "file:///staged", [GivenChunk("z", section_path=("A", "B"))]))
        chunk = document.chunks[0]
        for collections in (None, ["default"]):
            for scope in (None, Scope().with_metadata_filter(Eq("tenant", "a")).with_entity_filter(Eq("open", True))):
                for where in (None, prop("year") == 2020, (prop("year") > 2020) | (prop("kind") != "note")):
                    search_and_count(store, where, scope, collections)
                for method in ExpandMethod:
                    store.expand_result(chunk.id, method, 1, scope=scope, collections=collections)
                store.neighbours_of([document.chunks[0].id], 1, scope=scope, collections=collections)
                store.embeddings_of([document.chunks[0].id], scope=scope, collections=collections)
                store.find_by_id(chunk.id, scope=scope, collections=collections)
                read_and_follow(store, document, scope, collections, monkeypatch)
        store.text_search(TextSimilaritySearchRequest("stands"), where=Eq("year", 2020))
        with Neo4jStore(graph.settings, EMBEDDER, settings=Settings(search=SearchSettings(exact_scan_max=1))) as other:
            other.vector_search(TextSimilaritySearchRequest("x"), collections=["default"])
            other.hybrid_search(TextSimilaritySearchRequest("x"), collections=["default"])
        come_from_an_older_package(graph, settings)
        store.chunks_to_embed(document)
        store.find_document(document.document.uri, collection="default")
        store.info()
        store.graph_hash()
        store.set_metadata(document.document.uri, {"a": 1}, collection="default")
        store.delete_document(document.document.uri, collection="default")
        store.clear()
        store.drop_schema()
        assert plain_word("year") == "year"
