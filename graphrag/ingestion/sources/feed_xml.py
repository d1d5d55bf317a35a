"""Sitemaps and feeds as XML: what each entry names, and when that changed.

Read by expat as a stream of elements. A document type is refused before anything in it is read, so there are no
entities to expand and none to fetch; no tree is built, so depth and number cost nothing.

Source: sitemaps.org protocol 0.9; RSS 2.0; RFC 4287 (Atom); W3C note on dates and times.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal, NoReturn, TypeAlias
from urllib.parse import urljoin
from xml.parsers import expat

__all__ = ["FeedEntry", "FeedError", "FeedKind", "ParsedFeed", "parse_feed"]

FeedKind: TypeAlias = Literal["sitemap", "sitemap index", "RSS feed", "Atom feed"]

_ATOM = "http://www.w3.org/2005/Atom"
_BASE = "http://www.w3.org/XML/1998/namespace base"
_MAX_DEPTH = 100
_MAX_TEXT_CHARS = 8_000
_Path: TypeAlias = tuple[str, ...]

_KINDS: dict[str, tuple[FeedKind, _Path]] = {
    "urlset": ("sitemap", ("urlset", "url")),
    "sitemapindex": ("sitemap index", ("sitemapindex", "sitemap")),
    "rss": ("RSS feed", ("rss", "channel", "item")),
    "feed": ("Atom feed", ("feed", "entry")),
}
"""By the name of the root: what it is, and where its entries stand."""

_FIELDS = frozenset({"loc", "lastmod", "link", "guid", "pubDate", "updated"})


class FeedError(ValueError):
    """A file is no sitemap or feed, or one that is not read; the message says why."""


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """An entry.

    Attributes:
        reference: What it names, as it stands there, perhaps relative to the file.
        modified: When that changed, by its own word, with a time zone.
    """

    reference: str
    modified: datetime | None = None


@dataclass(frozen=True, slots=True)
class ParsedFeed:
    """A file as it reads.

    Attributes:
        kind: What it is.
        entries: In their order.
        cut: Whether there are more than were asked for.
        without_address: How many entries have none, or one that is too long.
    """

    kind: FeedKind
    entries: tuple[FeedEntry, ...]
    cut: bool = False
    without_address: int = 0


def parse_feed(data: bytes, *, max_entries: int) -> ParsedFeed:
    """Return the entries of a sitemap, a sitemap index, an RSS 2.0 or an Atom feed; those without an address not.

    Args:
        data: The file, decompressed.
        max_entries: After so many reading ends.

    Raises:
        FeedError: It is none of these, no well-formed XML, has a document type, or is nested too deep.
    """
    handler = _Handler(max_entries)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.StartElementHandler = handler.start
    parser.EndElementHandler = handler.end
    parser.CharacterDataHandler = handler.text
    try:
        parser.Parse(data, True)
    except _EnoughError:
        pass
    except expat.ExpatError as error:
        msg = f"it is no well-formed XML (line {error.lineno}: {expat.ErrorString(error.code)})"
        raise FeedError(msg) from error
    except FeedError:
        raise
    except (ValueError, LookupError) as error:
        msg = "it is XML in an encoding that is not read; UTF-8 is"
        raise FeedError(msg) from error
    if handler.kind is None:  # pragma: no cover - well-formed XML has a root
        msg = "it is empty"
        raise FeedError(msg)
    return ParsedFeed(handler.kind, tuple(handler.entries), handler.cut, handler.without_address)


class _EnoughError(Exception):
    """As many entries as were asked for are there."""


def _refuse_doctype(*_: object) -> NoReturn:
    msg = "it has a document type (`<!DOCTYPE`), which may name entities without end; no such file is read"
    raise FeedError(msg)


class _Handler:
    """Follows the elements and keeps what counts of the entry that is open."""

    def __init__(self, max_entries: int) -> None:
        self.kind: FeedKind | None = None
        self.entries: list[FeedEntry] = []
        self.cut = False
        self.without_address = 0
        self._max_entries = max_entries
        self._entry_path: _Path = ()
        self._namespace = ""
        self._path: list[str] = []
        self._bases: list[str] = []
        self._found: dict[str, str] = {}
        self._field = ""
        self._text: list[str] = []
        self._chars = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, local = name.rpartition(" ")
        if not self._path:
            self._begin(namespace, local)
        if len(self._path) >= _MAX_DEPTH:
            msg = f"its elements are nested more than {_MAX_DEPTH} deep"
            raise FeedError(msg)
        self._path.append(local if namespace == self._namespace else "")
        self._bases.append(_joined(self._bases[-1] if self._bases else "", attributes.get(_BASE, "")))
        path = tuple(self._path)
        if path == self._entry_path:
            self._found = {}
        self._field = ""
        if path[:-1] == self._entry_path and path[-1] in _FIELDS:
            self._open_field(path[-1], attributes)

    def _begin(self, namespace: str, local: str) -> None:
        known = _KINDS.get(local)
        if known is None or (known[0] == "Atom feed") != (namespace == _ATOM) or (known[0] == "RSS feed" and namespace):
            msg = f"it begins with `<{local[:40]}>`; a sitemap, an RSS 2.0 or an Atom feed is read"
            raise FeedError(msg)
        self.kind, self._entry_path = known
        self._namespace = namespace

    def _open_field(self, field: str, attributes: dict[str, str]) -> None:
        if field == "link" and self.kind == "Atom feed":
            if attributes.get("rel", "alternate") == "alternate" and "href" in attributes:
                self._found.setdefault("link", _joined(self._bases[-1], attributes["href"].strip()))
            return
        if field == "guid" and attributes.get("isPermaLink", "true").strip().lower() != "true":
            return
        self._field, self._text, self._chars = field, [], 0

    def text(self, data: str) -> None:
        if self._field:
            self._chars += len(data)
            if self._chars <= _MAX_TEXT_CHARS:
                self._text.append(data)

    def end(self, _name: str) -> None:
        path = tuple(self._path)
        self._path.pop()
        base = self._bases.pop()
        if self._field and path[-1] == self._field:
            value = "".join(self._text).strip()
            if value and self._chars <= _MAX_TEXT_CHARS:
                self._found.setdefault(self._field, _joined(base, value) if self._field == "link" else value)
        self._field = ""
        if path == self._entry_path:
            self._close_entry()

    def _close_entry(self) -> None:
        reference = next((self._found[name] for name in ("loc", "link", "guid") if name in self._found), "")
        if not reference:
            self.without_address += 1
            return
        if len(self.entries) >= self._max_entries:
            self.cut = True
            raise _EnoughError
        self.entries.append(FeedEntry(reference, _modified(self._found)))


def _joined(base: str, reference: str) -> str:
    """Return what a reference means; empty where it is too long, itself where it is no URL and is refused later."""
    if len(reference) > _MAX_TEXT_CHARS or len(base) > _MAX_TEXT_CHARS:
        return ""
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference


def _modified(found: dict[str, str]) -> datetime | None:
    text = next((found[name] for name in ("lastmod", "updated", "pubDate") if name in found), "")
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = parse(text)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError):
            continue
    return None
