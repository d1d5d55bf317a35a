"""Refined searches on a real server: vectors and neighbours of hits, the legs of a hybrid search, and their scope."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from graphrag.config import Limits, Settings
from graphrag.errors import InvalidRequestError
from graphrag.filters.nodes import Eq, In
from graphrag.filters.scope import Scope
from graphrag.ingestion.given import GivenChunk
from graphrag.model import Chunk, MaterializedDocument, TextSimilaritySearchRequest
from graphrag.search import AsyncSearcher, Refinement, Searcher, joined_text
from graphrag.stores import AsyncNeo4jStore, Neo4jStore
from graphrag.stores.neo4j._sync.connection import Connection
from graphrag.stores.reports import ExpandMethod
from graphrag.testing.embedder import DeterministicEmbedder
from tests.conftest import ENVIRON
from tests.integration.neo4j.documents import make_document, words
from tests.integration.neo4j.graph import Graph

SEED = int(ENVIRON.get("GRAPHRAG_TEST_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)
EMBEDDER = DeterministicEmbedder(Graph.DIMENSIONS)
MISSING = "z" * 32


def ids(chunks: object) -> list[str]:
    return [chunk.id for chunk in chunks]  # type: ignore[attr-defined]


def request(query: str = "shared word", top_k: int = 10) -> TextSimilaritySearchRequest:
    return TextSimilaritySearchRequest(query, None, top_k)


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of what is read, in order."""
    sent: list[str] = []
    read = Connection.read

    def recording(self: Connection, name: str, /, *arguments: object, **more: object) -> object:
        sent.append(name)
        return read(self, name, *arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Connection, "read", recording)
    return sent


def test_vectors_come_as_they_were_stored_and_only_those_that_are_asked_for(store: Neo4jStore) -> None:
    document = make_document(EMBEDDER, chunks=words(5))
    store.write_document(document)
    asked = [chunk.id for chunk in document.chunks[:3]]
    found = store.embeddings_of([*asked, MISSING, asked[0], document.document.id])
    assert set(found) == set(asked)
    for id_, vector in found.items():
        assert vector.dtype == np.float32
        assert np.array_equal(vector, document.vectors[id_])
    assert store.embeddings_of([]) == {}


def test_a_chunk_without_a_vector_is_left_out(store: Neo4jStore, graph: Graph) -> None:
    document = make_document(EMBEDDER, chunks=words(2))
    store.write_document(document)
    first, second = ids(document.chunks)
    graph.run("MATCH (c:Chunk {id: $id}) REMOVE c.embedding", id=first)
    assert set(store.embeddings_of([first, second])) == {second}


def test_neighbours_of_many_chunks_come_in_one_statement_each_chunk_once(
    store: Neo4jStore, statements: list[str]
) -> None:
    one, two = make_document(EMBEDDER, "file:///1", words(9)), make_document(EMBEDDER, "file:///2", words(3, "x"))
    store.write_documents([one, two])
    chunks = [*one.chunks, *two.chunks]
    statements.clear()
    found = store.neighbours_of(ids(chunks), 2)
    assert [name for name in statements if name != "schema/read_stamp"] == ["expand/neighbours"]
    for chunk in chunks:
        expected = ids(store.expand_result(chunk.id, ExpandMethod.SEQUENCE, 2))
        assert ids(found[chunk.id]) == expected
    assert found[one.chunks[1].id][0] is found[one.chunks[0].id][0]
    assert [chunk.embedding for chunk in found[one.chunks[0].id]] == [None] * 3
    assert {id_: ids(around) for id_, around in store.neighbours_of([one.chunks[4].id], 0).items()} == {
        one.chunks[4].id: [one.chunks[4].id]
    }
    assert store.neighbours_of([], 1) == {}
    assert store.neighbours_of([MISSING, one.document.id], 1) == {}


@pytest.mark.parametrize("wrong", [-1, 21, 2.0, True, "1", None])
def test_the_number_of_neighbours_is_bounded(store: Neo4jStore, wrong: object) -> None:
    """THREATS 6."""
    with pytest.raises(InvalidRequestError, match="`count` is .*; it must be a whole number from 0 to 20"):
        store.neighbours_of(["x"], wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong, message",
    [
        ("abc", "`ids` is of 3; it must be a list of at most 1000 ids"),
        (7, "`ids` is of type int"),
        (["x"] * 1_001, "`ids` is of 1001; it must be a list of at most 1000 ids"),
        (["x", ""], "`id` is ''; it must be 1 to 512 printable characters"),
        (["x", "a\0b"], "`id` is 'a"),
    ],
)
def test_ids_are_a_bounded_list_of_short_texts(store: Neo4jStore, wrong: object, message: str) -> None:
    """THREATS 23."""
    for call in (store.embeddings_of, store.neighbours_of):
        with pytest.raises(InvalidRequestError, match=message):
            call(wrong)  # type: ignore[operator]


