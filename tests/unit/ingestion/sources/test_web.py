"""Fetching a URL, from real servers on loopback, which a setting opens for these tests (THREATS 47 to 53)."""

import gzip
import ipaddress
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from graphrag.config import WebSettings
from graphrag.errors import ConfigurationError, FetchError, InvalidRequestError, RefusedAddressError
from graphrag.ingestion.sources import canonical_uri, web
from graphrag.ingestion.sources.addresses import Address
from graphrag.ingestion.sources.web import Fetched, NotModified, WebFetcher
from graphrag.ingestion.sources.web_message import Validators
from tests.unit.ingestion.sources.web_servers import Canary, Exchange, WebServer, canary, web_server

LOOPBACK = "127.0.0.1"


@pytest.fixture
def server() -> Iterator[WebServer]:
    with web_server() as served:
        yield served


@pytest.fixture
def silent() -> Iterator[Canary]:
    """A port that must get no packet."""
    with canary() as port:
        yield port
        assert not port.was_reached()


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[str, ...]]:
    """What names resolve to; each look-up is counted under `asked`."""
    known: dict[str, tuple[str, ...]] = {}

    def resolve(host: str, _port: int) -> tuple[Address, ...]:
        if host not in known:
            raise socket.gaierror
        return tuple(ipaddress.ip_address(text) for text in known[host])

    monkeypatch.setattr(web, "resolve", resolve)
    return known


def fetcher(*, allowed: tuple[str, ...] = (LOOPBACK,), **settings: object) -> WebFetcher:
    values: dict[str, object] = {"timeout_s": 20.0, "allowed_hosts": allowed, **settings}
    return WebFetcher(WebSettings.model_validate(values))


def page(url: str, **options: object) -> Fetched:
    answer = fetcher().fetch(url, **options)  # type: ignore[arg-type]
    assert isinstance(answer, Fetched)
    return answer


def failure(url: str, by: WebFetcher | None = None, **options: object) -> FetchError:
    with pytest.raises(FetchError) as raised:
        (by or fetcher()).fetch(url, **options)  # type: ignore[arg-type]
    assert raised.value.stage == "fetch"
    return raised.value


# What a fetch gives, and what it sends


def test_a_page_is_fetched_with_what_the_server_says_of_it(server: WebServer) -> None:
    server.pages["/a/tide%20mill.html?x=1"] = lambda e: e.answer(
        "<p>mühle".encode("latin-1"), content_type='text/html; charset="ISO-8859-1"', etag='"v1"'
    )
    answer = page(server.url("/a/tide%20mill.html?x=1#gates"))
    source = answer.source
    assert source.uri == server.url("/a/tide%20mill.html?x=1") == canonical_uri(source.uri)
    assert (source.data, source.name, source.charset) == ("<p>mühle".encode("latin-1"), "tide mill.html", "ISO-8859-1")
    assert source.content_type == 'text/html; charset="ISO-8859-1"'
    assert answer.validators == Validators(source.uri, '"v1"')
    assert answer.by_exception


def test_a_page_without_a_name_is_called_by_its_host(server: WebServer) -> None:
    server.pages["/"] = "x"
    source = page(server.url("")).source
    assert (source.uri, source.name, source.content_type, source.charset) == (server.url("/"), LOOPBACK, None, None)


def test_a_request_tells_who_asks_and_nothing_else(server: WebServer, names: dict[str, tuple[str, ...]]) -> None:
    names["wiki.test"] = (LOOPBACK,)
    server.pages["/"] = "x"
    page(server.url("/", "WIKI.test"))
    ((_, headers),) = server.requests
    assert headers == {
        "host": f"wiki.test:{server.port}",
        "user-agent": "graphrag",
        "accept": "*/*",
        "accept-encoding": "gzip, deflate, identity",
        "connection": "close",
    }


def test_no_cookie_is_kept(server: WebServer) -> None:
    server.pages["/"] = lambda e: e.answer("x", set_cookie="session=1; Path=/")
    asking = fetcher()
    for _ in range(2):
        asking.fetch(server.url("/"))
    assert not any("cookie" in headers for _, headers in server.requests)


