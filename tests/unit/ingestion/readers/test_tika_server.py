"""A Tika server that does not do as it should, and what it is sent. What it answers is in `test_tika_server_answer`."""

import base64
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest import mock
from urllib.parse import urlsplit

import httpx
import pytest

from graphrag.config import TikaSettings
from graphrag.errors import (
    ConfigurationError,
    PasswordRequiredError,
    ReaderServiceError,
    UnreadableDocumentError,
    UnsupportedDocumentError,
)
from graphrag.ingestion.readers import AutoReader, SourceBytes, TikaReader, TikaServer, TikaServerReader
from graphrag.ingestion.verdicts import Verdict, verdict_of_error
from graphrag.model.parsed import ParsedDocument

Act = Callable[["Handler"], None]

PDF = b"%PDF-1.4 x"
READ = [
    {
        "Content-Type": "application/pdf",
        "X-TIKA:embedded_depth": "0",
        "X-TIKA:content": '<html><head></head><body><div class="page"><p>read</p></div></body></html>',
    }
]


class Handler(BaseHTTPRequestHandler):
    """Keeps what it is asked, and does with each request what the test says."""

    def do_GET(self) -> None:
        self._serve()

    def do_PUT(self) -> None:
        self._serve()

    def _serve(self) -> None:
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        server = self.server
        assert isinstance(server, Server)
        server.asked.append(self)
        act = server.acts[min(len(server.asked), len(server.acts)) - 1]
        with suppress(OSError):  # a client that has had enough
            act(self)

    def log_message(self, *arguments: object) -> None:
        """Silent."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, *acts: Act) -> None:
        self.acts = acts
        self.asked: list[Handler] = []
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def serving(*acts: Act) -> Iterator[Server]:
    """A server that meets its first request with the first act, and all after the last with the last."""
    with Server(*acts) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def answer(status: int = 200, body: bytes | None = None, **headers: str) -> Act:
    def act(handler: Handler) -> None:
        content = json.dumps(READ).encode() if body is None else body
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    return act


def hang(handler: Handler) -> None:
    handler.connection.recv(1)


def trickle_headers(handler: Handler) -> None:
    """A byte now and then: each read of a socket gets something, and the answer never ends."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        handler.wfile.write(b"X-A: b\r\n")
        time.sleep(0.02)


