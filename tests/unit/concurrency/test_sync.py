"""The synchronous half keeps the same rules."""

import inspect
import threading
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from graphrag.concurrency import _async, _sync
from graphrag.concurrency._sync import gather, map_ahead, run_blocking, time_limit
from graphrag.errors import InvalidRequestError, TimeoutExceededError


def own_threads() -> list[str]:
    return [
        thread.name
        for thread in threading.enumerate()
        if thread.name.startswith("graphrag-") and thread.name != "graphrag-watchdog"
    ]


def counted(upto: int, read: list[int]) -> Iterator[int]:
    for number in range(upto):
        read.append(number)
        yield number


def test_both_halves_have_the_same_names() -> None:
    assert _async.__all__ == _sync.__all__


@pytest.mark.parametrize("name", ["run_blocking", "map_ahead", "gather", "time_limit"])
def test_both_halves_take_the_same_arguments(name: str) -> None:
    ours = [inspect.signature(getattr(half, name)).parameters for half in (_async, _sync)]
    described = [[(p.name, p.kind, p.default) for p in parameters.values()] for parameters in ours]
    assert described[0] == described[1]


def test_run_blocking_is_a_plain_call() -> None:
    assert run_blocking(threading.get_ident) == threading.get_ident()


def test_map_ahead_keeps_the_items_order_though_later_ones_end_first() -> None:
    def work(delay: float) -> float:
        time.sleep(delay)
        return delay

    delays = [0.05, 0.0, 0.03, 0.0, 0.01]
    assert list(map_ahead(work, delays, workers=4, ahead=5)) == delays
    assert own_threads() == []


def test_map_ahead_really_works_ahead() -> None:
    meeting = threading.Barrier(2, timeout=5)
    assert list(map_ahead(lambda _: meeting.wait() >= 0, range(4), workers=2, ahead=2)) == [True] * 4


@pytest.mark.parametrize("ahead", [1, 3])
def test_map_ahead_reads_no_more_than_ahead_items_past_the_consumer(ahead: int) -> None:
    read: list[int] = []
    with closing(map_ahead(str, counted(100, read), workers=2, ahead=ahead)) as results:
        for taken, _ in enumerate(results):
            assert len(read) <= taken + ahead
            if taken == 10:
                break
    assert len(read) <= 10 + ahead


def test_map_ahead_raises_the_first_error_in_order_and_leaves_no_thread() -> None:
    def work(number: int) -> int:
        if number >= 2:
            msg = f"number {number}"
            raise ValueError(msg)
        return number

    with pytest.raises(ValueError, match="^number 2$"):
        list(map_ahead(work, range(10), workers=3, ahead=4))
    assert own_threads() == []


def test_map_ahead_closes_its_source_waits_for_begun_calls_and_begins_no_more() -> None:
    closed: list[bool] = []
    begun: list[int] = []
    ended: list[int] = []

    def source() -> Iterator[int]:
        try:
            yield from range(100)
        finally:
            closed.append(True)

    def work(number: int) -> int:
        begun.append(number)
        time.sleep(0.02)
        ended.append(number)
        return number

    with closing(map_ahead(work, source(), workers=1, ahead=5)) as results:
        assert next(results) == 0
    assert closed == [True]
    assert begun == ended
    assert len(begun) < 5
    assert own_threads() == []


def test_map_ahead_refuses_sizes_that_move_nothing() -> None:
    with pytest.raises(InvalidRequestError, match="`ahead` is 0; it must be at least 1"):
        map_ahead(str, [1], workers=1, ahead=0)


def test_gather_runs_one_after_the_other_and_stops_at_the_first_error() -> None:
    ran: list[str] = []

    def fails() -> None:
        msg = "first"
        raise LookupError(msg)

    with pytest.raises(LookupError, match="^first$"):
        gather(lambda: ran.append("before"), fails, lambda: ran.append("after"))
    assert ran == ["before"]


def test_gather_in_parallel_runs_all_at_once_and_keeps_their_order() -> None:
    meeting = threading.Barrier(2, timeout=5)

    def call(name: str) -> str:
        meeting.wait()
        return name

    assert gather(lambda: call("a"), lambda: call("b"), parallel=True) == ["a", "b"]
    assert own_threads() == []


def test_gather_in_parallel_raises_plainly() -> None:
    def fails() -> None:
        msg = "first"
        raise LookupError(msg)

    with pytest.raises(LookupError, match="^first$"):
        gather(fails, lambda: None, parallel=True)
    assert own_threads() == []


def test_time_limit_tells_its_deadline_and_check_enforces_it() -> None:
    with time_limit(60, what="the search") as deadline:
        deadline.check()
        assert 59 < deadline.remaining_s() <= 60
    with time_limit(0.001, what="the search") as deadline:
        time.sleep(0.01)
        assert deadline.remaining_s() == 0
        with pytest.raises(TimeoutExceededError, match=r"^the search took longer than its limit of 0.001 s"):
            deadline.check()


def test_time_limit_refuses_a_length_without_meaning() -> None:
    with pytest.raises(InvalidRequestError, match="time limit of it is 0 seconds"), time_limit(0, what="it"):
        pass
