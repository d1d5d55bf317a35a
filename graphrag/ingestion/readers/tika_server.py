"""Every format that Apache Tika knows, read by a Tika server in place of our own workers.

The package `tika` is a client of such servers, and its conventions are kept: `TIKA_SERVER_ENDPOINT` is the address
below which `/rmeta` stands, a file is sent by PUT, its name as `Content-Disposition`. It is not used to send: it has a
deadline for each read of the socket alone, takes an answer of any length into memory, does not check certificates,
opens a log file when it is imported, and without `TIKA_CLIENT_ONLY` fetches a jar and starts a server of its own.
"""

import base64
import logging
import re
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from types import MappingProxyType, TracebackType
from typing import ClassVar, Final, Self
from urllib.parse import quote

import httpx

from graphrag.config import TikaSettings
from graphrag.errors import ConfigurationError, ReaderServiceError, UnreadableDocumentError
from graphrag.ingestion.readers.protocol import SourceBytes
from graphrag.ingestion.readers.tika import TikaReader
from graphrag.ingestion.readers.tika_pool import TikaAnswer, WorkerTimeoutError
from graphrag.ingestion.readers.tika_server_answer import NoTikaAnswerError, answer_of, failure, failure_of_trace
from graphrag.model.parsed import ParsedDocument

__all__ = ["TikaServer", "TikaServerError", "TikaServerReader"]

_log = logging.getLogger("graphrag.ingestion.tika")

_HEADERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Accept": "application/json",
        "Accept-Encoding": "identity",
        "Content-Type": "application/octet-stream",  # of which the server takes no hint: the content decides
        # As in our workers: no OCR, and no list of bookmarks behind a PDF's text.
        "X-Tika-OCRskipOcr": "true",
        "X-Tika-PDFOcrStrategy": "no_ocr",
        "X-Tika-PDFExtractBookmarksText": "false",
        # Pictures count here, and not in our own bound, so this one is wider.
        "maxEmbeddedResources": "10000",
    }
)
_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._ -]*")
_PLAIN_PASSWORD: Final = re.compile(r"[!-~](?:[ -~]*[!-~])?")
"""What a header may hold as it is: printable ASCII without blanks at its ends."""

_ANSWER_FACTOR: Final = 8
_ANSWER_BYTES: Final = 64 * 1024 * 1024
"""Room for markup and metadata, beside `_ANSWER_FACTOR` bytes for each character of text."""

_MAX_FILE_BYTES: Final = 200_000_000
_MAX_JAVA_INT: Final = 2**31 - 1
_MAX_VERSION_BYTES: Final = 1_000
_CONNECT_TIMEOUT_S: Final = 10.0
_VERSION_TIMEOUT_S: Final = 10.0
_RESTART_WAITS_S: Final = (0.5, 1.0, 2.0, 4.0)
"""A Tika server starts anew after a file that took too long or too much memory, and refuses meanwhile."""

_VERSION: Final = re.compile(r"Apache Tika (\d+)\.(\d+)(?:\.(\d+))?")
_MAJOR: Final = 3
_SAFE_VERSION: Final = (3, 2, 2)
_CONNECTED: Final = frozenset({"connection.connect_tcp.complete", "connection.start_tls.complete"})
_SERVER_FAULT: Final = 500
_PASSING: Final = frozenset({408, 425, 429})
_HINTS: Final[Mapping[int, str]] = MappingProxyType(
    {
        401: "it wants a user name and a password; write them into the address of `tika.server_endpoint`",
        403: "it may not be asked from here; see its settings",
        404: "it has no such endpoint: `tika.server_endpoint` is not its base address, or its endpoints are limited",
        405: "it has no such endpoint: `tika.server_endpoint` is not its base address, or its endpoints are limited",
        413: "the file is larger than it takes",
    }
)


class TikaServerError(Exception):
    """The server could not be asked, or answered with an error. `retryable` says if trying again makes sense."""

    def __init__(self, message: str, *, retryable: bool) -> None:
        super().__init__(message)
        self.retryable = retryable


