"""Search by meaning with the real default model: questions and passages that share no word's stem."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphrag.config import EmbeddingSettings, Neo4jSettings, TikaSettings
from graphrag.embedding import open_embedder
from graphrag.errors import ModelCallError
from graphrag.ingestion import Ingestor
from graphrag.ingestion.readers import AutoReader, TikaPool, TikaReader
from graphrag.model import TextSimilaritySearchRequest
from graphrag.stores import Neo4jStore
from tests.integration.neo4j.graph import Graph

PAIRS = json.loads((Path(__file__).parents[1] / "data" / "meaning_pairs.json").read_text(encoding="utf-8"))


@pytest.fixture
def store(neo4j_server: Neo4jSettings) -> Iterator[Neo4jStore]:
    embedder = open_embedder(EmbeddingSettings())
    try:
        assert embedder.dimensions == 384
    except (ModelCallError, ImportError) as error:
        pytest.skip(f"the default model is not installed: {error}")
    with Graph(neo4j_server) as graph:
        graph.reset()
        graph.drop_everything()
        with Neo4jStore(neo4j_server, embedder) as store:
            ingestor = Ingestor(store, embedder, reader=AutoReader(TikaReader(TikaPool(TikaSettings()))))
            passages = [pair["passage"] for pair in PAIRS["pairs"]] + PAIRS["distractors"]
            for number, passage in enumerate(passages):
                ingestor.ingest_text(passage, f"passage:{number}", content_type="text/plain")
            yield store
        embedder.close()
        graph.reset()


@pytest.mark.model
@pytest.mark.slow
def test_at_least_eight_of_ten_questions_find_their_passage_in_the_top_three(store: Neo4jStore) -> None:
    assert (len(PAIRS["pairs"]), len(PAIRS["distractors"])) == (10, 40)
    found: dict[str, bool] = {}
    for pair in PAIRS["pairs"]:
        results = store.vector_search(TextSimilaritySearchRequest(pair["question"], top_k=3))
        found[pair["question"]] = pair["passage"] in {result.match.urtext.strip() for result in results}
    assert sum(found.values()) >= 8, found
