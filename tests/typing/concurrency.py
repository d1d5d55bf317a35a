"""Both halves keep the types of what they call. Only type-checked."""

from collections.abc import AsyncIterator, Iterator
from typing import assert_type

from graphrag.concurrency import Deadline, _async, _sync


def length(text: str) -> int:
    return len(text)


async def asynchronous(texts: AsyncIterator[str]) -> None:
    async def one() -> int:
        return 1

    assert_type(await _async.run_blocking(length, "a"), int)
    assert_type(await _async.gather(one, one), list[int])
    async for found in _async.map_ahead(length, texts, workers=1, ahead=1):
        assert_type(found, int)
    async for found in _async.map_ahead(length, ["a"], workers=1, ahead=1):
        assert_type(found, int)
    async with _async.time_limit(1, what="it") as deadline:
        assert_type(deadline, Deadline)


def synchronous(texts: Iterator[str]) -> None:
    def one() -> int:
        return 1

    assert_type(_sync.run_blocking(length, "a"), int)
    assert_type(_sync.gather(one, one, parallel=True), list[int])
    for found in _sync.map_ahead(length, texts, workers=1, ahead=1):
        assert_type(found, int)
    with _sync.time_limit(1, what="it") as deadline:
        assert_type(deadline, Deadline)