class _RestartingError(Exception):
    """The server takes no requests at this moment."""


class TikaServer:
    """Asks a Tika server of version 3. Safe to call from several threads.

    Files and passwords go to the configured address alone: redirects are not followed, the environment's proxies
    are not used. No process is started, and nothing is fetched.

    Args:
        settings: `server_endpoint`, its deadline, the longest text, and as `workers` how many files it is given at
            once; further callers wait.
        sleep: Waits that many seconds while the server starts anew.

    Raises:
        ConfigurationError: `server_endpoint` is absent or no http address.
    """

    def __init__(self, settings: TikaSettings, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self._settings = settings
        self._sleep = sleep
        self._base = _base_address(settings.server_endpoint)
        self._shown = str(self._base.copy_with(userinfo=b"")).rstrip("/")
        self._slots = threading.Semaphore(settings.workers)
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None
        self._down = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._shown!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the client. May be called twice; a later file opens it again."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def prepare(self) -> None:
        """Ask the server for its version, so that what keeps it from answering shows before any work is done.

        Raises:
            ConfigurationError: It cannot be reached, or is no Tika server of version 3.
        """
        timeout_s = min(self._settings.timeout_s, _VERSION_TIMEOUT_S)
        try:
            status, body = self._patiently(
                lambda: self._send("GET", "version", _Deadline(timeout_s), most=_MAX_VERSION_BYTES)
            )
        except (TikaServerError, WorkerTimeoutError) as error:
            reason = str(error) or f"Tika server `{self._shown}` does not answer in time"
            msg = (
                f"no files can be read, since setting `tika.server_endpoint` is set: {reason}. Without the setting, "
                f"worker processes parse"
            )
            raise ConfigurationError(msg) from error
        told = body.decode("utf-8", "replace") if body is not None and status == HTTPStatus.OK else ""
        version = _VERSION.match(told)
        if version is None:
            msg = (
                f"`{self._shown}` (setting `tika.server_endpoint`) is no Tika server: `/version` was answered with "
                f"status {status}, and not with `Apache Tika` and a number"
            )
            raise ConfigurationError(msg)
        number = (int(version[1]), int(version[2]), int(version[3] or 0))
        if number[0] != _MAJOR:
            msg = f"Tika server `{self._shown}` is of version {version[1]}; answers of version {_MAJOR} are read here"
            raise ConfigurationError(msg)
        if number < _SAFE_VERSION:
            # CVE-2025-54988: a form in a PDF could name a file of the server, and have it in its text.
            _log.warning("Tika server `%s` is older than 3.2.2, and has known vulnerabilities", self._shown)

    def parse(self, data: bytes, *, name: str, password: str | None = None) -> TikaAnswer:
        """Return what the server makes of a file.

        Args:
            data: The whole file.
            name: Its name, a hint on its type.
            password: For an encrypted file.

        Raises:
            TikaServerError: It could not be asked, or answered with an error.
            WorkerTimeoutError: `settings.timeout_s` passed.
        """
        limit = self._settings.max_output_chars
        headers = {
            **_HEADERS,
            **_password_header(password),
            "Content-Disposition": _disposition(name),
            "writeLimit": str(min(limit, _MAX_JAVA_INT)),
        }
        most = _ANSWER_FACTOR * limit + _ANSWER_BYTES

        def ask() -> tuple[int, bytes | None]:
            # HTML, which our workers write too: in XML an empty element is closed in itself, and HTML knows no such.
            deadline = _Deadline(self._settings.timeout_s)
            return self._send("PUT", "rmeta/html", deadline, most=most, headers=headers, content=data)

        with self._slots:
            status, body = self._patiently(ask)
        if body is None:
            return failure("bomb", f"an answer of more than {most:,} bytes")
        if status == HTTPStatus.OK:
            try:
                return answer_of(body, data)
            except NoTikaAnswerError as error:
                msg = f"Tika server `{self._shown}` answers in another form than one of version {_MAJOR}"
                raise TikaServerError(msg, retryable=False) from error
        return self._failed(status, body)

    def _failed(self, status: int, body: bytes) -> TikaAnswer:
        """Return what a status says of the file; raise where it says something of the server."""
        match status:
            case HTTPStatus.NO_CONTENT:
                return failure("empty", "no content")
            case HTTPStatus.UNSUPPORTED_MEDIA_TYPE:
                return failure("unsupported", "application/octet-stream")
            case HTTPStatus.UNPROCESSABLE_ENTITY:
                # A server that is set to tell traces has one in the body.
                told = failure_of_trace(body.decode("utf-8", "replace"))
                return told or failure("corrupt", f"status {status}")
            case _:
                raise self._refusal(status)

    def _refusal(self, status: int) -> TikaServerError:
        if status >= _SERVER_FAULT:
            hint = "its log tells why, and trying again may help"
        elif HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
            hint = "it points to another address, which is not followed; set `tika.server_endpoint` to that address"
        else:
            hint = _HINTS.get(status, "its log tells why")
        retryable = status >= _SERVER_FAULT or status in _PASSING
        return TikaServerError(f"Tika server `{self._shown}` answered {status}: {hint}", retryable=retryable)

    def _patiently(self, ask: Callable[[], tuple[int, bytes | None]]) -> tuple[int, bytes | None]:
        """Return the answer; a server that takes no requests is asked again for a few seconds, and not file by file."""
        waits_s = iter(() if self._down else _RESTART_WAITS_S)
        while True:
            try:
                answer = ask()
            except _RestartingError as error:
                wait_s = next(waits_s, None)
                if wait_s is None:
                    self._down = True
                    msg = f"Tika server `{self._shown}` takes no requests: {error}; see that it runs, and try again"
                    raise TikaServerError(msg, retryable=True) from error
                _log.info("Tika server `%s` takes no requests (%s); trying again in %g s", self._shown, error, wait_s)
                self._sleep(wait_s)
            else:
                self._down = False
                return answer

    def _send(
        self,
        method: str,
        path: str,
        deadline: "_Deadline",
        *,
        most: int,
        headers: Mapping[str, str] | None = None,
        content: bytes | None = None,
    ) -> tuple[int, bytes | None]:
        """Return status and body; None for a body that is longer than `most` bytes."""
        timeout_s = deadline.timeout_s
        try:
            with (
                deadline,
                self._opened().stream(
                    method,
                    self._base.join(path),
                    headers=headers,
                    content=content,
                    timeout=httpx.Timeout(timeout_s, connect=min(timeout_s, _CONNECT_TIMEOUT_S)),
                    extensions={"trace": deadline.watch},
                ) as response,
            ):
                body = _bounded(response, most)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            # Names of classes are told, not their texts: those may hold what was sent.
            raise _RestartingError(_no_connection(error)) from error
        except httpx.TimeoutException as error:
            raise WorkerTimeoutError from error
        except (httpx.HTTPError, RuntimeError) as error:
            if deadline.passed:
                raise WorkerTimeoutError from error
            msg = (
                f"Tika server `{self._shown}` ended the connection without a whole answer ({type(error).__name__}): "
                f"the file may have ended the server; its log tells, and trying again may help"
            )
            raise TikaServerError(msg, retryable=True) from error
        if deadline.passed:
            raise WorkerTimeoutError  # an answer that ends with its connection looks whole when that is cut
        if response.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
            reason = "status 503"
            raise _RestartingError(reason)
        return response.status_code, body

    def _opened(self) -> httpx.Client:
        with self._lock:
            if self._client is None:
                # A connection for each file: what is cut at a deadline is then of no other use, and the cost is
                # nothing beside that of parsing.
                limits = httpx.Limits(max_keepalive_connections=0)
                self._client = httpx.Client(limits=limits, follow_redirects=False, trust_env=False)
            return self._client


class TikaServerReader(TikaReader):
    """Reads files through a Tika server.

    Args:
        server: Is asked.
        max_file_bytes: A longer file is not sent.
    """

    # The second number is that of what is made of Tika's text, which is the same for workers.
    version: str = f"tika-server-1-{TikaReader.version.rpartition('-')[2]}"
    refusals: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            **TikaReader.refusals,
            "memory": "needs more memory than the Tika server has",
        }
    )

    def __init__(self, server: TikaServer, *, max_file_bytes: int = _MAX_FILE_BYTES) -> None:
        super().__init__(server)
        self._max_file_bytes = max_file_bytes

    def read(self, source: SourceBytes, *, password: str | None = None) -> ParsedDocument:
        """Return the file's text with the structure that its format has.

        Raises:
            ReaderServiceError: The server is down, or answered with an error of its own; `retryable` says if trying
                again makes sense.
            UnreadableDocumentError: The file is damaged, longer than `max_file_bytes`, or took too long.
            UnsupportedDocumentError: Tika does not know the format, or it is none of text.
            PasswordRequiredError: The file is encrypted, and the password is absent or wrong.
        """
        if len(source.data) > self._max_file_bytes:
            msg = f"`{source.uri}` has {len(source.data):,} bytes; a server is sent at most {self._max_file_bytes:,}"
            raise UnreadableDocumentError(msg, uri=source.uri)
        try:
            return super().read(source, password=password)
        except TikaServerError as error:
            msg = f"`{source.uri}` could not be read: {error}"
            raise ReaderServiceError(msg, uri=source.uri, retryable=error.retryable) from error


