"""The server's own process: `python -m graphrag.local_neo4j.launcher HOME`.

It reads a plan from standard input (so that no secret stands on a command line), leaves its parent, starts
Neo4j in this process and stops it on SIGTERM. It tells the starter how it goes by lines on the file
descriptor that the plan names; where the starter is gone, it goes on alone.
"""

import contextlib
import fcntl
import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

import psutil

from graphrag.errors import GraphRagError
from graphrag.jvm import JavaObject, java_class, java_exception, start_jvm
from graphrag.local_neo4j.launch_plan import LaunchPlan
from graphrag.local_neo4j.settings import Ports, ServerFiles
from graphrag.local_neo4j.state import ServerState, write_state

__all__ = ["main"]


class _Report:
    """Lines to the starter, as long as it listens."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    def tell(self, message: Mapping[str, str]) -> None:
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                os.write(self._descriptor, json.dumps(message).encode() + b"\n")

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def main() -> None:
    """Serve until SIGTERM; the process ends here."""
    plan = LaunchPlan(**json.load(sys.stdin))
    os.umask(0o077)
    os.chdir(plan.home)
    if os.fork() != 0:
        os._exit(0)  # the server belongs to no one, so nobody has to wait for it
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    report = _Report(plan.report_fd)
    try:
        with plan.files.process_lock.open("a", encoding="utf-8") as lock:
            _serve(plan, report, lock)
    except BlockingIOError:
        report.tell({"phase": "failed", "message": "another process serves this folder already"})
    except GraphRagError as error:
        report.tell({"phase": "failed", "message": str(error)})
    except Exception as error:  # noqa: BLE001  # the starter is told what it was; the log has the rest
        _log(_stack_trace(error))
        report.tell({"phase": "failed", "message": _root_cause(error)})
    else:
        os._exit(0)  # the database is shut down; Java's remaining threads need not end first
    os._exit(1)


def _serve(plan: LaunchPlan, report: _Report, lock: TextIO) -> None:
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    signals = _catch_signals()
    state = ServerState(
        pid=os.getpid(),
        created_at=psutil.Process().create_time(),
        ports=Ports(bolt=plan.bolt_port, http=plan.http_port),
        version=plan.version,
    )
    write_state(plan.files.state, state)
    report.tell({"phase": "starting"})
    start_jvm([Path(jar) for jar in plan.classpath], plan.jvm_options)
    if plan.initial_password is not None:
        _set_initial_password(plan.files, plan.initial_password)
    service = _start_database(plan.files)
    report.tell({"phase": "ready"})
    report.close()
    _log("The server is up.")
    os.read(signals, 1)
    _log("The server stops.")
    watchdog = threading.Timer(plan.stop_timeout_s, os._exit, args=(1,))
    watchdog.daemon = True
    watchdog.start()
    _cut_connections(plan.bolt_port)
    service.shutdown()
    _log("The server has stopped.")


def _cut_connections(bolt_port: int) -> None:
    """Take the Bolt port and its connections from the clients before the database goes down.

    Neo4j ends a transaction that is open during its shutdown by a bare SUCCESS (seen on 2026.08.1). A driver
    that sends COMMIT takes it for the answer, and so for a commit that never was. A client that is cut off
    gets an error instead, and the server rolls its transaction back at once, without a time-out.
    """
    connections = psutil.Process().net_connections(kind="tcp")
    for connection in sorted(connections, key=lambda found: found.status != psutil.CONN_LISTEN):
        if tuple(connection.laddr)[1:2] == (bolt_port,):
            # The descriptor stays Java's to close: only a copy of it is closed here.
            with contextlib.suppress(OSError), socket.socket(fileno=os.dup(connection.fd)) as copy:
                copy.shutdown(socket.SHUT_RDWR)


def _log(message: str) -> None:
    """Write to the server's log, which is where both outputs of this process go."""
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
    sys.stderr.write(f"{now} graphrag: {message}\n")
    sys.stderr.flush()


def _catch_signals() -> int:
    """Return a descriptor that becomes readable when the process is asked to stop.

    A signal may be handed to any thread, also one of Java's, so a handler alone would not wake this one.
    """
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    signal.set_wakeup_fd(write_end)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: None)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    return read_end


def _set_initial_password(files: ServerFiles, password: str) -> None:
    """Set the first password before a port is open, so that the default one never works."""
    path_of = java_class("java.nio.file.Path").of
    context = java_class("org.neo4j.cli.ExecutionContext")(
        path_of(str(files.home)), path_of(str(files.configuration.parent))
    )
    code = java_class("org.neo4j.cli.AdminTool").execute(context, "dbms", "set-initial-password", "--", password)
    if code != 0:
        msg = f"Neo4j refused the first password (status {code})"
        raise RuntimeError(msg)


def _start_database(files: ServerFiles) -> JavaObject:
    path_of = java_class("java.nio.file.Path").of
    builder = java_class("org.neo4j.dbms.api.DatabaseManagementServiceBuilder")(path_of(str(files.home)))
    return builder.loadPropertiesFromFile(path_of(str(files.configuration))).build()


def _stack_trace(error: Exception) -> str:
    if isinstance(error, java_exception()):
        return str(error.stacktrace())  # type: ignore[attr-defined]  # what jpype adds to Java's exceptions
    return f"{type(error).__name__}: {error}"


def _root_cause(error: Exception) -> str:
    """Return Java's innermost message, which is the one that tells."""
    if not isinstance(error, java_exception()):
        return f"{type(error).__name__}: {error}"
    cause: JavaObject = error
    while cause.getCause() is not None:
        cause = cause.getCause()
    return str(cause.getMessage())


if __name__ == "__main__":
    main()
