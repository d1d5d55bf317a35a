"""Filter properties: declared and removed while searches go on; cut off anywhere, or two at once, it comes right."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from graphrag.config import SchemaSettings, SearchSettings, Settings
from graphrag.errors import BusyError, InvalidRequestError, SchemaError
from graphrag.filters import Eq, Gte, Not, PropertyFilter
from graphrag.model import TextSimilaritySearchRequest
from graphrag.stores import Neo4jStore
from graphrag.stores.neo4j._sync import filtering, guarding, long_values
from graphrag.stores.neo4j._sync.filtering import Neo4jFilterProperties
from graphrag.stores.neo4j.stamp import Stamp
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.documents import make_document, words
from tests.integration.neo4j.graph import Graph

EMBEDDER = DeterministicEmbedder(Graph.DIMENSIONS)


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    if "searches" not in request.node.name:
        monkeypatch.setattr(filtering, "DROP_AFTER_S", 0)


def opened(graph: Graph, *, embedder: DeterministicEmbedder | None = EMBEDDER, **schema: object) -> Neo4jStore:
    return Neo4jStore(graph.settings, embedder, settings=Settings(schema=SchemaSettings(**schema)))  # type: ignore[arg-type]


def stamp_of(store: Neo4jStore) -> Stamp:
    stamp, findings = store.schema_status()
    assert stamp is not None
    assert {finding.state for finding in findings} == {"ok"}
    return stamp


def vector_indexes(graph: Graph) -> dict[str, list[str]]:
    rows = graph.run("SHOW INDEXES YIELD name, type, properties WHERE type = 'VECTOR' RETURN name, properties")
    return {row["name"]: row["properties"][1:] for row in rows}


def range_indexes(graph: Graph) -> set[str]:
    rows = graph.run("SHOW INDEXES YIELD name WHERE name STARTS WITH 'chunk_by_' RETURN name")
    return {row["name"] for row in rows}


def found(store: Neo4jStore, query: str = "w3 stands alone", top_k: int = 10) -> list[str]:
    return [result.match.urtext for result in store.vector_search(TextSimilaritySearchRequest(query, top_k=top_k))]


class CutOff(BaseException):
    """The program ends here."""


@contextmanager
def cut_off(monkeypatch: pytest.MonkeyPatch, step: str, *, after: bool = False) -> Iterator[None]:
    """End the program before one step of a change, or right after it."""
    whole: Callable[..., object] = getattr(Neo4jFilterProperties, step)

    def ending(self: Neo4jFilterProperties, *arguments: object) -> object:
        if after:
            whole(self, *arguments)
        raise CutOff

    with monkeypatch.context() as patch, pytest.raises(CutOff):
        patch.setattr(Neo4jFilterProperties, step, ending)
        yield


def test_a_property_is_added_to_a_new_index_and_the_old_one_goes(graph: Graph, store: Neo4jStore) -> None:
    store.write_document(make_document(EMBEDDER, chunks=words(20), metadata={"year": 2020, "tags": ["a"]}))
    listed = store.add_filter_properties(["year", "tags", "year", "page"])
    assert [(p.name, p.range_index, p.in_vector_index, p.holds_lists) for p in listed] == [
        ("collection", "ok", True, False),
        ("year", "ok", True, False),
        ("tags", "ok", True, True),
        ("page", "ok", True, False),
    ]
    stamp = stamp_of(store)
    assert (stamp.vector_index, stamp.index_generation) == ("chunk_embedding_f2", 2)
    assert stamp.filter_properties == ("collection", "year", "tags", "page")
    assert (stamp.pending_properties, stamp.list_properties) == ((), ("tags",))
    assert vector_indexes(graph) == {"chunk_embedding_f2": ["collection", "year", "tags", "page"]}
    assert range_indexes(graph) == {"chunk_by_collection", "chunk_by_year", "chunk_by_tags", "chunk_by_page"}
    assert found(store)[0] == "w3 stands alone"


def test_adding_and_removing_again_change_nothing(graph: Graph, store: Neo4jStore) -> None:
    store.add_filter_properties(["year"])
    before = graph.schema()
    assert store.add_filter_properties(["year"]) == store.filter_properties()
    assert store.remove_filter_properties(["owner"]) == store.filter_properties()
    assert graph.schema() == before


def test_a_property_is_removed_with_its_indexes_and_the_data_stay(graph: Graph, store: Neo4jStore) -> None:
    store.write_document(make_document(EMBEDDER, chunks=words(20), metadata={"year": 2020, "owner": "ann"}))
    store.add_filter_properties(["year", "owner"])
    before = store.graph_hash()
    assert [p.name for p in store.remove_filter_properties(["year"])] == ["collection", "owner"]
    assert vector_indexes(graph) == {"chunk_embedding_f3": ["collection", "owner"]}
    assert range_indexes(graph) == {"chunk_by_collection", "chunk_by_owner"}
    assert store.graph_hash() == before
    assert found(store)[0] == "w3 stands alone"
    store.remove_filter_properties(["owner"])
    assert vector_indexes(graph) == {"chunk_embedding_f4": ["collection"]}


@pytest.mark.parametrize(
    "names, message",
    [
        ([], "no property is named"),
        (["a b"], "plain word of at most 64 ASCII letters, digits and underscores; not 'a b'"),
        (["year", "x`) DETACH DELETE n //"], "plain word"),
        (["größe"], "plain word"),
        (["text"], "`text` is a property of this package"),
        (["embedding_2"], "`embedding_2` is a property of this package"),
        (["doc_author"], "`doc_author` is a property of this package"),
    ],
)
def test_a_name_that_cannot_be_one_is_refused_and_nothing_changes(
    graph: Graph, store: Neo4jStore, names: list[str], message: str
) -> None:
    before = graph.schema()
    for call in (store.add_filter_properties, store.remove_filter_properties):
        with pytest.raises(InvalidRequestError, match=message):
            call(names)
    assert graph.schema() == before


def test_collection_cannot_be_removed(graph: Graph, store: Neo4jStore) -> None:
    before = graph.schema()
    with pytest.raises(InvalidRequestError, match="`collection` cannot be removed"):
        store.remove_filter_properties(["year", "collection"])
    assert graph.schema() == before


def test_without_a_schema_the_remedy_is_told(graph: Graph, store: Neo4jStore) -> None:
    graph.drop_everything()
    for call in (store.filter_properties, lambda: store.add_filter_properties(["year"])):
        with pytest.raises(SchemaError, match="no schema of this package; run `graphrag schema apply`"):
            call()


def test_no_embedder_is_needed(graph: Graph, store: Neo4jStore) -> None:
    with opened(graph, embedder=None) as plain:
        assert [p.name for p in plain.add_filter_properties(["year"])] == ["collection", "year"]


# -- settings


def test_settings_that_name_more_than_the_database_has_are_told_with_the_command(graph: Graph) -> None:
    before = graph.schema()
    with opened(graph, filter_properties=("year", "owner")) as store:
        for call in (store.prepare, store.apply_schema, lambda: store.apply_schema(rebuild=True)):
            with pytest.raises(SchemaError, match=r"`year`, `owner`.*run `graphrag schema filters add year owner`"):
                call()
        assert graph.schema() == before
        store.add_filter_properties(["year", "owner"])
        store.prepare()
        store.apply_schema()


def test_settings_that_name_fewer_keep_what_is_declared(graph: Graph, store: Neo4jStore) -> None:
    store.add_filter_properties(["year"])
    with opened(graph) as plain:
        plain.prepare()
        before = graph.schema()
        assert {finding.state for finding in plain.apply_schema()} == {"ok"}
        assert graph.schema() == before
        graph.run("DROP INDEX chunk_embedding_f2")
        plain.apply_schema()
    assert graph.schema() == before


def test_a_damaged_stamp_is_written_anew_for_the_index_that_is_there(graph: Graph, store: Neo4jStore) -> None:
    store.write_document(make_document(EMBEDDER, metadata={"tags": ["a"]}))
    store.add_filter_properties(["year"])
    whole = stamp_of(store)
    graph.run("MATCH (s:GraphragSchema) REMOVE s.version, s.vector_index, s.list_properties")
    with opened(graph) as other:
        other.apply_schema()
        stamp = stamp_of(other)
    assert stamp == whole
    assert (stamp.index_generation, stamp.list_properties) == (2, ("tags",))


def test_dropping_the_schema_drops_every_generation(
    graph: Graph, store: Neo4jStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.add_filter_properties(["year"])
    with cut_off(monkeypatch, "_switch"):
        store.add_filter_properties(["owner"])
    assert len(vector_indexes(graph)) == 2
    store.drop_schema()
    assert vector_indexes(graph) == {}


# -- searches meanwhile


def test_searches_are_served_all_the_time(graph: Graph, store: Neo4jStore) -> None:
    """Another program's store searches without a break while properties come and go."""
    for number in range(10):
        store.write_document(make_document(EMBEDDER, f"file:///{number}", words(300), metadata={"year": number}))
    stop = threading.Event()
    counts: list[int] = []

    errors: list[Exception] = []

    def search() -> None:
        with opened(graph) as other:
            while not stop.is_set():
                try:
                    counts.append(len(found(other)))
                except Exception as error:  # noqa: BLE001 - each is shown below
                    errors.append(error)

    thread = threading.Thread(target=search)
    thread.start()
    try:
        for _ in range(2):
            store.add_filter_properties(["year"])
            store.remove_filter_properties(["year"])
    finally:
        stop.set()
        thread.join()
    assert errors == []
    assert len(counts) > 20
    assert set(counts) == {10}


