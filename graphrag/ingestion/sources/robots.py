"""What the hosts ask of robots: their robots.txt, read once for each origin and run.

Source: RFC 9309, and for status 429 and 5xx the practice of search engines: a host that is busy is left alone.
"""

import re
import threading
from dataclasses import dataclass

from protego import Protego

from graphrag.config import WebSettings
from graphrag.errors import FetchError, RefusedAddressError
from graphrag.ingestion.sources.web import Fetched, WebFetcher
from graphrag.ingestion.sources.web_message import USER_AGENT
from graphrag.ingestion.sources.web_url import WebUrl

__all__ = ["RobotRules"]

_MAX_BYTES = 512_000
"""At least 500 KiB have to be read; a longer file is cut there by nobody in good faith, and refused."""
_AGENT = re.compile(r"^\s*user[-\s]*agent(?:\s*:|\s)\s*(\*|[A-Za-z_-]*).*$", re.IGNORECASE)
_OTHERS = "others"
_UNAVAILABLE = range(400, 500)
_TOO_MANY_REQUESTS = 429


@dataclass(frozen=True, slots=True)
class _Rules:
    """Of one origin: the rules, or why it is left alone."""

    parsed: Protego | None = None
    closed: str = ""


class RobotRules:
    """Refuses what robots.txt forbids to the agent `graphrag`. Safe to use from several threads.

    Rules are kept as long as the object lives, so it is made for one run. Where there is no robots.txt (status 4xx),
    all is allowed; where it cannot be had (5xx, 429, no connection), nothing of that origin is asked in this run.

    Args:
        fetcher: Fetches the files, under the same rules as pages.
        settings: `respect_robots` set to False allows all, and fetches nothing.
    """

    def __init__(self, fetcher: WebFetcher, settings: WebSettings | None = None) -> None:
        self._fetcher = fetcher
        self._respected = (settings or WebSettings()).respect_robots
        self._known: dict[tuple[str, str, int], _Rules] = {}
        self._locks: dict[tuple[str, str, int], threading.Lock] = {}
        self._lock = threading.Lock()

    def check(self, url: WebUrl, by_exception: bool = False) -> None:
        """Refuse a URL that its host closes to robots. It is the `before_hop` of a fetch.

        Args:
            url: What is to be asked.
            by_exception: Whether that may be for the sake of `web.allowed_hosts` alone.

        Raises:
            RefusedAddressError: robots.txt forbids it or cannot be had.
        """
        if not self._respected:
            return
        rules = self._of(url, by_exception)
        if rules.closed:
            msg = f"`{url.uri}` is not asked: {rules.closed}"
            raise RefusedAddressError(msg, uri=url.uri)
        if rules.parsed is not None and not rules.parsed.can_fetch(url.uri, USER_AGENT):
            msg = f"`{url.uri}` is not asked: robots.txt of `{url.authority}` forbids it; `web.respect_robots` decides"
            raise RefusedAddressError(msg, uri=url.uri)

    def _of(self, url: WebUrl, by_exception: bool) -> _Rules:
        """Return the rules of an origin. Its file is fetched once, however many threads ask for it."""
        with self._lock:
            lock = self._locks.setdefault(url.origin, threading.Lock())
        with lock:
            if url.origin not in self._known:
                self._known[url.origin] = self._fetch(url, by_exception)
            return self._known[url.origin]

    def _fetch(self, url: WebUrl, by_exception: bool) -> _Rules:
        address = f"{url.scheme}://{url.authority}/robots.txt"
        try:
            answer = self._fetcher.fetch(address, max_bytes=_MAX_BYTES, exceptions=by_exception)
        except FetchError as error:
            if error.status in _UNAVAILABLE and error.status != _TOO_MANY_REQUESTS:
                return _Rules()
            return _Rules(closed=f"its robots.txt could not be read ({error}); try again later")
        text = answer.source.data.decode("utf-8-sig", "replace") if isinstance(answer, Fetched) else ""
        return _Rules(parsed=Protego.parse(_of_concern(text)))


def _of_concern(text: str) -> str:
    """Return the file with one name for all agents that are not this one.

    Its parser keeps each rule once for each agent of a group: thousands of both would fill the memory.
    """
    return "\n".join(_AGENT.sub(_renamed, line) for line in text.splitlines())


def _renamed(found: re.Match[str]) -> str:
    token = found[1].lower()
    return f"User-agent: {token if token in {'*', USER_AGENT} else _OTHERS}"