# Scope, generated


@pytest.fixture(params=range(3))
def owned(store: Neo4jStore, request: pytest.FixtureRequest) -> list[MaterializedDocument]:
    """Documents whose chunks belong to two owners, at random."""
    seed = SEED + int(request.param)
    print(f"seed {seed}: GRAPHRAG_TEST_SEED={seed} repeats it as the first")  # noqa: T201 - shown on failure
    chance = random.Random(seed)  # noqa: S311 - tests
    documents = [
        make_document(
            EMBEDDER,
            f"file:///{number}",
            [
                GivenChunk(f"shared word {number} {place}", metadata={"owner": chance.choice(["a", "a", "b"])})
                for place in range(chance.randrange(1, 12))
            ],
            collection=chance.choice(["one", "two"]),
        )
        for number in range(6)
    ]
    store.write_documents(documents)
    return documents


def scopes() -> Iterator[tuple[Scope, list[str] | None]]:
    for owner in ("a", "b", "nobody"):
        for collections in (None, ["one"]):
            yield Scope().with_metadata_filter(Eq("owner", owner)), collections
    yield Scope().with_metadata_filter(In("owner", ("a", "b"))), ["two"]


def visible_of(documents: list[MaterializedDocument], scope: Scope, collections: list[str] | None) -> dict[str, Chunk]:
    return {
        chunk.id: chunk
        for document in documents
        for chunk in document.chunks
        if scope.sees_chunk((chunk.metadata, ())) and (collections is None or chunk.collection in collections)
    }


def test_neighbours_and_vectors_never_show_what_is_hidden(store: Neo4jStore, owned: list[MaterializedDocument]) -> None:
    """THREATS 18, 19, 20: on every hop; a hidden id and a missing one answer the same."""
    everything = [chunk.id for document in owned for chunk in document.chunks]
    hidden = 0
    for scope, collections in scopes():
        visible = visible_of(owned, scope, collections)
        hidden += len(everything) - len(visible)
        asked = [*everything, MISSING]
        assert set(store.embeddings_of(asked, scope=scope, collections=collections)) == set(visible)
        for count in (0, 1, 3):
            found = store.neighbours_of(asked, count, scope=scope, collections=collections)
            assert {id_: ids(around) for id_, around in found.items()} == {
                chunk.id: expected_around(chunk, visible, count) for chunk in visible.values()
            }
    assert hidden > 30


def expected_around(chunk: Chunk, visible: dict[str, Chunk], count: int) -> list[str]:
    """Walk along the chain on both sides, as far as all is visible."""
    places = {other.sequence_number: other.id for other in visible.values() if other.document_id == chunk.document_id}
    first = last = chunk.sequence_number
    while first > chunk.sequence_number - count and first - 1 in places:
        first -= 1
    while last < chunk.sequence_number + count and last + 1 in places:
        last += 1
    return [places[number] for number in range(first, last + 1)]


def test_what_is_no_scope_is_refused(store: Neo4jStore) -> None:
    """An empty mapping does not pass for the scope that sees everything."""
    document = make_document(EMBEDDER, chunks=["shared word"])
    store.write_document(document)
    wrong: Any = {}
    for refused in (
        lambda: store.embeddings_of(ids(document.chunks), scope=wrong),
        lambda: store.neighbours_of(ids(document.chunks), scope=wrong),
        lambda: store.embeddings_of([], scope=wrong),
        lambda: store.neighbours_of([], scope=wrong),
        lambda: Searcher(store).search(request(), scope=wrong),
    ):
        with pytest.raises(InvalidRequestError, match="`scope` is of type dict"):
            refused()


def test_a_refined_search_shows_nothing_that_is_hidden_and_is_as_long_as_it_can_be(
    store: Neo4jStore, owned: list[MaterializedDocument]
) -> None:
    """THREATS 20: results, their contexts, and what each leg tells that it found."""
    searcher = Searcher(store)
    for scope, collections in scopes():
        visible = visible_of(owned, scope, collections)
        per_document = {document.document.id: 0 for document in owned}
        for chunk in visible.values():
            per_document[chunk.document_id] += 1
        for mode in searcher.modes:
            query = "shared" if mode == "regex" else "shared word"
            for refine in (Refinement(per_document=2, neighbours=2), Refinement(diversity=0.5, neighbours=1)):
                found = searcher.search(
                    request(query, 7), mode, scope=scope, collections=collections, explain=True, refine=refine
                )
                permitted = sum(min(refine.per_document or 1_000, count) for count in per_document.values())
                assert len(found) == min(7, permitted), mode
                for result in found:
                    assert set(ids(result.context)) <= set(visible)
                    assert ids(result.context) == expected_around(result.match, visible, refine.neighbours)
                told = {hit.id for explanation in found.explanations for hit in explanation.hits}
                assert told <= set(visible)


