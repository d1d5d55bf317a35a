"""The asynchronous half: order, bounds, errors, and nothing left behind."""

import asyncio
import contextvars
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing

import pytest

from graphrag.concurrency._async import Lock, gather, map_ahead, run_blocking, sleep, time_limit
from graphrag.errors import InvalidRequestError, TimeoutExceededError

pytestmark = pytest.mark.anyio


def own_threads() -> list[str]:
    return [
        thread.name
        for thread in threading.enumerate()
        if thread.name.startswith("graphrag-") and thread.name != "graphrag-watchdog"
    ]


async def counted(upto: int, read: list[int]) -> AsyncIterator[int]:
    for number in range(upto):
        read.append(number)
        yield number


async def test_run_blocking_runs_in_another_thread_with_the_callers_context() -> None:
    variable = contextvars.ContextVar[str]("variable")
    variable.set("of the caller")

    def look(prefix: str, *, suffix: str) -> tuple[str, int]:
        return prefix + variable.get() + suffix, threading.get_ident()

    text, thread = await run_blocking(look, "<", suffix=">")
    assert text == "<of the caller>"
    assert thread != threading.get_ident()


async def test_map_ahead_keeps_the_items_order_though_later_ones_end_first() -> None:
    def work(delay: float) -> float:
        time.sleep(delay)
        return delay

    delays = [0.05, 0.0, 0.03, 0.0, 0.01]
    assert [result async for result in map_ahead(work, delays, workers=4, ahead=5)] == delays
    assert own_threads() == []


async def test_map_ahead_really_works_ahead() -> None:
    """Two calls that wait for each other can only end when both are under way."""
    meeting = threading.Barrier(2, timeout=5)
    assert [i async for i in map_ahead(lambda _: meeting.wait() >= 0, range(4), workers=2, ahead=2)] == [True] * 4


@pytest.mark.parametrize("ahead", [1, 3])
async def test_map_ahead_reads_no_more_than_ahead_items_past_the_consumer(ahead: int) -> None:
    read: list[int] = []
    async with aclosing(map_ahead(str, counted(100, read), workers=2, ahead=ahead)) as results:
        taken = 0
        async for _ in results:
            taken += 1
            assert len(read) <= taken - 1 + ahead
            if taken == 10:
                break
    assert len(read) <= 9 + ahead


async def test_map_ahead_reads_nothing_before_the_first_result_is_asked_for() -> None:
    read: list[int] = []
    results = map_ahead(str, counted(3, read), workers=1, ahead=2)
    await asyncio.sleep(0)
    assert read == []
    await results.aclose()


async def test_map_ahead_raises_the_first_error_in_order_and_leaves_no_thread() -> None:
    def work(number: int) -> int:
        if number >= 2:
            msg = f"number {number}"
            raise ValueError(msg)
        return number

    seen: list[int] = []
    with pytest.raises(ValueError, match="^number 2$"):
        async for result in map_ahead(work, range(10), workers=3, ahead=4):
            seen.append(result)  # noqa: PERF401 - what was seen before the error is the point
    assert seen == [0, 1]
    assert own_threads() == []


async def test_map_ahead_hands_on_an_error_of_the_source() -> None:
    async def source() -> AsyncIterator[int]:
        yield 1
        msg = "source broke"
        raise OSError(msg)

    with pytest.raises(OSError, match="source broke"):
        _ = [result async for result in map_ahead(str, source(), workers=1, ahead=3)]
    assert own_threads() == []


async def test_map_ahead_closes_its_source_waits_for_begun_calls_and_begins_no_more() -> None:
    closed = False
    begun: list[int] = []
    ended: list[int] = []

    async def source() -> AsyncIterator[int]:
        nonlocal closed
        try:
            for number in range(100):
                yield number
        finally:
            closed = True

    def work(number: int) -> int:
        begun.append(number)
        time.sleep(0.02)
        ended.append(number)
        return number

    async with aclosing(map_ahead(work, source(), workers=1, ahead=5)) as results:
        async for _ in results:
            break
    assert closed
    assert begun == ended
    assert len(begun) < 5
    assert own_threads() == []


