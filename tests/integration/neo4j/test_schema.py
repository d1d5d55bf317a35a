"""The schema: made once, waited for, and checked; what does not fit is told with its remedy, never skipped."""

import math
from collections.abc import Callable

import pytest

from graphrag.config import SchemaSettings, Settings
from graphrag.errors import ConfigurationError, InvalidRequestError, SchemaError
from graphrag.model import Chunk, TextSimilaritySearchRequest
from graphrag.stores import Neo4jStore
from graphrag.stores.neo4j import stamp as stamps
from graphrag.stores.neo4j.indexes import Finding
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.documents import make_document, words
from tests.integration.neo4j.graph import Graph

EMBEDDER = DeterministicEmbedder(Graph.DIMENSIONS)
VECTOR_INDEX = """
    CYPHER 25 CREATE VECTOR INDEX {name} FOR (n:{label}) ON n.{property} WITH [n.collection]
    OPTIONS {{indexConfig: {{`vector.dimensions`: {dimensions}, `vector.similarity_function`: '{function}'}}}}
"""


def configured(graph: Graph, embedder: DeterministicEmbedder | None = EMBEDDER, **schema: object) -> Neo4jStore:
    settings = Settings(schema=SchemaSettings(**schema))  # type: ignore[arg-type]
    return Neo4jStore(graph.settings, embedder, settings=settings)


def write(graph: Graph) -> None:
    """Write through a store that has not looked at the schema yet."""
    with configured(graph) as store:
        store.write_document(make_document(EMBEDDER))


def refuse_another_model(graph: Graph) -> None:
    with (
        configured(graph, DeterministicEmbedder(16, name="other")) as wrong,
        pytest.raises(SchemaError, match="holds vectors of the model `deterministic@hash-16`"),
    ):
        wrong.apply_schema()


def states(findings: list[Finding]) -> dict[str, str]:
    return {finding.name: finding.state for finding in findings}


def vector_index(**changes: object) -> str:
    wanted = {
        "name": "chunk_embedding",
        "label": "Chunk",
        "property": "embedding",
        "dimensions": 16,
        "function": "cosine",
    }
    return VECTOR_INDEX.format(**{**wanted, **changes})


def ask(query: str) -> TextSimilaritySearchRequest:
    return TextSimilaritySearchRequest(query)


def test_the_first_write_makes_the_whole_schema_and_waits_for_it(graph: Graph) -> None:
    graph.drop_everything()
    write(graph)
    with configured(graph) as store:
        stamp, findings = store.schema_status()
        assert set(states(findings).values()) == {"ok"}
        assert stamp is not None
        assert (stamp.version, stamp.dimensions, stamp.model_id) == (1, 16, EMBEDDER.model_id)
        assert (stamp.analyzer, stamp.filter_properties) == ("english", ("collection",))
        assert len(store.vector_search(ask("fox"))) == 4


def test_applying_twice_changes_nothing(graph: Graph) -> None:
    """CASES 61."""
    graph.drop_everything()
    with configured(graph) as store:
        assert set(states(store.apply_schema()).values()) == {"missing"}
        before = graph.schema()
        assert set(states(store.apply_schema()).values()) == {"ok"}
    assert graph.schema() == before


def test_an_empty_database_without_a_schema_answers_with_the_remedy(graph: Graph) -> None:
    """CASES 61."""
    graph.drop_everything()
    with configured(graph) as store:
        for search in (store.vector_search, store.text_search, store.hybrid_search):
            with pytest.raises(SchemaError, match="graphrag schema apply"):
                search(ask("fox"))
        assert store.count(Chunk) == 0
        assert store.info().schema_version is None


def test_the_schema_needs_an_embedder_to_be_made(graph: Graph) -> None:
    graph.drop_everything()
    with (
        configured(graph, None) as store,
        pytest.raises(ConfigurationError, match="dimensions of the vector index come from the embedding model"),
    ):
        store.apply_schema()


def test_an_unknown_analyzer_is_refused_with_those_that_are_known(graph: Graph) -> None:
    graph.drop_everything()
    with (
        configured(graph, analyzer="klingon") as store,
        pytest.raises(ConfigurationError, match=r"`schema.analyzer` is `klingon`.*english.*german"),
    ):
        store.apply_schema()
    assert graph.schema() == []