# The searcher over the store


def test_a_diverse_choice_takes_one_of_two_copies(store: Neo4jStore) -> None:
    vectors = {"twin one": [1, 0.05], "twin two": [1, 0.05], "other": [0.6, 0.8], "query": [1, 0]}
    embedder = DeterministicEmbedder(Graph.DIMENSIONS, vectors={k: v + [0] * 14 for k, v in vectors.items()})
    document = make_document(embedder, chunks=["twin one", "twin two", "other"])
    store.write_document(document)
    asked = TextSimilaritySearchRequest("query", None, 2)
    with Neo4jStore(store._connection.settings, embedder) as own:
        plain = Searcher(own).search(asked, "vector")
        diverse = Searcher(own).search(asked, "vector", refine=Refinement(diversity=0.7))
    assert sorted(result.match.urtext for result in plain) == ["twin one", "twin two"]
    assert [result.match.urtext for result in diverse][1] == "other"
    assert diverse[0].score == plain[0].score
    similarity = (1 + (1 * 0.6 + 0.05 * 0.8) / np.hypot(1, 0.05)) / 2
    assert diverse[1].breakdown["mmr"] == pytest.approx(0.3 * 0.8 - 0.7 * similarity, abs=1e-5)


def test_equal_scores_come_by_id_and_the_threshold_takes_them_all_in(store: Neo4jStore) -> None:
    """Ten copies of one text in ten documents have one score in every mode."""
    documents = [make_document(EMBEDDER, f"file:///{n}", ["shared word", f"filler {n}"]) for n in range(10)]
    store.write_documents(documents)
    copies = sorted(document.chunks[0].id for document in documents)
    searcher = Searcher(store)
    for mode in ("vector", "text", "hybrid"):
        refine = Refinement(per_document=1, diversity=0.0)
        found = searcher.search(request(top_k=10), mode, refine=refine)
        assert [result.match.id for result in found] == copies, mode
        assert len({result.score for result in found}) == 1
        if mode != "hybrid":
            exactly = TextSimilaritySearchRequest("shared word", found[0].score, 10)
            assert ids(result.match for result in searcher.search(exactly, mode)) == copies


def test_the_context_of_a_result_reads_as_the_document_does(store: Neo4jStore) -> None:
    document = make_document(EMBEDDER, chunks=["The mill stands. ", "Its shared word turns. ", "The gate closes."])
    store.write_document(document)
    [result] = Searcher(store).search(request("shared"), "text", refine=Refinement(neighbours=1))
    assert joined_text(result.context) == "The mill stands. Its shared word turns. The gate closes."


def test_a_hybrid_search_tells_what_each_leg_found_best_first(store: Neo4jStore) -> None:
    store.write_document(make_document(EMBEDDER, chunks=[*words(150), "shared word", "a shared word more"]))
    found = store.hybrid_search(request(top_k=3), explain=True)
    vector, text = found.explanations
    alone = store.vector_search(request(top_k=100))
    assert [(hit.id, hit.score) for hit in vector.hits] == [(result.match.id, result.score) for result in alone]
    assert (vector.leg, vector.found) == ("vector", 100)
    words_alone = store.text_search(request(top_k=100))
    assert [(hit.id, hit.score) for hit in text.hits] == [(result.match.id, result.score) for result in words_alone]
    assert (text.leg, text.found) == ("text", 2)
    assert store.hybrid_search(request()).explanations == ()
    many = store.hybrid_search(request(top_k=140), explain=True).explanations[0]
    assert (many.found, len(many.hits)) == (140, 100)


@pytest.mark.anyio
async def test_the_asynchronous_face_refines_too(async_store: AsyncNeo4jStore) -> None:
    await async_store.write_document(make_document(EMBEDDER, chunks=["shared word", "then this", "then that"]))
    refine = Refinement(per_document=1, diversity=0.2, neighbours=1)
    [result] = await AsyncSearcher(async_store).search(request(), refine=refine)
    assert [chunk.urtext for chunk in result.context] == ["shared word", "then this"]


def test_limits_of_the_application_hold(store: Neo4jStore, graph: Graph) -> None:
    settings = Settings(limits=Limits(max_chunks_to_add=3, max_top_k=4))
    with Neo4jStore(graph.settings, EMBEDDER, settings=settings) as small:
        with pytest.raises(InvalidRequestError, match="from 0 to 3"):
            small.neighbours_of(["x"], 4)
        with pytest.raises(InvalidRequestError, match="at most 4 ids"):
            small.embeddings_of(["x"] * 5)