async def test_map_ahead_closes_a_plain_generator_too() -> None:
    closed: list[bool] = []

    def source() -> Iterator[int]:
        try:
            yield from range(10)
        finally:
            closed.append(True)

    async with aclosing(map_ahead(str, source(), workers=1, ahead=2)) as results:
        assert await anext(results) == "0"
    assert closed == [True]


async def test_map_ahead_that_is_cancelled_leaves_no_thread() -> None:
    release = threading.Event()

    async def consume() -> None:
        async for _ in map_ahead(lambda _: release.wait(5), range(10), workers=2, ahead=4):
            pass

    task = asyncio.create_task(consume())
    await asyncio.sleep(0.05)
    task.cancel()
    asyncio.get_running_loop().call_later(0.05, release.set)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert own_threads() == []


async def test_stages_join_and_the_result_is_whole() -> None:
    read: list[int] = []
    first = map_ahead(lambda n: n + 1, counted(50, read), workers=2, ahead=3)
    second = map_ahead(lambda n: n * 2, first, workers=1, ahead=2)
    assert [n async for n in second] == [(n + 1) * 2 for n in range(50)]


@pytest.mark.parametrize(
    "sizes, message",
    [({"workers": 0, "ahead": 1}, "`workers` is 0"), ({"workers": 1, "ahead": -1}, "`ahead` is -1")],
)
async def test_map_ahead_refuses_sizes_that_move_nothing(sizes: dict[str, int], message: str) -> None:
    with pytest.raises(InvalidRequestError, match=message):
        map_ahead(str, [1], **sizes)


async def test_gather_runs_all_at_once_and_keeps_their_order() -> None:
    met = asyncio.Barrier(2)

    async def call() -> int:
        return await met.wait()

    assert sorted(await asyncio.wait_for(gather(call, call), 5)) == [0, 1]

    async def late() -> str:
        await sleep(0.02)
        return "late"

    async def early() -> str:
        return "early"

    assert await gather(late, early) == ["late", "early"]
    assert await gather() == []


async def test_gather_raises_the_first_error_plainly_and_cancels_the_rest() -> None:
    cancelled = False

    async def slow() -> None:
        nonlocal cancelled
        try:
            await sleep(60)
        except asyncio.CancelledError:
            cancelled = True
            raise

    async def fails() -> None:
        await sleep(0)
        msg = "first"
        raise LookupError(msg)

    with pytest.raises(LookupError, match="^first$") as caught:
        await gather(slow, fails)
    assert cancelled
    assert caught.value.__context__ is None


async def test_time_limit_cancels_the_body_with_an_error_of_ours() -> None:
    with pytest.raises(TimeoutExceededError, match=r"^the search took longer than its limit of 0.01 s"):
        async with time_limit(0.01, what="the search"):
            await sleep(60)


async def test_time_limit_leaves_other_errors_and_time_outs_alone() -> None:
    with pytest.raises(TimeoutError, match="of a socket") as caught:
        async with time_limit(60, what="the search") as deadline:
            assert 59 < deadline.remaining_s() <= 60
            msg = "of a socket"
            raise TimeoutError(msg)
    assert type(caught.value) is TimeoutError


async def test_an_inner_time_limit_names_itself() -> None:
    with pytest.raises(TimeoutExceededError, match="^inner"):
        async with time_limit(60, what="outer"), time_limit(0.01, what="inner"):
            await sleep(60)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
async def test_time_limit_refuses_a_length_without_meaning(seconds: float) -> None:
    with pytest.raises(InvalidRequestError, match="time limit of it is .* must be above 0 and finite"):
        async with time_limit(seconds, what="it"):
            pass


async def test_lock_lets_one_in_at_a_time() -> None:
    lock = Lock()
    inside = 0

    async def enter() -> None:
        nonlocal inside
        async with lock:
            inside += 1
            assert inside == 1
            await sleep(0)
            inside -= 1

    await gather(enter, enter, enter)