class _Deadline:
    """Shuts the connection down when time is up. The client bounds each wait by itself, not their sum."""

    def __init__(self, timeout_s: float) -> None:
        self.timeout_s = timeout_s
        self.passed = False
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(timeout_s, self._fire)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._timer.cancel()

    def watch(self, event: str, told: Mapping[str, object]) -> None:
        """Take notice of the connection that the client has opened; called by it for each of its steps."""
        if event not in _CONNECTED:
            return
        extra = getattr(told.get("return_value"), "get_extra_info", None)
        opened = extra("socket") if callable(extra) else None
        with self._lock:
            self._socket = opened if isinstance(opened, socket.socket) else None
            if self.passed:
                self._cut()

    def _fire(self) -> None:
        with self._lock:
            self.passed = True
            self._cut()

    def _cut(self) -> None:
        if self._socket is not None:
            with suppress(OSError):  # closed already
                # The method of the plain socket: that of an encrypted one takes away what its reader works with.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


def _bounded(response: httpx.Response, most: int) -> bytes | None:
    parts: list[bytes] = []
    size = 0
    for part in response.iter_bytes():
        size += len(part)
        if size > most:
            return None
        parts.append(part)
    return b"".join(parts)


def _base_address(endpoint: str | None) -> httpx.URL:
    """Return the address with a stroke at its end. It is not printed where it is refused: it may hold a secret."""
    try:
        url = httpx.URL((endpoint or "").rstrip("/") + "/")
    except httpx.InvalidURL:
        url = httpx.URL("")
    if url.scheme not in {"http", "https"} or not url.host or url.query or url.fragment:
        msg = "setting `tika.server_endpoint` (TIKA_SERVER_ENDPOINT) is not an address such as `http://localhost:9998`"
        raise ConfigurationError(msg)
    return url


def _no_connection(error: httpx.TransportError) -> str:
    return "no connection in time" if isinstance(error, httpx.ConnectTimeout) else "no connection"


def _disposition(name: str) -> str:
    """Return the header that tells a file's name; characters that a header cannot hold are percent-encoded."""
    if _PLAIN_NAME.fullmatch(name):
        return f'attachment; filename="{name}"'
    return f"attachment; filename*=UTF-8''{quote(name.encode('utf-8', 'replace'), safe='')}"


def _password_header(password: str | None) -> dict[str, str]:
    if password is None:
        return {}
    if _PLAIN_PASSWORD.fullmatch(password):
        return {"Password": password}
    return {"Password_Base64_UTF-8": base64.b64encode(password.encode("utf-8", "replace")).decode("ascii")}