def test_nothing_is_taken_from_the_environment(
    server: WebServer, silent: Canary, clean_environ: dict[str, str], tmp_path: Path
) -> None:
    """A proxy would resolve the name itself, past every check."""
    netrc = tmp_path / "netrc"
    netrc.write_text(f"machine {LOOPBACK} login anna password geheim\n")
    clean_environ |= {"NETRC": str(netrc)}
    clean_environ |= dict.fromkeys(("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"), silent.url)
    server.pages["/"] = "x"
    page(server.url("/"))
    assert "authorization" not in server.requests[0][1]


@pytest.mark.parametrize("encoding", ["gzip", "identity", ""])
def test_bodies_are_decompressed(server: WebServer, encoding: str) -> None:
    packed = gzip.compress(b"tide" * 99) if encoding == "gzip" else b"tide" * 99
    server.pages["/"] = lambda e: e.answer(packed, **({"content_encoding": encoding} if encoding else {}))
    assert page(server.url("/")).source.data == b"tide" * 99


def test_a_known_version_is_not_sent_again(server: WebServer) -> None:
    def conditional(exchange: Exchange) -> None:
        known = exchange.headers.get("if-none-match") == '"v1"'
        exchange.answer("" if known else "x", status=304 if known else 200, etag='"v1"', last_modified="yesterday")

    server.pages |= {"/": conditional, "/other": conditional}
    first = page(server.url("/"))
    assert first.validators == Validators(server.url("/"), '"v1"', "yesterday")
    assert fetcher().fetch(server.url("/"), validators=first.validators) == NotModified(server.url("/"))
    assert server.requests[-1][1]["if-modified-since"] == "yesterday"
    # What is known of one page says nothing of another, say where the first one is moved to.
    assert isinstance(fetcher().fetch(server.url("/other"), validators=first.validators), Fetched)


def test_validators_that_no_header_can_hold_are_not_sent(server: WebServer) -> None:
    server.pages["/"] = "x"
    known = Validators(server.url("/"), "a\r\nX-Injected: 1", "ä€")
    assert isinstance(fetcher().fetch(server.url("/"), validators=known), Fetched)
    assert not {"if-none-match", "if-modified-since", "x-injected"} & server.requests[0][1].keys()


def test_an_answer_unmodified_to_whom_nothing_is_known_is_a_failure(server: WebServer) -> None:
    server.pages["/"] = lambda e: e.answer(status=304)
    assert failure(server.url("/")).status == 304


@pytest.mark.parametrize(
    "status, hint", [(404, "check the path"), (401, "credentials"), (429, "later"), (500, "browser"), (206, "browser")]
)
def test_what_is_no_page_is_a_failure_with_its_status(server: WebServer, status: int, hint: str) -> None:
    server.pages["/"] = lambda e: e.answer("no", status=status)
    error = failure(server.url("/"))
    assert error.status == status
    assert error.code == "fetch"
    assert f"the status {status}: " in str(error)
    assert hint in str(error)


def test_a_server_that_changes_the_protocol_is_a_failure(server: WebServer) -> None:
    server.pages["/"] = lambda e: e.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nx")
    assert failure(server.url("/")).code == "fetch"


def test_an_address_of_ipv6_is_asked_in_its_brackets() -> None:
    try:
        with web_server("::1") as server:
            server.pages["/a"] = lambda e: e.redirect(f"http://[0:0::1]:{server.port}/b")
            server.pages["/b"] = "x"
            answer = fetcher(allowed=("::1",)).fetch(server.url("/a", "[::1]"))
    except OSError:
        pytest.skip("no IPv6 on loopback")
    assert isinstance(answer, Fetched)
    assert answer.source.uri == server.url("/b", "[::1]")
    assert [headers["host"] for _, headers in server.requests] == [f"[::1]:{server.port}"] * 2


def test_an_empty_page_is_a_page(server: WebServer) -> None:
    server.pages["/"] = lambda e: e.answer(status=204)
    assert page(server.url("/")).source.data == b""


# Where nothing is asked


@pytest.mark.parametrize("url", ["file:///etc/passwd", "gopher://127.0.0.1/", "ftp://127.0.0.1/", "jar:x", "data:,x"])
def test_other_schemes_are_refused(url: str) -> None:
    """THREATS 47."""
    assert "must begin with `https://` or `http://`" in str(failure(url))


