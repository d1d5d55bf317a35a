"""What may be asked by its URL, before any name is resolved (THREATS 47, 49)."""

import pytest
from hypothesis import given, strategies as st

from graphrag.errors import RefusedAddressError
from graphrag.ingestion.sources import canonical_uri
from graphrag.ingestion.sources.web_url import is_web_url, parse_web_url, resolve_reference


@pytest.mark.parametrize(
    "text, uri, host, port, target",
    [
        ("HTTPS://Example.com", "https://example.com/", "example.com", 443, "/"),
        ("http://example.com:80/a%7eb?x=ä#part", "http://example.com/a~b?x=%C3%A4", "example.com", 80, "/a~b?x=%C3%A4"),
        ("https://example.com:8443/a?#b", "https://example.com:8443/a", "example.com", 8443, "/a"),
        (" https://bücher.example./x\n", "https://xn--bcher-kva.example/x", "xn--bcher-kva.example", 443, "/x"),
        ("https://[2606:4700:0::11]/", "https://[2606:4700::11]/", "2606:4700::11", 443, "/"),
        (
            "https://example.com/a/./b/%2e%2E/../c/..?d/../e",
            "https://example.com/?d/../e",
            "example.com",
            443,
            "/?d/../e",
        ),
        ("https://example.com/../..//a/...", "https://example.com//a/...", "example.com", 443, "//a/..."),
        ("https://example.com?q=1", "https://example.com/?q=1", "example.com", 443, "/?q=1"),
    ],
)
def test_a_url_is_taken_apart_in_canonical_form(text: str, uri: str, host: str, port: int, target: str) -> None:
    url = parse_web_url(text)
    assert (url.uri, url.host, url.port, url.target) == (uri, host, port, target)
    assert canonical_uri(url.uri) == url.uri
    assert parse_web_url(url.uri) == url


@pytest.mark.parametrize(
    "text",
    [
        "file:///etc/passwd",
        "gopher://example.com/",
        "ftp://example.com/",
        "jar:http://example.com/x.jar!/a",
        "data:text/html,x",
        "javascript:alert(1)",
        "//example.com/",
        "example.com",
        "",
        "http:/example.com",
        "http:example.com",
        "http://",
        "http://:80/",
        "http://example.com:0/",
        "http://example.com:65536/",
        "http://example.com:http/",
        "http://[::1",
        "http://exa\tmple.com/",
        "http://example.com/a b",
        "http://good.example\\@evil.example/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://example.com/" + "a" * 8_000,
        "http://example.com/\ud800",
    ],
)
def test_all_else_is_refused(text: str) -> None:
    """THREATS 47, 49."""
    with pytest.raises(RefusedAddressError) as raised:
        parse_web_url(text)
    assert raised.value.code == "refused_address"
    assert raised.value.stage == "fetch"
    raised.value.uri.encode()


@pytest.mark.parametrize(
    "text", ["https://anna:geheim@example.com/", "https://anna:geheim@exa mple.com/", "ftp://anna:geheim@x/"]
)
def test_user_names_are_refused_and_not_shown(text: str) -> None:
    with pytest.raises(RefusedAddressError) as raised:
        parse_web_url(text)
    assert "geheim" not in f"{raised.value} {raised.value.uri}"


def test_references_are_resolved_against_the_page_they_stand_on() -> None:
    page = parse_web_url("https://example.com/a/b?c")
    assert resolve_reference(page, "../d#e").uri == "https://example.com/d"
    assert resolve_reference(page, "//other.example/x").uri == "https://other.example/x"
    assert resolve_reference(page, "?q=2").uri == "https://example.com/a/b?q=2"
    for reference in ("file:///etc/passwd", "http://127.1/", "a\nb", "//u:p@host/", "http://[x"):
        with pytest.raises(RefusedAddressError):
            resolve_reference(page, reference)


def test_the_web_is_told_from_files() -> None:
    assert is_web_url("HTTPS://example.com")
    assert not any(map(is_web_url, ["file:///x", "docs/", "http", "httpx://a", "./https:/x"]))


@given(st.text(max_size=60), st.sampled_from(["", "http://", "https://", "http://a/", "//"]))
def test_any_text_is_a_url_or_refused(text: str, start: str) -> None:
    page = parse_web_url("https://example.com/a")
    for parse in (parse_web_url, lambda value: resolve_reference(page, value)):
        try:
            url = parse(start + text)
        except RefusedAddressError as error:
            error.uri.encode()
        else:
            assert url.target.isascii()
            assert url.target.isprintable()
            assert parse_web_url(url.uri) == url
