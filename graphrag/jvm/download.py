"""Fetches pinned jars from the repositories that jgo is configured for (its default where none is)."""

import hashlib
import os
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from graphrag.errors import LocalServerError
from graphrag.jvm.pins import PinnedJar
from graphrag.jvm.progress import JarProgress, ProgressCallback

__all__ = ["fetch_jars"]

_CONNECTIONS = 6
_ATTEMPTS = 3
_PAUSE_S = 0.5
_TIMEOUT = httpx.Timeout(30.0, connect=10.0)
_REPORT_EVERY_S = 0.2
_SERVER_FAULT = 500


@dataclass
class _Count:
    """What the fetching threads have written so far."""

    files: int = 0
    bytes: int = 0
    stopped: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, *, files: int = 0, size: int = 0) -> None:
        with self.lock:
            self.files += files
            self.bytes += size


class _StoppedError(Exception):
    """Another jar failed, so the rest need not be fetched."""


def fetch_jars(
    jars: Sequence[PinnedJar],
    root: Path,
    *,
    base: JarProgress,
    progress: ProgressCallback | None = None,
    repositories: Sequence[str] | None = None,
) -> None:
    """Fetch `jars` into the folder `root` of Maven's layout, each complete and checked, or not at all.

    Args:
        jars: What to fetch.
        root: Where to put it. A jar that stands there already is replaced.
        base: What was in place before; progress counts on from there.
        progress: Called every fifth of a second from this thread.
        repositories: Base addresses, tried in turn. Without it those of jgo's configuration.

    Raises:
        LocalServerError: No repository answers, none has the jar, or a jar's hash is not the pinned one.
        OSError: The folder cannot be written.
    """
    addresses = _configured_repositories() if repositories is None else repositories
    with (
        httpx.Client(timeout=_TIMEOUT, follow_redirects=True) as client,
        ThreadPoolExecutor(_CONNECTIONS, thread_name_prefix="jar") as pool,
    ):
        fetcher = _Fetcher(client, addresses, root)
        pending: set[Future[None]] = {pool.submit(fetcher.fetch, jar) for jar in jars}
        try:
            while pending:
                done, pending = wait(pending, timeout=_REPORT_EVERY_S, return_when=FIRST_EXCEPTION)
                for future in done:
                    future.result()
                if progress is not None:
                    progress(_advanced(base, fetcher.count))
        except BaseException:
            fetcher.count.stopped = True
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _advanced(base: JarProgress, count: _Count) -> JarProgress:
    return JarProgress(
        files_done=base.files_done + count.files,
        files_total=base.files_total,
        bytes_done=min(base.bytes_done + count.bytes, base.bytes_total),
        bytes_total=base.bytes_total,
    )


class _Fetcher:
    """Fetches one jar after another, from any thread."""

    def __init__(self, client: httpx.Client, addresses: Sequence[str], root: Path) -> None:
        self._client = client
        self._addresses = addresses
        self._root = root
        self.count = _Count()

    def fetch(self, jar: PinnedJar) -> None:
        """Put `jar` in place, trying each repository, and all of them again where that may help."""
        (self._root / jar.path).parent.mkdir(parents=True, exist_ok=True)
        failure: httpx.HTTPError | None = None
        for attempt in range(_ATTEMPTS):
            for address in self._addresses:
                try:
                    self._fetch_from(f"{address.rstrip('/')}/{jar.path}", jar)
                except httpx.HTTPError as error:
                    failure = error
                else:
                    self.count.add(files=1)
                    return
            if isinstance(failure, httpx.HTTPStatusError) and failure.response.status_code < _SERVER_FAULT:
                break  # asking again does not change it
            if attempt + 1 < _ATTEMPTS:
                time.sleep(_PAUSE_S * 2**attempt)
        msg = (
            f"cannot fetch `{jar.path.name}` ({_reason(failure)}), and it is not in the cache `{self._root}`; "
            "connect to the network once (jgo's configuration names mirrors, the usual proxy variables are "
            "read), or copy a filled Maven cache there"
        )
        raise LocalServerError(msg) from failure

    def _fetch_from(self, url: str, jar: PinnedJar) -> None:
        target = self._root / jar.path
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        partial = Path(name)
        written = 0
        try:
            with os.fdopen(handle, "wb") as file:
                for block in self._blocks(url, jar.size):
                    file.write(block)
                    written += len(block)
                    self.count.add(size=len(block))
            _check(partial, jar)
            partial.chmod(0o644)
            partial.replace(target)
        except BaseException:
            partial.unlink(missing_ok=True)
            self.count.add(size=-written)
            raise

    def _blocks(self, url: str, size: int) -> Iterator[bytes]:
        """Yield what stands at `url`; of a file that is too long only what shows that it is."""
        read = 0
        with self._client.stream("GET", url) as response:
            response.raise_for_status()
            for block in response.iter_bytes(1 << 16):
                if self.count.stopped:
                    raise _StoppedError
                yield block
                read += len(block)
                if read > size:
                    return


def _check(file: Path, jar: PinnedJar) -> None:
    with file.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != jar.sha256:
        msg = (
            f"`{jar.path.name}` was fetched, but its SHA-256 is not the pinned one, so it is not used; "
            "check the mirrors that jgo is configured for, and try again"
        )
        raise LocalServerError(msg)


def _reason(failure: Exception | None) -> str:
    if isinstance(failure, httpx.HTTPStatusError):
        return f"HTTP status {failure.response.status_code}"
    return str(failure) or type(failure).__name__


def _configured_repositories() -> tuple[str, ...]:
    from jgo.config import GlobalSettings
    from jgo.constants import MAVEN_CENTRAL_URL

    return tuple(GlobalSettings.load().repositories.values()) or (MAVEN_CENTRAL_URL,)