def test_a_user_name_in_a_url_is_refused(server: WebServer) -> None:
    error = failure(f"http://anna:geheim@{LOOPBACK}:{server.port}/")
    assert isinstance(error, RefusedAddressError)
    assert "geheim" not in f"{error}{error.uri}"
    assert server.requests == []


@pytest.mark.parametrize(
    "host",
    ["127.0.0.2", "[::ffff:127.0.0.2]", "[::127.0.0.2]", "[64:ff9b::7f00:2]", "[2002:7f00:2::]", "[::1]", "0.0.0.0"],  # noqa: S104
)
def test_addresses_that_are_not_public_get_no_packet(silent: Canary, host: str) -> None:
    """THREATS 48, 49."""
    error = failure(f"http://{host}:{silent.port}/")
    assert isinstance(error, RefusedAddressError)
    assert "`web.allowed_hosts` names exceptions" in str(error)


@pytest.mark.parametrize("host", ["2130706434", "0x7f000002", "0177.0.0.2", "127.2", "0x7f.2"])
def test_other_spellings_of_addresses_get_no_packet(silent: Canary, host: str) -> None:
    """THREATS 49: the five spellings, here of the address that listens."""
    assert isinstance(failure(f"http://{host}:{silent.port}/"), RefusedAddressError)


@pytest.mark.parametrize(
    "addresses",
    [
        ("127.0.0.2",),
        ("8.8.8.8", "127.0.0.2"),
        ("127.0.0.2", "8.8.8.8"),
        ("::ffff:127.0.0.2",),
        ("169.254.169.254",),
        ("fd00:ec2::254",),
        ("10.0.0.1",),
        ("100.64.0.1",),
        ("0.0.0.0",),  # noqa: S104
    ],
)
def test_names_of_addresses_that_are_not_public_get_no_packet(
    silent: Canary, names: dict[str, tuple[str, ...]], addresses: tuple[str, ...]
) -> None:
    """THREATS 48: refused after the name is resolved and before anything is sent, for one address of several too."""
    names["rebound.example"] = addresses
    error = failure(f"http://rebound.example:{silent.port}/")
    assert isinstance(error, RefusedAddressError)
    assert "`rebound.example` is or resolves to an address that is" in str(error)


def test_a_name_is_resolved_once_and_the_connection_goes_to_what_was_checked(
    server: WebServer, silent: Canary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """THREATS 48, DNS rebinding: the second answer of the name server would lead elsewhere."""
    answers = [LOOPBACK, "127.0.0.2"]
    monkeypatch.setattr(web, "resolve", lambda _host, _port: (ipaddress.ip_address(answers.pop(0)),))
    server.pages["/"] = "x"
    assert page(server.url("/", "rebound.example")).source.data == b"x"
    assert answers == ["127.0.0.2"]
    assert isinstance(failure(f"http://rebound.example:{silent.port}/"), RefusedAddressError)


def test_the_next_address_is_tried_where_one_takes_no_connection(
    server: WebServer, names: dict[str, tuple[str, ...]]
) -> None:
    names["wiki.test"] = ("127.0.0.3", LOOPBACK)
    server.pages["/"] = "x"
    answer = fetcher(allowed=("127.0.0.0/8",)).fetch(server.url("/", "wiki.test"))
    assert isinstance(answer, Fetched)


def test_what_a_public_host_names_uses_no_exception(server: WebServer) -> None:
    """THREATS 51: an entry of a feed is followed into the public web, not into what a setting opens for its user."""
    server.pages["/"] = "x"
    error = failure(server.url("/"), exceptions=False)
    assert isinstance(error, RefusedAddressError)
    assert "a public host named it" in str(error)
    assert server.requests == []


def test_each_hop_is_told_before_it_is_asked(server: WebServer) -> None:
    server.pages |= {"/a": lambda e: e.redirect("/b"), "/b": "x"}
    told: list[tuple[str, bool, int]] = []
    page(server.url("/a"), before_hop=lambda url, excepted: told.append((url.target, excepted, len(server.requests))))
    assert told == [("/a", True, 0), ("/b", True, 1)]


# Redirects


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed_and_the_last_url_names_the_document(server: WebServer, status: int) -> None:
    server.pages |= {"/a/b": lambda e: e.redirect("../c?x#y", status=status), "/c?x": "x"}
    assert page(server.url("/a/b")).source.uri == server.url("/c?x")


def test_five_redirects_are_followed_and_no_sixth(server: WebServer) -> None:
    """THREATS 51: a chain of 100, and one in a circle."""

    def on(number: int) -> Callable[[Exchange], None]:
        return lambda e: e.redirect(f"/{number + 1}")

    server.pages |= {f"/{number}": on(number) for number in range(100)}
    server.pages |= {"/100": "x", "/round": lambda e: e.redirect("/round")}
    assert page(server.url("/95")).source.uri == server.url("/100")
    server.requests.clear()
    assert "redirects more than 5 times" in str(failure(server.url("/0")))
    assert server.paths == [f"/{number}" for number in range(6)]
    failure(server.url("/round"))
    assert "more than 0 times" in str(failure(server.url("/99"), fetcher(max_redirects=0)))


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_to_what_is_not_public_get_no_packet(server: WebServer, silent: Canary, status: int) -> None:
    """THREATS 51: each hop is checked again."""
    server.pages["/"] = lambda e: e.redirect(silent.url, status=status)
    error = failure(server.url("/"))
    assert isinstance(error, RefusedAddressError)
    assert error.uri == silent.url


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "http://anna:geheim@{host}/", "http://2130706434:{port}/", "//[x"]
)
def test_redirects_to_what_is_no_url_are_refused(server: WebServer, silent: Canary, target: str) -> None:
    """THREATS 47, 49, 51."""
    server.pages["/"] = lambda e: e.redirect(target.format(host=f"{silent.host}:{silent.port}", port=silent.port))
    error = failure(server.url("/"))
    assert isinstance(error, RefusedAddressError)
    assert "geheim" not in f"{error}{error.uri}"


