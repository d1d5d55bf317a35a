"""Starts and ends the server's process."""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import psutil

import graphrag
from graphrag.errors import LocalServerError
from graphrag.local_neo4j.launch_plan import LaunchPlan
from graphrag.local_neo4j.settings import ServerFiles
from graphrag.local_neo4j.state import LAUNCHER_MODULE

__all__ = ["end_process", "launch", "tail"]

_READ_BYTES = 4096
_TAIL_LINES = 15
_POLL_S = 0.05


def launch(plan: LaunchPlan, *, timeout_s: float, waiting: Callable[[], None]) -> None:
    """Start the server's process and return when the database is up.

    Args:
        plan: What to start; its `report_fd` is set here.
        timeout_s: How long that may take, in seconds.
        waiting: Called several times a second meanwhile.

    Raises:
        LocalServerError: The process ended or said that it failed; with the log's path and last lines.
        TimeoutError: It took too long; the process still runs.
    """
    files = plan.files
    read_end, write_end = os.pipe()
    try:
        try:
            _spawn(plan.reporting_to(write_end), files, write_end)
        finally:
            os.close(write_end)
        _await_ready(read_end, files, time.monotonic() + timeout_s, waiting)
    finally:
        os.close(read_end)


def _spawn(plan: LaunchPlan, files: ServerFiles, write_end: int) -> None:
    log = os.open(files.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        subprocess.run(  # noqa: S603  # our own interpreter and module
            [sys.executable, "-m", LAUNCHER_MODULE, str(files.home)],
            input=json.dumps(asdict(plan)).encode(),
            stdout=log,
            stderr=log,
            pass_fds=(write_end,),
            start_new_session=True,
            # `-m` looks there first, so the child runs this very package.
            cwd=Path(graphrag.__file__).parent.parent,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        msg = f"the server's process could not be started; see `{files.log}`"
        raise LocalServerError(msg, log_path=str(files.log), log_tail=tail(files.log, _TAIL_LINES)) from error
    finally:
        os.close(log)


def _await_ready(read_end: int, files: ServerFiles, deadline: float, waiting: Callable[[], None]) -> None:
    received = b""
    while True:
        waiting()
        if time.monotonic() > deadline:
            raise TimeoutError
        if not select.select([read_end], [], [], 0.2)[0]:
            continue
        block = os.read(read_end, _READ_BYTES)
        received += block
        *lines, received = received.split(b"\n")
        for line in lines:
            message = json.loads(line)
            if message["phase"] == "ready":
                return
            if message["phase"] == "failed":
                raise _failure(files, str(message["message"]))
        if not block:
            raise _failure(files, "its process ended without a word")


def _failure(files: ServerFiles, reason: str) -> LocalServerError:
    lines = tail(files.log, _TAIL_LINES)
    msg = f"the local server did not start: {reason}; its log is `{files.log}`"
    return LocalServerError(msg, log_path=str(files.log), log_tail=lines)


def end_process(process: psutil.Process, *, timeout_s: float) -> bool:
    """Ask `process` to stop, and kill it where it has not after `timeout_s`.

    Returns:
        Whether it stopped by itself.
    """
    try:
        process.terminate()
        if _wait_until_gone(process, timeout_s):
            return True
        process.kill()
    except psutil.NoSuchProcess:
        return True
    _wait_until_gone(process, timeout_s)
    return False


def _wait_until_gone(process: psutil.Process, timeout_s: float) -> bool:
    """Wait for a process that is no child of ours; one that only nobody has waited for yet is gone too."""
    deadline = time.monotonic() + timeout_s
    while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_S)
    return True


def tail(path: Path, lines: int) -> tuple[str, ...]:
    """Return the last lines of a log; none where it cannot be read."""
    try:
        return tuple(path.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])
    except OSError:
        return ()
