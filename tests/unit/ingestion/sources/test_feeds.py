"""Sitemaps and feeds as lists of URLs (from real servers on loopback)."""

import contextlib
import gzip
import ipaddress
from collections.abc import Iterator
from datetime import UTC, datetime
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given, strategies as st

from graphrag.config import WebSettings
from graphrag.errors import FetchError, RefusedAddressError
from graphrag.ingestion.sources import web
from graphrag.ingestion.sources.addresses import AddressRules, Judgement
from graphrag.ingestion.sources.feed_xml import FeedEntry, FeedError, parse_feed
from graphrag.ingestion.sources.feeds import FeedReader, FeedUrl, Listing
from graphrag.ingestion.sources.robots import RobotRules
from graphrag.ingestion.sources.web import WebFetcher
from tests.unit.ingestion.sources.web_servers import WebServer, canary, web_server

SITEMAP_XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
DAY = datetime(2024, 5, 1, tzinfo=UTC)


@pytest.fixture
def server() -> Iterator[WebServer]:
    with web_server() as served:
        yield served


def sitemap(*urls: str) -> str:
    return f"<urlset {SITEMAP_XMLNS}>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>"


def index(*urls: str) -> str:
    inner = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f"<sitemapindex {SITEMAP_XMLNS}>{inner}</sitemapindex>"


def listed(url: str, **settings: object) -> Listing:
    values = WebSettings.model_validate({"allowed_hosts": ("127.0.0.1",), "timeout_s": 20.0, **settings})
    return FeedReader(WebFetcher(values), values).read(url)


def uris(listing: Listing) -> list[str]:
    return [item.uri for item in listing.urls]


# What the files say


def entries(text: str | bytes, most: int = 100) -> tuple[FeedEntry, ...]:
    return parse_feed(text.encode() if isinstance(text, str) else text, max_entries=most).entries


def test_a_sitemap_names_its_pages_and_when_they_changed() -> None:
    text = f"""<?xml version="1.0" encoding="UTF-8"?>
    <!-- by hand -->
    <urlset {SITEMAP_XMLNS} xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
      <url><lastmod>2024-05-01</lastmod><loc> https://a.example/?x=1&amp;y=2 </loc><priority>1</priority></url>
      <url><loc>https://a.example/2</loc><lastmod>2024-05-01T02:00:00+02:00</lastmod>
        <image:image><image:loc>https://a.example/picture.png</image:loc></image:image></url>
      <url><loc><![CDATA[https://a.example/3]]></loc><lastmod>soon</lastmod></url>
    </urlset>"""
    assert entries(text) == (
        FeedEntry("https://a.example/?x=1&y=2", DAY),
        FeedEntry("https://a.example/2", DAY),
        FeedEntry("https://a.example/3"),
    )


def test_an_rss_feed_names_its_items() -> None:
    text = """<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
      <link>https://a.example/</link><atom:link href="https://a.example/feed" rel="self"/>
      <item><title>x</title><link>https://a.example/1</link><pubDate>Wed, 01 May 2024 02:00:00 +0200</pubDate>
        <atom:link href="https://a.example/no"/><guid>https://a.example/other</guid></item>
      <item><guid>https://a.example/2</guid></item>
      <item><guid isPermaLink="false">tag:4711</guid><link>3</link></item>
    </channel></rss>"""
    assert entries(text) == (
        FeedEntry("https://a.example/1", DAY),
        FeedEntry("https://a.example/2"),
        FeedEntry("3"),
    )


def test_an_atom_feed_names_its_entries() -> None:
    text = """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://a.example/blog/"><updated>2024-01-01</updated>
      <link href="/"/>
      <entry><link rel="self" href="no"/><link rel="alternate" href="1"/><updated>2024-05-01T00:00:00Z</updated></entry>
      <entry xml:base="2024/"><link href=" 2 "/><link href="second"/><content><link href="no"/></content></entry>
    </feed>"""
    parsed = parse_feed(text.encode(), max_entries=9)
    assert parsed.kind == "Atom feed"
    assert parsed.entries == (
        FeedEntry("https://a.example/blog/1", DAY),
        FeedEntry("https://a.example/blog/2024/2"),
    )