def test_a_redirect_to_nowhere_is_a_failure(server: WebServer) -> None:
    server.pages["/"] = lambda e: e.answer(status=302)
    assert "does not say where to" in str(failure(server.url("/")))


def test_credentials_go_to_the_origin_of_the_url_alone(server: WebServer, names: dict[str, tuple[str, ...]]) -> None:
    """THREATS 51: dropped on the way to another host, and not given again on the way back."""
    names |= {"a.test": (LOOPBACK,), "b.test": (LOOPBACK,)}
    server.pages |= {
        "/1": lambda e: e.redirect("/2"),
        "/2": lambda e: e.redirect(server.url("/3", "b.test")),
        "/3": lambda e: e.redirect(server.url("/4", "a.test")),
        "/4": "x",
    }
    page(server.url("/1", "a.test"), headers={"Authorization": "Bearer geheim", "User-Agent": "ours"})
    sent = [headers.get("authorization") for _, headers in server.requests]
    assert sent == ["Bearer geheim", "Bearer geheim", None, None]
    assert [headers["user-agent"] for _, headers in server.requests] == ["ours", "ours", "graphrag", "graphrag"]


@pytest.mark.parametrize(
    "headers, message",
    [
        ({"Host": "other"}, "cannot be set"),
        ({"Transfer-Encoding": "chunked"}, "cannot be set"),
        ({"X Y": "1"}, "cannot be set"),
        ({"X-Token": "geheim\r\nHost: other"}, "holds a line break"),
        ({"X-Token": "geheim€"}, "holds a line break or a character"),
    ],
)
def test_headers_that_cannot_be_sent_are_refused(headers: Mapping[str, str], message: str) -> None:
    with pytest.raises(InvalidRequestError, match=message) as raised:
        fetcher().fetch("http://127.0.0.1:9/", headers=headers)
    assert "geheim" not in str(raised.value)


# Time and size


def drip_body(exchange: Exchange) -> None:
    exchange.start()
    while not exchange.stopping.wait(0.05):
        exchange.write(b"x")


def drip_head(exchange: Exchange) -> None:
    exchange.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not exchange.stopping.wait(0.05):
        exchange.write(b"x")


def go_on_later(exchange: Exchange) -> None:
    while not exchange.stopping.wait(0.02):
        exchange.write(b"HTTP/1.1 103 Early Hints\r\n\r\n")


def say_nothing(exchange: Exchange) -> None:
    exchange.stopping.wait()