def test_writes_go_on_meanwhile(graph: Graph, store: Neo4jStore) -> None:
    """A writer with an old stamp reads it anew by itself."""
    store.prepare()
    done = threading.Event()
    errors: list[Exception] = []
    written = 0

    def change() -> None:
        try:
            with opened(graph) as other:
                other.add_filter_properties(["year"])
                other.add_filter_properties(["owner"])
        except Exception as error:  # noqa: BLE001 - shown below
            errors.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=change)
    thread.start()
    while not done.is_set() or written < 3:
        uri = f"file:///{written}"
        store.write_document(make_document(EMBEDDER, uri, words(5), metadata={"year": [written]}))
        store.set_metadata(uri, {"owner": ["ann"]}, collection="default")
        written += 1
    thread.join()
    assert errors == []
    stamp = stamp_of(store)
    assert stamp.filter_properties == ("collection", "year", "owner")
    assert sorted(stamp.list_properties or ()) == ["owner", "year"]
    assert store.info().documents == written


# -- cut off


STEPS = {
    "before anything": ("_announce", False),
    "announced": ("_announce", True),
    "the range index alone": ("_make_vector_index", False),
    "both indexes": ("_make_vector_index", True),
    "before the switch": ("_switch", False),
    "after the switch": ("_switch", True),
    "before it is tidied": ("_tidy", False),
}


