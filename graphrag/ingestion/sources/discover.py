"""From what a user names (files, folders, patterns) to the files that are meant, each once, in a fixed order."""

import glob
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from graphrag.errors import IngestionError, InvalidRequestError
from graphrag.ingestion.readers.protocol import SourceBytes
from graphrag.ingestion.sources.uri import file_uri

__all__ = ["JUNK_FOLDERS", "SourceFailure", "SourceFile", "check_texts", "discover", "read_bytes"]

JUNK_FOLDERS = frozenset(
    {"__pycache__", "node_modules", "__MACOSX", "$RECYCLE.BIN", "System Volume Information", "lost+found"}
)
"""Folders that hold no documents. Hidden files and folders (a dot before the name) are left out as well."""

_JUNK_FILES = frozenset({"Thumbs.db", "desktop.ini", "Icon\r"})
_PATTERN = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read.

    Attributes:
        uri: Its canonical URI.
        path: Its real path.
        root: What the user named, under which it was found.
    """

    uri: str
    path: Path
    root: str

    @property
    def name(self) -> str:
        """File name with its extension."""
        return self.path.name


@dataclass(frozen=True, slots=True)
class SourceFailure:
    """What was named but cannot be read.

    Attributes:
        uri: Its canonical URI, as far as it can be told.
        root: What the user named.
        error: Why; its message is ready to print.
        nothing_found: Whether there is just nothing there: an empty folder, a pattern without matches.
    """

    uri: str
    root: str
    error: IngestionError
    nothing_found: bool = False


def check_texts(name: str, values: Sequence[str], *, what: str) -> tuple[str, ...]:
    """Return the strings of a list. A single string is refused: its characters would pass for its items.

    Args:
        name: The argument's name, for the message.
        values: What the caller gave.
        what: What the list holds, in the plural, for the message.

    Raises:
        InvalidRequestError: `values` is one string, no sequence, or holds something else than strings.
    """
    given = cast("object", values)
    if isinstance(given, str | bytes | bytearray):
        msg = f"`{name}` is one string; give a list of {what}"
        raise InvalidRequestError(msg)
    if not isinstance(given, Iterable):
        msg = f"`{name}` is of type {type(given).__name__}; give a list of {what}"
        raise InvalidRequestError(msg)
    texts: list[str] = []
    for index, value in enumerate(cast("Iterable[object]", given)):
        if not isinstance(value, str):
            msg = f"`{name}[{index}]` is of type {type(value).__name__}; give a list of {what}, each a string"
            raise InvalidRequestError(msg)
        texts.append(value)
    return tuple(texts)


def discover(
    paths: Sequence[str],
    *,
    recursive: bool = True,
    hidden: bool = False,
    on_skipped: Callable[[str], None] | None = None,
) -> Iterator[SourceFile | SourceFailure]:
    """Return the files that the paths name, those of a folder sorted by name; never raises for one of them.

    A file that several paths name is yielded once. Symbolic links inside a folder are followed as long as
    they stay below that folder; others are left out.

    Args:
        paths: Files, folders, and patterns with `*`, `?`, `[…]` and `**`. A name that exists is never a pattern.
        recursive: Whether folders are searched below their own files.
        hidden: Whether names that begin with a dot are taken from folders.
        on_skipped: Is told the path of each entry of a folder that is no file to read: a link out of that folder
            or to nothing, a pipe, a socket, a device. Hidden files and junk are not told.

    Raises:
        InvalidRequestError: `paths` is one string, or holds something else than strings; raised by the call
            itself, before the first file is asked for.
    """
    walk = _Walk(recursive, hidden, on_skipped or _tell_nobody)
    return _discover(check_texts("paths", paths, what="paths"), walk)


def _discover(paths: Sequence[str], walk: "_Walk") -> Iterator[SourceFile | SourceFailure]:
    seen: set[str] = set()
    for root in paths:
        for found in _expand(root, walk):
            if isinstance(found, SourceFailure):
                yield found
                continue
            uri = file_uri(found)
            if uri in seen:
                continue
            seen.add(uri)
            if os.access(found, os.R_OK):
                yield SourceFile(uri, Path(os.path.realpath(found)), root)
            else:
                yield SourceFailure(uri, root, _failure(uri, f"`{found}` cannot be read: no permission, or gone"))


def read_bytes(file: SourceFile, *, max_file_bytes: int) -> SourceBytes:
    """Return a file's bytes.

    Args:
        file: From `discover`.
        max_file_bytes: Longest file that is read.

    Raises:
        IngestionError: The file cannot be opened, is no regular file, or is over the limit.
    """
    try:
        with open(file.path, "rb", opener=_open_without_waiting) as stream:
            if not file.path.is_file():
                raise _failure(file.uri, f"`{file.path}` is no regular file")
            data = stream.read(max_file_bytes + 1)
    except OSError as error:
        raise _failure(file.uri, f"`{file.path}` cannot be read: {error.strerror or error}") from error
    if len(data) > max_file_bytes:
        msg = f"`{file.path}` is longer than {max_file_bytes} bytes; `ingestion.max_file_bytes` raises the limit"
        raise _failure(file.uri, msg)
    return SourceBytes(uri=file.uri, data=data, name=file.path.name)


@dataclass(frozen=True, slots=True)
class _Walk:
    """What is taken from folders, and who is told of the rest."""

    recursive: bool
    hidden: bool
    on_skipped: Callable[[str], None]


def _tell_nobody(_path: str) -> None:
    pass


def _expand(root: str, walk: _Walk) -> Iterator[Path | SourceFailure]:
    if not root or "\0" in root:
        yield _nothing(root, f"{root!r} is no path; give a file, a folder or a pattern")
        return
    path = Path(root)
    try:
        if path.is_dir():
            yield from _in_folder(path, root, walk)
        elif os.path.lexists(path):
            yield path
        elif _PATTERN.search(root):
            yield from _in_pattern(root, walk)
        else:
            yield _nothing(root, f"`{root}` does not exist; give a file, a folder or a pattern", missing=False)
    except OSError as error:
        yield _nothing(root, f"`{root}` cannot be read: {error.strerror or error}", missing=False)


def _in_pattern(root: str, walk: _Walk) -> Iterator[Path | SourceFailure]:
    matches = sorted(glob.glob(root, recursive=True, include_hidden=walk.hidden))  # noqa: PTH207 - absolute patterns too
    files = [Path(match) for match in matches if not os.path.isdir(match)]  # noqa: PTH112 - the strings of glob
    if files:
        yield from files
    elif matches:
        for match in matches:
            yield from _in_folder(Path(match), root, walk)
    else:
        yield _nothing(root, f"no file matches `{root}`")


def _in_folder(folder: Path, root: str, walk: _Walk) -> Iterator[Path | SourceFailure]:
    real_root = os.path.realpath(folder)
    found_any = False
    waiting = [folder]
    visited: set[str] = set()
    while waiting:
        current = waiting.pop()
        real = os.path.realpath(current)
        if real in visited:
            continue
        visited.add(real)
        try:
            entries = sorted(os.scandir(current), key=lambda entry: entry.name)
        except OSError as error:
            found_any = True
            yield _unreadable(current, root, error)
            continue
        below: list[Path] = []
        for entry in entries:
            try:
                if not _wanted(entry, real_root, walk):
                    continue
                is_folder = entry.is_dir()
            except OSError as error:  # a link that leads to itself, say: the entries beside it are read all the same
                found_any = True
                yield _unreadable(Path(entry.path), root, error)
                continue
            if is_folder:
                below.append(Path(entry.path))
            else:
                found_any = True
                yield Path(entry.path)
        if walk.recursive:
            waiting.extend(reversed(below))
    if not found_any:
        yield _nothing(root, f"`{folder}` holds no files to read")


def _wanted(entry: "os.DirEntry[str]", real_root: str, walk: _Walk) -> bool:
    name = entry.name
    if name in JUNK_FOLDERS or name in _JUNK_FILES or (name.startswith(".") and not walk.hidden):
        return False
    readable = _readable(entry, real_root)
    if not readable:
        walk.on_skipped(entry.path)
    return readable


def _readable(entry: "os.DirEntry[str]", real_root: str) -> bool:
    if not (entry.is_file() or entry.is_dir()):
        return False  # a pipe, a socket, a device, a link to nothing
    if not entry.is_symlink():
        return True
    target = os.path.realpath(entry.path)
    return target == real_root or target.startswith(real_root.rstrip(os.sep) + os.sep)


def _unreadable(path: Path, root: str, error: OSError) -> SourceFailure:
    uri = file_uri(path)
    return SourceFailure(uri, root, _failure(uri, f"`{path}` cannot be read: {error.strerror or error}"))


def _nothing(root: str, message: str, *, missing: bool = True) -> SourceFailure:
    uri = file_uri(Path(root)) if root and "\0" not in root else ""
    return SourceFailure(uri, root, _failure(uri, message), nothing_found=missing)


def _failure(uri: str, message: str) -> IngestionError:
    return IngestionError(message, uri=uri, stage="fetch")


def _open_without_waiting(path: str, flags: int) -> int:
    """A named pipe without a writer would be waited for; it is refused afterwards as no regular file."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