@pytest.mark.parametrize("slow", [drip_body, drip_head, go_on_later, say_nothing])
def test_one_deadline_is_for_the_whole(server: WebServer, slow: Callable[[Exchange], None]) -> None:
    """THREATS 53: a server that sends a byte now and then, in its head or its body, ends no later."""
    server.pages["/"] = slow
    error = failure(server.url("/"), fetcher(timeout_s=0.6))
    assert "it takes more than 0.6 seconds in all; `web.timeout_s` raises the limit" in str(error)


def test_the_deadline_holds_for_redirects_and_names(server: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """THREATS 53."""

    def slowly(exchange: Exchange) -> None:
        exchange.stopping.wait(0.3)
        exchange.redirect("/")

    server.pages["/"] = slowly
    assert "0.6 seconds in all" in str(failure(server.url("/"), fetcher(timeout_s=0.6)))

    def never(_host: str, _port: int) -> tuple[Address, ...]:
        stopped.wait()
        return ()

    stopped = threading.Event()
    monkeypatch.setattr(web, "resolve", never)
    try:
        assert "no name server told the address" in str(failure("http://slow.example/", fetcher(timeout_s=0.2)))
    finally:
        stopped.set()


def test_a_body_without_end_is_cut_off(server: WebServer) -> None:
    """THREATS 53: no length is told, and it goes on."""

    def endless(exchange: Exchange) -> None:
        exchange.start()
        while not exchange.stopping.is_set():
            exchange.write(b"x" * 10_000)

    server.pages["/"] = endless
    assert "more than 500000 bytes come" in str(failure(server.url("/"), fetcher(max_transfer_bytes=500_000)))
    assert "it is longer than 500000 bytes" in str(failure(server.url("/"), fetcher(max_body_bytes=500_000)))
    assert "it is longer than 1000 bytes" in str(failure(server.url("/"), max_bytes=1_000))


def test_a_body_that_is_too_long_by_its_own_word_is_not_read(server: WebServer) -> None:
    """THREATS 53."""

    def long(exchange: Exchange) -> None:
        exchange.start(content_length="9000000000")
        exchange.stopping.wait()

    server.pages["/"] = long
    assert "it has 9000000000 bytes; `web.max_transfer_bytes`" in str(failure(server.url("/")))


def test_a_compressed_body_is_bounded_by_what_it_expands_to(server: WebServer) -> None:
    """THREATS 53, 57."""
    server.pages["/"] = lambda e: e.answer(gzip.compress(b"\0" * 50_000_000), content_encoding="gzip")
    assert "expand to more than 100 times as many" in str(failure(server.url("/")))
    server.pages["/"] = lambda e: e.answer(gzip.compress(b"tide " * 100), content_encoding="gzip")
    assert "it is longer than 300 bytes" in str(failure(server.url("/"), fetcher(max_body_bytes=300)))
    server.pages["/"] = lambda e: e.answer(b"x", content_encoding="br")
    assert "its encoding 'br' is not decoded" in str(failure(server.url("/")))


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 5_000 + b"\r\n\r\n",
        b"",
    ],
)
def test_what_is_no_http_or_ends_too_early_is_a_failure(server: WebServer, answer: bytes) -> None:
    server.pages["/"] = lambda e: e.write(answer)
    error = failure(server.url("/"))
    assert "the connection broke, or what came is no HTTP" in str(error)
    assert "OpenSSH" not in str(error)


HEADS = [
    b"",
    b"HTTP/1.1 ",
    b"HTTP/1.1 200 OK\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Type: ",
    b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    b"HTTP/1.1 302 Found\r\nLocation: ",
    b"HTTP/1.1 302 Found\r\nLocation: //",
]


def test_any_answer_is_a_page_or_a_failure() -> None:
    """No foreign exception comes out, and what an error tells can be printed and stored."""
    with web_server() as server:

        @given(st.sampled_from(HEADS), st.binary(max_size=80), st.sampled_from([b"", b"\r\n\r\n"]))
        def check(head: bytes, data: bytes, end: bytes) -> None:
            server.pages["/"] = lambda e: e.write(head + data + end)
            try:
                answer = fetcher().fetch(server.url("/"))
            except FetchError as error:
                error.uri.encode()
                str(error).encode()
            else:
                assert isinstance(answer, Fetched)
                assert canonical_uri(answer.source.uri) == answer.source.uri

        check()


