"""From a sitemap or a feed to the URLs that it names, each once, in their order, and bounded in every way.

A sitemap speaks for its own site: what it names elsewhere is left out (with and without `www.` is one site). A feed
names what it likes, as a list of links does.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from graphrag.config import WebSettings
from graphrag.errors import FetchError, RefusedAddressError
from graphrag.ingestion.sources.feed_xml import FeedError, ParsedFeed, parse_feed
from graphrag.ingestion.sources.robots import RobotRules
from graphrag.ingestion.sources.web import Fetched, WebFetcher
from graphrag.ingestion.sources.web_body import BodyError, gunzip, is_gzip
from graphrag.ingestion.sources.web_url import WebUrl, parse_web_url, resolve_reference

__all__ = ["FeedReader", "FeedUrl", "ListKind", "Listing"]

ListKind: TypeAlias = Literal["sitemap", "feed"]

_SITEMAPS = frozenset({"sitemap", "sitemap index"})
_MAX_FILES = 200
"""Files that one index may have us fetch: an index of empty ones would go on for days."""


@dataclass(frozen=True, slots=True)
class FeedUrl:
    """What an entry names.

    Attributes:
        uri: Its canonical URI.
        modified: When it changed, by the file's word, in UTC.
        exceptions: Whether `web.allowed_hosts` holds for it: a public host does not get us to ask what is not public.
    """

    uri: str
    modified: datetime | None = None
    exceptions: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """What a sitemap or a feed names.

    Attributes:
        urls: In the order of the file, each once.
        failures: Of the sitemaps that an index names, those that could not be read.
        notes: What was left out, as sentences.
    """

    urls: tuple[FeedUrl, ...]
    failures: tuple[FetchError, ...] = ()
    notes: tuple[str, ...] = ()


class FeedReader:
    """Reads sitemaps (plain, compressed, and indexes of them), RSS 2.0 and Atom feeds.

    Args:
        fetcher: Fetches the files.
        settings: Bounds.
        robots: Is asked before each file; not for what they name.
    """

    def __init__(
        self, fetcher: WebFetcher, settings: WebSettings | None = None, *, robots: RobotRules | None = None
    ) -> None:
        self._fetcher = fetcher
        self._settings = settings or WebSettings()
        self._robots = robots

    def read(self, url: str, kind: ListKind | None = None) -> Listing:
        """Return what the file at a URL names, and where it is an index, what the files that it names do.

        Args:
            url: Of the file.
            kind: What it has to be; either where it is not told.

        Raises:
            FetchError: The file cannot be fetched, or is no sitemap or feed.
        """
        walk = _Walk(self._settings.max_feed_urls, self._settings.max_feed_bytes)
        first = parse_web_url(url)
        waiting = [(first.uri, 0, True)]
        while waiting:
            uri, depth, exceptions = waiting.pop()
            if uri in walk.visited:
                continue
            walk.visited.add(uri)
            if not walk.goes_on():
                break
            try:
                page, by_exception, parsed = self._file(uri, walk, exceptions=exceptions)
            except FetchError as error:
                if not depth:
                    raise
                walk.failures.append(error)
                continue
            if kind is not None and not depth:
                _check_kind(page, parsed, kind)
            walk.cut |= parsed.cut
            walk.without_address += parsed.without_address
            named = list(walk.named(page, parsed, own_site=depth > 0 or parsed.kind in _SITEMAPS))
            if parsed.kind != "sitemap index":
                walk.take(named, exceptions=by_exception)
            elif depth < self._settings.max_feed_depth:
                waiting.extend((target.uri, depth + 1, by_exception) for target, _ in reversed(named))
            else:
                walk.too_deep += len(named)
        return walk.listing(self._settings)

    def _file(self, uri: str, walk: "_Walk", *, exceptions: bool) -> tuple[WebUrl, bool, ParsedFeed]:
        answer = self._fetcher.fetch(
            uri,
            max_bytes=walk.bytes_left,
            exceptions=exceptions,
            before_hop=self._robots.check if self._robots else None,
        )
        if not isinstance(answer, Fetched):  # pragma: no cover - nothing was told to be known
            msg = f"`{uri}`: the server says that it is unchanged, though nobody asked"
            raise FetchError(msg, uri=uri)
        page = parse_web_url(answer.source.uri)
        data = answer.source.data
        try:
            if is_gzip(data):
                data = gunzip(data, max_decoded=walk.bytes_left, max_expansion=self._settings.max_expansion)
            walk.bytes_left -= len(data)
            return page, answer.by_exception, parse_feed(data, max_entries=self._settings.max_feed_urls)
        except (BodyError, FeedError) as error:
            msg = f"`{page.uri}` is not read as sitemap or feed: {error}"
            raise FetchError(msg, uri=page.uri) from error


def _check_kind(page: WebUrl, parsed: ParsedFeed, kind: ListKind) -> None:
    if (kind == "sitemap") != (parsed.kind in _SITEMAPS):
        other = "feed" if kind == "sitemap" else "sitemap"
        msg = f"`{page.uri}` is not a {kind} but a {other} ({parsed.kind}); give it as one (`--{other}`)"
        raise FetchError(msg, uri=page.uri)


@dataclass(slots=True)
class _Walk:
    """What was found so far, and how much more may be."""

    max_urls: int
    bytes_left: int
    visited: set[str] = field(default_factory=set[str])
    urls: dict[str, FeedUrl] = field(default_factory=dict[str, FeedUrl])
    failures: list[FetchError] = field(default_factory=list[FetchError])
    cut: bool = False
    over: bool = False
    elsewhere: int = 0
    refused: int = 0
    without_address: int = 0
    too_deep: int = 0

    def goes_on(self) -> bool:
        # Asked before each file.
        self.over = len(self.visited) > _MAX_FILES or self.bytes_left <= 0
        return not self.over and not self.cut

    def named(self, page: WebUrl, parsed: ParsedFeed, *, own_site: bool) -> Iterator[tuple[WebUrl, datetime | None]]:
        """Yield what the entries of a file name and may name."""
        for entry in parsed.entries:
            try:
                target = resolve_reference(page, entry.reference)
            except RefusedAddressError:
                self.refused += 1
                continue
            if own_site and target.host.removeprefix("www.") != page.host.removeprefix("www."):
                self.elsewhere += 1
            else:
                yield target, entry.modified

    def take(self, named: list[tuple[WebUrl, datetime | None]], *, exceptions: bool) -> None:
        for target, modified in named:
            if len(self.urls) >= self.max_urls and target.uri not in self.urls:
                self.cut = True
                return
            self.urls.setdefault(target.uri, FeedUrl(target.uri, modified, exceptions))

    def listing(self, settings: WebSettings) -> Listing:
        notes: list[str] = []
        if self.cut:
            notes.append(f"it names more than {self.max_urls} URLs; `web.max_feed_urls` raises the limit")
        if self.over:
            notes.append(f"not all was read: {_MAX_FILES} files or `web.max_feed_bytes`, {settings.max_feed_bytes}")
        if self.too_deep:
            notes.append(f"sitemaps named deeper than `web.max_feed_depth`, {settings.max_feed_depth}: {self.too_deep}")
        if self.elsewhere:
            notes.append(f"entries of other sites left out, which a sitemap does not speak for: {self.elsewhere}")
        if self.without_address:
            notes.append(f"entries without a usable address left out: {self.without_address}")
        if self.refused:
            notes.append(f"entries that are no http or https URLs left out: {self.refused}")
        return Listing(tuple(self.urls.values()), tuple(self.failures), tuple(notes))
