"""How many searches a second many clients get: ours, plain Cypher and two libraries, in turns, in one run."""

import asyncio
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from bench.measure import Comparison, await_quiet
from bench.peers import open_peers
from bench.serving_data import OWNER_SHARES, PATTERNS, Share, serving_corpus, store_serving
from bench.serving_lines import Cell, compared
from bench.serving_sides import Side
from bench.serving_trial import FULL, LIBRARIES, QUICK, Pace, Trial
from bench.setting import open_setting
from graphrag.config import Neo4jSettings
from graphrag.stores import AsyncNeo4jStore

__all__ = ["CLIENTS", "FULL", "KINDS", "QUICK", "SERVING_CHUNKS", "Pace", "compare_serving"]

SERVING_CHUNKS = (20_000, 100_000)
CLIENTS = (1, 4, 16)
KINDS = ("vector", "text", "hybrid", "regex")


def compare_serving(
    neo4j: Neo4jSettings,
    server_pid: int | None,
    *,
    sizes: Sequence[int] = SERVING_CHUNKS,
    peer_python: Path | None = None,
    kinds: Sequence[str] = KINDS,
    pace: Pace = FULL,
) -> Iterator[Comparison]:
    """Yield a line for each number of chunks, kind of search, filter and number of clients.

    Args:
        neo4j: A server whose database is emptied.
        server_pid: Its process, where it is of this machine.
        sizes: Numbers of chunks.
        peer_python: The Python that has the libraries; without it, ours is compared with plain Cypher alone.
        kinds: Of `KINDS`. Patterns are compared with searches by words, so `regex` wants `text`.
        pace: How long is measured.
    """
    for chunks in sizes:
        with _open_trial(neo4j, server_pid, chunks, peer_python=peer_python, pace=pace) as trial:
            for kind in [kind for kind in KINDS if kind in kinds]:
                # Few shares, so that it ends within minutes: without a filter, and where one in ten passes.
                shares = OWNER_SHARES if kind == "vector" else OWNER_SHARES[:2]
                for search in PATTERNS if kind == "regex" else (kind,):
                    for share in shares:
                        yield from _compare_clients(trial, search, share)


@contextmanager
def _open_trial(
    neo4j: Neo4jSettings, server_pid: int | None, chunks: int, *, peer_python: Path | None, pace: Pace
) -> Generator[Trial]:
    corpus = serving_corpus(chunks, queries=pace.queries)
    with open_setting(corpus, neo4j, server_pid) as setting, ExitStack() as stack:
        data = store_serving(setting)
        await_quiet(server_pid)
        peers = None
        if peer_python is not None:
            process = open_peers(
                [peer_python],
                neo4j,
                index=data.index,
                dimensions=corpus.sizes.dimensions,
                filter_properties=["owner"],
                libraries=LIBRARIES,
                text_index="chunk_text",
            )
            peers = stack.enter_context(process)
            peers.bring(corpus.queries, corpus.query_texts)
        runner = stack.enter_context(asyncio.Runner())
        store = AsyncNeo4jStore(neo4j, setting.embedder)
        runner.run(store.open())
        stack.callback(lambda: runner.run(store.aclose()))
        yield Trial(setting, data, store, runner, peers, pace)
        setting.start_afresh()


def _compare_clients(trial: Trial, kind: str, share: Share) -> Iterator[Comparison]:
    sides = [trial.ours(kind, share), trial.plain(kind, share), *trial.libraries(kind, share)]
    tasks = trial.ours_async(kind, share)
    for clients in CLIENTS:
        cell = Cell(kind, share, clients)
        now = [replace(side, windows=[]) for side in sides]
        if clients > 1 and kind not in PATTERNS:
            now.append(replace(tasks, windows=[]))
        _run_in_turns(trial.pace, now, cell)
        if cell.is_for_words:
            trial.text_p50_ms = now[0].percentile(0.5)
        yield compared(trial, cell, now)


def _run_in_turns(pace: Pace, sides: Sequence[Side], cell: Cell) -> None:
    rounds, seconds = pace.windows(is_main=cell.kind == "vector" and cell.share.owner is None)
    for side in sides:
        side.run(cell.clients, pace.warm_s, 0)
    for number in range(rounds):
        # Each comes first in its turn; all begin a round with the same query.
        first = number % len(sides)
        for side in [*sides[first:], *sides[:first]]:
            side.windows.append(side.run(cell.clients, seconds, number * pace.queries // rounds))
