"""What is configured and cannot be used is refused, never left aside without a word."""

from typing import cast

import pytest

from graphrag.config import load_settings
from graphrag.errors import ConfigurationError
from graphrag.ingestion.readers import TikaPool
from graphrag.opening import make_async_ingestor, make_ingestor
from graphrag.stores import AsyncNeo4jStore, Neo4jStore
from graphrag.testing.embedder import DeterministicEmbedder


@pytest.mark.parametrize("shared", [False, True])
def test_a_configured_tika_server_is_refused_when_an_ingestor_is_made(shared: bool) -> None:
    settings = load_settings(environ={"TIKA_SERVER_ENDPOINT": "http://user:geheim@tika.example:9998"})
    tika = TikaPool(settings.tika) if shared else None
    with pytest.raises(ConfigurationError, match="TIKA_SERVER_ENDPOINT.* unset it to use these") as held:
        make_ingestor(cast("Neo4jStore", None), DeterministicEmbedder(), settings=settings, tika=tika)
    assert "geheim" not in str(held.value)
    with pytest.raises(ConfigurationError, match="names a Tika server"):
        make_async_ingestor(cast("AsyncNeo4jStore", None), DeterministicEmbedder(), settings=settings, tika=tika)


def test_without_one_local_workers_parse() -> None:
    settings = load_settings(environ={})
    with make_ingestor(cast("Neo4jStore", None), DeterministicEmbedder(), settings=settings) as ingestor:
        assert type(ingestor).__name__ == "Ingestor"
