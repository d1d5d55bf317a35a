"""One driver, one database: how statements are sent, with deadlines, retries and errors of ours."""

import logging
import random
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import LiteralString, TypeVar

from neo4j import (
    READ_ACCESS,
    AsyncDriver,
    AsyncGraphDatabase,
    AsyncManagedTransaction,
    AsyncSession,
    AsyncTransaction,
    Query,
    unit_of_work,
)
from neo4j.exceptions import DriverError, Neo4jError

from graphrag.concurrency._async import event_loop, sleep, time_limit
from graphrag.config import Neo4jSettings
from graphrag.cypher import Fragment, PlainWord, statement
from graphrag.errors import ConfigurationError, GraphRagError, StatementError, StoreError, StoreUnavailableError
from graphrag.stores.neo4j.address import check_address
from graphrag.stores.neo4j.cutting import ConnectionCut
from graphrag.stores.neo4j.faults import translate

__all__ = ["AsyncConnection", "AsyncWriter"]

log = logging.getLogger("graphrag.neo4j")

T = TypeVar("T")
Row = dict[str, object]

MINIMUM_SERVER = (2026, 6)
"""IN inside SEARCH came with it."""
_GRACE_S = 1.0
"""What a call may take beyond its deadline, so that the server's own answer can still arrive."""
_FIRST_WAIT_S = 0.05
_OVERTAKEN = frozenset({
    "Neo.ClientError.Schema.ConstraintValidationFailed",
    "Neo.ClientError.Statement.EntityNotFound",
})  # fmt: skip
"""Another transaction made what this one was to make, or deleted what this one had found and waited for; the driver
does not try again by itself. A write reads first what is there, so the next attempt sees it."""
_OVERTAKEN_ATTEMPTS = 10
_OUTSIDE_ATTEMPTS = 6


class AsyncWriter:
    """Runs statements inside one write transaction."""

    def __init__(self, transaction: AsyncManagedTransaction) -> None:
        self._transaction = transaction

    async def run(self, name: str, /, **parameters: object) -> list[Row]:
        """Return the rows of one statement of `cypher/`."""
        return await self.run_filled(name, {}, **parameters)

    async def run_filled(
        self, name: str, slots: Mapping[str, PlainWord | Fragment], /, **parameters: object
    ) -> list[Row]:
        """Return the rows of one statement with its slots filled."""
        started = time.monotonic()
        result = await self._transaction.run(statement(name).render(**slots), parameters)
        rows = [dict(record) async for record in result]
        log.debug("%s: %d rows, %.1f ms", name, len(rows), (time.monotonic() - started) * 1000)
        return rows