def test_entries_without_a_usable_address_are_counted() -> None:
    text = sitemap("", "https://a.example/" + "x" * 9_000, "https://a.example/1").replace(
        "</urlset>", "<url/></urlset>"
    )
    parsed = parse_feed(text.encode(), max_entries=9)
    assert (len(parsed.entries), parsed.without_address) == (1, 3)


def test_reading_ends_at_the_bound() -> None:
    parsed = parse_feed(sitemap("a", "b", "c").encode() + b"garbage", max_entries=2)
    assert ([entry.reference for entry in parsed.entries], parsed.cut) == (["a", "b"], True)
    assert not parse_feed(sitemap("a", "b").encode(), max_entries=2).cut


def test_other_encodings_are_read_as_they_are_declared() -> None:
    for codec in ("utf-16", "iso-8859-1"):
        text = f'<?xml version="1.0" encoding="{codec}"?>{sitemap("https://a.example/mühle")}'
        assert entries(text.encode(codec)) == (FeedEntry("https://a.example/mühle"),)


BOMB = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, 10))


@pytest.mark.parametrize(
    "prolog, body",
    [
        (f'<!DOCTYPE urlset [<!ENTITY e0 "x">{BOMB}]>', "&e9;"),
        ('<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]>', "&x;"),
        ('<!DOCTYPE urlset [<!ENTITY % x SYSTEM "http://127.0.0.1:9/"> %x;]>', ""),
        ('<!DOCTYPE urlset SYSTEM "http://127.0.0.1:9/x.dtd">', ""),
        ("<!DOCTYPE urlset>", ""),
    ],
)
def test_a_document_type_is_refused(prolog: str, body: str) -> None:
    """THREATS 55, 56: entities that expand a thousand million times, or fetch what they name."""
    with pytest.raises(FeedError, match="it has a document type"):
        entries(prolog + sitemap(body))


def test_deep_nesting_is_refused() -> None:
    """THREATS 59."""
    with pytest.raises(FeedError, match="nested more than 100 deep"):
        entries(f"<urlset {SITEMAP_XMLNS}>{'<a>' * 100_000}")


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "no well-formed XML"),
        ("not xml", "no well-formed XML"),
        ("<urlset><url>", "no well-formed XML"),
        ("<urlset>&e;</urlset>", "no well-formed XML"),
        ("<html><body/></html>", "it begins with `<html>`; a sitemap, an RSS 2.0 or an Atom feed is read"),
        ("<feed/>", "it begins with `<feed>`"),
        ('<rss xmlns="x"/>', "it begins with `<rss>`"),
        ('<?xml version="1.0" encoding="rot13"?><urlset/>', "encoding"),
        ('<?xml version="1.0" encoding="utf-7"?><urlset/>', "encoding"),
        ('<?xml version="1.0" encoding="shift_jis"?><urlset/>', "encoding"),
    ],
)
def test_what_is_no_feed_is_refused(text: str, message: str) -> None:
    with pytest.raises(FeedError, match=message):
        entries(text)


@given(st.binary(max_size=300), st.sampled_from([b"", b"<urlset><url><loc>", b"<rss><channel><item><link>", b"<?xml "]))
def test_any_bytes_are_a_feed_or_refused(data: bytes, start: bytes) -> None:
    with contextlib.suppress(FeedError):
        assert len(parse_feed(start + data, max_entries=5).entries) <= 5


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_base_and_reference_are_read(base: str, reference: str) -> None:
    clean = [quoteattr("".join(letter for letter in text if letter.isprintable())) for text in (base, reference)]
    text = (
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:base={clean[0]}><entry><link href={clean[1]}/></entry></feed>'
    )
    parsed = parse_feed(text.encode(), max_entries=5)
    assert len(parsed.entries) + parsed.without_address == 1


# What is fetched


def test_a_sitemap_is_a_list_of_urls_each_once_in_canonical_form(server: WebServer) -> None:
    here = server.url("/")
    server.pages["/sitemap.xml"] = sitemap("/b", here, f"{here}a#x", f"HTTP{here[4:]}a", "c?q=1")
    listing = listed(server.url("/sitemap.xml"))
    assert uris(listing) == [server.url(path) for path in ("/b", "/", "/a", "/c?q=1")]
    assert (listing.failures, listing.notes) == ((), ())