def test_hosts_that_are_not_there_are_told_apart(names: dict[str, tuple[str, ...]]) -> None:
    with socket.socket() as bound:
        bound.bind((LOOPBACK, 0))  # and does not listen
        port = bound.getsockname()[1]
        assert f"no connection to `{LOOPBACK}`, port {port}" in str(failure(f"http://{LOOPBACK}:{port}/"))
    assert "`nowhere.test` has no address" in str(failure("http://nowhere.test/"))
    names["nowhere.test"] = ()
    assert "`nowhere.test` has no address" in str(failure("http://nowhere.test/"))


def test_names_are_resolved_by_the_system() -> None:
    assert ipaddress.ip_address(LOOPBACK) in web.resolve("localhost", 80)


# TLS


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for the name `secure.test`, with its key, in one file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no `openssl` to make a certificate with")
    path = tmp_path_factory.mktemp("tls") / "secure.pem"
    key = path.with_suffix(".key")
    command = [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-days", "2", "-subj", "/CN=secure.test", "-addext", "subjectAltName=DNS:secure.test"]
    subprocess.run([*command, "-keyout", str(key), "-out", str(path)], check=True, capture_output=True)
    path.write_text(path.read_text() + key.read_text())
    return path


@pytest.fixture
def secure(certificate: Path) -> Iterator[tuple[WebServer, list[str | None]]]:
    """A server under TLS, and the names that it was asked for."""
    asked: list[str | None] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    context.sni_callback = lambda _socket, name, _context: asked.append(name)
    with web_server(tls=context) as served:
        yield served, asked


def test_the_certificate_is_that_of_the_name_though_the_connection_goes_to_an_address(
    secure: tuple[WebServer, list[str | None]], certificate: Path, names: dict[str, tuple[str, ...]]
) -> None:
    server, asked = secure
    names |= {"secure.test": (LOOPBACK,), "other.test": (LOOPBACK,)}
    server.pages["/"] = "x"
    trusting = fetcher(ca_file=certificate)
    answer = trusting.fetch(server.url("/", "secure.test"))
    assert isinstance(answer, Fetched)
    assert answer.source.uri == server.url("/", "secure.test")
    assert server.requests[0][1]["host"] == f"secure.test:{server.port}"
    assert asked == ["secure.test"]
    server.requests.clear()
    for host in ("other.test", LOOPBACK):
        assert f"the certificate of `{host}` does not hold" in str(failure(server.url("/", host), trusting))
    assert "`web.ca_file` names further authorities" in str(failure(server.url("/", "secure.test"), fetcher()))
    assert server.requests == []


def test_no_redirect_leads_from_https_to_http(
    secure: tuple[WebServer, list[str | None]],
    certificate: Path,
    server: WebServer,
    names: dict[str, tuple[str, ...]],
) -> None:
    """THREATS 51."""
    names["secure.test"] = (LOOPBACK,)
    secure[0].pages["/"] = lambda e: e.redirect(server.url("/"))
    error = failure(secure[0].url("/", "secure.test"), fetcher(ca_file=certificate))
    assert isinstance(error, RefusedAddressError)
    assert "redirects from https to" in str(error)
    assert server.requests == []


def test_a_redirect_leads_from_http_to_https(
    secure: tuple[WebServer, list[str | None]],
    certificate: Path,
    server: WebServer,
    names: dict[str, tuple[str, ...]],
) -> None:
    names["secure.test"] = (LOOPBACK,)
    secure[0].pages["/"] = "x"
    server.pages["/"] = lambda e: e.redirect(secure[0].url("/", "secure.test"))
    answer = fetcher(ca_file=certificate).fetch(server.url("/"))
    assert isinstance(answer, Fetched)


def test_a_server_without_tls_is_told(server: WebServer) -> None:
    assert "speaks no TLS" in str(failure(server.url("/").replace("http:", "https:")))


def test_authorities_that_cannot_be_read_are_a_wrong_setting(tmp_path: Path) -> None:
    path = tmp_path / "ca.pem"
    with pytest.raises(ConfigurationError, match=r"`web\.ca_file`: .* cannot be read as certificates"):
        fetcher(ca_file=path).fetch("https://127.0.0.1:9/")
    path.write_text("nothing")
    with pytest.raises(ConfigurationError, match=r"`web\.ca_file`"):
        fetcher(ca_file=path).fetch("https://127.0.0.1:9/")
