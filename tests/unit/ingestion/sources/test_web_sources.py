"""Which pages a user means by URLs (from real servers on loopback)."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphrag.config import WebSettings
from graphrag.errors import RefusedAddressError
from graphrag.ingestion.sources import SourceFailure
from graphrag.ingestion.sources.web_sources import FoundUrls, SourceUrl, UrlKind, WebSources
from tests.unit.ingestion.sources.web_servers import WebServer, canary, web_server


@pytest.fixture
def server() -> Iterator[WebServer]:
    with web_server() as served:
        yield served


def sources(**settings: object) -> WebSources:
    values = WebSettings.model_validate({"allowed_hosts": ("127.0.0.1",), **settings})
    return WebSources(values, max_file_bytes=1_000)


def found(*urls: str, kind: UrlKind = "page") -> FoundUrls:
    return sources().find(urls, kind)


def failures(listing: FoundUrls) -> list[SourceFailure]:
    return [item for item in listing.items if isinstance(item, SourceFailure)]


def test_pages_are_taken_each_once_in_canonical_form_and_nothing_is_fetched(server: WebServer) -> None:
    urls = [server.url("/b#x"), server.url("/a"), server.url("/b")]
    assert found(*urls).items == [SourceUrl(server.url("/b"), urls[0]), SourceUrl(server.url("/a"), urls[1])]
    assert server.requests == []


def test_what_is_no_url_is_a_failure_beside_the_others() -> None:
    """THREATS 47, 49."""
    listing = found("http://2130706433/", "https://a.example/x.pdf")
    (failure,) = failures(listing)
    assert isinstance(failure.error, RefusedAddressError)
    assert (failure.root, failure.nothing_found) == ("http://2130706433/", False)
    (page,) = (item for item in listing.items if isinstance(item, SourceUrl))
    assert page.name == "x.pdf"


def test_a_sitemap_stands_for_the_pages_that_it_names(server: WebServer) -> None:
    named = "".join(f"<sitemap><loc>/{number}.xml</loc></sitemap>" for number in (1, 2))
    server.pages |= {
        "/index.xml": f"<sitemapindex>{named}</sitemapindex>",
        "/1.xml": "<urlset><url><loc>/a</loc></url><url><loc>ftp://x/</loc></url></urlset>",
    }
    listing = found(server.url("/index.xml"), kind="sitemap")
    page, failure = listing.items
    assert page == SourceUrl(server.url("/a"), server.url("/index.xml"))
    assert isinstance(failure, SourceFailure)
    assert failure.uri == server.url("/2.xml")
    assert listing.notes == [
        f"`{server.url('/index.xml')}`: entries that are no http or https URLs left out: 1",
    ]


def test_a_list_that_cannot_be_had_or_names_nothing_is_told(server: WebServer) -> None:
    server.pages["/feed"] = "<rss><channel/></rss>"
    gone, empty = failures(found(server.url("/gone"), server.url("/feed"), kind="feed"))
    assert (gone.nothing_found, empty.nothing_found) == (False, True)
    assert "names no page" in str(empty.error)


def test_pages_are_read_by_the_rules_of_robots_and_within_the_bound(server: WebServer) -> None:
    server.pages |= {
        "/robots.txt": "User-agent: *\nDisallow: /closed\n",
        "/old": lambda e: e.redirect("/new"),
        "/new": "x",
        "/long": "x" * 1_001,
    }
    run = sources()
    source = run.read(SourceUrl(server.url("/old"), ""))
    assert (source.uri, source.data) == (server.url("/new"), b"x")
    with pytest.raises(RefusedAddressError, match="forbids it"):
        run.read(SourceUrl(server.url("/closed"), ""))
    with pytest.raises(Exception, match="longer than 1000 bytes"):
        run.read(SourceUrl(server.url("/long"), ""))
    assert server.paths.count("/robots.txt") == 1
    assert run.is_new(source)
    assert not run.is_new(source)


def test_what_a_public_list_names_uses_no_exception(server: WebServer) -> None:
    """THREATS 51."""
    with pytest.raises(RefusedAddressError, match="a public host named it"):
        sources().read(SourceUrl(server.url("/a"), "https://a.example/feed", exceptions=False))
    assert server.requests == []
    with canary() as silent:
        with pytest.raises(RefusedAddressError):
            sources().read(SourceUrl(silent.url, ""))
        assert not silent.was_reached()


def test_the_page_of_documentation_tells_the_defaults_of_all_bounds() -> None:
    text = (Path(__file__).parents[4] / "docs" / "web.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `web\.(\w+)` \| ([\d,]*) ?\|", text, flags=re.MULTILINE)
    told = {name: float(value.replace(",", "")) if value else None for name, value in rows}
    defaults = WebSettings().model_dump(exclude={"allowed_hosts", "respect_robots"})
    assert told == defaults
