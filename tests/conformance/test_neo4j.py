"""The Neo4j store under the conformance suite, once for each way that a filtered vector search can go."""

from collections.abc import Iterator

import pytest

from graphrag.config import SchemaSettings, SearchSettings, Settings
from graphrag.filters.nodes import Eq, Gte, In, Not
from graphrag.model import Chunk, ResultList, SimilarityResult, TextSimilaritySearchRequest
from graphrag.stores import Neo4jStore
from graphrag.testing.conformance import FilterConformance
from tests.integration.neo4j.documents import make_document
from tests.integration.neo4j.graph import Graph

REQUEST = TextSimilaritySearchRequest("shared word", None, 5)
DECLARED = ("number", "owner", "year", "at", "day")


def paths(store: Neo4jStore, *filters: object) -> list[str]:
    return [store.vector_search(REQUEST, where=f, explain=True).explanations[0].path for f in filters]  # type: ignore[arg-type]


class TestComparingAll(FilterConformance):
    """No filter property is declared, and few chunks match: all that match are compared."""

    @pytest.fixture
    def store(self, graph: Graph) -> Iterator[Neo4jStore]:
        with Neo4jStore(graph.settings, self.embedder) as store:
            yield store

    def test_the_way_is_the_one_that_this_class_is_for(self, store: Neo4jStore) -> None:
        self._fill(store)
        assert paths(store, Eq("number", 1), Not(Eq("number", 1)), Gte("number", 3)) == ["exact_scan"] * 3


class TestAskingForMore(FilterConformance):
    """As if many matched: the index is asked for more than is wanted."""

    @pytest.fixture
    def store(self, graph: Graph) -> Iterator[Neo4jStore]:
        search = SearchSettings(exact_scan_max=1, over_fetch_factor=1, over_fetch_min=1)
        with Neo4jStore(graph.settings, self.embedder, settings=Settings(search=search)) as store:
            yield store

    def test_the_way_is_the_one_that_this_class_is_for(self, store: Neo4jStore) -> None:
        self._fill(store)
        assert paths(store, Not(Eq("number", 1)), Gte("number", 3)) == ["over_fetch"] * 2
        assert paths(store, Eq("number", 1)) == ["exact_scan"]


class TestInsideTheIndex(FilterConformance):
    """Filter properties are declared: what the index can answer goes inside."""

    @pytest.fixture
    def store(self, graph: Graph) -> Iterator[Neo4jStore]:
        graph.drop_everything()
        search = SearchSettings(exact_scan_max=1, over_fetch_min=self.size)
        settings = Settings(schema=SchemaSettings(filter_properties=DECLARED), search=search)
        with Neo4jStore(graph.settings, self.embedder, settings=settings) as store:
            store.apply_schema()
            yield store

    def test_the_way_is_the_one_that_this_class_is_for(self, store: Neo4jStore) -> None:
        self._fill(store)
        inside = [Gte("number", 3), Gte("number", 3) & Eq("collection", "default"), In("number", tuple(range(1, 39)))]
        assert paths(store, *inside) == ["in_index"] * 3
        where = Gte("number", 3) & Not(Eq("number", 7))
        explained: ResultList[SimilarityResult[Chunk]] = store.vector_search(REQUEST, where=where, explain=True)
        assert explained.explanations[0].in_index == "c.number >= $_inside_0"

    def test_the_first_list_under_a_declared_name_is_found_by_a_store_that_knew_of_none(self, graph: Graph) -> None:
        """The index answers IN for single values alone, so what it was asked before is asked otherwise from then on."""
        settings = Settings(schema=SchemaSettings(filter_properties=DECLARED), search=SearchSettings(exact_scan_max=1))
        graph.drop_everything()
        where = In("owner", ("b", "c"))
        with Neo4jStore(graph.settings, self.embedder, settings=settings) as reader:
            reader.apply_schema()
            with Neo4jStore(graph.settings, self.embedder, settings=settings) as writer:
                for number in range(8):
                    document = make_document(self.embedder, f"file:///{number}", ["a text"], metadata={"owner": "b"})
                    writer.write_document(document)
                assert len(reader.vector_search(REQUEST, where=where)) == 5
                assert len(reader.vector_search(REQUEST, where=In("owner", ("c",)))) == 0
                writer.write_document(
                    make_document(self.embedder, "file:///listed", ["a text"], metadata={"owner": ["a", "c"]})
                )
            found: ResultList[SimilarityResult[Chunk]] = reader.vector_search(REQUEST, where=In("owner", ("c",)))
            assert [result.match.uri for result in found] == ["file:///listed"]
            assert len(reader.vector_search(TextSimilaritySearchRequest("x", None, 20), where=where)) == 9
