"""One GET of a URL to bytes, from public hosts, within bounds of time and size.

What a URL leads to is in nobody's hands: names resolve to addresses inside of our network, servers redirect there,
send without end, or a few bytes that expand to gigabytes. So each hop is parsed, resolved and checked before anything
is sent to it, and the connection goes to the address that was checked (`web_network.py`). Nothing is taken from the
environment (proxies, `.netrc`), no cookie is kept, and what one host is told for credentials no other one is.
"""

import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

import httpcore
import httpx

from graphrag.concurrency import Deadline
from graphrag.config import WebSettings
from graphrag.errors import ConfigurationError, FetchError, RefusedAddressError
from graphrag.ingestion.readers.protocol import SourceBytes
from graphrag.ingestion.sources.addresses import Address, AddressRules
from graphrag.ingestion.sources.web_body import BodyError, decode_body
from graphrag.ingestion.sources.web_message import (
    Validators,
    checked_headers,
    read_headers,
    redirect_target,
    request_headers,
    source_of,
)
from graphrag.ingestion.sources.web_network import DeadlineError, PinnedBackend, within
from graphrag.ingestion.sources.web_url import WebUrl, parse_web_url

__all__ = ["Fetched", "NotModified", "WebFetcher", "resolve"]

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_NOT_MODIFIED = 304
_SUCCESS = range(200, 300)
_PARTIAL = 206
_HINTS = {
    401: "it asks for credentials; give headers for it",
    403: "it forbids it; see whether it wants credentials",
    404: "there is nothing; check the path",
    410: "it is gone; take it from the list",
    429: "it is asked too often; try again later",
    503: "it is busy or closed; try again later",
}


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page.

    Attributes:
        source: Its bytes, under the canonical URI of the last hop.
        validators: To ask with, the next time; None where the server gave none.
        by_exception: Whether the last hop could be asked for the sake of `web.allowed_hosts` alone.
    """

    source: SourceBytes
    validators: Validators | None = None
    by_exception: bool = False


@dataclass(frozen=True, slots=True)
class NotModified:
    """The page is the one that is known. `uri` is its canonical URI."""

    uri: str


def resolve(host: str, port: int) -> tuple[Address, ...]:
    """Return all addresses of a host name, each once, in the order of the system's resolver. Blocks.

    Raises:
        OSError: It has none, or no name server answers.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(ipaddress.ip_address(str(answer[4][0])) for answer in found))