@pytest.mark.parametrize("name", STEPS)
def test_adding_that_was_cut_off_is_finished_by_adding_again(
    graph: Graph, store: Neo4jStore, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    store.write_document(make_document(EMBEDDER, chunks=words(20), metadata={"year": 2020}))
    step, after = STEPS[name]
    with cut_off(monkeypatch, step, after=after):
        store.add_filter_properties(["year"])
    with opened(graph) as other:
        assert len(found(other)) == 10
        other.write_document(make_document(EMBEDDER, "file:///b", words(3)))
        other.add_filter_properties(["year"])
        stamp = stamp_of(other)
    assert (stamp.filter_properties, stamp.pending_properties) == (("collection", "year"), ())
    assert vector_indexes(graph) == {stamp.vector_index: ["collection", "year"]}


@pytest.mark.parametrize("name", STEPS)
def test_adding_that_was_cut_off_is_undone_by_removing(
    graph: Graph, store: Neo4jStore, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(filtering, "_PATIENCE_S", 0.5)
    step, after = STEPS[name]
    with cut_off(monkeypatch, step, after=after):
        store.add_filter_properties(["year"])
    with opened(graph) as other:
        other.remove_filter_properties(["year"])
        other.add_filter_properties(["owner"])
        stamp = stamp_of(other)
    assert (stamp.filter_properties, stamp.pending_properties) == (("collection", "owner"), ())
    assert vector_indexes(graph) == {stamp.vector_index: ["collection", "owner"]}
    assert range_indexes(graph) == {"chunk_by_collection", "chunk_by_owner"}


@pytest.mark.parametrize("step, after", [("_make_vector_index", False), ("_switch", False), ("_switch", True)])
def test_removing_that_was_cut_off_is_finished_by_removing_again(
    graph: Graph, store: Neo4jStore, monkeypatch: pytest.MonkeyPatch, step: str, *, after: bool
) -> None:
    store.add_filter_properties(["year"])
    with cut_off(monkeypatch, step, after=after):
        store.remove_filter_properties(["year"])
    store.remove_filter_properties(["year"])
    stamp = stamp_of(store)
    assert vector_indexes(graph) == {stamp.vector_index: ["collection"]}
    assert range_indexes(graph) == {"chunk_by_collection"}


def test_an_index_of_the_next_generation_that_failed_is_made_anew(
    graph: Graph, store: Neo4jStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The value that made it fail came in by another program than this package."""
    store.write_document(make_document(EMBEDDER, chunks=words(20)))
    monkeypatch.setattr(filtering, "check_long_values", lambda *_, **__: None)
    graph.run("MATCH (c:Chunk {sequence_number: 0}) SET c.owner = $long", long="x" * 9_000)
    with pytest.raises(SchemaError, match="graphrag schema status"):
        store.add_filter_properties(["owner"])
    assert stamp_of(store).filter_properties == ("collection",)
    assert len(found(store)) == 10
    graph.run("MATCH (c:Chunk {sequence_number: 0}) REMOVE c.owner")
    store.add_filter_properties(["owner"])
    assert stamp_of(store).filter_properties == ("collection", "owner")


# -- two at once


def at_once(graph: Graph, *calls: Callable[[Neo4jStore], object]) -> list[Exception]:
    errors: list[Exception] = []
    ready = threading.Barrier(len(calls))

    def run(call: Callable[[Neo4jStore], object]) -> None:
        with opened(graph) as store:
            ready.wait()
            try:
                call(store)
            except Exception as error:  # noqa: BLE001 - the tests look at each
                errors.append(error)

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


@pytest.mark.parametrize("others", [("year", "year"), ("year", "owner"), ("a", "b", "c")])
def test_several_that_add_at_once_all_come_through(graph: Graph, store: Neo4jStore, others: tuple[str, ...]) -> None:
    for number in range(5):
        store.write_document(make_document(EMBEDDER, f"file:///{number}", words(200), metadata={"year": number}))
    errors = at_once(graph, *(lambda store, name=name: store.add_filter_properties([name]) for name in others))
    assert errors == []
    with opened(graph) as other:
        stamp = stamp_of(other)
        assert set(stamp.filter_properties) == {"collection", *others}
        assert len(found(other)) == 10
    assert set(vector_indexes(graph)) == {stamp.vector_index}


def test_one_that_is_overtaken_again_and_again_says_so(
    graph: Graph, store: Neo4jStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filtering, "_ATTEMPTS", 2)
    monkeypatch.setattr(Neo4jFilterProperties, "_replace_index", lambda *_: None)
    with pytest.raises(BusyError, match="other programs change the filter properties"):
        store.add_filter_properties(["year"])


# -- what an index cannot hold


def test_values_that_no_index_takes_are_told_before_one_is_made(
    graph: Graph, store: Neo4jStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """THREATS 62: a key that is too long fails the index, and can stop the database. Exact to the byte."""
    monkeypatch.setattr(long_values, "PAGE", 2)
    fitting: list[object] = ["ü" * 4_000, ["ü" * 40] * 90, ["x" * 97] * 80, list(range(200))]
    for number, value in enumerate(fitting):
        store.write_document(make_document(EMBEDDER, f"file:///{number}", words(3), metadata={"tags": value}))
    too_long = [["x" * 98] * 80, ["ü" * 49] * 80, list(range(300)), ["x" * 5_000] * 2]
    for number, value in enumerate(too_long):
        store.write_document(make_document(EMBEDDER, f"file:///long{number}", words(3), metadata={"tags": value}))
    before = graph.schema()
    with pytest.raises(InvalidRequestError, match=r"`tags` of 4 documents has more than 8000 bytes"):
        store.add_filter_properties(["year", "tags"])
    assert graph.schema() == before
    for number in range(len(too_long)):
        store.delete_document(f"file:///long{number}", collection="default")
    store.add_filter_properties(["year", "tags"])
    assert stamp_of(store).filter_properties == ("collection", "year", "tags")


def test_a_schema_is_not_made_with_a_property_that_no_index_takes(graph: Graph, store: Neo4jStore) -> None:
    store.write_document(make_document(EMBEDDER, metadata={"tags": ["x" * 100] * 500}))
    store.drop_schema()
    with opened(graph, filter_properties=("tags",)) as other:
        with pytest.raises(InvalidRequestError, match="`tags` of 1 documents"):
            other.apply_schema()
        assert graph.schema() == []


def test_once_announced_no_write_brings_a_value_that_no_index_takes(
    graph: Graph, store: Neo4jStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.write_document(make_document(EMBEDDER))
    with opened(graph) as other, cut_off(monkeypatch, "_make_vector_index"):
        other.add_filter_properties(["tags"])
    long = {"tags": ["x" * 100] * 500}
    with pytest.raises(InvalidRequestError, match=r"`tags` .* is a list of \d+ bytes; it is a filter property"):
        store.write_document(make_document(EMBEDDER, metadata=long))
    with opened(graph) as other:
        other.prepare()
        with pytest.raises(InvalidRequestError, match="`tags`"):
            other.set_metadata("file:///a/report.md", long, collection="default")
    store.remove_filter_properties(["tags"])
    store.write_document(make_document(EMBEDDER, metadata=long))


# -- lists


def test_a_new_database_holds_no_lists(graph: Graph, store: Neo4jStore) -> None:
    assert stamp_of(store).list_properties == ()
    store.write_document(make_document(EMBEDDER, metadata={"year": 2020, "mixed": {"a": [1]}}))
    assert stamp_of(store).list_properties == ()


@pytest.mark.parametrize("way", ["write", "together", "staged", "set", "own metadata"])
def test_a_list_is_noted_with_the_write_that_brings_it(
    graph: Graph, store: Neo4jStore, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """By another store than the one that declared it, whose stamp is older: no error, and no second note."""
    from graphrag.ingestion.given import GivenChunk
    from graphrag.stores.neo4j._sync import write as writing

    store.add_filter_properties(["tags"])
    with opened(graph) as other:
        other.write_document(make_document(EMBEDDER, metadata={"tags": "one"}))
        assert stamp_of(store).list_properties == ()
        match way:
            case "write":
                other.write_document(make_document(EMBEDDER, metadata={"tags": ["a", "b"]}))
            case "together":
                several = [make_document(EMBEDDER, f"file:///{n}", metadata={"tags": ["a"] * n}) for n in range(3)]
                other.write_documents(several)
            case "staged":
                monkeypatch.setattr(writing, "STAGE_ABOVE", 0)
                other.write_document(make_document(EMBEDDER, "file:///b", words(5), metadata={"tags": ["a"]}))
            case "set":
                other.set_metadata("file:///a/report.md", {"tags": ["a"]}, collection="default")
            case _:
                chunk = GivenChunk("own", metadata={"tags": ["a"]})
                other.write_document(make_document(EMBEDDER, "file:///b", [chunk]))
        with opened(graph) as third:
            assert stamp_of(third).list_properties == ("tags",)
        assert store.filter_properties()[1].holds_lists is True
        other.write_document(make_document(EMBEDDER, "file:///c", metadata={"tags": ["z"]}))
        store.write_document(make_document(EMBEDDER, "file:///d", metadata={"tags": ["z"]}))
        assert stamp_of(other).list_properties == ("tags",)


def test_a_list_is_noted_before_its_name_is_declared(graph: Graph, store: Neo4jStore) -> None:
    """So a write that is under way while the name is declared is not missed."""
    store.write_document(make_document(EMBEDDER, metadata={"tags": ["a"], "a b": ["no plain word"]}))
    assert stamp_of(store).list_properties == ("tags",)
    store.add_filter_properties(["tags"])
    assert store.filter_properties()[1].holds_lists is True


def test_a_write_that_fails_notes_nothing(graph: Graph, store: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    from graphrag.stores.neo4j._sync import write as writing

    def fail(*_: object) -> None:
        raise CutOff

    store.prepare()
    monkeypatch.setattr(writing, "apply_plan", fail)
    with pytest.raises(CutOff):
        store.write_document(make_document(EMBEDDER, metadata={"tags": ["a"]}))
    assert stamp_of(store).list_properties == ()


@pytest.mark.parametrize("heal", ["add", "write"])
def test_a_stamp_that_does_not_tell_of_lists_learns_it_from_the_data(
    graph: Graph, store: Neo4jStore, heal: str
) -> None:
    """Of an older package."""
    from graphrag.ingestion.given import GivenChunk

    own = GivenChunk("own", metadata={"authors": ["ann"]})
    store.write_document(make_document(EMBEDDER, metadata={"tags": ["a"], "year": 2020}))
    store.write_document(make_document(EMBEDDER, "file:///b", [own]))
    graph.run("MATCH (s:GraphragSchema) REMOVE s.list_properties, s.index_generation, s.pending_properties")
    with opened(graph) as other:
        assert stamp_of(other).list_properties is None
        assert other.filter_properties()[0].holds_lists is None
        if heal == "add":
            other.add_filter_properties(["tags", "year", "authors"])
            assert [p.holds_lists for p in other.filter_properties()] == [False, True, False, True]
            wanted = {"authors", "tags"}
        else:
            other.write_document(make_document(EMBEDDER, "file:///c", metadata={"new": [1]}))
            wanted = {"authors", "tags", "new"}
        assert set(stamp_of(other).list_properties or ()) == wanted


def test_names_noted_ahead_are_bounded_and_declared_ones_always_noted(
    graph: Graph, store: Neo4jStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarding, "MAX_LIST_NAMES", 3)
    store.add_filter_properties(["tags"])
    for number in range(5):
        store.write_document(make_document(EMBEDDER, metadata={f"list_{number}": [1]}))
    assert stamp_of(store).list_properties == ("list_0", "list_1", "list_2")
    store.write_document(make_document(EMBEDDER, metadata={"tags": [1], "more": [1]}))
    assert stamp_of(store).list_properties == ("list_0", "list_1", "list_2", "tags")
    store.add_filter_properties(["more"])
    assert store.filter_properties()[2].holds_lists is True


@pytest.mark.parametrize(
    "where, path",
    [
        (Gte("year", 6), "exact_scan"),
        (Gte("year", 5), "in_index"),
        (Gte("year", 5) & Not(Eq("kind", "note")), "exact_scan"),
    ],
)
def test_the_index_is_asked_sooner_where_it_answers_the_whole_filter(
    graph: Graph, where: PropertyFilter, path: str
) -> None:
    """Of 10 chunks `year` is 0 to 9, and `kind` no filter property: compared are up to 4, or up to 6 of the latter."""
    settings = Settings(
        schema=SchemaSettings(filter_properties=("year",)),
        search=SearchSettings(exact_scan_max=6, exact_scan_max_indexed=4, over_fetch_factor=1, over_fetch_min=1),
    )
    graph.drop_everything()
    with Neo4jStore(graph.settings, EMBEDDER, settings=settings) as store:
        store.apply_schema()
        for year in range(10):
            store.write_document(make_document(EMBEDDER, f"file:///{year}", words(1), metadata={"year": year}))
        for _ in range(2):
            request = TextSimilaritySearchRequest("w0 stands alone", None, 2)
            result = store.vector_search(request, where=where, explain=True)
            assert [told.path for told in result.explanations] == [path]
            assert len(result) == 2
