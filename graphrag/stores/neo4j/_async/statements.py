"""Reading by statements of the application's own: explained first, run where nothing can be written, cut at bounds."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from neo4j import AsyncTransaction
from neo4j.exceptions import BrokenRecordError, Neo4jError

from graphrag.cypher import given_statement
from graphrag.errors import InvalidRequestError, StatementError
from graphrag.stores._async.protocols import AsyncCypherSearch
from graphrag.stores.neo4j._async.part import AsyncPart
from graphrag.stores.neo4j.statement_checks import check_plan, check_text
from graphrag.stores.neo4j.statement_values import PlainValues, statement_parameters
from graphrag.stores.reports import StatementResult, StatementValue

__all__ = ["AsyncNeo4jStatements"]

_NAME = "cypher_search"
"""What errors call a statement of the caller."""
_MAX_CHARS = 20_000
_MAX_ROWS = 100_000
_MAX_BYTES = 1_000_000_000
_MAX_TIMEOUT_S = 3_600.0
_PAGE_ROWS = 200
"""Rows that the server sends at a time; what was sent and not read is thrown away."""
_NOT_UNDERSTOOD = "Neo.ClientError.Statement."
_NO_MEMORY = frozenset({
    "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
    "Neo.TransientError.General.OutOfMemoryError",
    "Neo.TransientError.General.TransactionOutOfMemoryError",
    "Neo.TransientError.General.StackOverFlowError",
})  # fmt: skip
_PLACE = re.compile(r"\s*\(line (\d+), column (\d+)(?: \(offset: \d+\))?\)")
_MAX_TOLD_CHARS = 300


@dataclass(frozen=True, slots=True)
class _Call:
    """A statement, what is sent with it, and how much of its answer is read."""

    statement: str
    parameters: dict[str, object]
    max_rows: int
    max_bytes: int
    timeout_s: float


class AsyncNeo4jStatements(AsyncPart, AsyncCypherSearch):
    """Statements in Cypher that only read."""

    async def cypher_search(
        self,
        statement: str,
        parameters: Mapping[str, object] | None = None,
        *,
        max_rows: int | None = None,
        max_bytes: int | None = None,
        timeout_s: float | None = None,
    ) -> StatementResult:
        """Return the rows of one reading statement (see the protocol)."""
        settings = self._search_settings
        call = _Call(
            statement,
            statement_parameters(parameters, needed=check_text(_checked_length(statement))),
            _within("max_rows", settings.cypher_max_rows if max_rows is None else max_rows, _MAX_ROWS),
            _within("max_bytes", settings.cypher_max_bytes if max_bytes is None else max_bytes, _MAX_BYTES),
            _seconds(settings.cypher_timeout_s if timeout_s is None else timeout_s),
        )
        stamp = self._stamp or await self._read_stamp()
        dimensions = stamp.dimensions if stamp else None

        async def work(transaction: AsyncTransaction) -> StatementResult:
            await _explain(transaction, statement)
            return await _read(transaction, call, PlainValues(dimensions))

        return await self._connection.read_in_transaction(
            work, what=_NAME, timeout_s=call.timeout_s, fetch_size=min(call.max_rows + 1, _PAGE_ROWS)
        )


async def _explain(transaction: AsyncTransaction, statement: str) -> None:
    """Let the server read a statement, without its parameters: what it says of it holds no value of them."""
    try:
        summary = await (await transaction.run(given_statement(statement, explain=True))).consume()
    except Neo4jError as error:
        if error.code in _NO_MEMORY:
            raise _needs_memory(error) from error
        if not (error.code or "").startswith(_NOT_UNDERSTOOD):
            raise
        msg = f"the server does not understand the statement: {_told(error)}"
        raise InvalidRequestError(msg) from error
    check_plan(cast("Mapping[str, object]", summary.plan or {}), summary.query_type)


async def _read(transaction: AsyncTransaction, call: _Call, values: PlainValues) -> StatementResult:
    rows: list[Mapping[str, StatementValue]] = []
    cut = ""
    try:
        result = await transaction.run(given_statement(call.statement), call.parameters)
        columns = tuple(result.keys())
        async for record in result:
            if len(rows) == call.max_rows:
                cut = f"{call.max_rows:,} rows (`max_rows`)"
                break
            row = values.row(columns, record.values())
            if values.size > call.max_bytes:
                cut = f"{call.max_bytes:,} bytes (`max_bytes`), after {len(rows):,} rows"
                break
            rows.append(row)
    except BrokenRecordError as error:
        msg = "the answer holds a value that Python cannot (a date outside of the years 1 to 9999); return it as text"
        raise StatementError(msg, statement=_NAME) from error
    except Neo4jError as error:
        if error.code not in _NO_MEMORY:
            raise
        raise _needs_memory(error) from error
    notes = [f"the answer was cut at {cut}; there are more"] if cut else []
    if values.vectors:
        notes.append(f"{values.vectors:,} lists of numbers that look like vectors were left out of the answer")
    return StatementResult(columns, tuple(rows), truncated=bool(cut), notes=tuple(notes))


def _needs_memory(error: Neo4jError) -> StatementError:
    msg = f"the statement needs more memory than the server gives one ({error.code}); ask for less at a time"
    return StatementError(msg, statement=_NAME)


def _told(error: Neo4jError) -> str:
    """Return the server's first line about a statement, with the place as the caller counts lines."""
    line = (error.message or error.code or "").partition("\n")[0]
    place = _PLACE.search(line)
    told = f" (line {max(1, int(place[1]) - 1)}, column {place[2]})" if place else ""
    return _PLACE.sub("", line)[:_MAX_TOLD_CHARS] + told


def _checked_length(statement: str) -> str:
    # Callers without a type checker may pass anything.
    given = cast("object", statement)
    if not isinstance(given, str):
        msg = f"the statement is of type {type(given).__name__}; it must be text"
        raise InvalidRequestError(msg)
    if len(statement) > _MAX_CHARS:
        msg = f"the statement has {len(statement)} characters; it may have {_MAX_CHARS}. Send values as parameters"
        raise InvalidRequestError(msg)
    return statement


def _within(name: str, value: int, most: int) -> int:
    if type(value) is not int or not 1 <= value <= most:
        msg = f"`{name}` is {value!r}; it must be a whole number from 1 to {most}"
        raise InvalidRequestError(msg)
    return value


def _seconds(value: float) -> float:
    given = cast("object", value)
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 < given <= _MAX_TIMEOUT_S:
        msg = f"`timeout_s` is {value!r}; it must be a number of seconds above 0, up to {_MAX_TIMEOUT_S:g}"
        raise InvalidRequestError(msg)
    return float(value)
