"""Clusters of nearly equal chunks: what the vector index brings together, compared with all pairs."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from graphrag.config import SearchSettings, Settings
from graphrag.errors import InvalidRequestError
from graphrag.filters.nodes import Eq
from graphrag.filters.scope import Scope
from graphrag.ingestion.given import GivenChunk
from graphrag.model import Chunk, ClusterRequest, NamedEntityData
from graphrag.stores import AsyncNeo4jStore, Neo4jStore
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.all_pairs import Vectors, leaders, pairs, scores, shown
from tests.integration.neo4j.documents import make_document
from tests.integration.neo4j.graph import Graph

EMBEDDER = DeterministicEmbedder(Graph.DIMENSIONS)
SEES_A = Scope().with_metadata_filter(Eq("owner", "a"))
SEED = 20_261


def write(
    store: Neo4jStore, vectors: NDArray[np.float64], *, owners: Sequence[str] = (), collection: str = "default"
) -> dict[str, NDArray[np.float32]]:
    """Write a chunk for each vector, 50 to a document; return the vectors by id."""
    stored: dict[str, NDArray[np.float32]] = {}
    documents = []
    for start in range(0, len(vectors), 50):
        rows = vectors[start : start + 50]
        chunks = [
            GivenChunk(
                f"text {collection} {start + number}",
                metadata={"owner": owners[start + number]} if owners else {},
            )
            for number in range(len(rows))
        ]
        document = make_document(EMBEDDER, f"file:///{collection}/{start}", chunks, collection=collection)
        given = {c.id: np.asarray(row, np.float32) for c, row in zip(document.chunks, rows, strict=True)}
        documents.append(replace(document, vectors=given))
        stored |= given
    for outcome in store.write_documents(documents):
        assert not isinstance(outcome, Exception), outcome
    return stored


def families(chance: np.random.Generator, sizes: Iterable[int], *, noise: float) -> NDArray[np.float64]:
    """Return so many vectors around each of some directions."""
    parts = []
    for size in sizes:
        centre = chance.normal(size=Graph.DIMENSIONS)
        centre /= np.linalg.norm(centre)
        parts.append(centre + noise * chance.normal(size=(size, Graph.DIMENSIONS)) / np.sqrt(Graph.DIMENSIONS))
    return np.concatenate(parts)


@pytest.mark.parametrize("threshold, noise", [(0.9, 0.4), (0.95, 0.3), (0.99, 0.12)])
def test_clusters_are_those_of_all_pairs(store: Neo4jStore, threshold: float, noise: float) -> None:
    """At least 99 of 100 pairs of anchor and member, and no other pair."""
    chance = np.random.default_rng(SEED)
    sizes = [*chance.integers(1, 12, size=60), 40]
    vectors = write(store, families(chance, sizes, noise=noise))
    expected = leaders(vectors, threshold)
    found = store.find_clusters(ClusterRequest(threshold, top_k=100, max_clusters=1_000))
    assert len(pairs(expected)) > 50
    both = pairs(expected) & pairs(shown(found))
    assert len(both) >= 0.99 * len(pairs(expected))
    ids, near = scores(vectors)
    place = {id_: number for number, id_ in enumerate(ids)}
    for cluster in found:
        assert cluster.size == 1 + len(cluster.similar)
        for result in cluster.similar:
            assert result.score == pytest.approx(near[place[cluster.anchor.id], place[result.match.id]], abs=1e-5)
            assert result.score >= threshold - 1e-6
        assert [(-r.score, r.match.id) for r in cluster.similar] == sorted(
            (-r.score, r.match.id) for r in cluster.similar
        )
    members = [id_ for anchor, similar in shown(found).items() for id_ in (anchor, *similar)]
    assert len(members) == len(set(members)), "a chunk stands in one cluster at most"
    sizes_found = [(-cluster.size, cluster.anchor.id) for cluster in found]
    assert sizes_found == sorted(sizes_found)
    assert store.find_clusters(ClusterRequest(threshold, top_k=100, max_clusters=1_000)) == found


def test_equal_chunks_are_one_cluster_however_many(store: Neo4jStore) -> None:
    """More than the index is asked for first: it is asked for more, once a cluster."""
    chance = np.random.default_rng(SEED)
    vectors = write(store, families(chance, [120, 1, 2], noise=0.0))
    found = store.find_clusters()
    assert [cluster.size for cluster in found] == [120, 2]
    assert found[0].anchor.id == min(list(vectors)[:120])
    assert [len(cluster.similar) for cluster in found] == [10, 1]
    assert all(result.score == pytest.approx(1, abs=1e-6) for cluster in found for result in cluster.similar)
    assert found.notes == ()


def test_what_the_index_cannot_give_is_compared(store: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    from graphrag.stores.neo4j._sync import clusters

    monkeypatch.setattr(clusters, "_CANDIDATES", (10, 20))
    chance = np.random.default_rng(SEED)
    write(store, families(chance, [60, 30, 5], noise=0.0))
    assert [cluster.size for cluster in store.find_clusters()] == [60, 30, 5]


def test_a_member_is_near_to_its_anchor_not_to_every_member(store: Neo4jStore) -> None:
    """Neither single nor complete linkage: a chain is not followed, and two ends may meet in the middle."""
    angles = np.radians([0.0, 20.0, 40.0])  # neighbours score 0.97, the ends 0.88
    rows = np.zeros((3, Graph.DIMENSIONS))
    rows[:, 0], rows[:, 1] = np.cos(angles), np.sin(angles)
    vectors = write(store, rows)
    expected = leaders(vectors, 0.95)
    found = store.find_clusters()
    assert shown(found) == expected
    middle = list(vectors)[1]
    assert len(found) == 1
    assert found[0].size == (3 if found[0].anchor.id == middle else 2)


def test_scope_filter_and_collections_hold_on_both_sides(store: Neo4jStore) -> None:
    """THREATS 9 and 20: what is hidden is no anchor, no member, and counts nowhere."""
    chance = np.random.default_rng(SEED)
    rows = families(chance, chance.integers(2, 9, size=25), noise=0.2)
    owners = [str(owner) for owner in chance.choice(["a", "b"], size=len(rows))]
    one = write(store, rows, owners=owners, collection="one")
    two = write(store, rows, owners=owners, collection="two")
    owner = dict(zip([*one], owners, strict=True)) | dict(zip([*two], owners, strict=True))
    request = ClusterRequest(0.95, top_k=100)
    cases: list[tuple[dict[str, object], Vectors]] = [
        ({"scope": SEES_A}, {id_: row for id_, row in {**one, **two}.items() if owner[id_] == "a"}),
        ({"where": Eq("owner", "b")}, {id_: row for id_, row in {**one, **two}.items() if owner[id_] == "b"}),
        ({"collections": ["one"]}, one),
        ({"collections": ["two"], "scope": SEES_A}, {id_: row for id_, row in two.items() if owner[id_] == "a"}),
        ({"collections": ["nowhere"]}, {}),
        ({"where": Eq("owner", "b"), "scope": SEES_A}, {}),
        ({}, {**one, **two}),
    ]
    for options, visible in cases:
        found = store.find_clusters(request, **options)  # type: ignore[arg-type]
        assert shown(found) == (leaders(visible, 0.95) if visible else {}), options
        assert all(cluster.size == 1 + len(cluster.similar) for cluster in found)


def test_hidden_copies_do_not_push_visible_ones_out(store: Neo4jStore) -> None:
    chance = np.random.default_rng(SEED)
    rows = families(chance, [200], noise=0.0)
    write(store, rows, owners=["b"] * 197 + ["a"] * 3)
    [cluster] = store.find_clusters(scope=SEES_A)
    assert cluster.size == 3
    assert {chunk.metadata["owner"] for chunk in (cluster.anchor, *(r.match for r in cluster.similar))} == {"a"}


@pytest.mark.anyio
async def test_both_faces_find_the_same(async_store: AsyncNeo4jStore, graph: Graph) -> None:
    chance = np.random.default_rng(SEED)
    with Neo4jStore(graph.settings, EMBEDDER) as store:
        write(store, families(chance, chance.integers(1, 30, size=20), noise=0.3))
        found = store.find_clusters(ClusterRequest(top_k=50), Chunk)
    assert found
    assert await async_store.find_clusters(ClusterRequest(top_k=50), Chunk) == found


def test_a_schema_that_another_program_changes_is_read_anew(store: Neo4jStore, graph: Graph) -> None:
    """The vector index that a store knows is gone: it reads the stamp again, once."""
    chance = np.random.default_rng(SEED)
    write(store, families(chance, [3, 2], noise=0.0))
    assert len(store.find_clusters()) == 2
    with Neo4jStore(graph.settings, EMBEDDER) as other:
        other.add_filter_properties(["year"])
    assert [cluster.size for cluster in store.find_clusters()] == [3, 2]


def test_the_smallest_size_and_the_most_clusters(store: Neo4jStore) -> None:
    chance = np.random.default_rng(SEED)
    write(store, families(chance, [6, 5, 4, 3, 2, 1], noise=0.0))
    assert [cluster.size for cluster in store.find_clusters(ClusterRequest(min_size=4))] == [6, 5, 4]
    two = store.find_clusters(ClusterRequest(max_clusters=2, top_k=3))
    assert [(cluster.size, len(cluster.similar)) for cluster in two] == [(6, 3), (5, 3)]
    assert two.notes == ("there are 3 more clusters; the 2 largest are listed",)


def test_a_search_that_is_cut_says_so(store: Neo4jStore, graph: Graph) -> None:
    chance = np.random.default_rng(SEED)
    write(store, families(chance, [2] * 150, noise=0.0))
    few = Settings(search=SearchSettings(cluster_max_chunks=40))
    with Neo4jStore(graph.settings, EMBEDDER, settings=few) as small:
        found = small.find_clusters(ClusterRequest(max_clusters=1_000))
    assert 20 <= len(found) <= 40
    assert found.notes[0].startswith("the search was cut at its limit of 40 chunks, after 40 anchors, so there may be")
    soon = Settings(search=SearchSettings(cluster_timeout_s=0.001))
    with Neo4jStore(graph.settings, EMBEDDER, settings=soon) as hasty:
        assert hasty.find_clusters().notes[0].startswith("the search was cut at its limit of 0.001 seconds")
    assert len(store.find_clusters(ClusterRequest(max_clusters=1_000))) == 150


def test_nodes_of_others_and_chunks_without_a_vector_are_in_no_cluster(store: Neo4jStore, graph: Graph) -> None:
    chance = np.random.default_rng(SEED)
    [row] = families(chance, [1], noise=0.0)
    write(store, np.stack([row, row, row]))
    graph.run(
        "CREATE (c:Chunk {id: 'theirs', collection: 'default'}) SET c.embedding = $row", row=[float(x) for x in row]
    )
    graph.run("MATCH (c:Chunk&Datum {sequence_number: 0}) REMOVE c.embedding")
    [cluster] = store.find_clusters()
    assert cluster.size == 2
    assert {cluster.anchor.sequence_number, cluster.similar[0].match.sequence_number} == {1, 2}


def test_clusters_are_of_chunks(store: Neo4jStore) -> None:
    assert store.find_clusters() == []
    with pytest.raises(InvalidRequestError, match="finds chunks only; `kind` is `NamedEntityData`"):
        store.find_clusters(kind=NamedEntityData)


@pytest.mark.parametrize(
    "name, wrong",
    [("similarity_threshold", wrong) for wrong in (0.4, 1.1, float("nan"), True, "0.9", None)]
    + [(name, wrong) for name in ("top_k", "max_clusters", "min_size") for wrong in (0, 1_001, True, 2.0, None)],
)
def test_requests_are_bounded(name: str, wrong: object) -> None:
    """THREATS 6."""
    with pytest.raises(InvalidRequestError, match=f"`{name}` is .*; it must be a"):
        ClusterRequest(**{name: wrong})  # type: ignore[arg-type]
