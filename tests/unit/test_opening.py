"""What is configured and cannot be used is refused, never left aside without a word."""

from collections.abc import Callable
from typing import cast

import pytest

from graphrag.config import load_settings
from graphrag.errors import ConfigurationError, UnreadableDocumentError
from graphrag.ingestion import AsyncIngestor, Ingestor
from graphrag.ingestion.readers import SourceBytes, TikaPool, TikaReader, TikaServerReader
from graphrag.opening import make_async_ingestor, make_ingestor
from graphrag.stores import Neo4jStore
from graphrag.testing.embedder import DeterministicEmbedder


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("make", [make_ingestor, make_async_ingestor])
def test_a_configured_tika_server_stands_in_for_the_workers(
    make: Callable[..., Ingestor | AsyncIngestor], shared: bool
) -> None:
    settings = load_settings(
        {"ingestion.max_file_bytes": 1_000}, environ={"TIKA_SERVER_ENDPOINT": "http://user:geheim@tika.example:9998"}
    )
    tika = TikaPool(settings.tika) if shared else None
    ingestor = make(None, DeterministicEmbedder(), settings=settings, tika=tika)
    reader = ingestor._reader
    assert TikaServerReader.version in reader.version
    with pytest.raises(UnreadableDocumentError, match="a server is sent at most 1,000"):
        reader.read(SourceBytes(uri="file:///a.pdf", data=b"%PDF-1.7" * 1_000, name="a.pdf"))


@pytest.mark.parametrize("make", [make_ingestor, make_async_ingestor])
def test_a_tika_server_without_an_address_is_refused_when_an_ingestor_is_made(make: Callable[..., object]) -> None:
    settings = load_settings(environ={"TIKA_SERVER_ENDPOINT": "tika.example?geheim"})
    with pytest.raises(ConfigurationError, match="TIKA_SERVER_ENDPOINT.* is not an address such as") as held:
        make(None, DeterministicEmbedder(), settings=settings)
    assert "geheim" not in str(held.value)


def test_without_one_local_workers_parse() -> None:
    settings = load_settings(environ={})
    with make_ingestor(cast("Neo4jStore", None), DeterministicEmbedder(), settings=settings) as ingestor:
        assert TikaReader.version in ingestor._reader.version
