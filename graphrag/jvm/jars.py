"""Puts the jars of a bundle in place: finds, checks and where needed fetches them.

They stand in the user's ordinary Maven cache, so that they are shared with jgo and Maven. Each is hashed
once; a stamp file of sizes and modification times makes later checks cheap.
"""

import fcntl
import hashlib
import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from graphrag.config import default_home
from graphrag.errors import LocalServerError, MissingExtraError
from graphrag.jvm.download import fetch_jars
from graphrag.jvm.pins import Bundle, PinnedJar, pinned_jars
from graphrag.jvm.progress import JarProgress, ProgressCallback

__all__ = ["resolve_jars"]

_Stamp = tuple[int, int, str]
"""Size in bytes, modification time in nanoseconds, SHA-256 that was found."""


def resolve_jars(
    bundle: Bundle, *, progress: ProgressCallback | None = None, cache: Path | None = None
) -> tuple[Path, ...]:
    """Return the paths of all jars of `bundle`, each checked against its pin.

    Jars that are absent or damaged are fetched, several at a time. Processes that ask at once wait for
    the first to fetch.

    Args:
        bundle: `neo4j` (about 190 MB) or `tika` (about 60 MB).
        progress: Called while jars are fetched, and once when all are in place.
        cache: A folder of Maven's layout. Without it the user's own Maven cache.

    Returns:
        The class path, in a fixed order.

    Raises:
        LocalServerError: A jar is absent and cannot be fetched, what was fetched is not what was pinned,
            or the cache cannot be written.
        MissingExtraError: The package `jgo` is not installed.
    """
    root = _maven_cache(bundle) if cache is None else cache
    pins = pinned_jars(bundle)
    paths = tuple(root / pin.path for pin in pins)
    stamps_path = (default_home() if cache is None else cache) / f"verified-{bundle}.json"
    stamps = _read_stamps(stamps_path)
    try:
        if _unverified(pins, paths, stamps):
            with _lock(stamps_path.with_suffix(".lock")):
                _put_in_place(pins, root, stamps_path, progress)
    except OSError as error:
        msg = f"the jars of `{bundle}` cannot be kept in `{root}`: {error}; give this user a writable, free folder"
        raise LocalServerError(msg) from error
    if progress is not None:
        total = sum(pin.size for pin in pins)
        progress(JarProgress(files_done=len(pins), files_total=len(pins), bytes_done=total, bytes_total=total))
    return paths


def _put_in_place(pins: Sequence[PinnedJar], root: Path, stamps_path: Path, progress: ProgressCallback | None) -> None:
    paths = [root / pin.path for pin in pins]
    stamps = dict(_read_stamps(stamps_path))  # another process may have done all of it while we waited
    missing = []
    for pin, path in _unverified(pins, paths, stamps):
        stamp = _hash(path)
        if stamp is not None and stamp[2] == pin.sha256:
            stamps[str(path)] = stamp
        else:
            missing.append(pin)
    if missing:
        done = [pin for pin in pins if pin not in set(missing)]
        base = JarProgress(
            files_done=len(done),
            files_total=len(pins),
            bytes_done=sum(pin.size for pin in done),
            bytes_total=sum(pin.size for pin in pins),
        )
        fetch_jars(missing, root, base=base, progress=progress)
        for pin in missing:
            path = root / pin.path
            status = path.stat()
            stamps[str(path)] = (status.st_size, status.st_mtime_ns, pin.sha256)
    known = {str(path) for path in paths}
    _write_stamps(stamps_path, {name: stamp for name, stamp in stamps.items() if name in known})


def _unverified(
    pins: Sequence[PinnedJar], paths: Sequence[Path], stamps: Mapping[str, _Stamp]
) -> list[tuple[PinnedJar, Path]]:
    return [(pin, path) for pin, path in zip(pins, paths, strict=True) if not _is_verified(pin, path, stamps)]


def _is_verified(pin: PinnedJar, path: Path, stamps: Mapping[str, _Stamp]) -> bool:
    stamp = stamps.get(str(path))
    if stamp is None or stamp[2] != pin.sha256:
        return False
    try:
        status = path.stat()
    except OSError:
        return False
    return (status.st_size, status.st_mtime_ns) == stamp[:2]


def _hash(path: Path) -> _Stamp | None:
    try:
        with path.open("rb") as file:
            status = path.stat()
            return status.st_size, status.st_mtime_ns, hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def _read_stamps(path: Path) -> Mapping[str, _Stamp]:
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        return {name: (int(size), int(mtime_ns), str(sha256)) for name, (size, mtime_ns, sha256) in table.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}  # no stamps only means that every jar is hashed again


def _write_stamps(path: Path, stamps: Mapping[str, _Stamp]) -> None:
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(stamps), encoding="utf-8")
    partial.replace(path)


@contextmanager
def _lock(path: Path) -> Generator[None]:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with path.open("a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _maven_cache(bundle: Bundle) -> Path:
    try:
        from jgo.constants import default_maven_repo
    except ImportError as error:
        feature, extra = ("the local server", "local") if bundle == "neo4j" else ("Apache Tika", "tika")
        raise MissingExtraError(feature, extra=extra) from error
    return default_maven_repo()
