"""Many clients at once: each asks one search after the other, for a while.

All sides are driven by this, each in its own environment, so it imports nothing but the standard library.
"""

import asyncio
import itertools
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

__all__ = ["Driven", "drive", "drive_tasks"]

Ask = Callable[[int], Sequence[str]]
AskAsync = Callable[[int], Awaitable[Sequence[str]]]


@dataclass(slots=True)
class Driven:
    """What the clients of one window saw.

    Attributes:
        rate: Searches a second: the sum over clients of what each finished, by the time that it took. So searches
            that end after the window count in full, and slow ones need no long window.
        times_ms: Each call.
        answers: The ids of an answer, best first, by number of the query.
    """

    rate: float = 0.0
    times_ms: list[float] = field(default_factory=list[float])
    answers: dict[int, list[str]] = field(default_factory=dict[int, list[str]])


class _Client:
    """One client's window."""

    def __init__(self, seconds: float) -> None:
        self.seen = Driven()
        self._began = time.perf_counter()
        self._ends = self._began + seconds

    def took(self, number: int, started: float, found: Sequence[str]) -> bool:
        """Note a search; tell whether there is time for another."""
        ended = time.perf_counter()
        self.seen.times_ms.append((ended - started) * 1_000)
        self.seen.answers[number] = list(found)
        self.seen.rate = len(self.seen.times_ms) / (ended - self._began)
        return ended < self._ends


def drive(ask: Ask, *, clients: int, seconds: float, queries: int, first: int = 0) -> Driven:
    """Ask from threads.

    Args:
        ask: Returns the ids that the query of a number finds.
        clients: Threads.
        seconds: No search begins later than this; each client makes one at least.
        queries: How many there are; they are taken in turn, by all clients together.
        first: The number to begin with.

    Raises:
        Exception: The first error of a client.
    """
    numbers = itertools.count(first)
    ready = threading.Barrier(clients)

    def run() -> Driven:
        ready.wait()
        client = _Client(seconds)
        while True:
            number = next(numbers) % queries
            started = time.perf_counter()
            if not client.took(number, started, ask(number)):
                return client.seen

    with ThreadPoolExecutor(clients) as pool:
        return _together([future.result() for future in [pool.submit(run) for _ in range(clients)]])


async def drive_tasks(ask: AskAsync, *, clients: int, seconds: float, queries: int, first: int = 0) -> Driven:
    """Ask from tasks of one event loop (see `drive`)."""
    numbers = itertools.count(first)

    async def run() -> Driven:
        client = _Client(seconds)
        while True:
            number = next(numbers) % queries
            started = time.perf_counter()
            if not client.took(number, started, await ask(number)):
                return client.seen

    return _together(await asyncio.gather(*(run() for _ in range(clients))))


def _together(windows: Sequence[Driven]) -> Driven:
    whole = Driven(rate=sum(window.rate for window in windows))
    for window in windows:
        whole.times_ms += window.times_ms
        whole.answers |= window.answers
    return whole
