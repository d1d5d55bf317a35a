"""A Tika server on loopback that answers as Apache Tika Server 3.3 does, and has the parsing done by our own workers.

Endpoints, headers and the form of the answers are those of `TikaVersion`, `RecursiveMetadataResource` and
`RecursiveParserWrapper`; `tests/unit/ingestion/readers/tika_server_3_3_2.json` has recorded ones.
"""

import base64
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser

from graphrag.ingestion.readers import TikaPool
from graphrag.ingestion.readers.tika_pool import TikaAnswer

__all__ = ["serving"]

TRACES: Mapping[str, str] = {
    "encrypted": "org.apache.tika.exception.EncryptedDocumentException: Unable to process: document is encrypted",
    "empty": "org.apache.tika.exception.ZeroByteFileException: InputStream must have > 0 bytes",
    "bomb": "org.apache.tika.sax.TaggedSAXException: Suspected zip bomb: 9 input bytes produced 9000 output characters",
}
AT = "\n\tat org.apache.tika.parser.CompositeParser.parse(CompositeParser.java:298)\n"
EMPTY_PARSER = "org.apache.tika.parser.EmptyParser"


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, pool: TikaPool) -> None:
        self.pool = pool
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/version":
            self._answer(200, "text/plain", b"Apache Tika 3.3.1")
        else:
            self._answer(404, "text/plain", b"")

    def do_PUT(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path != "/rmeta/html" or self.headers["Accept"] != "application/json":
            self._answer(404, "text/plain", b"")
            return
        server = self.server
        assert isinstance(server, _Server)
        name, password = told_name(self.headers), told_password(self.headers)
        entries = listed(server.pool.parse(data, name=name, password=password), name, len(data))
        self._answer(200, "application/json", json.dumps(entries).encode())

    def _answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Silent."""


def told_name(headers: Message) -> str:
    """The parameter of `Content-Disposition`, as CXF's `ContentDisposition` reads it."""
    start, _, value = headers["Content-Disposition"].partition("=")
    if start.endswith("filename*"):
        assert value.startswith("UTF-8''")
        return unquote(value.removeprefix("UTF-8''"))
    assert start == "attachment; filename"
    return value.strip('"')


def told_password(headers: Message) -> str | None:
    """As `PasswordProviderConfig` takes it."""
    encoded = headers["Password_Base64_UTF-8"]
    return headers["Password"] if encoded is None else base64.b64decode(encoded).decode()


def listed(answer: TikaAnswer, name: str, size: int) -> list[dict[str, object]]:
    """A worker's answer as the server lists it: the file, then all that is embedded, what is innermost first."""
    file: dict[str, object] = {"X-TIKA:embedded_depth": "0", "resourceName": name, "Content-Length": str(size)}
    header = answer.header
    if header["status"] != "ok":
        kind = str(header["kind"])
        if kind == "unsupported":
            return [{**file, "Content-Type": str(header["message"]), "X-TIKA:Parsed-By": ["a.B", EMPTY_PARSER]}]
        return [{**file, "X-TIKA:EXCEPTION:container_exception": TRACES[kind] + AT}]
    metadata = header["metadata"]
    assert isinstance(metadata, Mapping)
    file |= {key: values[0] if len(values) == 1 else list(values) for key, values in metadata.items()}
    if header["damaged"]:
        file["X-TIKA:EXCEPTION:container_exception"] = f"org.apache.tika.exception.TikaException: x{AT}"
        file["X-TIKA:EXCEPTION:container_exception"] += f"Caused by: java.lang.{header['damaged']}: y\n\t... 9 more\n"
    if header["truncated"]:
        file["X-TIKA:EXCEPTION:write_limit_reached"] = "true"
    content, embedded = _Splitter().split(answer.xhtml.decode(), "")
    media = header["embedded_media"]
    assert isinstance(media, int)
    pictures = [
        {"X-TIKA:embedded_depth": "1", "X-TIKA:embedded_id_path": f"/p{number}", "Content-Type": "image/png"}
        for number in range(media)
    ]
    return [{**file, "X-TIKA:content": content}, *embedded, *pictures]


class _Splitter:
    """Takes embedded files out of the text around them; numbers follow the order in which they begin."""

    def __init__(self) -> None:
        self._number = 0

    def split(self, page: str, path: str) -> tuple[str, Sequence[dict[str, object]]]:
        tree = LexborHTMLParser(page)
        entries: list[dict[str, object]] = []
        while (node := tree.css_first("div.embedded-file")) is not None:
            self._number += 1
            own = f"{path}/{self._number}"
            content, inner = self.split(f"<html><head></head><body>{node.inner_html}</body></html>", own)
            entries += inner
            entries.append(
                {
                    "X-TIKA:embedded_depth": str(own.count("/")),
                    "X-TIKA:embedded_id_path": own,
                    "resourceName": node.attributes.get("title") or "",
                    "X-TIKA:content": content,
                }
            )
            node.decompose()
        return tree.html or "", entries


@contextmanager
def serving(pool: TikaPool) -> Iterator[str]:
    """Give the address of a server that parses by these workers."""
    with _Server(pool) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
