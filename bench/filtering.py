"""How fast and how completely is searched under filters, beside the libraries that others use."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import cast

from bench.data import Sizes, make_corpus
from bench.filter_data import FILTER_PROPERTIES, SHAPES, FilterCase, StoredChunks, filter_cases, store_chunks
from bench.filter_report import LEAST_RECALL, TOP_K
from bench.measure import Comparison, await_quiet, median
from bench.peers import PEERS, TOLD, Answer, Peers, open_peers
from bench.plain import Row, exact_scan
from bench.setting import Setting
from graphrag.config import Neo4jSettings

__all__ = ["FILTER_CHUNKS", "compare_filters"]

FILTER_CHUNKS = (20_000, 100_000)
_PEER_TOP_KS = (10, 20, 30, 50, 80, 100, 200)
_MOST_TIMES_SLOWER = 1.1
_ROUNDS = 40
_LEAST_ROUNDS = 5
_BUDGET_S = 4.0
"""What one side may take in one case: who needs seconds for a search is asked less often."""
_RECALL_QUERIES = 100
"""So many queries tell our recall: those beyond the rounds are asked at the end, and not timed."""
_LEAST_TRIED = 3
_TRY_BUDGET_S = 1.5
_WARMING = 3
_TARGET = f"<= {_MOST_TIMES_SLOWER}, recall >= {LEAST_RECALL}, min(k, matches) results"

Ask = Callable[[int], Answer]


@dataclass(slots=True)
class _Side:
    """One that is asked, and what it answered, by number of the query."""

    name: str
    ask: Ask
    top_k: int = TOP_K
    recall_reached: bool = True
    answers: dict[int, Answer] = field(default_factory=dict[int, Answer])
    spent_ms: float = 0.0

    @property
    def is_due(self) -> bool:
        return len(self.answers) < _LEAST_ROUNDS or self.spent_ms < _BUDGET_S * 1_000

    @property
    def p50(self) -> float:
        return median([answer.ms for answer in self.answers.values()])

    @property
    def p95(self) -> float:
        times = sorted(answer.ms for answer in self.answers.values())
        return times[min(len(times) - 1, int(len(times) * 0.95))]

    def run(self, number: int) -> None:
        self.answers[number] = answer = self.ask(number)
        self.spent_ms += answer.ms


@dataclass(frozen=True)
class _Trial:
    """One filter on one database, and the ways to ask."""

    setting: Setting
    chunks: StoredChunks
    case: FilterCase
    peers: Peers | None
    rounds: int

    @property
    def results(self) -> int:
        """How many results are right."""
        return min(TOP_K, len(self.case.among))

    @cached_property
    def _nearest(self) -> list[set[int]]:
        return self.setting.corpus.nearest(TOP_K, among=self.case.among)

    def recall(self, answers: Mapping[int, Answer]) -> float:
        """Return the share of the nearest ten by brute force that the first ten of each answer hold."""
        places = self.chunks.places
        found = sum(
            len({places[id_] for id_ in answer.ids[:TOP_K]} & self._nearest[number])
            for number, answer in answers.items()
        )
        return found / (self.results * len(answers))

    def ours(self, number: int) -> Answer:
        """Ask our store."""
        vector = self.setting.corpus.queries[number]
        started = time.perf_counter()
        found = self.setting.store.vector_search_by_embedding(vector, top_k=TOP_K, where=self.case.where)
        return Answer([result.match.id for result in found], _ms_since(started))

    def way(self) -> str:
        """Return which way our search goes by now, and how many candidates it takes."""
        vector = self.setting.corpus.queries[0]
        found = self.setting.store.vector_search_by_embedding(vector, top_k=TOP_K, where=self.case.where, explain=True)
        return ", ".join(f"{leg.path} {leg.candidates}" for leg in found.explanations)

    def plain(self, number: int) -> Answer:
        """Ask by the statement that compares all chunks that pass."""
        scan = exact_scan(self.case.condition)
        vector = self.setting.corpus.queries[number]
        started = time.perf_counter()
        rows = scan.run(self.setting.driver, vector, top_k=TOP_K, **self.case.parameters)
        return Answer([str(cast("Row", row["chunk"])["id"]) for row in rows], _ms_since(started))

    def peer(self, name: str, top_k: int, number: int) -> Answer | None:
        """Ask a library; None where it cannot be asked this."""
        if self.peers is None or self.case.peer is None:
            return None
        vector = self.setting.corpus.queries[number].tolist()
        return self.peers.ask(name, vector, top_k=top_k, where=self.case.peer)


def compare_filters(
    setting: Setting,
    neo4j: Neo4jSettings,
    *,
    sizes: Sequence[int] = FILTER_CHUNKS,
    peer_python: Path | None = None,
    shapes: Sequence[str] = SHAPES,
    rounds: int = _ROUNDS,
    recall_queries: int = _RECALL_QUERIES,
) -> Iterator[Comparison]:
    """Yield a line for each number of chunks, shape and share.

    Args:
        setting: Its corpus is not used, its database is emptied.
        neo4j: The server of the setting, for the libraries.
        sizes: Numbers of chunks.
        peer_python: The Python that has the libraries; without it, ours is compared with an exact scan.
        shapes: Of `SHAPES`.
        rounds: How many queries each side gets, timed.
        recall_queries: How many tell our recall.
    """
    for count in sizes:
        dimensions = setting.corpus.sizes.dimensions
        queries = max(rounds, recall_queries)
        corpus = make_corpus(Sizes(count, max(1, count // 100), dimensions, queries))
        sized = replace(setting, corpus=corpus)
        chunks = store_chunks(sized)
        await_quiet(setting.server_pid)
        with ExitStack() as stack:
            peers = None
            if peer_python is not None:
                process = open_peers(
                    [peer_python],
                    neo4j,
                    index=chunks.index,
                    dimensions=dimensions,
                    filter_properties=FILTER_PROPERTIES,
                )
                peers = stack.enter_context(process)
            for case in filter_cases(chunks, shapes=shapes):
                yield _compare(_Trial(sized, chunks, case, peers, rounds))
    setting.start_afresh()


def _compare(trial: _Trial) -> Comparison:
    ours, plain = _Side("ours", trial.ours), _Side("exact scan", trial.plain)
    others = [side for name in PEERS if (side := _peer_side(trial, name)) is not None]
    sides = [ours, plain, *others]
    for side in sides:
        for number in range(min(_WARMING, trial.rounds)):
            side.ask(number)
    for number in range(trial.rounds):
        # Each comes first in its turn.
        first = number % len(sides)
        for side in sides[first:] + sides[:first]:
            if side.is_due:
                side.run(number)
    return _line(trial, ours, plain, others)


def _peer_side(trial: _Trial, name: str) -> _Side | None:
    """Return a library with the smallest top_k that brings it to the recall; None where it lacks the form."""
    for top_k in _PEER_TOP_KS:
        answers: dict[int, Answer] = {}
        spent_ms = 0.0
        for number in range(trial.rounds):
            answer = trial.peer(name, top_k, number)
            if answer is None:
                return None
            answers[number] = answer
            spent_ms += answer.ms
            if number + 1 >= _LEAST_TRIED and spent_ms > _TRY_BUDGET_S * 1_000:
                break
        reached = trial.recall(answers) >= LEAST_RECALL
        if reached or top_k == _PEER_TOP_KS[-1]:
            return _Side(name, partial(_ask_again, trial, name, top_k), top_k, reached)
    return None


def _ask_again(trial: _Trial, name: str, top_k: int, number: int) -> Answer:
    answer = trial.peer(name, top_k, number)
    if answer is None:
        msg = f"{name} answered {trial.case.name} before, and fails now"
        raise RuntimeError(msg)
    return answer


def _line(trial: _Trial, ours: _Side, plain: _Side, others: Sequence[_Side]) -> Comparison:
    # A library that never reaches the recall is no measure, however fast it is.
    measures = [side for side in others if side.recall_reached and side.name != TOLD] or [plain]
    fastest = min(measures, key=lambda side: side.p50)
    untimed = {number: trial.ours(number) for number in range(trial.rounds, len(trial.setting.corpus.queries))}
    answers = {**ours.answers, **untimed}
    recall = trial.recall(answers)
    results = [len(answer.ids) for answer in answers.values()]
    ratio = ours.p50 / fastest.p50
    right = recall >= LEAST_RECALL and set(results) == {trial.results}
    chunks = trial.setting.corpus.sizes.chunks
    return Comparison(
        f"filter {trial.case.name} of {chunks:,}",
        "ms",
        ours=ours.p50,
        plain=fastest.p50,
        ratio=ratio,
        target=_TARGET,
        holds=right and ratio <= _MOST_TIMES_SLOWER,
        note=fastest.name,
        details={
            "chunks": chunks,
            "shape": trial.case.shape,
            "share": trial.case.share,
            "matches": len(trial.case.among),
            "results": [min(results), max(results)],
            "way": trial.way(),
            "versions": trial.peers.versions if trial.peers else {},
            "sides": {
                ours.name: {**_figures(trial, ours), "recall": recall},
                **{side.name: _figures(trial, side) for side in (plain, *others)},
            },
        },
    )


def _figures(trial: _Trial, side: _Side) -> dict[str, object]:
    return {
        "top_k": side.top_k,
        "p50_ms": side.p50,
        "p95_ms": side.p95,
        "recall": trial.recall(side.answers),
        "queries": len(side.answers),
        "each_ms": [round(answer.ms, 3) for answer in side.answers.values()],
    }


def _ms_since(started: float) -> float:
    return (time.perf_counter() - started) * 1_000
