"""A lock between processes, on a file."""

import fcntl
import os
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from graphrag.errors import LocalServerError

__all__ = ["hold_lock"]

_POLL_S = 0.2


@contextmanager
def hold_lock(path: Path, timeout_s: float, *, waiting: Callable[[], None] | None = None) -> Generator[None]:
    """Hold the lock of that file; it goes with the process, so a killed one leaves none behind.

    Args:
        path: The file, made with mode 0600 where it is absent.
        timeout_s: How long to wait for another process to let go, in seconds.
        waiting: Called several times a second meanwhile.

    Raises:
        LocalServerError: Another process holds it for longer than that, or the file cannot be made.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        msg = f"the server's folder `{path.parent}` cannot be used: {error}; choose one that this user can write"
        raise LocalServerError(msg) from error
    try:
        _acquire(descriptor, path, timeout_s, waiting)
        yield
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, path: Path, timeout_s: float, waiting: Callable[[], None] | None) -> None:
    deadline = time.monotonic() + timeout_s
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                msg = f"another process has been starting or stopping the server in `{path.parent}` for {timeout_s:g} s"
                raise LocalServerError(msg) from None
            if waiting is not None:
                waiting()
            time.sleep(_POLL_S)
        else:
            return