class AsyncConnection:
    """A driver with its database, its deadlines and its bookmarks. Safe to share between tasks.

    Args:
        settings: Where the server is, and the deadlines.

    Raises:
        ConfigurationError: The address is refused (see `check_address`).
    """

    def __init__(self, settings: Neo4jSettings) -> None:
        self.where: str = check_address(settings)
        self.settings: Neo4jSettings = settings
        self._bookmarks = AsyncGraphDatabase.bookmark_manager()
        self._driver: AsyncDriver | None = None
        self._event_loop: object = None
        self._answered = False
        self._closed = False

    def reopen(self) -> None:
        """Allow calls again after `aclose`."""
        self._closed = False

    def _open_driver(self) -> AsyncDriver:
        if self._closed:
            msg = f"the store at {self.where} is closed; open it again, or use it inside its `with` block"
            raise StoreError(msg)
        self._check_loop()
        if self._driver is None:
            self._event_loop = event_loop()
            self._bookmarks = AsyncGraphDatabase.bookmark_manager()
            settings = self.settings
            try:
                self._driver = AsyncGraphDatabase.driver(
                    settings.uri,
                    auth=(settings.username, settings.password.get_secret_value()),
                    connection_timeout=settings.connect_timeout_s,
                    connection_acquisition_timeout=settings.call_timeout_s,
                    max_connection_pool_size=settings.max_pool_size,
                    max_transaction_retry_time=settings.call_timeout_s,
                    # A connection that idled is tried before it is used, so that no call meets a dead one.
                    liveness_check_timeout=30.0,
                    telemetry_disabled=True,
                    notifications_min_severity="OFF",
                )
            except DriverError as error:
                raise translate(error, where=self.where) from error
            except ValueError as error:
                msg = f"the driver refuses the address {self.where}; check NEO4J_URI: scheme, host, port, and no more"
                raise ConfigurationError(msg) from error
        return self._driver

    def _check_loop(self) -> None:
        if self._driver is not None and self._event_loop is not event_loop():
            msg = (
                f"the store at {self.where} was opened in another event loop, which its connections are bound to; "
                "close it at the end of each `asyncio.run` (`async with` does), then open it in the next"
            )
            raise StoreError(msg)

    async def check_server(self) -> tuple[str, str]:
        """Connect; return the server's version and edition.

        Raises:
            StoreUnavailableError: Nothing answers, the credentials or the database's name are refused.
            StoreError: The server is older than this package needs.
        """
        try:
            rows = await self.read("schema/server_info")
        except StatementError:
            # An older server does not understand our statements at all; its greeting tells its version.
            self._check_version(await self._greeted_version())
            raise
        version = str(rows[0]["version"])
        self._check_version(version)
        return version, str(rows[0]["edition"])

    async def _greeted_version(self) -> str:
        info = await self._open_driver().get_server_info()
        return info.agent.partition("/")[2]

    def _check_version(self, version: str) -> None:
        numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
        if numbers < MINIMUM_SERVER:
            needed = f"{MINIMUM_SERVER[0]}.{MINIMUM_SERVER[1]:02d}"
            msg = f"the server at {self.where} is Neo4j {version}; this package needs {needed} or later: upgrade it"
            raise StoreError(msg)

    async def read(
        self,
        name: str,
        /,
        parameters: Mapping[str, object] | None = None,
        *,
        slots: Mapping[str, PlainWord | Fragment] | None = None,
        timeout_s: float | None = None,
    ) -> list[Row]:
        """Return the rows of one reading statement of `cypher/`.

        It runs once more, within its deadline, where it failed for a passing reason.

        Raises:
            TimeoutExceededError: The deadline passed.
            StoreError: It failed; `retryable` says if trying again makes sense.
        """
        text = statement(name).render(**(slots or {}))
        deadline_s = timeout_s or self.settings.call_timeout_s
        started = time.monotonic()
        cut = ConnectionCut()
        async with time_limit(deadline_s + _GRACE_S, what=f"statement `{name}`", interrupt=cut):
            rows = await self._with_retries(
                lambda left: self._read_once(text, parameters, left_s=left, cut=cut), name, deadline_s
            )
        log.debug("%s: %d rows, %.1f ms", name, len(rows), (time.monotonic() - started) * 1000)
        return rows

    async def _read_once(
        self, text: LiteralString, parameters: Mapping[str, object] | None, *, left_s: float, cut: ConnectionCut
    ) -> list[Row]:
        driver = self._open_driver()
        async with driver.session(
            database=self.settings.database,
            default_access_mode=READ_ACCESS,
            bookmark_manager=self._bookmarks,
            fetch_size=2_000,
        ) as session:
            cut.session = session
            result = await session.run(Query(text, timeout=left_s), dict(parameters or {}))
            return [dict(record) async for record in result]

    async def read_in_transaction(
        self, work: Callable[[AsyncTransaction], Awaitable[T]], *, what: str, timeout_s: float, fetch_size: int
    ) -> T:
        """Return what `work` returns, run in one transaction in which the server refuses every write.

        `work` may run once more, where it failed for a passing reason. What it leaves unread is thrown away.

        Args:
            work: Gets the transaction, which is closed behind it.
            what: The name of the operation, for messages.
            timeout_s: Deadline of the transaction.
            fetch_size: Rows that the server sends at a time.

        Raises:
            TimeoutExceededError: The deadline passed.
            StoreError: It failed; `retryable` says if trying again makes sense.
        """

        async def once(left_s: float) -> T:
            async with self._open_driver().session(
                database=self.settings.database,
                default_access_mode=READ_ACCESS,
                bookmark_manager=self._bookmarks,
                fetch_size=fetch_size,
            ) as session:
                cut.session = session
                async with await session.begin_transaction(timeout=left_s) as transaction:
                    return await work(transaction)

        cut = ConnectionCut()
        async with time_limit(timeout_s + _GRACE_S, what=what, interrupt=cut):
            return await self._with_retries(once, what, timeout_s)

    async def _with_retries(self, call: Callable[[float], Awaitable[T]], name: str, deadline_s: float) -> T:
        ends = time.monotonic() + deadline_s
        wait_s = _FIRST_WAIT_S
        while True:
            left_s = max(ends - time.monotonic(), 0.001)
            try:
                result = await call(left_s)
            except (Neo4jError, DriverError) as error:
                pause_s = wait_s * random.uniform(0.5, 1.5)  # noqa: S311 - jitter, no secret
                # A server that never answered is told at once; one that did answer may come back.
                if not (self._answered and error.is_retryable()) or time.monotonic() + pause_s >= ends:
                    raise translate(error, where=self.where, statement=name, settings=self.settings) from error
            except OSError as error:
                msg = f"no Neo4j server can be reached at {self.where}: {type(error).__name__}; check NEO4J_URI"
                raise StoreUnavailableError(msg, retryable=True) from error
            else:
                self._answered = True
                return result
            await sleep(pause_s)
            wait_s = min(wait_s * 2, 2.0)

    async def run_outside(
        self,
        name: str,
        /,
        parameters: Mapping[str, object] | None = None,
        *,
        slots: Mapping[str, PlainWord | Fragment] | None = None,
        timeout_s: float,
    ) -> list[Row]:
        """Return the rows of one statement that must have a transaction of its own (schema changes)."""
        text = statement(name).render(**(slots or {}))
        for _ in range(_OUTSIDE_ATTEMPTS - 1):
            try:
                return await self._outside_once(name, text, parameters, timeout_s=timeout_s)
            except StoreError as error:
                if not error.retryable or isinstance(error, StoreUnavailableError):
                    raise
            # Two programs that change indexes may wait for each other: one of them is sent away.
            await sleep(_FIRST_WAIT_S * (1 + random.random()))  # noqa: S311 - jitter, no secret
        return await self._outside_once(name, text, parameters, timeout_s=timeout_s)

    async def _outside_once(
        self, name: str, text: LiteralString, parameters: Mapping[str, object] | None, *, timeout_s: float
    ) -> list[Row]:
        driver = self._open_driver()
        cut = ConnectionCut()
        try:
            async with (
                time_limit(timeout_s + _GRACE_S, what=f"statement `{name}`", interrupt=cut),
                driver.session(database=self.settings.database, bookmark_manager=self._bookmarks) as session,
            ):
                cut.session = session
                result = await session.run(Query(text, timeout=timeout_s), dict(parameters or {}))
                return [dict(record) async for record in result]
        except (Neo4jError, DriverError) as error:
            raise translate(error, where=self.where, statement=name, settings=self.settings) from error

    async def write(
        self, work: Callable[[AsyncWriter], Awaitable[T]], *, what: str, timeout_s: float | None = None
    ) -> T:
        """Return what `work` returns, run in one transaction that is committed at its end.

        `work` may run several times (deadlocks and lost connections are tried again), so it must do the
        same each time.

        Args:
            work: Gets a writer.
            what: What is written, for messages: the name of the operation, no text of users.
            timeout_s: Deadline of the transaction.

        Raises:
            TimeoutExceededError: The deadline passed; nothing is written.
            StoreError: It failed; nothing is half-written.
        """
        limit_s = timeout_s or self.settings.write_timeout_s

        driver = self._open_driver()
        cut = ConnectionCut()
        try:
            async with (
                time_limit(limit_s + self.settings.call_timeout_s + _GRACE_S, what=what, interrupt=cut) as deadline,
                driver.session(database=self.settings.database, bookmark_manager=self._bookmarks) as session,
            ):
                cut.session = session

                @unit_of_work(timeout=limit_s)
                async def attempt(transaction: AsyncManagedTransaction) -> T:
                    deadline.check()
                    return await work(AsyncWriter(transaction))

                result = await self._attempts(session, attempt)
                await self._check_acknowledged(session)
                return result
        except (Neo4jError, DriverError) as error:
            raise translate(error, where=self.where, statement=what, settings=self.settings) from error
        except OSError as error:
            if isinstance(error, GraphRagError):
                raise
            msg = f"no Neo4j server can be reached at {self.where}: {type(error).__name__}; check NEO4J_URI"
            raise StoreUnavailableError(msg, retryable=True) from error

    async def _attempts(self, session: AsyncSession, attempt: Callable[[AsyncManagedTransaction], Awaitable[T]]) -> T:
        for _ in range(_OVERTAKEN_ATTEMPTS):
            try:
                return await session.execute_write(attempt)
            except Neo4jError as error:
                if error.code not in _OVERTAKEN:
                    raise
            await sleep(_FIRST_WAIT_S * random.random())  # noqa: S311 - jitter, no secret
        return await session.execute_write(attempt)

    async def _check_acknowledged(self, session: AsyncSession) -> None:
        """Refuse an answer to a commit that brings no bookmark.

        A server that shuts down answers an open transaction with a bare success, and the data are lost
        (measured on 2026.08.1); a commit that took place always brings a bookmark.
        """
        if not (await session.last_bookmarks()).raw_values:
            msg = (
                f"the server at {self.where} ended while it answered a commit, so whether it took place is not known; "
                "every write of this package may be run again"
            )
            raise StoreUnavailableError(msg, retryable=True)

    async def position(self) -> frozenset[str]:
        """Return how far the database has come: equal where nothing was committed in between."""
        name = "lookup/position"
        cut = ConnectionCut()
        async with time_limit(self.settings.call_timeout_s + _GRACE_S, what=f"statement `{name}`", interrupt=cut):
            return await self._with_retries(
                lambda left: self._position_once(left_s=left, cut=cut), name, self.settings.call_timeout_s
            )

    async def _position_once(self, *, left_s: float, cut: ConnectionCut) -> frozenset[str]:
        driver = self._open_driver()
        async with driver.session(database=self.settings.database, default_access_mode=READ_ACCESS) as session:
            cut.session = session
            result = await session.run(Query(statement("lookup/position").text, timeout=left_s))
            await result.consume()
            return frozenset((await session.last_bookmarks()).raw_values)

    async def aclose(self) -> None:
        """Close all connections. May be called twice; a call after it is refused until `reopen`.

        Raises:
            StoreError: The connections are bound to another event loop, which alone can close them.
        """
        self._check_loop()
        self._closed = True
        driver, self._driver = self._driver, None
        if driver is not None:
            await driver.close()
