"""Text search under filters: enough hits, the right ones, in one order, however many the index is asked for."""

import pytest

from graphrag.filters.nodes import In, Not, Or, PropertyFilter
from graphrag.filters.properties import prop
from graphrag.model import Chunk, ResultList, SimilarityResult, TextSimilaritySearchRequest
from graphrag.stores import Neo4jStore
from graphrag.stores.neo4j._sync import words
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.documents import make_document
from tests.integration.neo4j.graph import Graph

EMBEDDER = DeterministicEmbedder(Graph.DIMENSIONS)
COUNT = 120


def ids(found: ResultList[SimilarityResult[Chunk]]) -> list[str]:
    return [result.match.id for result in found]


@pytest.fixture
def filled(store: Neo4jStore) -> Neo4jStore:
    """Chunks of which all hold the word, ever three of them equally often."""
    texts = [f"fox {'fox ' * (number % 40)} number{number:03d}" for number in range(COUNT)]
    store.write_documents(
        [
            make_document(EMBEDDER, f"file:///{number}", [text], metadata={"n": number})
            for number, text in enumerate(texts)
        ]
    )
    return store


@pytest.mark.parametrize("most", [5_000, 8], ids=["as many as needed", "all at once"])
@pytest.mark.parametrize(
    "where",
    [
        None,
        prop("n") < 60,
        ~(prop("n") < 117),
        In("n", (3, 43, 83, 7)),
        Or((In("n", ()), prop("n") == 5)),
        Not(prop("n").exists()),
    ],
    ids=["none", "half", "few", "one score", "one", "never"],
)  # fmt: skip
def test_a_filter_shortens_no_answer_and_changes_no_order(
    filled: Neo4jStore, monkeypatch: pytest.MonkeyPatch, where: PropertyFilter | None, most: int
) -> None:
    """THREATS 4 for words: what comes first without a limit comes first with one, at every limit."""
    monkeypatch.setattr(words, "_MAX_TOP_HITS", most)
    everything = ids(filled.text_search(TextSimilaritySearchRequest("fox", None, 1_000), where=where))
    for _ in range(2):  # the second time with what the first has shown
        for top_k in (1, 2, 3, 5, 50):
            found = ids(filled.text_search(TextSimilaritySearchRequest("fox", None, top_k), where=where))
            assert found == everything[:top_k]


def test_equal_scores_come_by_id_on_every_page(filled: Neo4jStore) -> None:
    found = filled.text_search(TextSimilaritySearchRequest("fox", None, 1_000))
    assert len(found) == COUNT
    order = [(-result.score, result.match.id) for result in found]
    assert order == sorted(order)


def test_the_way_is_explained(filled: Neo4jStore) -> None:
    request = TextSimilaritySearchRequest("fox", None, 5)
    plain = filled.text_search(request, explain=True).explanations[0]
    assert (plain.leg, plain.path, plain.predicate) == ("text", "index", "")
    filtered = filled.text_search(request, where=prop("n") < 60, explain=True).explanations[0]
    assert (filtered.path, filtered.predicate) == ("over_fetch", "c.n < $_filter_0")
    assert filtered.matched is not None
    assert 5 <= filtered.matched <= filtered.candidates
    nothing = filled.text_search(request, where=In("n", ()), explain=True).explanations[0]
    assert (nothing.path, nothing.rounds) == ("nothing", 0)
    assert filled.text_search(request, where=prop("n") < 60).explanations == ()
