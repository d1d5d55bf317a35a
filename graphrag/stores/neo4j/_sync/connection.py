# Generated from graphrag/stores/neo4j/_async/connection.py by tools/generate_sync.py; do not edit.
"""One driver, one database: how statements are sent, with deadlines, retries and errors of ours."""

import logging
import random
import re
import time
from collections.abc import Callable, Mapping
from typing import LiteralString, TypeVar

from neo4j import (
    READ_ACCESS,
    Driver,
    GraphDatabase,
    ManagedTransaction,
    Query,
    Session,
    Transaction,
    unit_of_work,
)
from neo4j.exceptions import DriverError, Neo4jError

from graphrag.concurrency._sync import event_loop, sleep, time_limit
from graphrag.config import Neo4jSettings
from graphrag.cypher import Fragment, PlainWord, statement
from graphrag.errors import ConfigurationError, GraphRagError, StatementError, StoreError, StoreUnavailableError
from graphrag.stores.neo4j.address import check_address
from graphrag.stores.neo4j.cutting import ConnectionCut
from graphrag.stores.neo4j.faults import translate

__all__ = ["Connection", "Writer"]

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


class Writer:
    """Runs statements inside one write transaction."""

    def __init__(self, transaction: ManagedTransaction) -> None:
        self._transaction = transaction

    def run(self, name: str, /, **parameters: object) -> list[Row]:
        """Return the rows of one statement of `cypher/`."""
        return self.run_filled(name, {}, **parameters)

    def run_filled(self, name: str, slots: Mapping[str, PlainWord | Fragment], /, **parameters: object) -> list[Row]:
        """Return the rows of one statement with its slots filled."""
        started = time.monotonic()
        result = self._transaction.run(statement(name).render(**slots), parameters)
        rows = [dict(record) for record in result]
        log.debug("%s: %d rows, %.1f ms", name, len(rows), (time.monotonic() - started) * 1000)
        return rows


