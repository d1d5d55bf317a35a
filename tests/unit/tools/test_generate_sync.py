"""The generator of synchronous code, on sources written here and on the ones of the package."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

REPOSITORY = Path(__file__).parents[3]

SOURCE = '''"""The asynchronous store: use `AsyncThing`, `async with AsyncThing() as t: await t.get()`."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from typing import Self

from neo4j import AsyncDriver, AsyncGraphDatabase

from graphrag.concurrency._async import gather, run_blocking
from graphrag.sample._async.other import AsyncOther


class AsyncThing:
    """Asynchronous: await each call. An `AsyncOther` does the work."""

    def __init__(self, driver: AsyncDriver) -> None:
        self._driver = driver
        self._others: "dict[str, AsyncOther]" = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._driver.close()  # await the pool's end

    async def rows(self) -> AsyncIterator[int]:
        async with aclosing(self._numbers()) as numbers:
            async for number in numbers:
                yield number

    async def all(self, plain: Iterator[int]) -> list[int]:
        async def one() -> int:
            return await run_blocking(next, plain)

        found = await gather(one, parallel=True)
        return found + [number async for number in self.rows()]

    async def retried(self, work: Callable[[AsyncOther], Awaitable[list[int]]]) -> list[int]:
        return await work(self._others["first"])

    async def _numbers(self) -> AsyncIterator[int]:
        yield 1


@asynccontextmanager
async def opened(uri: str) -> AsyncIterator[AsyncThing]:
    async with AsyncExitStack() as stack:
        driver = await stack.enter_async_context(AsyncGraphDatabase.driver(uri))
        yield AsyncThing(driver)
'''

EXPECTED = '''# Generated from graphrag/sample/_async/thing.py by tools/generate_sync.py; do not edit.
"""The synchronous store: use `Thing`, `with Thing() as t: t.get()`."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Self

from neo4j import Driver, GraphDatabase

from graphrag.concurrency._sync import gather, run_blocking
from graphrag.sample._sync.other import Other


class Thing:
    """Synchronous: each call. An `Other` does the work."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._others: "dict[str, Other]" = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        self._driver.close()  # the pool's end

    def rows(self) -> Iterator[int]:
        with closing(self._numbers()) as numbers:
            for number in numbers:
                yield number

    def all(self, plain: Iterator[int]) -> list[int]:
        def one() -> int:
            return run_blocking(next, plain)

        found = gather(one, parallel=True)
        return found + [number for number in self.rows()]

    def retried(self, work: Callable[[Other], list[int]]) -> list[int]:
        return work(self._others["first"])

    def _numbers(self) -> Iterator[int]:
        yield 1


@contextmanager
def opened(uri: str) -> Iterator[Thing]:
    with ExitStack() as stack:
        driver = stack.enter_context(GraphDatabase.driver(uri))
        yield Thing(driver)
'''


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_sync", REPOSITORY / "tools" / "generate_sync.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_bytes((REPOSITORY / "pyproject.toml").read_bytes())
    source = tmp_path / "graphrag" / "sample" / "_async" / "thing.py"
    source.parent.mkdir(parents=True)
    source.write_text(SOURCE)
    return tmp_path


def test_a_source_becomes_plain_code_docstrings_and_comments_too(tool: ModuleType, checkout: Path) -> None:
    assert tool.main(["--root", str(checkout)]) == 0
    assert (checkout / "graphrag/sample/_sync/thing.py").read_text() == EXPECTED


def test_a_second_run_has_nothing_to_do(tool: ModuleType, checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tool.main(["--root", str(checkout)])
    capsys.readouterr()
    assert tool.main(["--root", str(checkout), "--check"]) == 0
    assert capsys.readouterr().out == ""


def test_check_names_what_differs_and_writes_nothing(
    tool: ModuleType, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tool.main(["--root", str(checkout)])
    generated = checkout / "graphrag/sample/_sync/thing.py"
    edited = EXPECTED.replace("yield 1", "yield 2")
    generated.write_text(edited)
    capsys.readouterr()
    assert tool.main(["--root", str(checkout), "--check"]) == 1
    output = capsys.readouterr()
    assert "graphrag/sample/_sync/thing.py: differs from its source" in output.out
    assert "make sync" in output.err
    assert generated.read_text() == edited


def test_a_generated_file_without_source_is_found_and_removed(
    tool: ModuleType, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tool.main(["--root", str(checkout)])
    left_over = checkout / "graphrag/sample/_sync/gone.py"
    left_over.write_text("")
    assert tool.main(["--root", str(checkout), "--check"]) == 1
    assert "gone.py: has no source" in capsys.readouterr().out
    assert tool.main(["--root", str(checkout)]) == 0
    assert not left_over.exists()


@pytest.mark.parametrize(
    "text, message",
    [
        ("import re\nimport asyncio\n", "bad.py:2: `asyncio` has no synchronous form"),
        ("from threading import Lock\n", "bad.py:1: `threading` has no synchronous form"),
        ("from x import AsyncResult\nfrom y import Result\n", "`AsyncResult` and `Result` .line 2. would become one"),
    ],
)
def test_a_source_without_plain_form_is_refused_with_its_place(
    tool: ModuleType, checkout: Path, text: str, message: str
) -> None:
    (checkout / "graphrag/sample/_async/bad.py").write_text(text)
    with pytest.raises(tool.SourceError, match=message):
        tool.generate(checkout)
    assert tool.main(["--root", str(checkout)]) == 1
    assert not (checkout / "graphrag/sample/_sync").exists()


def test_the_packages_own_generated_code_agrees_with_its_source(tool: ModuleType) -> None:
    assert list(tool.differences(REPOSITORY)) == []
