"""Time and its comparison on a machine that others use too: interleaved runs, medians, ratios."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import TypeVar

import psutil

__all__ = ["Comparison", "Spent", "await_quiet", "in_turns", "median", "spend"]

T = TypeVar("T")

_QUIET_CPU = 0.2
_QUIET_WITHIN_S = 60.0


@dataclass(frozen=True, slots=True)
class Spent:
    """What one run took: seconds that passed, and seconds of processor time of this process and of the server."""

    wall_s: float
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """One line of the result.

    Attributes:
        what: What was measured.
        unit: Of `ours` and `plain`.
        ours: Our value; None where there is none.
        plain: The value of plain Cypher; None where there is none.
        ratio: Ours to plain, made so that the target is easy to state; None where there is nothing to compare.
        target: What the ratio (or our value) has to be, in words; empty for information only.
        holds: Whether it is so; None without a target.
        note: How it was measured.
    """

    what: str
    unit: str
    ours: float | None = None
    plain: float | None = None
    ratio: float | None = None
    target: str = ""
    holds: bool | None = None
    note: str = ""
    details: dict[str, object] = field(default_factory=dict[str, object])

    def as_json(self) -> dict[str, object]:
        """Return all fields."""
        return asdict(self)


def median(values: Sequence[float]) -> float:
    """Return the median."""
    return statistics.median(values)


def spend(call: Callable[[], object], *, server_pid: int | None = None) -> Spent:
    """Return what one call took."""
    processes = [psutil.Process()] + ([psutil.Process(server_pid)] if server_pid else [])
    before = sum(_cpu_s(process) for process in processes)
    started = time.perf_counter()
    call()
    wall_s = time.perf_counter() - started
    return Spent(wall_s, sum(_cpu_s(process) for process in processes) - before)


def in_turns(first: Callable[[int], T], second: Callable[[int], T], count: int) -> tuple[list[T], list[T]]:
    """Call both `count` times, one right after the other, each first in every other pair: A B, B A, A B, ..."""
    firsts: list[T] = []
    seconds: list[T] = []
    for number in range(count):
        if number % 2:
            seconds.append(second(number))
            firsts.append(first(number))
        else:
            firsts.append(first(number))
            seconds.append(second(number))
    return firsts, seconds


def await_quiet(server_pid: int | None) -> None:
    """Wait until the server has merged the pieces of its indexes, which takes time from whoever is measured."""
    if server_pid is None:
        return
    server = psutil.Process(server_pid)
    ends = time.monotonic() + _QUIET_WITHIN_S
    while time.monotonic() < ends and server.cpu_percent(interval=2) > _QUIET_CPU * 100:
        pass


def _cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)
