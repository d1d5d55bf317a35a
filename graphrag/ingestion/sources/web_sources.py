"""From URLs that a user names to pages: each by itself, or as the list that a sitemap or a feed is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal, TypeAlias
from urllib.parse import unquote, urlsplit

from graphrag.config import WebSettings
from graphrag.errors import FetchError
from graphrag.ingestion.readers.protocol import SourceBytes
from graphrag.ingestion.sources.discover import SourceFailure
from graphrag.ingestion.sources.feeds import FeedReader
from graphrag.ingestion.sources.robots import RobotRules
from graphrag.ingestion.sources.web import Fetched, WebFetcher
from graphrag.ingestion.sources.web_url import parse_web_url

__all__ = ["FoundUrls", "SourceUrl", "UrlKind", "WebSources"]

UrlKind: TypeAlias = Literal["page", "sitemap", "feed"]
"""What a URL is: a page to read, or a list of pages."""


@dataclass(frozen=True, slots=True)
class SourceUrl:
    """A page to fetch.

    Attributes:
        uri: Its canonical URI; a redirect may give the document another one.
        root: What the user named: itself, or the sitemap or feed that names it.
        exceptions: Whether `web.allowed_hosts` holds for it.
    """

    uri: str
    root: str
    exceptions: bool = True

    @property
    def name(self) -> str:
        """The last part of its path, which may tell the format; empty where it has none."""
        return PurePosixPath(unquote(urlsplit(self.uri).path)).name


@dataclass(slots=True)
class FoundUrls:
    """The pages, what cannot be had, and what was left out, as sentences."""

    items: list[SourceUrl | SourceFailure] = field(default_factory=list["SourceUrl | SourceFailure"])
    notes: list[str] = field(default_factory=list[str])


class WebSources:
    """What one run takes from the web: rules of robots are kept as long as it lives. Safe to use from several threads.

    Args:
        settings: Exceptions, deadlines and bounds.
        max_file_bytes: Longest page, beside what the settings say.

    Raises:
        ConfigurationError: One of `web.allowed_hosts` is no host or network.
    """

    def __init__(self, settings: WebSettings, *, max_file_bytes: int) -> None:
        self._fetcher = WebFetcher(settings, max_bytes=max_file_bytes)
        self._robots = RobotRules(self._fetcher, settings)
        self._feeds = FeedReader(self._fetcher, settings, robots=self._robots)
        self._read: set[str] = set()

    def find(self, urls: Sequence[str], kind: UrlKind = "page") -> FoundUrls:
        """Return the pages that URLs mean, each once, in their order; never raises for one of them.

        Args:
            urls: Pages, or sitemaps, or feeds.
            kind: Which of these all of them are.
        """
        found = FoundUrls()
        seen: set[str] = set()
        for url in urls:
            for item in self._expand(url, kind, found.notes):
                if isinstance(item, SourceFailure) or item.uri not in seen:
                    found.items.append(item)
                    seen.add(item.uri)
        return found

    def _expand(self, url: str, kind: UrlKind, notes: list[str]) -> Iterator[SourceUrl | SourceFailure]:
        try:
            if kind == "page":
                yield SourceUrl(parse_web_url(url).uri, url)
                return
            listing = self._feeds.read(url, kind)
        except FetchError as error:
            yield SourceFailure(error.uri, url, error)
            return
        notes.extend(f"`{url}`: {note}" for note in listing.notes)
        for page in listing.urls:
            yield SourceUrl(page.uri, url, exceptions=page.exceptions)
        for failure in listing.failures:
            yield SourceFailure(failure.uri, url, failure)
        if not listing.urls and not listing.failures:
            uri = parse_web_url(url).uri
            yield SourceFailure(uri, url, FetchError(f"`{uri}` names no page", uri=uri), nothing_found=True)

    def read(self, item: SourceUrl) -> SourceBytes:
        """Return a page's bytes, under the URI of the last hop.

        Raises:
            FetchError: It cannot be fetched, must not be, or robots.txt forbids it.
        """
        answer = self._fetcher.fetch(item.uri, exceptions=item.exceptions, before_hop=self._robots.check)
        if not isinstance(answer, Fetched):  # pragma: no cover - nothing was told to be known
            msg = f"`{item.uri}`: the server says that it is unchanged, though nobody asked"
            raise FetchError(msg, uri=item.uri)
        return answer.source

    def is_new(self, source: SourceBytes) -> bool:
        """Return whether a page is read for the first time in this run: two URLs may lead to one. Counts it as read."""
        if source.uri in self._read:
            return False
        self._read.add(source.uri)
        return True
