"""`consistent=True` on a search: run again where documents were written meanwhile; told where they still are."""

import pytest

from graphrag.model import TextSimilaritySearchRequest
from graphrag.stores.neo4j import Neo4jStore
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.documents import make_document

REQUEST = TextSimilaritySearchRequest("fox")


@pytest.fixture
def filled(store: Neo4jStore, embedder: DeterministicEmbedder) -> Neo4jStore:
    store.write_document(make_document(embedder, chunks=["the quick brown fox"]))
    return store


@pytest.mark.parametrize("search", ["vector_search", "text_search", "hybrid_search"])
def test_a_quiet_database_gives_results_without_a_note(filled: Neo4jStore, search: str) -> None:
    found = getattr(filled, search)(REQUEST, consistent=True)
    assert [result.match.urtext for result in found] == ["the quick brown fox"]
    assert found.notes == ()


def test_a_write_in_between_makes_it_run_once_more(
    filled: Neo4jStore, embedder: DeterministicEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[int] = []
    search = filled._by_words

    def interrupted(*args: object) -> object:
        runs.append(1)
        found = search(*args)  # type: ignore[arg-type]
        if len(runs) == 1:
            filled.write_document(make_document(embedder, uri="file:///b.md", chunks=["another fox"]))
        return found

    monkeypatch.setattr(filled, "_by_words", interrupted)
    found = filled.text_search(REQUEST, consistent=True)
    assert len(runs) == 2
    assert {result.match.urtext for result in found} == {"the quick brown fox", "another fox"}
    assert found.notes == ()


def test_writes_that_do_not_end_are_told(
    filled: Neo4jStore, embedder: DeterministicEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = filled._by_words

    def interrupted(*args: object) -> object:
        found = search(*args)  # type: ignore[arg-type]
        filled.write_document(make_document(embedder, uri="file:///b.md", chunks=[f"fox {len(found)} {id(found)}"]))
        return found

    monkeypatch.setattr(filled, "_by_words", interrupted)
    assert filled.text_search(REQUEST, consistent=True).notes == (
        "documents were written while this search ran, twice, so rows of theirs may be missing",
    )