def test_an_index_is_followed_in_order_and_gzip_is_unpacked(server: WebServer) -> None:
    server.pages |= {
        "/index.xml": index("/1.xml", "/2.xml.gz", "/1.xml"),
        "/1.xml": sitemap("/a", "/b"),
        "/2.xml.gz": gzip.compress(sitemap("/c", "/a").encode()),
    }
    listing = listed(server.url("/index.xml"))
    assert uris(listing) == [server.url(path) for path in ("/a", "/b", "/c")]
    assert server.paths == ["/index.xml", "/1.xml", "/2.xml.gz"]


def test_what_an_index_names_and_cannot_be_read_is_told_and_the_rest_is_taken(server: WebServer) -> None:
    server.pages |= {"/index.xml": index("/gone.xml", "/page.html", "/1.xml"), "/1.xml": sitemap("/a")}
    server.pages["/page.html"] = "<html/>"
    listing = listed(server.url("/index.xml"))
    assert uris(listing) == [server.url("/a")]
    assert [error.uri for error in listing.failures] == [server.url("/gone.xml"), server.url("/page.html")]
    assert [error.status for error in listing.failures] == [404, None]
    assert "is not read as sitemap or feed: it begins with `<html>`" in str(listing.failures[1])


def test_what_is_named_and_cannot_be_read_is_a_failure(server: WebServer) -> None:
    server.pages["/page"] = "<html/>"
    for path, message in (("/page", "is not read as sitemap or feed"), ("/gone", "the status 404")):
        with pytest.raises(FetchError, match=message):
            listed(server.url(path))


def test_a_feed_is_not_taken_for_a_sitemap_nor_a_sitemap_for_a_feed(server: WebServer) -> None:
    server.pages |= {"/s.xml": sitemap("/a"), "/feed": "<rss><channel><item><link>/a</link></item></channel></rss>"}
    settings = WebSettings(allowed_hosts=("127.0.0.1",))
    reader = FeedReader(WebFetcher(settings), settings)
    assert uris(reader.read(server.url("/s.xml"), "sitemap")) == uris(reader.read(server.url("/feed"), "feed"))
    with pytest.raises(FetchError, match=r"is not a sitemap but a feed \(RSS feed\); give it as one \(`--feed`\)"):
        reader.read(server.url("/feed"), "sitemap")
    with pytest.raises(FetchError, match="is not a feed but a sitemap"):
        reader.read(server.url("/s.xml"), "feed")


def test_a_feed_that_a_sitemap_names_speaks_for_the_same_site(server: WebServer) -> None:
    server.pages |= {
        "/index.xml": index("/feed"),
        "/feed": "<rss><channel><item><link>/a</link></item><item><link>http://b.test/</link></item></channel></rss>",
    }
    assert uris(listed(server.url("/index.xml"))) == [server.url("/a")]


def test_indexes_in_a_circle_end(server: WebServer) -> None:
    server.pages |= {"/1.xml": index("/2.xml", "/1.xml"), "/2.xml": index("/1.xml", "/3.xml"), "/3.xml": sitemap("/a")}
    assert uris(listed(server.url("/1.xml"))) == [server.url("/a")]
    assert server.paths == ["/1.xml", "/2.xml", "/3.xml"]


