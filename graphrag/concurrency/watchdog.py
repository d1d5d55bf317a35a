"""A thread that calls functions at points in time: how a plain, blocking call is cut off at its deadline."""

import heapq
import itertools
import threading
import time
from collections.abc import Callable

__all__ = ["Watchdog"]


class Watchdog:
    """Calls functions when their time has come, unless they are taken back before.

    One thread serves all; it starts with the first call and ends with the process.
    """

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._heap: list[tuple[float, int]] = []
        self._calls: dict[int, Callable[[], None]] = {}
        self._numbers = itertools.count()
        self._thread: threading.Thread | None = None

    def call_in(self, seconds: float, fn: Callable[[], None]) -> int:
        """Have `fn` called in so many seconds; return a token to take it back. `fn` must be quick."""
        with self._condition:
            token = next(self._numbers)
            self._calls[token] = fn
            heapq.heappush(self._heap, (time.monotonic() + seconds, token))
            if self._thread is None or not self._thread.is_alive():  # a fork leaves threads behind
                self._thread = threading.Thread(target=self._run, name="graphrag-watchdog", daemon=True)
                self._thread.start()
            elif self._heap[0][1] == token:
                self._condition.notify()
        return token

    def take_back(self, token: int) -> None:
        """Do not call it any more. A call that has begun goes on."""
        with self._condition:
            self._calls.pop(token, None)
            if len(self._heap) > 2 * len(self._calls) + _SLACK:
                self._heap = [entry for entry in self._heap if entry[1] in self._calls]
                heapq.heapify(self._heap)

    def _run(self) -> None:
        while True:
            with self._condition:
                while not self._heap:
                    self._condition.wait()
                due, token = self._heap[0]
                if token in self._calls and (left := due - time.monotonic()) > 0:
                    self._condition.wait(left)
                    continue
                heapq.heappop(self._heap)
                fn = self._calls.pop(token, None)
            if fn is not None:
                fn()


_SLACK = 1_000
"""Entries taken back that may stay in the heap before it is made anew."""