DIFFERENT: dict[str, tuple[list[str], str]] = {
    "other label": (["DROP INDEX chunk_embedding", vector_index(label="Other")], r"is VECTOR on Other\(embedding"),
    "other property": (["DROP INDEX chunk_embedding", vector_index(property="other")], r"is VECTOR on Chunk\(other"),
    "other similarity": (
        ["DROP INDEX chunk_embedding", vector_index(function="euclidean")],
        r"`vector.similarity_function` is EUCLIDEAN; wanted is COSINE",
    ),
    "other dimensions": (
        ["DROP INDEX chunk_embedding", vector_index(dimensions=8)],
        r"`vector.dimensions` is 8; wanted is 16",
    ),
    "another name": (
        ["DROP INDEX chunk_embedding", vector_index(name="somebody")],
        r"VECTOR on Chunk\(embedding, collection\) stands in its place under the name `somebody`",
    ),
    "range under the name": (
        ["DROP INDEX chunk_embedding", "CREATE RANGE INDEX chunk_embedding FOR (n:X) ON (n.y)"],
        r"is RANGE on X\(y\); wanted is VECTOR",
    ),
    "other analyzer": (
        [
            "DROP INDEX chunk_text",
            (
                "CREATE FULLTEXT INDEX chunk_text FOR (n:Chunk) ON EACH [n.text] "
                "OPTIONS {indexConfig: {`fulltext.analyzer`: 'german'}}"
            ),
        ],
        r"`fulltext.analyzer` is german; wanted is english",
    ),
    "full text of more": (
        ["DROP INDEX chunk_text", "CREATE FULLTEXT INDEX chunk_text FOR (n:Chunk) ON EACH [n.text, n.uri]"],
        r"is FULLTEXT on Chunk\(text, uri\); wanted is FULLTEXT on Chunk\(text\)",
    ),
    "full text under another name": (
        ["DROP INDEX chunk_text", "CREATE FULLTEXT INDEX theirs FOR (n:Chunk) ON EACH [n.text]"],
        r"stands in its place under the name `theirs`",
    ),
    "a range index instead of the constraint": (
        ["DROP CONSTRAINT datum_id", "CREATE RANGE INDEX theirs FOR (n:Datum) ON (n.id)"],
        r"UNIQUE `datum_id` is different: RANGE on Datum\(id\) stands in its place under the name `theirs`",
    ),
    "a range index of the constraint's name": (
        ["DROP CONSTRAINT datum_id", "CREATE RANGE INDEX datum_id FOR (n:Datum) ON (n.other)"],
        r"UNIQUE `datum_id` is different: is RANGE on Datum\(other\)",
    ),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_an_index_of_another_shape_is_told_and_never_dropped_without_the_flag(graph: Graph, name: str) -> None:
    """CASES 62: at start, at `apply` and before a write."""
    statements, message = DIFFERENT[name]
    for statement in statements:
        graph.run(statement)
    graph.run("CALL db.awaitIndexes(60)")
    before = graph.schema()
    with configured(graph) as store:
        assert "different" in states(store.schema_status()[1]).values()
        with pytest.raises(SchemaError, match=message) as caught:
            store.apply_schema()
        assert "Remedy: " in str(caught.value)
        with pytest.raises(SchemaError, match=message):
            store.prepare()
    with pytest.raises(SchemaError, match=message):
        write(graph)
    assert graph.schema() == before
    assert graph.value("MATCH (n:Datum) RETURN count(n)") == 0
    with configured(graph) as store:
        if "under the name `" in message:  # it is not ours to drop
            with pytest.raises(SchemaError, match=message):
                store.apply_schema(rebuild=True)
        else:
            store.apply_schema(rebuild=True)
            assert set(states(store.schema_status()[1]).values()) == {"ok"}
            store.write_document(make_document(EMBEDDER))
            assert len(store.hybrid_search(ask("fox"))) == 4


@pytest.mark.parametrize(
    "drop",
    [
        "CONSTRAINT datum_id",
        "INDEX chunk_text",
        "INDEX chunk_embedding",
        "INDEX datum_document_id",
        "INDEX staged_run_id",
    ],
)
def test_nothing_is_written_where_a_part_is_missing(graph: Graph, drop: str) -> None:
    """Fault 27: without the constraint, writers would make doubles."""
    graph.run(f"DROP {drop}")
    with pytest.raises(SchemaError, match=rf"`{drop.split()[1]}` is missing.*Remedy: run `graphrag schema apply`"):
        write(graph)
    assert graph.value("MATCH (n:Datum) RETURN count(n)") == 0
    with configured(graph) as store:
        store.apply_schema()
    write(graph)


def test_doubles_in_a_restored_database_are_told_when_the_constraint_is_made(graph: Graph) -> None:
    graph.run("DROP CONSTRAINT datum_id")
    graph.run("UNWIND [1, 2] AS n CREATE (:Datum {id: 'double'})")
    with configured(graph) as store, pytest.raises(SchemaError, match=r"create_unique_id.*ConstraintCreationFailed"):
        store.apply_schema()


@pytest.mark.parametrize("index", ["chunk_embedding", "chunk_text"])
def test_a_search_without_its_index_is_a_typed_error(graph: Graph, store: Neo4jStore, index: str) -> None:
    """CASES 61, fault 26: dropped by hand while the store is open."""
    store.write_document(make_document(EMBEDDER))
    graph.run(f"DROP INDEX {index}")
    search = store.vector_search if index == "chunk_embedding" else store.text_search
    for call in (search, store.hybrid_search):
        with pytest.raises(SchemaError, match=r"graphrag schema status"):
            call(ask("fox"))


def test_a_failed_index_is_found_and_rebuilt(graph: Graph, store: Neo4jStore) -> None:
    """Fault 26: a value over 32,766 bytes under a text index that was made after it; it does not heal by itself."""
    store.write_document(make_document(EMBEDDER))
    graph.run("DROP INDEX chunk_urtext")
    graph.run("MATCH (c:Chunk {sequence_number: 0}) SET c.urtext = $long", long="x" * 40_000)
    graph.run("CREATE TEXT INDEX chunk_urtext FOR (n:Chunk) ON (n.urtext)")
    with pytest.raises(Exception, match="FAILED"):
        graph.run("CALL db.awaitIndexes(30)")
    assert states(store.schema_status()[1])["chunk_urtext"] == "failed"
    for call in (store.prepare, store.apply_schema, lambda: write(graph)):
        with pytest.raises(
            SchemaError, match=r"`chunk_urtext` is failed.*Remedy: run `graphrag schema apply --rebuild`"
        ):
            call()
    with pytest.raises(SchemaError, match="graphrag schema status"):
        store.apply_schema(rebuild=True)  # the value that it fails on is still there
    graph.run("MATCH (c:Chunk {sequence_number: 0}) SET c.urtext = 'short'")
    assert states(store.apply_schema(rebuild=True))["chunk_urtext"] == "failed"
    assert set(states(store.schema_status()[1]).values()) == {"ok"}


def test_an_index_that_is_being_built_is_never_silently_empty(graph: Graph, store: Neo4jStore) -> None:
    """CASES 61, fault 25: 5,000 chunks, the indexes made anew, and searched at once."""
    document = make_document(EMBEDDER, chunks=words(5_000))
    store.write_document(document)

    def answers(search: Callable[[TextSimilaritySearchRequest], list[object]]) -> bool:
        try:
            return len(search(ask("w17 stands alone"))) == 10
        except SchemaError as error:
            return error.retryable and "still being built" in str(error)

    graph.run("DROP INDEX chunk_embedding")
    graph.run(vector_index())
    assert all(answers(store.vector_search) for _ in range(5))  # type: ignore[arg-type]
    graph.run("DROP INDEX chunk_text")
    graph.run(
        "CREATE FULLTEXT INDEX chunk_text FOR (n:Chunk) ON EACH [n.text] "
        "OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}"
    )
    assert all(answers(store.text_search) for _ in range(5))  # type: ignore[arg-type]
    store.apply_schema()
    assert store.vector_search(ask("w17 stands alone"))[0].match.urtext == "w17 stands alone"
    assert store.text_search(ask("w17"))[0].match.urtext == "w17 stands alone"


# -- the stamp


def test_another_model_or_other_dimensions_are_refused_with_both_names(graph: Graph, store: Neo4jStore) -> None:
    """CASES 38, fault 24: at the first write and at the first search; nothing is half-written."""
    store.write_document(make_document(EMBEDDER))
    others = {
        r"takes 16 dimensions, the model `deterministic` gives 32.*graphrag clear --all": DeterministicEmbedder(32),
        r"are of the model `deterministic@hash-16`, the configured one is `other@hash-16`": DeterministicEmbedder(
            16, name="other"
        ),
    }
    for message, embedder in others.items():
        with configured(graph, embedder) as other:
            calls: list[Callable[[], object]] = [
                other.prepare,
                other.apply_schema,
                lambda: other.vector_search(ask("fox")),
                lambda: other.hybrid_search(ask("fox")),
                lambda: other.write_document(make_document(embedder, "file:///new")),  # noqa: B023
            ]
            for call in calls:
                with pytest.raises(SchemaError, match=message):
                    call()
            assert len(other.text_search(ask("fox"))) == 1
    assert graph.value("MATCH (d:Document) RETURN count(d)") == 1


def test_another_analyzer_than_the_indexed_one_is_told_before_a_write(graph: Graph, store: Neo4jStore) -> None:
    store.prepare()
    with configured(graph, analyzer="german") as other:
        with pytest.raises(SchemaError, match=r"made with the analyzer `english`, configured is `german`.*--rebuild"):
            other.write_document(make_document(EMBEDDER))
        other.apply_schema(rebuild=True)
        other.write_document(make_document(EMBEDDER))
        stamp = other.schema_status()[0]
        assert stamp is not None
        assert stamp.analyzer == "german"


def test_filter_properties_that_the_index_lacks_are_told_before_a_write(graph: Graph, store: Neo4jStore) -> None:
    store.write_document(make_document(EMBEDDER, metadata={"year": 2020}))
    with configured(graph, filter_properties=("year",)) as other:
        with pytest.raises(SchemaError, match=r"cannot filter by `year`.*run `graphrag schema filters add year`"):
            other.prepare()
        other.add_filter_properties(["year"])
        other.prepare()
        assert len(other.vector_search(ask("fox"))) == 4
    with configured(graph) as plain:  # what is declared stays, whoever opens the store
        plain.prepare()
        assert set(states(plain.apply_schema()).values()) == {"ok"}


@pytest.mark.parametrize(
    "version, message",
    [(2, r"has version 2, this package knows versions up to 1; install a newer"), (99, "has version 99")],
)
def test_a_newer_schema_is_refused(graph: Graph, store: Neo4jStore, version: int, message: str) -> None:
    """Fault 38."""
    graph.run("MATCH (s:GraphragSchema) SET s.version = $version", version=version)
    for call in (store.prepare, store.apply_schema, store.migrate_schema, lambda: store.vector_search(ask("fox"))):
        with pytest.raises(SchemaError, match=message):
            call()


def test_an_older_schema_is_migrated_by_its_command_alone(
    graph: Graph, store: Neo4jStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fault 38."""
    from graphrag.stores.neo4j._sync import schema

    monkeypatch.setattr(stamps, "SCHEMA_VERSION", 2)
    monkeypatch.setattr(schema, "SCHEMA_VERSION", 2)
    with pytest.raises(SchemaError, match="has version 1, this package needs 2; run `graphrag schema migrate`"):
        store.prepare()
    assert store.migrate_schema() == (1, 2)
    store.prepare()
    assert graph.value("MATCH (s:GraphragSchema) RETURN s.version") == 2


@pytest.mark.parametrize(
    "damage",
    [
        "REMOVE s.dimensions",
        "SET s.version = 'one'",
        "REMOVE s.model_id",
        "SET s.filter_properties = 7",
        "SET s.version = 0",
    ],
)
def test_a_damaged_stamp_is_told_and_written_anew_by_apply(graph: Graph, store: Neo4jStore, damage: str) -> None:
    store.write_document(make_document(EMBEDDER))
    graph.run(f"MATCH (s:GraphragSchema) {damage}")
    with configured(graph) as other:
        for call in (other.prepare, other.schema_status, lambda: other.vector_search(ask("fox"))):
            with pytest.raises(SchemaError, match="stamp .* is damaged; run `graphrag schema apply`"):
                call()
        refuse_another_model(graph)
        other.apply_schema()
        assert len(other.vector_search(ask("fox"))) == 4


def test_dropping_the_schema_leaves_the_data_and_other_indexes(graph: Graph, store: Neo4jStore) -> None:
    store.write_document(make_document(EMBEDDER))
    before = store.graph_hash()
    graph.run("CREATE RANGE INDEX theirs FOR (n:Theirs) ON (n.x)")
    dropped = store.drop_schema()
    assert {"datum_id", "chunk_embedding", "chunk_text", "chunk_urtext", "datum_document_id"} <= set(dropped)
    assert [row["name"] for row in graph.schema()] == ["theirs"]
    assert (store.graph_hash(), store.count(Chunk)) == (before, 4)
    refuse_another_model(graph)
    store.write_document(make_document(EMBEDDER, "file:///b"))
    assert len(store.vector_search(ask("fox"))) == 8


def test_a_long_value_in_a_filter_property_never_reaches_the_server(graph: Graph) -> None:
    """THREATS 62: such a value stops the database or fails its index; lists count as a whole."""
    graph.drop_everything()
    with configured(graph, filter_properties=("tags",)) as store:
        longest = {"tags": "ü" * 4_000}
        store.write_document(make_document(EMBEDDER, "file:///longest", metadata=longest))
        for tags in ("x" * 8_001, ["x" * 100] * 500, [math.pi] * 2_000, list(range(2_000))):
            with pytest.raises(InvalidRequestError, match="`tags`"):
                store.write_document(make_document(EMBEDDER, "file:///long", metadata={"tags": tags}))
        store.write_document(make_document(EMBEDDER, "file:///short", metadata={"tags": ["a", "b"]}))
        assert store.info().documents == 2
        assert set(states(store.schema_status()[1]).values()) == {"ok"}