def test_depth_number_files_and_bytes_are_bounded(server: WebServer) -> None:
    """THREATS 53: a host that names files without end."""
    server.pages |= {f"/{level}.xml": index(f"/{level + 1}.xml") for level in range(9)}
    listing = listed(server.url("/0.xml"))
    assert listing.notes == ("sitemaps named deeper than `web.max_feed_depth`, 3: 1",)
    assert server.paths == [f"/{level}.xml" for level in range(4)]

    server.pages["/many.xml"] = sitemap(*(f"/{number}" for number in range(30)))
    listing = listed(server.url("/many.xml"), max_feed_urls=20)
    assert len(listing.urls) == 20
    assert listing.notes == ("it names more than 20 URLs; `web.max_feed_urls` raises the limit",)

    server.pages["/two.xml"] = index("/many.xml", "/more.xml", "/never.xml")
    server.pages["/more.xml"] = sitemap(*(f"/more{number}" for number in range(30)))
    assert len(listed(server.url("/two.xml"), max_feed_urls=40).urls) == 40

    server.requests.clear()
    server.pages["/files.xml"] = index(*(f"/file{number}.xml" for number in range(300)))
    server.pages |= {f"/file{number}.xml": sitemap() for number in range(300)}
    listing = listed(server.url("/files.xml"))
    assert len(server.paths) == 200
    assert listing.notes == ("not all was read: 200 files or `web.max_feed_bytes`, 50000000",)

    server.pages |= {"/long.xml": index("/long1.xml", "/long2.xml", "/long3.xml")}
    server.pages |= {f"/long{number}.xml": sitemap(f"/{number}") + " " * 800 for number in (1, 2, 3)}
    listing = listed(server.url("/long.xml"), max_feed_bytes=1_500)
    assert uris(listing) == [server.url("/1")]
    assert "longer than" in str(listing.failures[0])


def test_a_compressed_sitemap_is_bounded_by_what_it_expands_to(server: WebServer) -> None:
    """THREATS 57."""
    server.pages["/s.xml.gz"] = gzip.compress(sitemap().encode() + b" " * 30_000_000)
    with pytest.raises(FetchError, match="expand to more than 100 times as many"):
        listed(server.url("/s.xml.gz"))
    server.pages["/s.xml.gz"] = gzip.compress(sitemap().encode() + b" " * 5_000)
    with pytest.raises(FetchError, match="longer than 1000 bytes"):
        listed(server.url("/s.xml.gz"), max_feed_bytes=1_000)


def test_a_sitemap_speaks_for_its_own_site_alone(server: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "resolve", lambda _host, _port: (ipaddress.ip_address("127.0.0.1"),))
    named = ("http://www.site.test/1", "http://site.test/2", "http://other.test/3", "file:///etc/passwd", "http://[x")
    server.pages["/s.xml"] = sitemap(*named)
    listing = listed(server.url("/s.xml", "site.test"))
    assert uris(listing) == list(named[:2])
    assert listing.notes == (
        "entries of other sites left out, which a sitemap does not speak for: 1",
        "entries that are no http or https URLs left out: 2",
    )


def test_a_feed_names_what_it_likes_but_opens_nothing(server: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """THREATS 48, 51: a public feed that names a page within our network is not followed there."""
    items = "".join(f"<item><link>{url}</link></item>" for url in ("http://other.test/a", "http://10.0.0.1/"))
    server.pages["/feed"] = f"<rss><channel>{items}</channel></rss>"
    listing = listed(server.url("/feed"))
    assert listing.urls == (
        FeedUrl("http://other.test/a", exceptions=True),
        FeedUrl("http://10.0.0.1/", exceptions=True),
    )
    # As if the server were a public host: what it names cannot lean on the exceptions.
    monkeypatch.setattr(AddressRules, "judge", lambda *_: Judgement())
    assert [item.exceptions for item in listed(server.url("/feed")).urls] == [False, False]


def test_an_index_leads_to_nothing_that_is_not_public(server: WebServer) -> None:
    """THREATS 48, 51."""
    with canary() as silent:
        server.pages["/index.xml"] = lambda e: e.redirect(silent.url)
        with pytest.raises(RefusedAddressError):
            listed(server.url("/index.xml"))
        assert not silent.was_reached()


def test_robots_are_asked_before_each_file(server: WebServer) -> None:
    server.pages |= {
        "/robots.txt": "User-agent: *\nDisallow: /closed\n",
        "/index.xml": index("/closed.xml", "/1.xml"),
        "/closed.xml": sitemap("/x"),
        "/1.xml": sitemap("/closed/a"),
    }
    settings = WebSettings(allowed_hosts=("127.0.0.1",))
    fetcher = WebFetcher(settings)
    listing = FeedReader(fetcher, settings, robots=RobotRules(fetcher, settings)).read(server.url("/index.xml"))
    assert uris(listing) == [server.url("/closed/a")]  # who fetches it asks again
    assert [error.uri for error in listing.failures] == [server.url("/closed.xml")]
    assert server.paths == ["/robots.txt", "/index.xml", "/1.xml"]
