"""Statements of the application's own, in Cypher."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

from graphrag.stores.reports import StatementResult

__all__ = [
    "AsyncCypherSearch",
]


class AsyncCypherSearch(ABC):
    """Reading by statements of one's own.

    For application code and administrators. A statement sees the whole database, whatever a scope says, so this is
    no search that a tool of a language model may be made of, and no part of `AsyncSearchOperations`.
    """

    @abstractmethod
    async def cypher_search(
        self,
        statement: str,
        parameters: Mapping[str, object] | None = None,
        *,
        max_rows: int | None = None,
        max_bytes: int | None = None,
        timeout_s: float | None = None,
    ) -> StatementResult:
        """Return the rows of one reading statement.

        The server explains the statement before it runs it, and runs it in a transaction that cannot write.

        Args:
            statement: One query in Cypher 25, without a `CYPHER`, `EXPLAIN` or `PROFILE` before it; at most 20,000
                characters. Values belong into `parameters`, never into its text.
            parameters: Values by name: text, numbers, booleans, None, bytes, dates, times, durations, lists, mappings.
            max_rows: Most rows to return, 1..100,000; None is `search.cypher_max_rows`.
            max_bytes: Most bytes of rows to return, counted about as their JSON text, 1..1,000,000,000; None is
                `search.cypher_max_bytes`.
            timeout_s: Deadline in seconds, above 0 up to 3,600; None is `search.cypher_timeout_s`.

        Returns:
            Columns, and rows in the statement's order. Where a bound ended the reading, `truncated` is set and a note
            says which. Vectors stay in the database: a mark stands in their place, and a note says how many.

        Raises:
            InvalidRequestError: The statement is not understood; or is refused, since it writes, changes the schema,
                reads files, calls what is not allowed, holds `=~`, or is more than one; an argument is out of its
                bounds; a parameter is missing or cannot be sent.
            StatementError: It failed while it ran; the message holds no values.
            TimeoutExceededError: The deadline passed.
            StoreError: The store failed; `retryable` says if trying again makes sense.
        """
