"""What a request says, and what the head of an answer means."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from graphrag.errors import FetchError, InvalidRequestError, RefusedAddressError
from graphrag.ingestion.readers.protocol import SourceBytes
from graphrag.ingestion.sources.web_body import ACCEPTED_ENCODINGS
from graphrag.ingestion.sources.web_url import WebUrl, resolve_reference

__all__ = [
    "USER_AGENT",
    "Validators",
    "checked_headers",
    "read_headers",
    "redirect_target",
    "request_headers",
    "source_of",
]

USER_AGENT = "graphrag"
"""As which we ask, and as which we read robots.txt."""

_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_OWN_HEADERS = frozenset(
    {"accept-encoding", "connection", "content-length", "host", "te", "trailer", "transfer-encoding", "upgrade"}
)
_CHARSET = re.compile(r";\s*charset\s*=\s*[\"']?([\w.:+-]{1,40})", re.IGNORECASE)
_MAX_HEADER_CHARS = 200


@dataclass(frozen=True, slots=True)
class Validators:
    """What tells a server which version of a page is known.

    Attributes:
        uri: The page's final URI; another one is never asked with them.
        etag: Its header `ETag`.
        last_modified: Its header `Last-Modified`.
    """

    uri: str
    etag: str | None = None
    last_modified: str | None = None

    def headers_for(self, at: WebUrl) -> list[tuple[str, str]]:
        """Return the headers that ask whether the page has changed; none for another URL than theirs."""
        if self.uri != at.uri:
            return []
        pairs = (("If-None-Match", self.etag), ("If-Modified-Since", self.last_modified))
        return [(name, value) for name, value in pairs if value and _VALUE.fullmatch(value)]


def checked_headers(headers: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the headers that a caller gives.

    Raises:
        InvalidRequestError: One of them cannot be sent, or is not the caller's to set.
    """
    for name, value in headers.items():
        if not _TOKEN.fullmatch(name) or name.lower() in _OWN_HEADERS:
            msg = (
                f"header {name[:80]!r} cannot be set; give names of letters and hyphens, none of {sorted(_OWN_HEADERS)}"
            )
            raise InvalidRequestError(msg)
        if not _VALUE.fullmatch(value):
            # Not shown: it may be a secret.
            msg = f"the value of header `{name}` holds a line break or a character that headers cannot hold"
            raise InvalidRequestError(msg)
    return tuple(headers.items())


def request_headers(
    at: WebUrl, given: Sequence[tuple[str, str]], validators: Validators | None
) -> list[tuple[bytes, bytes]]:
    """Return all headers of a request; those that are given stand in the place of ours."""
    ours = [
        ("Host", at.authority),
        ("User-Agent", USER_AGENT),
        ("Accept", "*/*"),
        ("Accept-Encoding", ACCEPTED_ENCODINGS),
        ("Connection", "close"),
        *(validators.headers_for(at) if validators else ()),
    ]
    named = {name.lower() for name, _ in given}
    pairs = [*(pair for pair in ours if pair[0].lower() not in named), *given]
    return [(name.encode("ascii"), value.encode("latin-1")) for name, value in pairs]


def read_headers(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return the headers by their lower-case names. Of `Content-Encoding` all count, of others the first."""
    found: dict[str, str] = {}
    for raw_name, raw in headers:
        name, value = raw_name.decode("latin-1").lower(), raw.decode("latin-1").strip()
        if name in found and name == "content-encoding":
            found[name] += f", {value}"
        found.setdefault(name, value)
    return found


def redirect_target(at: WebUrl, status: int, location: str | None) -> WebUrl:
    """Return where an answer leads to.

    Raises:
        RefusedAddressError: That is no URL that may be asked, or leads from https to http.
        FetchError: It does not say where to.
    """
    if not location:
        msg = f"`{at.uri}`: the server answers with the status {status} and does not say where to"
        raise FetchError(msg, uri=at.uri, status=status)
    # Most servers that send other letters than ASCII send UTF-8.
    target = resolve_reference(at, location.encode("latin-1").decode("utf-8", "replace"))
    if at.scheme == "https" and target.scheme == "http":
        msg = f"`{at.uri}` redirects from https to `{target.uri}`, which is not followed: http protects nothing"
        raise RefusedAddressError(msg, uri=at.uri)
    return target


def source_of(at: WebUrl, data: bytes, content_type: str) -> SourceBytes:
    """Return a page as readers take it: with its URI, a name, and what the header `Content-Type` says."""
    charset = _CHARSET.search(content_type)
    last = PurePosixPath(unquote(urlsplit(at.uri).path)).name
    return SourceBytes(
        at.uri,
        data,
        "".join(letter for letter in last if letter.isprintable()) or at.host,
        content_type=content_type[:_MAX_HEADER_CHARS] if content_type.isprintable() and content_type else None,
        charset=charset[1] if charset else None,
    )
