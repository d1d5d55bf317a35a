"""URLs as they are asked: http or https, a canonical host, no user name in them, no fragment."""

import re
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from graphrag.errors import RefusedAddressError
from graphrag.ingestion.sources.addresses import HostNameError, canonical_host
from graphrag.ingestion.sources.uri import canonical_uri

__all__ = ["WebUrl", "is_web_url", "parse_web_url", "resolve_reference"]

_WEB = re.compile(r"https?://", re.IGNORECASE)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f\\]")
_USER = re.compile(r"//[^/?#]*@")
_PORTS = {"http": 80, "https": 443}
_MAX_CHARS = 8_000
"""As long as a string of metadata; servers refuse longer request lines."""
_SHOWN_CHARS = 200


@dataclass(frozen=True, slots=True)
class WebUrl:
    """A URL in parts.

    Attributes:
        uri: The whole in canonical form, the URI of a document that is found there.
        scheme: `http` or `https`.
        host: A name in lower-case ASCII, or an address, IPv6 without brackets.
        port: 1 to 65535.
        target: Path and query, as a request sends them.
    """

    uri: str
    scheme: str
    host: str
    port: int
    target: str

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host and port: what credentials and robots.txt hold for."""
        return self.scheme, self.host, self.port

    @property
    def authority(self) -> str:
        """Host, and the port where it is not the scheme's own; as in the header `Host`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def is_web_url(text: str) -> bool:
    """Tell whether a text names something on the web, rather than a file or a folder."""
    return _WEB.match(text) is not None


def parse_web_url(text: str) -> WebUrl:
    """Return the parts of a URL. Blanks around it do not count, nor does its fragment.

    Raises:
        RefusedAddressError: It is none that may be asked; the message says what is accepted.
    """
    text = text.strip(" \t\r\n")
    shown = repr(_without_user(text)[:_SHOWN_CHARS])
    scheme = _SCHEME.match(text)
    if scheme is None or scheme[1].lower() not in _PORTS:
        raise _refused(text, f"{shown} is no URL of the web; it must begin with `https://` or `http://`")
    if len(text) > _MAX_CHARS:
        raise _refused(text, f"a URL of {len(text)} characters is refused; at most {_MAX_CHARS} are sent")
    if _FORBIDDEN.search(text):
        raise _refused(
            text, f"{shown} holds a blank, a control character or a backslash; write them as `%20` and so on"
        )
    try:
        parts = urlsplit(text)
        port = parts.port
        text.encode()
    except ValueError as error:
        raise _refused(text, f"{shown} is no URL: {error}") from error
    if "@" in parts.netloc:
        # Not shown: what stands before the @ is a password, or looks like the host and is none.
        msg = "a URL with a user name or password (`user:password@host`) is refused; give headers for that host instead"
        raise _refused(text, msg)
    if not parts.hostname or port == 0:
        raise _refused(text, f"{shown} names no host, or the port 0; write it as `https://host/path`")
    try:
        host = canonical_host(parts.hostname)
    except HostNameError as error:
        raise _refused(text, f"{error}") from error
    known = _PORTS[parts.scheme.lower()]
    bracketed = f"[{host}]" if ":" in host else host
    query = f"?{parts.query}" if parts.query else ""
    rest = f"{parts.path or '/'}{query}"
    canonical = urlsplit(canonical_uri(f"{parts.scheme.lower()}://{bracketed}:{port or known}{rest}"))
    canonical = canonical._replace(path=_without_dots(canonical.path))
    uri = canonical.geturl()
    target = canonical.path + (f"?{canonical.query}" if canonical.query else "")
    return WebUrl(uri, canonical.scheme, host, port or known, target)


def resolve_reference(base: WebUrl, reference: str) -> WebUrl:
    """Return what a reference means on a page: of a redirect, or of an entry of a feed.

    Raises:
        RefusedAddressError: As for `parse_web_url`.
    """
    reference = reference.strip(" \t\r\n")
    if _FORBIDDEN.search(reference):
        # `urljoin` would leave out line breaks and tabs.
        return parse_web_url(reference if _SCHEME.match(reference) else f"{base.scheme}://{base.authority}/{reference}")
    try:
        joined = urljoin(base.uri, reference)
    except ValueError as error:
        shown = repr(_without_user(reference)[:_SHOWN_CHARS])
        raise _refused(reference, f"{shown} is no URL: {error}") from error
    return parse_web_url(joined)


def _refused(text: str, message: str) -> RefusedAddressError:
    # What becomes an id and is printed must be text that can be written.
    uri = _without_user(text)[:_MAX_CHARS].encode("utf-8", "backslashreplace").decode()
    return RefusedAddressError(message, uri=uri)


def _without_dots(path: str) -> str:
    """Return the path that browsers ask for: without `.` and `..`, which would also lead past a rule of robots.txt.

    Source: RFC 3986, section 5.2.4.
    """
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            kept = kept[:-1]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return "/" + "/".join(kept)


def _without_user(text: str) -> str:
    """Return the text without what may be a password."""
    return _USER.sub("//", text, count=1)
