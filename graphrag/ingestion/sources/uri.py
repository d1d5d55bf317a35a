"""One spelling for every document's address.

A document's id is a hash of its canonical URI, so two spellings of one address must not give two
documents: scheme and host are lower-cased, percent-encoding is written one way, and a file is named
by its real path. Paths keep their case.
"""

import os
import re
import string
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes, urlsplit, urlunsplit

from graphrag.errors import InvalidRequestError

__all__ = ["canonical_uri", "file_uri"]

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_PERCENT = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset(string.ascii_letters + string.digits + "-._~")
_ALLOWED = "%!$&'()*+,;=:@/?-._~[]"
_DEFAULT_PORTS = {"http": 80, "https": 443}


def canonical_uri(text: str) -> str:
    """Return the canonical form of a URI or of a file's path.

    Args:
        text: A URI (`https://…`, `file:///…`, `urn:…`), or a path, absolute or relative to the working folder.

    Raises:
        InvalidRequestError: The text is empty, holds a NUL or a lone surrogate, or is no URI.
    """
    if not text.strip() or "\0" in text:
        msg = "a document's URI is empty or holds NUL; give a path or a URI such as `https://host/path`"
        raise InvalidRequestError(msg)
    if not _SCHEME.match(text):
        try:
            return file_uri(Path(text))
        except UnicodeError as error:  # a lone surrogate that stands for no byte of a file's name
            msg = (
                f"{text[:80]!r} is no path: it holds a lone surrogate; give a path or a URI such as `https://host/path`"
            )
            raise InvalidRequestError(msg) from error
    try:
        text.encode()
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        msg = f"{text!r} is not a URI: {error}; give a path or a URI such as `https://host/path`"
        raise InvalidRequestError(msg) from error
    scheme = parts.scheme.lower()
    if scheme == "file":
        return _from_file_uri(parts.netloc, parts.path, text)
    host = (parts.hostname or "").lower()
    if ":" in host:
        host = f"[{host}]"
    netloc = f"{parts.netloc.rpartition('@')[0]}@{host}" if "@" in parts.netloc else host
    if port is not None and port != _DEFAULT_PORTS.get(scheme):
        netloc = f"{netloc}:{port}"
    path = _normal(parts.path)
    if parts.netloc and not path:
        path = "/"
    return urlunsplit((scheme, netloc, path, _normal(parts.query), _normal(parts.fragment)))


def file_uri(path: Path) -> str:
    """Return the `file://` URI of a file's real path; the file need not exist."""
    real = os.path.realpath(path)
    return "file://" + quote(os.fsencode(real), safe="/!$&'()*+,;=:@-._~")


def _from_file_uri(netloc: str, path: str, text: str) -> str:
    if netloc.lower() not in {"", "localhost"}:
        msg = f"{text!r} names a file on another host; give a path on this one"
        raise InvalidRequestError(msg)
    raw = unquote_to_bytes(path)
    if b"\0" in raw or not raw.startswith(b"/"):
        msg = f"{text!r} is not the URI of a file; it must hold an absolute path, as `file:///folder/name`"
        raise InvalidRequestError(msg)
    return file_uri(Path(os.fsdecode(raw)))


def _normal(part: str) -> str:
    """Return a part with one way of percent-encoding: none for letters and digits, capital hex for the rest."""
    decoded = _PERCENT.sub(lambda found: _one(int(found[1], 16)), part)
    return quote(decoded, safe=_ALLOWED)


def _one(code: int) -> str:
    return chr(code) if chr(code) in _UNRESERVED else f"%{code:02X}"
