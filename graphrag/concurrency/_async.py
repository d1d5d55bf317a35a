"""The asynchronous half of the pair; `_sync` has the same names for generated code."""

import asyncio
from asyncio import Lock, Semaphore, sleep
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable, Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import ParamSpec, TypeAlias, TypeVar

from graphrag.concurrency._bounds import check_bounds
from graphrag.concurrency.deadline import Deadline

__all__ = ["Call", "Lock", "Semaphore", "event_loop", "gather", "map_ahead", "run_blocking", "sleep", "time_limit"]

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")

Call: TypeAlias = Callable[[], Awaitable[T]]
"""What `gather` takes: an `async def` without arguments."""


def event_loop() -> object:
    """Return the loop that the caller runs in, to compare: what was opened in one cannot be used in another."""
    return asyncio.get_running_loop()


async def run_blocking(fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what `fn` returns, called in a thread with the caller's context variables.

    Cancelling the caller does not stop the thread: `fn` runs to its end, and its result is dropped.

    Raises:
        Exception: Whatever `fn` raises.
    """
    return await asyncio.to_thread(fn, *args, **kwargs)


def map_ahead(
    fn: Callable[[S], T], items: Iterable[S] | AsyncIterable[S], *, workers: int, ahead: int
) -> AsyncGenerator[T]:
    """Yield `fn(item)` for each item, in the items' order, while `fn` already works on the next ones.

    Nothing is read from `items` before the first result is asked for. The generator ends, and can be closed
    (`aclose`, `contextlib.aclosing`), without leaving a thread: calls that have not begun are cancelled, those
    that have are waited for, and `items` is closed where it is a generator.

    Args:
        fn: May block; called in threads of its own, so it must be safe to call from several at once where
            `workers` is above 1.
        items: Asynchronous or plain; read one at a time. A plain one must not block.
        workers: Threads, at least 1.
        ahead: How many items may be between source and consumer, at least 1. This bounds memory: no further
            item is read before a result is taken.

    Raises:
        InvalidRequestError: `workers` or `ahead` is below 1.
        Exception: The first error of `fn` in the items' order, or of `items`.
    """
    check_bounds(workers=workers, ahead=ahead)
    return _map_ahead(fn, items, workers, ahead)


async def _map_ahead(
    fn: Callable[[S], T], items: Iterable[S] | AsyncIterable[S], workers: int, ahead: int
) -> AsyncGenerator[T]:
    loop = asyncio.get_running_loop()
    executor = ThreadPoolExecutor(workers, thread_name_prefix="graphrag-map")
    pending: deque[asyncio.Future[T]] = deque()
    try:
        async for item in _each(items):
            pending.append(loop.run_in_executor(executor, fn, item))
            if len(pending) >= ahead:
                yield await pending.popleft()
        while pending:
            yield await pending.popleft()
    finally:
        for future in pending:
            future.cancel()
        # Awaited so that an error nobody asked for is not reported as lost.
        await asyncio.gather(*pending, return_exceptions=True)
        await asyncio.to_thread(executor.shutdown, cancel_futures=True)
        if isinstance(items, AsyncGenerator):
            await items.aclose()
        elif isinstance(items, Generator):
            items.close()


async def _each(items: Iterable[S] | AsyncIterable[S]) -> AsyncIterator[S]:
    if isinstance(items, AsyncIterable):
        async for item in items:
            yield item
    else:
        for item in items:
            yield item


async def gather(*calls: Call[T], parallel: bool = False) -> list[T]:
    """Return the results of all calls, in the calls' order. They run concurrently.

    Args:
        calls: Functions without arguments.
        parallel: Read by the synchronous face alone (whether its calls may run in threads).

    Raises:
        Exception: The first error, as it was raised; the other calls are cancelled and waited for.
    """
    del parallel
    tasks: list[asyncio.Task[T]] = []
    failure: BaseException | None = None
    try:
        async with asyncio.TaskGroup() as group:
            tasks.extend(group.create_task(_await(call)) for call in calls)
    except BaseExceptionGroup as errors:
        failure = errors.exceptions[0]
    if failure is not None:  # outside the handler, so that the group does not become its context
        raise failure
    return [task.result() for task in tasks]


async def _await(call: Call[T]) -> T:
    return await call()


@asynccontextmanager
async def time_limit(
    seconds: float, *, what: str, interrupt: Callable[[], None] | None = None
) -> AsyncGenerator[Deadline]:
    """Cancel the body when `seconds` have passed.

    Args:
        seconds: Above 0 and finite.
        what: What is limited, for the message.
        interrupt: Read by the synchronous face alone; here the body is cancelled.

    Yields:
        The deadline, to hand on what is left of it.

    Raises:
        InvalidRequestError: `seconds` is out of its bounds.
        TimeoutExceededError: The body took longer.
    """
    del interrupt
    deadline = Deadline(seconds=seconds, what=what)
    scope = asyncio.timeout(seconds)
    try:
        async with scope:
            yield deadline
    except TimeoutError as error:
        # A time-out that the body itself raised is its own matter.
        if not scope.expired() or not isinstance(error.__cause__, asyncio.CancelledError):
            raise
        raise deadline.exceeded() from error
