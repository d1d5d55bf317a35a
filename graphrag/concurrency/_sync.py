"""The synchronous half of the pair, for generated code; `_async` has the same names and says more."""

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Lock, Semaphore
from time import sleep
from typing import ParamSpec, TypeAlias, TypeVar

from graphrag.concurrency._bounds import check_bounds
from graphrag.concurrency.deadline import Deadline
from graphrag.concurrency.watchdog import Watchdog

__all__ = ["Call", "Lock", "Semaphore", "event_loop", "gather", "map_ahead", "run_blocking", "sleep", "time_limit"]

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")

Call: TypeAlias = Callable[[], T]
"""What `gather` takes: a function without arguments."""


def event_loop() -> object:
    """Return None: plain calls have no loop."""
    return None


def run_blocking(fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what `fn` returns: a plain call.

    Raises:
        Exception: Whatever `fn` raises.
    """
    return fn(*args, **kwargs)


def map_ahead(fn: Callable[[S], T], items: Iterable[S], *, workers: int, ahead: int) -> Generator[T]:
    """Yield `fn(item)` for each item, in the items' order, while `fn` already works on the next ones.

    Nothing is read from `items` before the first result is asked for. The generator ends, and can be closed
    (`close`, `contextlib.closing`), without leaving a thread: calls that have not begun are cancelled, those
    that have are waited for, and `items` is closed where it is a generator.

    Args:
        fn: Called in threads of its own, so it must be safe to call from several at once where `workers` is
            above 1.
        items: Read one at a time, in the consumer's thread.
        workers: Threads, at least 1.
        ahead: How many items may be between source and consumer, at least 1. This bounds memory: no further
            item is read before a result is taken.

    Raises:
        InvalidRequestError: `workers` or `ahead` is below 1.
        Exception: The first error of `fn` in the items' order, or of `items`.
    """
    check_bounds(workers=workers, ahead=ahead)
    return _map_ahead(fn, items, workers, ahead)


def _map_ahead(fn: Callable[[S], T], items: Iterable[S], workers: int, ahead: int) -> Generator[T]:
    executor = ThreadPoolExecutor(workers, thread_name_prefix="graphrag-map")
    pending: deque[Future[T]] = deque()
    try:
        for item in items:
            pending.append(executor.submit(fn, item))
            if len(pending) >= ahead:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        executor.shutdown(cancel_futures=True)
        if isinstance(items, Generator):
            items.close()


def gather(*calls: Call[T], parallel: bool = False) -> list[T]:
    """Return the results of all calls, in the calls' order.

    Args:
        calls: Functions without arguments.
        parallel: Whether they run in threads, all at once; else one after the other.

    Raises:
        Exception: The first error in the calls' order, as it was raised. Calls that have not begun are left
            out; those that have are waited for.
    """
    if not parallel or len(calls) < 2:  # noqa: PLR2004 - one call needs no thread
        return [call() for call in calls]
    executor = ThreadPoolExecutor(len(calls), thread_name_prefix="graphrag-gather")
    try:
        return [future.result() for future in [executor.submit(call) for call in calls]]
    finally:
        executor.shutdown(cancel_futures=True)


_watchdog = Watchdog()


@contextmanager
def time_limit(seconds: float, *, what: str, interrupt: Callable[[], None] | None = None) -> Generator[Deadline]:
    """Interrupt the body when `seconds` have passed, where it can be interrupted.

    A plain call cannot be cancelled from outside. With `interrupt`, which makes what the body waits for fail
    (it closes a socket), a body that fails after the deadline ends in our error. Without it the body is told
    its deadline: it hands `remaining_s()` on as the time-out of what it calls, and may call `check()`.

    Args:
        seconds: Above 0 and finite.
        what: What is limited, for the message.
        interrupt: Called once, in another thread, when the time has come.

    Yields:
        The deadline.

    Raises:
        InvalidRequestError: `seconds` is out of its bounds.
        TimeoutExceededError: The body was interrupted, or called `check()` after the deadline.
    """
    deadline = Deadline(seconds=seconds, what=what)
    if interrupt is None:
        yield deadline
        return
    token = _watchdog.call_in(seconds, interrupt)
    try:
        yield deadline
    except Exception as error:
        if deadline.remaining_s():
            raise
        raise deadline.exceeded() from error
    finally:
        _watchdog.take_back(token)
