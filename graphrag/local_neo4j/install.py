"""Prepares a server's home: folders, password, ports, configuration, jars."""

import contextlib
import secrets
import shutil
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import SecretStr

from graphrag.config import LocalServerSettings
from graphrag.errors import LocalServerError
from graphrag.jvm import JarProgress, pinned_jars, resolve_jars
from graphrag.local_neo4j.settings import HOST, Ports, ServerFiles, render_configuration
from graphrag.local_neo4j.state import write_private

__all__ = [
    "StartProgress",
    "StartProgressCallback",
    "choose_ports",
    "fetch_server",
    "measure_home",
    "prepare_home",
    "read_password",
    "remove_home",
    "server_version",
]

_PASSWORD_BYTES = 24  # 32 characters
_MIN_PASSWORD_CHARS = 20


@dataclass(frozen=True, slots=True)
class StartProgress:
    """How far a start is. In stage `jars` `done` and `total` are bytes; in the others they are 0."""

    stage: Literal["jars", "starting", "ready"]
    done: int = 0
    total: int = 0


StartProgressCallback = Callable[[StartProgress], None]


def server_version() -> str:
    """Return the version of Neo4j that this package starts."""
    return next(jar.version for jar in pinned_jars("neo4j") if (jar.group, jar.artifact) == ("org.neo4j", "neo4j"))


def fetch_server(progress: StartProgressCallback | None) -> tuple[Path, ...]:
    """Return the server's jars, fetched where they are missing.

    Raises:
        LocalServerError: A jar is missing and cannot be fetched.
        MissingExtraError: The extra `local` is not installed.
    """

    def tell(jars: JarProgress) -> None:
        if progress is not None:
            progress(StartProgress("jars", done=jars.bytes_done, total=jars.bytes_total))

    return resolve_jars("neo4j", progress=tell)


def prepare_home(settings: LocalServerSettings, ports: Ports) -> None:
    """Make folders, password and configuration; what exists stays, but for the configuration.

    Raises:
        LocalServerError: The folder cannot be written, or holds data without their password.
    """
    files = ServerFiles(settings.home)
    try:
        for folder in (files.home, files.configuration.parent, files.data, files.log.parent):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            folder.chmod(0o700)
        if not files.password.exists():
            _make_password(files)
        write_private(files.configuration, render_configuration(settings, ports))
    except OSError as error:
        msg = f"the server's folder `{files.home}` cannot be prepared: {error}; choose one that this user can write"
        raise LocalServerError(msg) from error


def _make_password(files: ServerFiles) -> None:
    if files.system_database.exists():
        msg = (
            f"the password file `{files.password}` is gone, but `{files.data}` holds data that are locked by it; "
            "put the file back, or run `graphrag db reset` to delete the data"
        )
        raise LocalServerError(msg)
    write_private(files.password, secrets.token_urlsafe(_PASSWORD_BYTES))


def read_password(files: ServerFiles) -> SecretStr:
    """Return the kept password.

    Raises:
        LocalServerError: There is none, or it is no password that we made.
    """
    try:
        password = files.password.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        msg = f"the password file `{files.password}` cannot be read: {type(error).__name__}"
        raise LocalServerError(msg) from error
    if len(password) < _MIN_PASSWORD_CHARS:
        msg = f"the password in `{files.password}` has fewer than {_MIN_PASSWORD_CHARS} characters; it is not ours"
        raise LocalServerError(msg)
    return SecretStr(password)


def choose_ports(settings: LocalServerSettings, last: Ports | None) -> Ports:
    """Return the ports to use: those of the settings, else those of the last start, else free ones.

    Raises:
        LocalServerError: A port of the settings is taken.
    """
    bolt = _choose("bolt_port", settings.bolt_port, last.bolt if last else 0, taken=settings.http_port)
    http = _choose("http_port", settings.http_port, last.http if last else 0, taken=bolt)
    return Ports(bolt=bolt, http=http)


def _choose(name: str, wanted: int, last: int, *, taken: int) -> int:
    if wanted:
        if wanted == taken:
            msg = f"`bolt_port` and `http_port` are both {wanted}; the two ports must differ (0 takes a free one)"
            raise LocalServerError(msg)
        if not _is_free(wanted):
            msg = (
                f"port {wanted} (`{name}`) of {HOST} is taken by another program, which is left alone; "
                "stop that program, or choose another port (0 takes a free one)"
            )
            raise LocalServerError(msg)
        return wanted
    if last and last != taken and _is_free(last):
        return last
    while True:
        with socket.socket() as probe:
            probe.bind((HOST, 0))
            port = int(probe.getsockname()[1])
        if port != taken:
            return port


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # As the server does it: connections of an earlier server that still wind down are no obstacle.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def measure_home(files: ServerFiles) -> tuple[int, int]:
    """Return the size in bytes and the number of the files that `remove_home` deletes."""
    found = [path for folder in _folders(files) for path in folder.rglob("*") if path.is_file()]
    found += [path for path in (files.password, files.state) if path.is_file()]
    size = 0
    for path in found:
        with contextlib.suppress(FileNotFoundError):  # a running server removes files of its own
            size += path.stat().st_size
    return size, len(found)


def remove_home(files: ServerFiles) -> None:
    """Delete the server's data, password, configuration and logs; nothing else in the folder.

    Raises:
        LocalServerError: Something could not be deleted.
    """
    try:
        for folder in _folders(files):
            shutil.rmtree(folder)
        for file in (files.password, files.state):
            file.unlink(missing_ok=True)
    except OSError as error:
        msg = f"the server's folder `{files.home}` could not be emptied: {error}"
        raise LocalServerError(msg) from error


def _folders(files: ServerFiles) -> list[Path]:
    named = [files.data, files.configuration.parent, files.log.parent]
    named += [files.home / name for name in ("import", "plugins", "licenses")]
    return [folder for folder in named if folder.is_dir() and not folder.is_symlink()]
