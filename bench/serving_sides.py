"""Who is asked, and how: our two faces, plain Cypher, and the libraries."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from bench.clients import Driven, drive, drive_tasks
from bench.measure import median
from bench.serving_data import ServingData, Share
from graphrag.filters import prop
from graphrag.filters.nodes import PropertyFilter
from graphrag.model import SimilarityResult, TextSimilaritySearchRequest
from graphrag.model.chunk import Chunk
from graphrag.stores import AsyncNeo4jStore, Neo4jStore

__all__ = ["Ask", "AskAsync", "Run", "Side", "ours", "ours_async", "run_tasks", "run_threads"]

Ask = Callable[[int], Sequence[str]]
AskAsync = Callable[[int], Awaitable[Sequence[str]]]
Run = Callable[[int, float, int], Driven]
"""Takes the number of clients, the seconds and the number of the first query."""


@dataclass(slots=True)
class Side:
    """One that is asked, and its windows.

    Attributes:
        name: In the table.
        run: Asks from many clients.
        how: What was chosen for it, in words.
        is_measure: Whether ours is measured by it.
    """

    name: str
    run: Run
    how: str = ""
    is_measure: bool = True
    windows: list[Driven] = field(default_factory=list[Driven])

    @property
    def rate(self) -> float:
        """Searches a second: the median of the windows."""
        return median([window.rate for window in self.windows])

    @property
    def times_ms(self) -> list[float]:
        """All calls, in order of their time."""
        return sorted(ms for window in self.windows for ms in window.times_ms)

    @property
    def answers(self) -> dict[int, list[str]]:
        """Ids by number of the query."""
        return {number: ids for window in self.windows for number, ids in window.answers.items()}

    def percentile(self, share: float) -> float:
        """Return the time that this share of all calls kept."""
        times = self.times_ms
        return times[min(len(times) - 1, int(len(times) * share))]

    def rates_to(self, other: "Side") -> float:
        """Return how many times the other's rate this is: the median over the rounds, which met the same load."""
        pairs = zip(self.windows, other.windows, strict=True)
        return median([mine.rate / theirs.rate for mine, theirs in pairs])

    def p50_to(self, other: "Side") -> float:
        """Return how many times the other's median time this is, in the same way."""
        pairs = zip(self.windows, other.windows, strict=True)
        return median([median(mine.times_ms) / median(theirs.times_ms) for mine, theirs in pairs])


def run_threads(ask: Ask, *, queries: int) -> Run:
    """Return what asks from threads of this process."""
    return lambda clients, seconds, first: drive(ask, clients=clients, seconds=seconds, queries=queries, first=first)


def run_tasks(runner: asyncio.Runner, ask: AskAsync, *, queries: int) -> Run:
    """Return what asks from tasks of one event loop."""
    return lambda clients, seconds, first: runner.run(
        drive_tasks(ask, clients=clients, seconds=seconds, queries=queries, first=first)
    )


def ours(store: Neo4jStore, data: ServingData, kind: str, share: Share, *, top_k: int) -> Ask:
    """Return our search of a kind, from threads."""
    where = _where(share)
    requests = [TextSimilaritySearchRequest(text, top_k=top_k) for text in data.corpus.query_texts]
    queries = data.corpus.queries
    match kind:
        case "vector":
            return lambda n: _ids(store.vector_search_by_embedding(queries[n], top_k=top_k, where=where))
        case "text":
            return lambda n: _ids(store.text_search(requests[n], where=where))
        case "hybrid":
            return lambda n: _ids(store.hybrid_search(requests[n], where=where))
        case _:
            patterns = data.patterns[kind]
            return lambda n: _ids(store.regex_search(patterns[n], top_k, where=where))


def ours_async(store: AsyncNeo4jStore, data: ServingData, kind: str, share: Share, *, top_k: int) -> AskAsync:
    """Return the same from tasks."""
    where = _where(share)
    requests = [TextSimilaritySearchRequest(text, top_k=top_k) for text in data.corpus.query_texts]
    queries = data.corpus.queries

    async def ask(number: int) -> Sequence[str]:
        match kind:
            case "vector":
                return _ids(await store.vector_search_by_embedding(queries[number], top_k=top_k, where=where))
            case "text":
                return _ids(await store.text_search(requests[number], where=where))
            case "hybrid":
                return _ids(await store.hybrid_search(requests[number], where=where))
            case _:
                return _ids(await store.regex_search(data.patterns[kind][number], top_k, where=where))

    return ask


def _where(share: Share) -> PropertyFilter | None:
    return None if share.owner is None else prop("owner") == share.owner


def _ids(results: Sequence[SimilarityResult[Chunk]]) -> list[str]:
    return [result.match.id for result in results]
