"""The state file: which process serves a home, and whether it is really that one."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from graphrag.local_neo4j.settings import HOST, Ports

__all__ = [
    "LAUNCHER_MODULE",
    "ServerState",
    "find_process",
    "listens",
    "read_state",
    "search_process",
    "write_private",
    "write_state",
]

LAUNCHER_MODULE = "graphrag.local_neo4j.launcher"
_CLOCK_TOLERANCE_S = 1.0


@dataclass(frozen=True, slots=True)
class ServerState:
    """What the server's process writes about itself."""

    pid: int
    created_at: float
    """When the process was created, in seconds since 1970; with `pid` it names one process for good."""
    ports: Ports
    version: str


def write_private(path: Path, text: str) -> None:
    """Write a file of mode 0600, whole or not at all."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.unlink(missing_ok=True)
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def write_state(path: Path, state: ServerState) -> None:
    """Write the state file."""
    write_private(path, json.dumps(asdict(state)))


def read_state(path: Path) -> ServerState | None:
    """Return what the state file says; None where there is none, or it is damaged."""
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        return ServerState(
            pid=int(table["pid"]),
            created_at=float(table["created_at"]),
            ports=Ports(bolt=int(table["ports"]["bolt"]), http=int(table["ports"]["http"])),
            version=str(table["version"]),
        )
    except (OSError, ValueError, TypeError, KeyError):
        return None


def find_process(state: ServerState, home: Path) -> psutil.Process | None:
    """Return the live process that `state` names, if it is the launcher of this home.

    A number may since have gone to another process: creation time and command line must fit too.
    """
    try:
        process = psutil.Process(state.pid)
        fits = abs(process.create_time() - state.created_at) < _CLOCK_TOLERANCE_S and _is_launcher(process, home)
    except (psutil.NoSuchProcess, psutil.AccessDenied, ValueError):
        return None
    return process if fits else None


def search_process(home: Path) -> psutil.Process | None:
    """Return the live launcher of this home by its command line, where the state file does not tell."""
    for process in psutil.process_iter():
        try:
            if _is_launcher(process, home):
                return process
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return None


def _is_launcher(process: psutil.Process, home: Path) -> bool:
    return (
        process.cmdline()[-2:] == [LAUNCHER_MODULE, str(home)]
        and process.uids().real == os.getuid()
        and process.status() != psutil.STATUS_ZOMBIE
    )


def listens(process: psutil.Process, port: int) -> bool:
    """Return whether `process` itself listens on that port of loopback."""
    try:
        connections = process.net_connections(kind="tcp")
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return False
    return any(
        connection.status == psutil.CONN_LISTEN and tuple(connection.laddr)[:2] == (HOST, port)
        for connection in connections
    )
