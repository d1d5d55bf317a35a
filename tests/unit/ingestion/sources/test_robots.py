"""robots.txt is read once for each origin, and kept (from real servers on loopback)."""

import ipaddress
import threading
from collections.abc import Iterator

import pytest

from graphrag.config import WebSettings
from graphrag.errors import RefusedAddressError
from graphrag.ingestion.sources import web
from graphrag.ingestion.sources.robots import RobotRules
from graphrag.ingestion.sources.web import Fetched, WebFetcher
from graphrag.ingestion.sources.web_url import parse_web_url
from tests.unit.ingestion.sources.web_servers import WebServer, canary, web_server

SETTINGS = WebSettings(allowed_hosts=("127.0.0.1",), timeout_s=20)


@pytest.fixture
def server() -> Iterator[WebServer]:
    with web_server() as served:
        yield served


def rules(settings: WebSettings = SETTINGS) -> RobotRules:
    return RobotRules(WebFetcher(settings), settings)


def forbidden(url: str, by: RobotRules) -> str:
    """Return why a URL is refused; empty where it is not."""
    try:
        by.check(parse_web_url(url), by_exception=True)
    except RefusedAddressError as error:
        return str(error) if error.uri == url else f"of another URL: {error.uri}"
    return ""


def test_what_it_forbids_is_not_asked(server: WebServer) -> None:
    server.pages["/robots.txt"] = "User-agent: *\nDisallow: /private/\nAllow: /private/open\nDisallow: /*.pdf$\n"
    kept = rules()
    assert "robots.txt of `127.0.0.1:" in forbidden(server.url("/private/x"), kept)
    assert "forbids it; `web.respect_robots` decides" in forbidden(server.url("/a.pdf"), kept)
    assert not forbidden(server.url("/private/open"), kept)
    assert not forbidden(server.url("/a.pdf?x"), kept)
    assert server.paths == ["/robots.txt"]
    assert server.requests[0][1]["user-agent"] == "graphrag"


@pytest.mark.parametrize(
    "text, closed",
    [
        ("User-agent: GraphRAG\nDisallow: /\n\nUser-agent: *\nAllow: /\n", True),
        ("User-agent: graphrag\nDisallow:\n\nUser-agent: *\nDisallow: /\n", False),
        ("\ufeffUser-agent: graphrag/1.0 # ours\nDisallow: /\n", True),
        ("user agent graphrag\ndisallow: /\n", True),
        ("User-agent: other\nUser-agent: *\nDisallow: /\n", True),
        ("User-agent: graph\nDisallow: /\n", False),
        ("User-agent: graphragbot\nDisallow: /\n", False),
        ("User-agent: others\nDisallow: /\n", False),
        ("User-agent: *\nDisallow: /x\n", False),
        ("<html>not found</html>", False),
        ("", False),
    ],
)
def test_the_group_of_this_agent_counts_else_that_of_all(server: WebServer, text: str, closed: bool) -> None:
    server.pages["/robots.txt"] = text
    assert bool(forbidden(server.url("/a"), rules())) == closed


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_where_there_is_none_all_is_allowed(server: WebServer, status: int) -> None:
    server.pages["/robots.txt"] = lambda e: e.answer(status=status)
    assert not forbidden(server.url("/a"), rules())


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_host_in_trouble_is_left_alone_for_the_run(server: WebServer, status: int) -> None:
    server.pages["/robots.txt"] = lambda e: e.answer(status=status)
    kept = rules()
    for path in ("/a", "/b"):
        assert "its robots.txt could not be read" in forbidden(server.url(path), kept)
    server.pages["/robots.txt"] = ""
    assert forbidden(server.url("/c"), kept)
    assert server.paths == ["/robots.txt"]
    assert not forbidden(server.url("/c"), rules())


def test_a_file_that_is_too_long_or_leads_to_what_is_not_public_closes_its_host(server: WebServer) -> None:
    """THREATS 51, 53."""
    server.pages["/robots.txt"] = "#" * 600_000
    assert "longer than 512000 bytes" in forbidden(server.url("/a"), rules())
    with canary() as silent:
        server.pages["/robots.txt"] = lambda e: e.redirect(silent.url)
        assert "is not asked" in forbidden(server.url("/a"), rules())
        assert not silent.was_reached()


def test_a_public_host_does_not_get_at_what_is_excepted(server: WebServer) -> None:
    """THREATS 51."""
    with pytest.raises(RefusedAddressError, match="a public host named it"):
        rules().check(parse_web_url(server.url("/a")), by_exception=False)
    assert server.requests == []


def test_each_origin_has_rules_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "resolve", lambda _host, _port: (ipaddress.ip_address("127.0.0.1"),))
    with web_server() as one, web_server() as two:
        one.pages["/robots.txt"] = "User-agent: *\nDisallow: /\n"
        kept = rules()
        assert forbidden(one.url("/a"), kept)
        assert forbidden(one.url("/a", "name.test"), kept)
        assert not forbidden(two.url("/a"), kept)
        assert one.paths == ["/robots.txt"] * 2


def test_a_setting_turns_it_off(server: WebServer) -> None:
    server.pages["/robots.txt"] = "User-agent: *\nDisallow: /\n"
    assert not forbidden(server.url("/a"), rules(SETTINGS.model_copy(update={"respect_robots": False})))
    assert server.requests == []


def test_it_is_asked_before_each_hop_of_a_fetch(server: WebServer) -> None:
    server.pages |= {
        "/robots.txt": "User-agent: *\nDisallow: /private\n",
        "/open": lambda e: e.redirect("/private"),
        "/private": "x",
        "/page": "x",
    }
    fetcher = WebFetcher(SETTINGS)
    kept = RobotRules(fetcher, SETTINGS)
    assert isinstance(fetcher.fetch(server.url("/page"), before_hop=kept.check), Fetched)
    with pytest.raises(RefusedAddressError, match="forbids it"):
        fetcher.fetch(server.url("/open"), before_hop=kept.check)
    assert server.paths == ["/robots.txt", "/page", "/open"]


def test_many_threads_ask_for_it_once(server: WebServer) -> None:
    server.pages["/robots.txt"] = "User-agent: *\nDisallow: /a\n"
    kept = rules()
    told: list[str] = []
    threads = [threading.Thread(target=lambda: told.append(forbidden(server.url("/a"), kept))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(told) == 8
    assert all(told)
    assert server.paths == ["/robots.txt"]


def test_thousands_of_agents_and_rules_cost_what_their_bytes_do(server: WebServer) -> None:
    """THREATS 53: a parser that keeps each rule for each agent would keep a hundred million of them."""
    agents = "".join(f"user-agent:a{number}\n" for number in range(12_000))
    paths = "".join(f"disallow:/{number}\n" for number in range(12_000))
    server.pages["/robots.txt"] = f"{agents}{paths}user-agent:*\ndisallow:/x\n"
    kept = rules()
    assert forbidden(server.url("/x"), kept)
    assert not forbidden(server.url("/7"), kept)