def trickle_body(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        handler.wfile.write(b" ")
        time.sleep(0.02)


def endless(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        handler.wfile.write(b" " * 65_536)


def close(handler: Handler) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)


def half_an_answer(handler: Handler) -> None:
    handler.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[{"a": 1')
    handler.connection.shutdown(socket.SHUT_RDWR)


def settings(endpoint: str, **changed: object) -> TikaSettings:
    return TikaSettings.model_validate({"server_endpoint": endpoint, "timeout_s": 20, **changed})


def read(
    endpoint: str, data: bytes = PDF, *, password: str | None = None, name: str = "a.pdf", **changed: object
) -> ParsedDocument:
    source = SourceBytes(uri="file:///a.pdf", data=data, name=name)
    with TikaServer(settings(endpoint, **changed), sleep=no_wait) as server:
        return TikaServerReader(server).read(source, password=password)


def no_wait(_seconds: float) -> None:
    """Do not wait for a server that starts anew."""


def unused_address() -> str:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{held.getsockname()[1]}"


def test_the_file_its_name_and_our_bounds_are_sent_as_tika_takes_them() -> None:
    with serving(answer()) as server:
        document = read(server.address, name="Minutes 2024.pdf", max_output_chars=1_234)
        (asked,) = server.asked
    assert document.canonical_text() == "read\n\n"
    assert (asked.command, asked.path, asked.body) == ("PUT", "/rmeta/html", PDF)
    headers = dict(asked.headers.items())
    assert headers["Content-Disposition"] == 'attachment; filename="Minutes 2024.pdf"'
    assert headers["Accept"] == "application/json"
    assert headers["writeLimit"] == "1234"
    assert headers["X-Tika-OCRskipOcr"] == "true"
    assert headers["X-Tika-PDFOcrStrategy"] == "no_ocr"
    assert headers["X-Tika-PDFExtractBookmarksText"] == "false"
    assert not {"Password", "Password_Base64_UTF-8", "Authorization"} & set(headers)


@pytest.mark.parametrize(
    "name, header",
    [
        ("a.pdf", 'attachment; filename="a.pdf"'),
        ("Übersicht „1“.pdf", "attachment; filename*=UTF-8''%C3%9Cbersicht%20%E2%80%9E1%E2%80%9C.pdf"),
        ('a"; x="b\r\nPassword: p', "attachment; filename*=UTF-8''a%22%3B%20x%3D%22b%0D%0APassword%3A%20p"),
        ("", "attachment; filename*=UTF-8''"),
    ],
)
def test_a_name_is_never_more_than_a_name(name: str, header: str) -> None:
    with serving(answer()) as server:
        read(server.address, name=name)
        assert server.asked[0].headers["Content-Disposition"] == header
        assert "Password" not in server.asked[0].headers


@pytest.mark.parametrize("password", ["open sesame", "pässwörd", " ", "", "a\r\nX-Other: b", "x "])
def test_a_password_goes_in_the_header_that_tika_takes(password: str) -> None:
    with serving(answer()) as server:
        read(server.address, password=password)
        headers = server.asked[0].headers
    plain, encoded = headers["Password"], headers["Password_Base64_UTF-8"]
    assert (plain is None) != (encoded is None)
    assert (plain if encoded is None else base64.b64decode(encoded).decode()) == password
    assert "X-Other" not in headers


def test_credentials_of_the_address_are_sent_and_never_printed() -> None:
    with serving(answer(500)) as server:
        address = server.address.replace("//", "//anna:geheim@")
        with pytest.raises(ReaderServiceError) as held:
            read(address)
        assert "geheim" not in repr(TikaServer(settings(address)))
        assert server.asked[0].headers["Authorization"] == "Basic " + base64.b64encode(b"anna:geheim").decode()
    assert "geheim" not in str(held.value)
    assert server.address in str(held.value)


def test_a_path_of_the_address_stands_before_the_endpoints() -> None:
    with serving(answer()) as server:
        read(f"{server.address}/tools/tika/")
        assert server.asked[0].path == "/tools/tika/rmeta/html"


@pytest.mark.parametrize("act", [hang, trickle_headers, trickle_body])
def test_a_server_that_does_not_come_to_an_end_is_cut_off_at_the_deadline(act: Act) -> None:
    """CASES 48: a time-out costs one file."""
    with serving(act) as server, pytest.raises(UnreadableDocumentError, match="took too long .* `tika.timeout_s`"):
        read(server.address, timeout_s=0.5)


def test_a_file_that_is_not_taken_is_cut_off_at_the_deadline() -> None:
    """A server that accepts the connection and reads nothing: buffers fill, and sending stands still."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with pytest.raises(UnreadableDocumentError, match="took too long"):
            read(address, PDF * 5_000_000, timeout_s=0.5)


def test_an_answer_without_end_is_refused_at_its_bound() -> None:
    with (
        serving(endless) as server,
        mock.patch("graphrag.ingestion.readers.tika_server._ANSWER_BYTES", 1_000_000),
        pytest.raises(UnreadableDocumentError, match="was refused: it unpacks to far more .* than 1,008,000 bytes"),
    ):
        read(server.address, max_output_chars=1_000)


@pytest.mark.parametrize("act", [close, half_an_answer])
def test_a_server_that_closes_is_told_as_such_and_may_be_tried_again(act: Act) -> None:
    """CASES 48. The file may have ended it, so it is not sent a second time."""
    with serving(act) as server:
        with pytest.raises(ReaderServiceError, match="ended the connection without a whole answer") as held:
            read(server.address)
        assert len(server.asked) == 1
    assert held.value.retryable
    assert verdict_of_error("file:///a.pdf", held.value).verdict is Verdict.FAILED


@pytest.mark.parametrize(
    "status, retryable, hint",
    [
        (500, True, "its log tells why, and trying again may help"),
        (502, True, "its log tells why, and trying again may help"),
        (429, True, "its log tells why"),
        (301, False, "it points to another address, which is not followed"),
        (400, False, "its log tells why"),
        (401, False, "it wants a user name and a password"),
        (404, False, "it has no such endpoint"),
        (413, False, "the file is larger than it takes"),
    ],
)
def test_a_status_of_the_server_is_told_with_what_to_do(status: int, retryable: bool, hint: str) -> None:
    with serving(answer(status, b"", Location="http://127.0.0.1:1/"), answer()) as server:
        with pytest.raises(
            ReaderServiceError, match=f"`file:///a.pdf` could not be read: .* answered {status}: {hint}"
        ) as held:
            read(server.address)
        assert len(server.asked) == 1
    assert held.value.retryable is retryable


TRACE = b"org.apache.tika.exception.EncryptedDocumentException: Unable to process\n\tat x.Y.z(Y.java:1)\n"


@pytest.mark.parametrize(
    "status, body, error",
    [
        (415, b"", UnsupportedDocumentError),
        (422, b"", UnreadableDocumentError),
        (422, TRACE, PasswordRequiredError),
    ],
)
def test_a_status_of_the_file_is_the_error_of_the_file(status: int, body: bytes, error: type[Exception]) -> None:
    with serving(answer(status, body)) as server, pytest.raises(UnreadableDocumentError) as held:
        read(server.address)
    assert type(held.value) is error


def test_no_content_is_an_empty_document() -> None:
    """CASES 47: status 204."""

    def no_content(handler: Handler) -> None:
        handler.send_response(204)
        handler.end_headers()

    with serving(no_content) as server:
        document = read(server.address)
    assert (document.blocks, document.sections, document.no_text_layer) == ((), (), False)


@pytest.mark.parametrize(
    "body",
    [b"", b"no JSON", b"[" * 100_000, b"{}", b"[]", b"[1]", b'[{"tk:content": "x"}]', b'[{"X-TIKA:content": "x"}]'],
)
def test_an_answer_in_another_form_is_told_as_such(body: bytes) -> None:
    with (
        serving(answer(200, body)) as server,
        pytest.raises(ReaderServiceError, match="answers in another form than one of version 3") as held,
    ):
        read(server.address)
    assert not held.value.retryable


def test_a_server_that_starts_anew_is_waited_for() -> None:
    """THREATS 22: after a file that ended it, the next one is read."""
    waits: list[float] = []
    with serving(answer(503, b""), answer(503, b""), answer()) as server:
        with TikaServer(settings(server.address), sleep=waits.append) as tika:
            document = TikaServerReader(tika).read(SourceBytes(uri="file:///a.pdf", data=PDF, name="a.pdf"))
        assert len(server.asked) == 3
    assert document.canonical_text() == "read\n\n"
    assert waits == [0.5, 1.0]


def test_a_server_that_is_down_is_waited_for_once_and_told_of_each_file() -> None:
    waits: list[float] = []
    source = SourceBytes(uri="file:///a.pdf", data=PDF, name="a.pdf")
    with TikaServer(settings(unused_address()), sleep=waits.append) as tika:
        reader = TikaServerReader(tika)
        for _ in range(3):
            with pytest.raises(ReaderServiceError, match="takes no requests: no connection; see that it runs") as held:
                reader.read(source)
            assert held.value.retryable
    assert sum(waits) == 7.5


def test_a_closed_server_opens_again() -> None:
    with serving(answer()) as server, TikaServer(settings(server.address)) as tika:
        tika.close()
        tika.close()
        assert TikaServerReader(tika).read(SourceBytes(uri="u", data=PDF, name="a.pdf")).canonical_text()


def test_a_file_over_the_bound_is_not_sent() -> None:
    with serving(answer()) as server, TikaServer(settings(server.address)) as tika:
        with pytest.raises(UnreadableDocumentError, match="has 10 bytes; a server is sent at most 9"):
            TikaServerReader(tika, max_file_bytes=9).read(SourceBytes(uri="u", data=PDF, name="a.pdf"))
        assert server.asked == []


def test_no_more_files_at_once_than_the_settings_say() -> None:
    now: set[int] = set()
    most: list[int] = []
    together = threading.Barrier(2, timeout=10)

    def count(handler: Handler) -> None:
        now.add(id(handler))
        most.append(len(now))
        together.wait()
        now.discard(id(handler))
        answer()(handler)

    with serving(count) as server, TikaServer(settings(server.address, workers=2)) as tika:
        reader = TikaServerReader(tika)
        source = SourceBytes(uri="u", data=PDF, name="a.pdf")
        threads = [threading.Thread(target=reader.read, args=(source,)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(server.asked) == 6
    assert max(most) == 2


@pytest.mark.parametrize(
    "endpoint", [None, "", "tika.example:9998", "ftp://host", "http://", "http://host?key=geheim", "http://[::geheim"]
)
def test_what_is_no_address_is_refused_and_not_printed(endpoint: str | None) -> None:
    with pytest.raises(ConfigurationError, match="TIKA_SERVER_ENDPOINT. is not an address such as") as held:
        TikaServer(TikaSettings(server_endpoint=endpoint))
    assert "geheim" not in str(held.value)


@pytest.mark.parametrize("told", [b"Apache Tika 3.3.1", b"Apache Tika 3.4.0-SNAPSHOT\n", b"Apache Tika 3.5"])
def test_a_server_of_version_3_is_ready(told: bytes) -> None:
    with serving(answer(200, told)) as server, TikaServer(settings(server.address)) as tika:
        AutoReader(TikaServerReader(tika)).prepare(["a.pdf"])
        assert [(handler.command, handler.path) for handler in server.asked] == [("GET", "/version")]


def test_files_that_tika_does_not_read_ask_nothing() -> None:
    with TikaServer(settings(unused_address())) as tika:
        AutoReader(TikaServerReader(tika)).prepare(["a.md", "b.html", "c"])


def test_a_server_with_known_vulnerabilities_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    """THREATS 85."""
    with serving(answer(200, b"Apache Tika 3.2.1")) as server, TikaServer(settings(server.address)) as tika:
        tika.prepare()
    assert "older than 3.2.2, and has known vulnerabilities" in caplog.text


@pytest.mark.parametrize(
    "act, message",
    [
        (answer(200, b"Apache Tika 4.0.0"), "is of version 4; answers of version 3 are read here"),
        (answer(200, b"Apache Tika 1.28"), "is of version 1; answers of version 3 are read here"),
        (answer(200, b"<html>another server"), "is no Tika server: `/version` was answered with status 200"),
        (answer(404, b""), "is no Tika server: `/version` was answered with status 404"),
        (endless, "is no Tika server"),
        (answer(503, b""), "takes no requests: status 503; see that it runs.*Without the setting, worker processes"),
        (hang, "`tika.server_endpoint` is set: Tika server .* does not answer in time"),
        (close, "`tika.server_endpoint` is set: Tika server .* ended the connection"),
    ],
)
def test_a_server_that_cannot_be_used_is_one_clear_error_before_a_batch(act: Act, message: str) -> None:
    """CASES 48: told before anything is written."""
    with (
        serving(act) as server,
        TikaServer(settings(server.address, timeout_s=0.5 if act is hang else 20), sleep=no_wait) as tika,
        pytest.raises(ConfigurationError, match=message),
    ):
        AutoReader(TikaServerReader(tika)).prepare(["a.pdf"])


def test_a_server_that_is_about_to_start_is_waited_for_before_a_batch() -> None:
    waits: list[float] = []
    with (
        serving(answer(503, b""), answer(200, b"Apache Tika 3.3.1")) as server,
        TikaServer(settings(server.address), sleep=waits.append) as tika,
    ):
        tika.prepare()
    assert waits == [0.5]


def test_a_server_that_is_down_is_one_clear_error_before_a_batch() -> None:
    """CASES 48."""
    with (
        TikaServer(settings(unused_address()), sleep=no_wait) as tika,
        pytest.raises(ConfigurationError, match=r"Tika server `http://127.0.0.1:\d+` takes no requests: no connection"),
    ):
        tika.prepare()


def test_no_process_is_started_nothing_is_fetched_and_no_other_address_is_asked() -> None:
    """THREATS 68: the package `tika` would fetch a jar and start a server where none answers."""
    asked: list[tuple[str, int]] = []
    connect = socket.create_connection

    def noted(address: tuple[str, int], *rest: object, **more: object) -> socket.socket:
        asked.append(address)
        return connect(address, *rest, **more)  # type: ignore[arg-type]

    refuse = mock.Mock(side_effect=AssertionError("a process"))
    nowhere = unused_address()
    proxies: Mapping[str, str] = {"HTTP_PROXY": nowhere, "http_proxy": nowhere, "ALL_PROXY": nowhere}
    with (
        serving(answer(200, b"Apache Tika 3.3.1"), answer()) as server,
        mock.patch.object(socket, "create_connection", noted),
        mock.patch.object(subprocess, "Popen", refuse),
        mock.patch.dict("os.environ", proxies),
    ):
        with TikaServer(settings(server.address)) as tika:
            tika.prepare()
            TikaServerReader(tika).read(SourceBytes(uri="u", data=PDF, name="a.pdf"))
        with pytest.raises(ReaderServiceError):
            read(nowhere)
        ours = urlsplit(server.address).port
    assert set(asked) == {("127.0.0.1", ours), ("127.0.0.1", urlsplit(nowhere).port)}
    assert not refuse.called
    assert "tika" not in sys.modules


def test_the_fingerprint_tells_a_server_from_workers_and_follows_the_tree_of_both() -> None:
    assert TikaServerReader.version != TikaReader.version
    assert TikaServerReader.version.rpartition("-")[2] == TikaReader.version.rpartition("-")[2]


def test_a_connection_is_shut_down_under_its_reader() -> None:
    """Of an encrypted one the socket is told once its encryption stands."""
    from graphrag.ingestion.readers.tika_server import _Deadline

    ours, theirs = socket.socketpair()
    with ours, theirs:
        stream = mock.Mock()
        stream.get_extra_info.return_value = ours
        deadline = _Deadline(0.05)
        with deadline:
            deadline.watch("connection.start_tls.complete", {"return_value": stream})
            assert ours.recv(1) == b""
        assert deadline.passed


def test_a_connection_that_opens_after_the_deadline_is_shut_at_once() -> None:
    from graphrag.ingestion.readers.tika_server import _Deadline

    ours, theirs = socket.socketpair()
    with ours, theirs:
        stream = mock.Mock()
        stream.get_extra_info.return_value = ours
        deadline = _Deadline(60)
        deadline._fire()
        deadline.watch("connection.connect_tcp.complete", {"return_value": stream})
        assert theirs.recv(1) == b""


def test_the_client_tells_of_the_connections_that_it_opens() -> None:
    """The deadline relies on names of httpcore's trace: they have to be those of the version that is installed."""
    told: list[str] = []
    with serving(answer()) as server, httpx.Client() as client:
        client.get(server.address, extensions={"trace": lambda name, _info: told.append(name)})
    assert "connection.connect_tcp.complete" in told


def test_a_file_that_hangs_costs_that_file_alone() -> None:
    """CASES 48."""
    source = SourceBytes(uri="u", data=PDF, name="a.pdf")
    with (
        serving(answer(), hang, close, answer()) as server,
        TikaServer(settings(server.address, timeout_s=2)) as tika,
    ):
        reader = TikaServerReader(tika)
        assert reader.read(source).canonical_text() == "read\n\n"
        for error in (UnreadableDocumentError, ReaderServiceError):
            with pytest.raises(error):
                reader.read(source)
        assert reader.read(source).canonical_text() == "read\n\n"