class Connection:
    """A driver with its database, its deadlines and its bookmarks. Safe to share between tasks.

    Args:
        settings: Where the server is, and the deadlines.

    Raises:
        ConfigurationError: The address is refused (see `check_address`).
    """

    def __init__(self, settings: Neo4jSettings) -> None:
        self.where: str = check_address(settings)
        self.settings: Neo4jSettings = settings
        self._bookmarks = GraphDatabase.bookmark_manager()
        self._driver: Driver | None = None
        self._event_loop: object = None
        self._answered = False
        self._closed = False

    def reopen(self) -> None:
        """Allow calls again after `close`."""
        self._closed = False

    def _open_driver(self) -> Driver:
        if self._closed:
            msg = f"the store at {self.where} is closed; open it again, or use it inside its `with` block"
            raise StoreError(msg)
        self._check_loop()
        if self._driver is None:
            self._event_loop = event_loop()
            self._bookmarks = GraphDatabase.bookmark_manager()
            settings = self.settings
            try:
                self._driver = GraphDatabase.driver(
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
                "close it at the end of each `asyncio.run` (`with` does), then open it in the next"
            )
            raise StoreError(msg)

    def check_server(self) -> tuple[str, str]:
        """Connect; return the server's version and edition.

        Raises:
            StoreUnavailableError: Nothing answers, the credentials or the database's name are refused.
            StoreError: The server is older than this package needs.
        """
        try:
            rows = self.read("schema/server_info")
        except StatementError:
            # An older server does not understand our statements at all; its greeting tells its version.
            self._check_version(self._greeted_version())
            raise
        version = str(rows[0]["version"])
        self._check_version(version)
        return version, str(rows[0]["edition"])

    def _greeted_version(self) -> str:
        info = self._open_driver().get_server_info()
        return info.agent.partition("/")[2]

    def _check_version(self, version: str) -> None:
        numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
        if numbers < MINIMUM_SERVER:
            needed = f"{MINIMUM_SERVER[0]}.{MINIMUM_SERVER[1]:02d}"
            msg = f"the server at {self.where} is Neo4j {version}; this package needs {needed} or later: upgrade it"
            raise StoreError(msg)

    def read(
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
        with time_limit(deadline_s + _GRACE_S, what=f"statement `{name}`", interrupt=cut):
            rows = self._with_retries(
                lambda left: self._read_once(text, parameters, left_s=left, cut=cut), name, deadline_s
            )
        log.debug("%s: %d rows, %.1f ms", name, len(rows), (time.monotonic() - started) * 1000)
        return rows

    def _read_once(
        self, text: LiteralString, parameters: Mapping[str, object] | None, *, left_s: float, cut: ConnectionCut
    ) -> list[Row]:
        driver = self._open_driver()
        with driver.session(
            database=self.settings.database,
            default_access_mode=READ_ACCESS,
            bookmark_manager=self._bookmarks,
            fetch_size=2_000,
        ) as session:
            cut.session = session
            result = session.run(Query(text, timeout=left_s), dict(parameters or {}))
            return [dict(record) for record in result]

    def read_in_transaction(
        self, work: Callable[[Transaction], T], *, what: str, timeout_s: float, fetch_size: int
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

        def once(left_s: float) -> T:
            with self._open_driver().session(
                database=self.settings.database,
                default_access_mode=READ_ACCESS,
                bookmark_manager=self._bookmarks,
                fetch_size=fetch_size,
            ) as session:
                cut.session = session
                with session.begin_transaction(timeout=left_s) as transaction:
                    return work(transaction)

        cut = ConnectionCut()
        with time_limit(timeout_s + _GRACE_S, what=what, interrupt=cut):
            return self._with_retries(once, what, timeout_s)

    def _with_retries(self, call: Callable[[float], T], name: str, deadline_s: float) -> T:
        ends = time.monotonic() + deadline_s
        wait_s = _FIRST_WAIT_S
        while True:
            left_s = max(ends - time.monotonic(), 0.001)
            try:
                result = call(left_s)
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
            sleep(pause_s)
            wait_s = min(wait_s * 2, 2.0)

    def run_outside(
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
                return self._outside_once(name, text, parameters, timeout_s=timeout_s)
            except StoreError as error:
                if not error.retryable or isinstance(error, StoreUnavailableError):
                    raise
            # Two programs that change indexes may wait for each other: one of them is sent away.
            sleep(_FIRST_WAIT_S * (1 + random.random()))  # noqa: S311 - jitter, no secret
        return self._outside_once(name, text, parameters, timeout_s=timeout_s)

    def _outside_once(
        self, name: str, text: LiteralString, parameters: Mapping[str, object] | None, *, timeout_s: float
    ) -> list[Row]:
        driver = self._open_driver()
        cut = ConnectionCut()
        try:
            with (
                time_limit(timeout_s + _GRACE_S, what=f"statement `{name}`", interrupt=cut),
                driver.session(database=self.settings.database, bookmark_manager=self._bookmarks) as session,
            ):
                cut.session = session
                result = session.run(Query(text, timeout=timeout_s), dict(parameters or {}))
                return [dict(record) for record in result]
        except (Neo4jError, DriverError) as error:
            raise translate(error, where=self.where, statement=name, settings=self.settings) from error

    def write(self, work: Callable[[Writer], T], *, what: str, timeout_s: float | None = None) -> T:
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
            with (
                time_limit(limit_s + self.settings.call_timeout_s + _GRACE_S, what=what, interrupt=cut) as deadline,
                driver.session(database=self.settings.database, bookmark_manager=self._bookmarks) as session,
            ):
                cut.session = session

                @unit_of_work(timeout=limit_s)
                def attempt(transaction: ManagedTransaction) -> T:
                    deadline.check()
                    return work(Writer(transaction))

                result = self._attempts(session, attempt)
                self._check_acknowledged(session)
                return result
        except (Neo4jError, DriverError) as error:
            raise translate(error, where=self.where, statement=what, settings=self.settings) from error
        except OSError as error:
            if isinstance(error, GraphRagError):
                raise
            msg = f"no Neo4j server can be reached at {self.where}: {type(error).__name__}; check NEO4J_URI"
            raise StoreUnavailableError(msg, retryable=True) from error

    def _attempts(self, session: Session, attempt: Callable[[ManagedTransaction], T]) -> T:
        for _ in range(_OVERTAKEN_ATTEMPTS):
            try:
                return session.execute_write(attempt)
            except Neo4jError as error:
                if error.code not in _OVERTAKEN:
                    raise
            sleep(_FIRST_WAIT_S * random.random())  # noqa: S311 - jitter, no secret
        return session.execute_write(attempt)

    def _check_acknowledged(self, session: Session) -> None:
        """Refuse an answer to a commit that brings no bookmark.

        A server that shuts down answers an open transaction with a bare success, and the data are lost
        (measured on 2026.08.1); a commit that took place always brings a bookmark.
        """
        if not (session.last_bookmarks()).raw_values:
            msg = (
                f"the server at {self.where} ended while it answered a commit, so whether it took place is not known; "
                "every write of this package may be run again"
            )
            raise StoreUnavailableError(msg, retryable=True)

    def position(self) -> frozenset[str]:
        """Return how far the database has come: equal where nothing was committed in between."""
        name = "lookup/position"
        cut = ConnectionCut()
        with time_limit(self.settings.call_timeout_s + _GRACE_S, what=f"statement `{name}`", interrupt=cut):
            return self._with_retries(
                lambda left: self._position_once(left_s=left, cut=cut), name, self.settings.call_timeout_s
            )

    def _position_once(self, *, left_s: float, cut: ConnectionCut) -> frozenset[str]:
        driver = self._open_driver()
        with driver.session(database=self.settings.database, default_access_mode=READ_ACCESS) as session:
            cut.session = session
            result = session.run(Query(statement("lookup/position").text, timeout=left_s))
            result.consume()
            return frozenset((session.last_bookmarks()).raw_values)

    def close(self) -> None:
        """Close all connections. May be called twice; a call after it is refused until `reopen`.

        Raises:
            StoreError: The connections are bound to another event loop, which alone can close them.
        """
        self._check_loop()
        self._closed = True
        driver, self._driver = self._driver, None
        if driver is not None:
            driver.close()
