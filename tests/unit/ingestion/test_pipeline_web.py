"""Pages of the web through the pipeline (from real servers on loopback, which a setting opens)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphrag.config import TikaSettings, WebSettings
from graphrag.errors import ConfigurationError, InvalidRequestError
from graphrag.ingestion import AsyncIngestor, IngestionReport, Ingestor
from graphrag.ingestion.readers import AutoReader, TikaPool, TikaReader
from graphrag.ingestion.refresh import NeverRefreshExisting
from graphrag.testing.embedder import DeterministicEmbedder
from tests.unit.ingestion.pipeline_doubles import AsyncMemoryStore, MemoryStore
from tests.unit.ingestion.sources.web_servers import WebServer, canary, web_server

PAGE = "<html><head><title>Tide mills</title></head><body><h1>Gates</h1><p>They close at high water.</p></body></html>"


@pytest.fixture
def server() -> Iterator[WebServer]:
    with web_server() as served:
        yield served


def make(store: MemoryStore, **web: object) -> Ingestor:
    settings = WebSettings.model_validate({"allowed_hosts": ("127.0.0.1",), "timeout_s": 20.0, **web})
    # No file of these tests needs Tika, so no worker starts.
    reader = AutoReader(TikaReader(TikaPool(TikaSettings())))
    return Ingestor(store, DeterministicEmbedder(), reader=reader, web=settings)  # type: ignore[arg-type]


def told(report: IngestionReport, server: WebServer) -> list[tuple[str, str]]:
    return [(item.uri.removeprefix(server.url("")), item.verdict.value) for item in report.verdicts]


def test_a_page_becomes_a_document_and_a_second_run_changes_nothing(server: WebServer) -> None:
    store = MemoryStore()
    server.pages["/mills?lang=en"] = lambda e: e.answer(PAGE, content_type="text/html")
    url = server.url("/mills?lang=en#gates")
    first = make(store).ingest([url], metadata={"owner": "anna"})
    assert told(first, server) == [("/mills?lang=en", "added")]
    document = store.find(server.url("/mills?lang=en"))
    assert (document.title, document.metadata) == ("Tide mills", {"owner": "anna"})
    assert told(make(store).ingest([url], metadata={"owner": "anna"}), server) == [("/mills?lang=en", "unchanged")]
    server.pages["/mills?lang=en"] = PAGE.replace("high", "low")
    assert told(make(store).ingest([url]), server) == [("/mills?lang=en", "updated")]
    assert len(store.documents) == 1


def test_what_the_server_says_of_type_and_encoding_counts(server: WebServer) -> None:
    store = MemoryStore()
    server.pages["/text"] = lambda e: e.answer(
        "# Mühle".encode("iso-8859-15"), content_type="text/plain; charset=latin1"
    )
    server.pages["/mark"] = lambda e: e.answer("# Mühle\n\nGates.", content_type="text/markdown; charset=utf-8")
    make(store).ingest([server.url("/text"), server.url("/mark")])
    assert store.find(server.url("/mark")).title == "Mühle"
    assert [chunk.urtext.strip() for chunk in store.chunks.values() if chunk.uri == server.url("/text")] == ["# Mühle"]


def test_a_redirect_gives_the_document_its_uri(server: WebServer) -> None:
    """And the refresh policy the version that the store has under that URI."""
    store = MemoryStore()
    server.pages |= {"/old": lambda e: e.redirect("/new"), "/new": PAGE}
    assert told(make(store).ingest([server.url("/old")]), server) == [("/new", "added")]
    assert told(make(store).ingest([server.url("/old")]), server) == [("/new", "unchanged")]
    again = make(store).ingest([server.url("/old")], policy=NeverRefreshExisting())
    assert told(again, server) == [("/new", "unchanged")]
    planned = make(store).ingest([server.url("/old")], dry_run=True)
    assert told(planned, server) == [("/new", "unchanged")]
    assert len(store.documents) == 1


def test_urls_that_lead_to_one_page_write_it_once(server: WebServer) -> None:
    store = MemoryStore()
    server.pages |= {"/a": lambda e: e.redirect("/c"), "/b": lambda e: e.redirect("/c"), "/c": PAGE}
    report = make(store).ingest([server.url(path) for path in ("/a", "/b", "/c")])
    assert told(report, server) == [("/c", "added"), ("/b", "unchanged"), ("/c", "unchanged")]
    assert report.verdicts[1].reason == f"it leads to `{server.url('/c')}`, which is read already"
    assert sum(store.written) == 1


def test_files_and_pages_go_together_and_what_fails_fails_alone(server: WebServer, tmp_path: Path) -> None:
    """THREATS 47, 48, 53."""
    store = MemoryStore()
    file = tmp_path / "a.md"
    file.write_text("# A\n\nword", encoding="utf-8")
    server.pages |= {"/a": PAGE, "/long": "x" * 2_000, "/blank": "  "}
    with canary() as silent:
        paths = [server.url("/gone"), str(file), silent.url, "http://2130706433/", server.url("/long")]
        report = make(store, max_body_bytes=1_000).ingest([*paths, server.url("/a"), server.url("/blank")])
        assert not silent.was_reached()
    assert [item.verdict.value for item in report.verdicts] == ["added", *["failed"] * 4, "added", "empty"]
    assert report.exit_code == 3
    reasons = " ".join(item.reason for item in report.verdicts)
    assert "the status 404" in reasons
    assert "`web.allowed_hosts` names exceptions" in reasons
    assert "longer than 1000 bytes" in reasons


def test_a_page_that_fails_keeps_its_version(server: WebServer) -> None:
    store = MemoryStore()
    server.pages["/a"] = PAGE
    make(store).ingest([server.url("/a")])
    server.pages["/a"] = lambda e: e.answer("busy", status=503)
    report = make(store).ingest([server.url("/a")])
    assert told(report, server) == [("/a", "failed")]
    assert len(store.documents) == 1


def test_a_sitemap_and_a_feed_stand_for_their_pages(server: WebServer) -> None:
    store = MemoryStore()
    server.pages |= {
        "/robots.txt": "User-agent: *\nDisallow: /closed\n",
        "/s.xml": "<urlset>"
        + "".join(f"<url><loc>{at}</loc></url>" for at in ("/a", "/closed", "ftp://x/"))
        + "</urlset>",
        "/feed": "<rss><channel><item><link>/a</link></item></channel></rss>",
        "/none": "<rss><channel/></rss>",
        "/a": PAGE,
        "/closed": PAGE,
    }
    report = make(store).ingest([server.url("/s.xml")], urls="sitemap")
    assert told(report, server) == [("/a", "added"), ("/closed", "failed")]
    assert "robots.txt" in report.verdicts[1].reason
    assert report.notes == (f"`{server.url('/s.xml')}`: entries that are no http or https URLs left out: 1",)
    assert told(make(store).ingest([server.url("/feed")], urls="feed"), server) == [("/a", "unchanged")]
    nothing = make(store).ingest([server.url("/none")], urls="feed")
    assert (nothing.verdicts, nothing.nothing_found) == ((), (server.url("/none"),))
    wrong = make(store).ingest([server.url("/feed")], urls="sitemap")
    assert "is not a sitemap but a feed" in wrong.verdicts[0].reason
    assert "/closed" not in server.paths


def test_what_urls_are_has_to_be_one_of_the_words_and_to_be_said_of_a_url(tmp_path: Path) -> None:
    ingestor = make(MemoryStore())
    with pytest.raises(InvalidRequestError, match="it must be one of page, sitemap, feed"):
        ingestor.ingest(["https://a.example/"], urls="pages")  # type: ignore[arg-type]
    with pytest.raises(InvalidRequestError, match="none of the paths is a URL; give the URL of the sitemap"):
        ingestor.ingest([str(tmp_path)], urls="sitemap")


def test_a_wrong_exception_is_told_before_anything_is_done(server: WebServer) -> None:
    with pytest.raises(ConfigurationError, match=r"`web\.allowed_hosts`"):
        make(MemoryStore(), allowed_hosts=("10.0.0.1/8",)).ingest([server.url("/a")])
    assert server.requests == []


@pytest.mark.anyio
async def test_the_asynchronous_face_fetches_too(server: WebServer) -> None:
    store = AsyncMemoryStore(MemoryStore())
    server.pages |= {"/old": lambda e: e.redirect("/new"), "/new": PAGE}
    reader = AutoReader(TikaReader(TikaPool(TikaSettings())))
    web = WebSettings(allowed_hosts=("127.0.0.1",))
    async with AsyncIngestor(store, DeterministicEmbedder(), reader=reader, web=web) as ingestor:  # type: ignore[arg-type]
        report = await ingestor.ingest([server.url("/old")])
        again = await ingestor.ingest([server.url("/old")])
    assert told(report, server) == [("/new", "added")]
    assert told(again, server) == [("/new", "unchanged")]
