"""Web servers on loopback for tests: one that says what a test wants, and one that must never be spoken to."""

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

__all__ = ["Canary", "Exchange", "WebServer", "canary", "web_server"]


@dataclass(frozen=True)
class Exchange:
    """One request, and the ways to answer it."""

    handler: BaseHTTPRequestHandler
    stopping: threading.Event

    @property
    def headers(self) -> Mapping[str, str]:
        return {name.lower(): value for name, value in self.handler.headers.items()}

    def answer(self, body: bytes | str = b"", *, status: int = 200, **headers: str) -> None:
        """Send an answer; names of headers with underscores in place of hyphens."""
        data = body.encode() if isinstance(body, str) else body
        self.start(status, **({"content_length": str(len(data))} | headers))
        self.write(data)

    def redirect(self, to: str, *, status: int = 302) -> None:
        self.answer(status=status, location=to)

    def start(self, status: int = 200, **headers: str) -> None:
        """Send an answer's head; without a length, its body goes on until the connection ends."""
        self.handler.send_response(status)
        for name, value in headers.items():
            self.handler.send_header(name.replace("_", "-"), value)
        self.handler.end_headers()

    def write(self, data: bytes) -> None:
        self.handler.wfile.write(data)
        self.handler.wfile.flush()


Answer = Callable[[Exchange], None]


@dataclass
class WebServer:
    """A server, its pages by path (with query), and what was asked of it.

    Attributes:
        port: Where it listens.
        pages: What it does; anything else is 404.
        requests: Paths and headers, in the order in which they came.
    """

    port: int
    pages: dict[str, Answer | str | bytes] = field(default_factory=dict)
    requests: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)
    scheme: str = "http"

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.requests]

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"{self.scheme}://{host}:{self.port}{path}"


@contextlib.contextmanager
def web_server(host: str = "127.0.0.1", *, tls: ssl.SSLContext | None = None) -> Generator[WebServer]:
    stopping = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            exchange = Exchange(self, stopping)
            served.requests.append((self.path, exchange.headers))
            page = served.pages.get(self.path)
            # A client that had enough ends the connection.
            with contextlib.suppress(OSError):
                if page is None:
                    exchange.answer(status=404)
                elif callable(page):
                    page(exchange)
                else:
                    exchange.answer(page)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        address_family = socket.AF_INET6 if ":" in host else socket.AF_INET

        def handle_error(self, *_: object) -> None:
            """A handshake that the client broke off is no news."""

    server = Server((host, 0), Handler)
    served = WebServer(server.server_address[1])
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        served.scheme = "https"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        stopping.set()
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class Canary:
    """A port on an address of loopback that no test may reach."""

    host: str
    port: int
    _listening: socket.socket

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}/"

    def was_reached(self) -> bool:
        """Tell whether anybody connected; whoever did has, by now, been put in the queue by the kernel."""
        try:
            connection, _ = self._listening.accept()
        except BlockingIOError:
            return False
        connection.close()
        return True


@contextlib.contextmanager
def canary(host: str = "127.0.0.2") -> Generator[Canary]:
    with socket.socket() as listening:
        listening.bind((host, 0))
        listening.listen(16)
        listening.setblocking(False)
        yield Canary(host, listening.getsockname()[1], listening)