class WebFetcher:
    """Fetches pages. Safe to use from several threads; it keeps no connection and no state of a host.

    Args:
        settings: Exceptions, deadlines and bounds.
        max_bytes: Longest page, beside what the settings say.

    Raises:
        ConfigurationError: One of the exceptions is no host or network.
    """

    def __init__(self, settings: WebSettings | None = None, *, max_bytes: int | None = None) -> None:
        self._settings = settings or WebSettings()
        self._rules = AddressRules(self._settings.allowed_hosts)
        self._max_bytes = min(self._settings.max_body_bytes, max_bytes or self._settings.max_body_bytes)
        self._lock = threading.Lock()
        self._tls: ssl.SSLContext | None = None

    def fetch(
        self,
        url: str,
        *,
        validators: Validators | None = None,
        headers: Mapping[str, str] | None = None,
        max_bytes: int | None = None,
        exceptions: bool = True,
        before_hop: Callable[[WebUrl, bool], None] | None = None,
    ) -> Fetched | NotModified:
        """Return the page at a URL.

        Args:
            url: `http` or `https`, without a user name; what stands behind `#` does not count.
            validators: Of the version that is known.
            headers: To send with it, credentials for one. Another origin than that of `url` never gets them, also
                not where a redirect leads there and back.
            max_bytes: Longest page, beside what the settings say.
            exceptions: Whether `web.allowed_hosts` holds for it; False for a URL that a public host named.
            before_hop: Is told each URL before it is asked, and whether it may be for the sake of an exception alone;
                raises where it must not be. Its time counts.

        Returns:
            `NotModified` where the server says so to the validators.

        Raises:
            RefusedAddressError: The URL or a redirect leads where nothing is asked.
            FetchError: No connection, no answer in time, more than is taken, or no page.
            InvalidRequestError: One of `headers` cannot be sent, or is not the caller's to set.
            ConfigurationError: `web.ca_file` cannot be read.
        """
        ask = _Ask(
            deadline=Deadline(seconds=self._settings.timeout_s, what="fetching it"),
            most=min(self._max_bytes, max_bytes or self._max_bytes),
            validators=validators,
            headers=checked_headers(headers or {}),
            exceptions=exceptions,
        )
        first = at = parse_web_url(url)
        for _ in range(self._settings.max_redirects + 1):
            addresses, by_exception = self._addresses(at, ask)
            if before_hop is not None:
                before_hop(at, by_exception)
            with _ours(at, ask.deadline):
                answer = self._get(at, addresses, ask)
            if isinstance(answer, Fetched):
                return replace(answer, by_exception=by_exception)
            if isinstance(answer, NotModified):
                return answer
            # A redirect. An exception holds for what the user named, and for what a host among the exceptions names.
            ask = replace(
                ask,
                headers=ask.headers if answer.origin == at.origin else (),
                exceptions=ask.exceptions and by_exception,
            )
            at = answer
        msg = (
            f"`{first.uri}` redirects more than {self._settings.max_redirects} times, now to `{at.uri}`; "
            f"give the URL that it leads to"
        )
        raise FetchError(msg, uri=first.uri)

    def _addresses(self, at: WebUrl, ask: "_Ask") -> tuple[tuple[Address, ...], bool]:
        """Return where to connect to, all of it checked, and whether only an exception permits it."""
        try:
            addresses: tuple[Address, ...] = (ipaddress.ip_address(at.host),)
        except ValueError:
            addresses = self._resolved(at, ask.deadline)
        judgement = self._rules.judge(at.host, addresses)
        if judgement.refusal:
            msg = (
                f"`{at.uri}` is not asked: `{at.host}` is or resolves to an address that is {judgement.refusal}; "
                f"`web.allowed_hosts` names exceptions"
            )
            raise RefusedAddressError(msg, uri=at.uri)
        if judgement.by_exception and not ask.exceptions:
            msg = (
                f"`{at.uri}` is not asked: a public host named it, and only `web.allowed_hosts` opens it; "
                f"give its URL itself"
            )
            raise RefusedAddressError(msg, uri=at.uri)
        return addresses, judgement.by_exception

    def _resolved(self, at: WebUrl, deadline: Deadline) -> tuple[Address, ...]:
        try:
            addresses = within(deadline, lambda: resolve(at.host, at.port))
        except DeadlineError as error:
            msg = f"`{at.uri}`: no name server told the address of `{at.host}` in {deadline.seconds:g} seconds"
            raise FetchError(msg, uri=at.uri) from error
        except (OSError, ValueError) as error:
            msg = f"`{at.uri}`: `{at.host}` has no address, or no name server answers; check the spelling"
            raise FetchError(msg, uri=at.uri) from error
        if not addresses:
            msg = f"`{at.uri}`: `{at.host}` has no address; check the spelling"
            raise FetchError(msg, uri=at.uri)
        return addresses

    def _get(self, at: WebUrl, addresses: tuple[Address, ...], ask: "_Ask") -> "Fetched | NotModified | WebUrl":
        """Ask one host; return the page, or where it redirects to."""
        backend = PinnedBackend(
            at.host,
            at.port,
            addresses,
            deadline=ask.deadline,
            connect_timeout_s=self._settings.connect_timeout_s,
        )
        url = httpcore.URL(
            scheme=at.scheme.encode(), host=at.host.encode(), port=at.port, target=at.target.encode("ascii")
        )
        context = self._tls_context() if at.scheme == "https" else None
        with (
            httpcore.ConnectionPool(
                ssl_context=context, network_backend=backend, max_connections=1, max_keepalive_connections=0
            ) as pool,
            pool.stream("GET", url, headers=request_headers(at, ask.headers, ask.validators)) as response,
        ):
            return self._answered(at, response, ask)

    def _answered(self, at: WebUrl, response: httpcore.Response, ask: "_Ask") -> "Fetched | NotModified | WebUrl":
        headers = read_headers(response.headers)
        if response.status in _REDIRECTS:
            return redirect_target(at, response.status, headers.get("location"))
        if response.status == _NOT_MODIFIED and ask.validators and ask.validators.headers_for(at):
            return NotModified(at.uri)
        if response.status not in _SUCCESS or response.status == _PARTIAL:
            hint = _HINTS.get(response.status, "see what it says in a browser")
            msg = f"`{at.uri}`: the server answers with the status {response.status}: {hint}"
            raise FetchError(msg, uri=at.uri, status=response.status)
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > self._settings.max_transfer_bytes:
            msg = f"it has {length} bytes; `web.max_transfer_bytes`, {self._settings.max_transfer_bytes}, limits it"
            raise BodyError(msg)
        data = decode_body(
            response.iter_stream(),
            headers.get("content-encoding", ""),
            max_encoded=self._settings.max_transfer_bytes,
            max_decoded=ask.most,
            max_expansion=self._settings.max_expansion,
        )
        validators = Validators(at.uri, headers.get("etag"), headers.get("last-modified"))
        return Fetched(
            source_of(at, data, headers.get("content-type", "")),
            validators if validators.etag or validators.last_modified else None,
        )

    def _tls_context(self) -> ssl.SSLContext:
        with self._lock:
            if self._tls is None:
                context = httpx.create_ssl_context(trust_env=False)
                if self._settings.ca_file is not None:
                    _load_authorities(context, str(self._settings.ca_file))
                self._tls = context
            return self._tls


