"""One local server: start, find again, look at, stop, reset."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psutil
from pydantic import SecretStr

from graphrag.config import LocalServerSettings
from graphrag.errors import LocalServerError
from graphrag.local_neo4j.health import ask
from graphrag.local_neo4j.install import (
    StartProgress,
    StartProgressCallback,
    choose_ports,
    fetch_server,
    measure_home,
    prepare_home,
    read_password,
    remove_home,
    server_version,
)
from graphrag.local_neo4j.launch_plan import LaunchPlan
from graphrag.local_neo4j.lock import hold_lock
from graphrag.local_neo4j.process import end_process, launch, tail
from graphrag.local_neo4j.settings import HOST, USERNAME, Ports, ServerFiles, jvm_options
from graphrag.local_neo4j.state import ServerState, find_process, listens, read_state, search_process

__all__ = ["LocalServer", "ServerInfo", "ServerStatus"]

_POLL_S = 0.2
_TAIL_LINES = 15
_NEW_S = 10.0
"""For so long after its creation a process may not have written its state file."""


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """How to reach a server that is up."""

    pid: int
    version: str
    ports: Ports
    username: str
    password: SecretStr
    password_file: Path

    @property
    def bolt_uri(self) -> str:
        """Address for drivers."""
        return f"bolt://{HOST}:{self.ports.bolt}"

    @property
    def http_uri(self) -> str:
        """Address of the HTTP interface."""
        return f"http://{HOST}:{self.ports.http}"

    @property
    def browser_uri(self) -> str:
        """Address of Neo4j Browser."""
        return f"{self.http_uri}/browser/"


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """What is known about a server without disturbing it.

    `busy` is a process of ours that does not answer: it starts, stops or is stuck.
    """

    state: Literal["running", "busy", "stopped"]
    info: ServerInfo | None = None
    pid: int | None = None
    reason: str = ""
    lost_its_file: bool = False
    """Whether the process is known by its command line alone, so that nothing tells its ports."""


class LocalServer:
    """A Neo4j server on loopback with its files below `settings.home`; one process for each home.

    Objects are cheap and hold nothing: any process can ask for the same server by the same home.
    """

    def __init__(self, settings: LocalServerSettings | None = None) -> None:
        given = settings or LocalServerSettings()
        home = given.home.expanduser().absolute()
        self.settings: LocalServerSettings = given.model_copy(update={"home": home})
        self._files = ServerFiles(home)

    @property
    def log_path(self) -> Path:
        """What the server's process printed since its last start."""
        return self._files.log

    def tail_log(self, lines: int = 50) -> tuple[str, ...]:
        """Return the last lines of the log, oldest first; none where the server never started."""
        return tail(self._files.log, lines)

    def start(self, progress: StartProgressCallback | None = None) -> ServerInfo:
        """Return the server of this home, started where it is not up.

        Starts at the same time, from any process, give one server.

        Args:
            progress: Called several times a second with what is going on.

        Raises:
            LocalServerError: Jars cannot be fetched, a port is taken, the folder cannot be written, the data
                are of a newer version, or the server does not come up in `start_timeout_s`.
            MissingExtraError: The extra `local` is not installed.
        """
        deadline = time.monotonic() + self.settings.start_timeout_s
        tell: StartProgressCallback = progress or (lambda _: None)
        found = self.status()
        if found.info is not None:
            tell(StartProgress("ready"))
            return found.info
        classpath = fetch_server(progress)
        with hold_lock(
            self._files.start_lock, self.settings.start_timeout_s, waiting=lambda: tell(StartProgress("starting"))
        ):
            info = self._await_running_process(deadline, tell) or self._launch(classpath, tell)
        tell(StartProgress("ready"))
        return info

    def status(self) -> ServerStatus:
        """Return whether the server is up, by its process, its port and its password.

        Raises:
            LocalServerError: The password file cannot be read though the server runs.
        """
        state = read_state(self._files.state)
        process = find_process(state, self._files.home) if state else None
        if state is None or process is None:
            return self._status_without_state()
        # The password goes only to the process that we started, never to who else took its port.
        if not listens(process, state.ports.bolt):
            return ServerStatus("busy", pid=state.pid, reason="it does not listen on its port")
        password = read_password(self._files)
        answer = ask(state.ports.bolt, password)
        if not answer.authenticated:
            return ServerStatus("busy", pid=state.pid, reason=answer.reason)
        return ServerStatus("running", info=self._info(state, password), pid=state.pid)

    def info(self) -> ServerInfo:
        """Return how to reach the server.

        Raises:
            LocalServerError: It is not up.
        """
        status = self.status()
        if status.info is None:
            what = f"does not answer: {status.reason}"
            if status.state == "stopped":
                what = "is not up; `graphrag db start` starts it"
            msg = f"the local server in `{self._files.home}` {what}"
            raise LocalServerError(msg, log_path=str(self.log_path))
        return status.info

    def stop(self) -> bool:
        """Stop the server; where it has not stopped after `stop_timeout_s`, kill it.

        Returns:
            Whether one was running. Processes that are not ours are never touched.

        Raises:
            LocalServerError: Another start or stop is going on and does not end.
        """
        if not self._files.home.is_dir():
            return False
        with hold_lock(self._files.start_lock, self.settings.start_timeout_s):
            return self._end()

    def measure(self) -> tuple[int, int]:
        """Return the size in bytes and the number of the files that `reset` would delete."""
        return measure_home(self._files)

    def reset(self) -> None:
        """Stop the server and delete its data, password and logs. There is no way back.

        Raises:
            LocalServerError: It could not be stopped, or something could not be deleted.
        """
        if not self._files.home.is_dir():
            return
        with hold_lock(self._files.start_lock, self.settings.start_timeout_s):
            self._end()
            remove_home(self._files)

    def _status_without_state(self) -> ServerStatus:
        """Return what can be told where the state file names no process: a command line still may."""
        process = search_process(self._files.home)
        if process is None:
            return ServerStatus("stopped")
        if _is_new(process):
            return ServerStatus("busy", pid=process.pid, reason="it has just been started")
        reason = f"it runs as pid {process.pid}, but its state file is damaged; `graphrag db stop`, then start"
        return ServerStatus("busy", pid=process.pid, reason=reason, lost_its_file=True)

    def _find(self) -> psutil.Process | None:
        state = read_state(self._files.state)
        process = find_process(state, self._files.home) if state else None
        return process or search_process(self._files.home)

    def _end(self) -> bool:
        process = self._find()
        if process is None:
            return False
        end_process(process, timeout_s=self.settings.stop_timeout_s)
        return True

    def _await_running_process(self, deadline: float, tell: StartProgressCallback) -> ServerInfo | None:
        """Wait for a process that another start left behind; None where there is none."""
        process = self._find()
        if process is None:
            return None
        while process.is_running():
            status = self.status()
            if status.info is not None:
                return status.info
            if status.lost_its_file:
                raise self._failed(status.reason)
            if time.monotonic() > deadline:
                reason = (
                    f"process {process.pid} serves `{self._files.home}`, but does not answer "
                    f"({status.reason}); `graphrag db stop` ends it"
                )
                raise self._failed(reason)
            tell(StartProgress("starting"))
            time.sleep(_POLL_S)
        return None

    def _launch(self, classpath: tuple[Path, ...], tell: StartProgressCallback) -> ServerInfo:
        last = read_state(self._files.state)
        self._refuse_newer_data(last)
        ports = choose_ports(self.settings, last.ports if last else None)
        prepare_home(self.settings, ports)
        password = read_password(self._files)
        first = not self._files.system_database.exists()
        plan = LaunchPlan(
            home=str(self._files.home),
            classpath=tuple(str(path) for path in classpath),
            jvm_options=jvm_options(self.settings),
            bolt_port=ports.bolt,
            http_port=ports.http,
            version=server_version(),
            initial_password=password.get_secret_value() if first else None,
            stop_timeout_s=self.settings.stop_timeout_s,
        )
        try:
            launch(plan, timeout_s=self.settings.start_timeout_s, waiting=lambda: tell(StartProgress("starting")))
            status = self.status()
        except TimeoutError:
            self._end()
            reason = f"it was not up after {self.settings.start_timeout_s:g} s (`start_timeout_s`), and was stopped"
            raise self._failed(reason) from None
        except (KeyboardInterrupt, LocalServerError):
            # A process that has just told why it fails may take a while to end.
            self._end()
            raise
        if status.info is None:
            self._end()
            reason = f"it came up, but {status.reason or 'ended at once'}"
            raise self._failed(reason)
        return status.info

    def _refuse_newer_data(self, last: ServerState | None) -> None:
        ours = server_version()
        if last is not None and self._files.system_database.exists() and _as_numbers(last.version) > _as_numbers(ours):
            msg = (
                f"the data in `{self._files.data}` were written by Neo4j {last.version}; this package starts {ours}, "
                "which must not open them. Upgrade the package, choose another `home`, or delete the data with "
                "`graphrag db reset`"
            )
            raise LocalServerError(msg)

    def _info(self, state: ServerState, password: SecretStr) -> ServerInfo:
        return ServerInfo(
            pid=state.pid,
            version=state.version,
            ports=state.ports,
            username=USERNAME,
            password=password,
            password_file=self._files.password,
        )

    def _failed(self, reason: str) -> LocalServerError:
        msg = f"the local server did not start: {reason}; its log is `{self.log_path}`"
        return LocalServerError(msg, log_path=str(self.log_path), log_tail=self.tail_log(_TAIL_LINES))


def _is_new(process: psutil.Process) -> bool:
    try:
        return time.time() - process.create_time() < _NEW_S
    except psutil.NoSuchProcess:
        return True  # it ends right now, and is gone at the next look


def _as_numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