@dataclass(frozen=True, slots=True)
class _Ask:
    """What holds for the next hop of one fetch."""

    deadline: Deadline
    most: int
    validators: Validators | None
    headers: tuple[tuple[str, str], ...]
    exceptions: bool


def _load_authorities(context: ssl.SSLContext, path: str) -> None:
    try:
        context.load_verify_locations(cafile=path)
    except OSError as error:  # `ssl.SSLError` is one
        msg = f"setting `web.ca_file`: `{path}` cannot be read as certificates in PEM form: {error.strerror or error}"
        raise ConfigurationError(msg) from error


@contextmanager
def _ours(at: WebUrl, deadline: Deadline) -> Generator[None]:
    """Map what goes wrong on the way."""
    try:
        yield
    except BodyError as error:
        msg = f"`{at.uri}` is not taken: {error}"
        raise FetchError(msg, uri=at.uri) from error
    except (DeadlineError, httpcore.TimeoutException) as error:
        msg = f"`{at.uri}`: {_too_slow(error, deadline)}"
        raise FetchError(msg, uri=at.uri) from error
    except httpcore.ConnectError as error:
        msg = f"`{at.uri}`: {_no_connection(error, at)}"
        raise FetchError(msg, uri=at.uri) from error
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol) as error:
        # The class is told, not its text, which holds what the server sent.
        msg = f"`{at.uri}`: the connection broke, or what came is no HTTP ({type(error).__name__}); try again later"
        raise FetchError(msg, uri=at.uri) from error


def _too_slow(error: Exception, deadline: Deadline) -> str:
    if isinstance(error, httpcore.ConnectTimeout) and deadline.remaining_s():
        return "no connection in time; `web.connect_timeout_s` raises the limit"
    return f"it takes more than {deadline.seconds:g} seconds in all; `web.timeout_s` raises the limit"


def _no_connection(error: httpcore.ConnectError, at: WebUrl) -> str:
    cause = error.__cause__ or error.__context__
    if isinstance(cause, ssl.SSLCertVerificationError):
        why = cause.verify_message
        return f"the certificate of `{at.host}` does not hold ({why}); `web.ca_file` names further authorities"
    if isinstance(cause, ssl.SSLError):
        return f"`{at.host}` speaks no TLS that holds here ({cause.reason})"
    return f"no connection to `{at.host}`, port {at.port}; see that it runs"
