"""One database that many clients search, and who is asked on it."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from bench.clients import Driven
from bench.filter_report import LEAST_RECALL, TOP_K
from bench.peers import PEERS, TOLD, Peers
from bench.plain_serving import PLAIN_CANDIDATES, PlainServing
from bench.serving_data import ServingData, Share
from bench.serving_sides import Ask, Run, Side, ours, ours_async, run_tasks, run_threads
from bench.setting import Setting
from graphrag.stores import AsyncNeo4jStore

__all__ = ["FULL", "LIBRARIES", "QUICK", "Pace", "Trial"]

LIBRARIES = tuple(name for name in PEERS if name != TOLD)
_PEER_TOP_KS = (10, 20, 30, 50, 80, 100, 200)
_TRY_CLIENTS = 4


@dataclass(frozen=True, slots=True)
class Pace:
    """How long is measured.

    Attributes:
        queries: Vectors and texts, in turns.
        rounds: Windows a side of unfiltered vector search, which has most of the targets.
        seconds: Length of such a window.
        other_rounds: Windows of all others.
        other_seconds: Length of these.
        warm_s: A window before, which does not count.
        try_s: A window that tells the recall of one number of candidates.
    """

    queries: int = 200
    rounds: int = 5
    seconds: float = 1.5
    other_rounds: int = 3
    other_seconds: float = 0.7
    warm_s: float = 0.5
    try_s: float = 1.2

    def windows(self, *, is_main: bool) -> tuple[int, float]:
        """Return how many, and how long each."""
        return (self.rounds, self.seconds) if is_main else (self.other_rounds, self.other_seconds)


FULL = Pace()
QUICK = Pace(queries=20, rounds=1, seconds=0.1, other_rounds=1, other_seconds=0.1, warm_s=0.0, try_s=0.1)


@dataclass
class Trial:
    """One database, and all that is asked of it.

    Attributes:
        setting: Driver and store on it.
        data: What it holds, and the queries.
        store: The asynchronous face on it.
        runner: Of the loop that `store` is bound to.
        peers: The libraries; None without them.
        pace: How long is measured.
        text_p50_ms: What our search by words took one client; None until it was measured.
    """

    setting: Setting
    data: ServingData
    store: AsyncNeo4jStore
    runner: asyncio.Runner
    peers: Peers | None
    pace: Pace
    text_p50_ms: float | None = field(default=None, init=False)

    def recall(self, share: Share, answers: Mapping[int, list[str]]) -> float:
        """Return the share of the nearest ten by brute force that the first ten of each answer hold."""
        nearest = self.data.corpus.nearest(TOP_K, among=self.data.among(share))
        places = self.data.places
        found = sum(len({places[id_] for id_ in ids[:TOP_K]} & nearest[number]) for number, ids in answers.items())
        return found / sum(len(nearest[number]) for number in answers)

    def ours(self, kind: str, share: Share) -> Side:
        """Return our store, asked from threads."""
        return Side("ours", self._threads(ours(self.setting.store, self.data, kind, share, top_k=TOP_K)))

    def ours_async(self, kind: str, share: Share) -> Side:
        """Return our store, asked from tasks."""
        ask = ours_async(self.store, self.data, kind, share, top_k=TOP_K)
        return Side("ours, asynchronous", run_tasks(self.runner, ask, queries=self.pace.queries))

    def plain(self, kind: str, share: Share) -> Side:
        """Return the plain statement of this kind; of vector search, the fastest that reaches the recall."""
        plain = PlainServing(self.setting.driver, self.data, TOP_K)
        match kind:
            case "text":
                return Side("plain", self._threads(plain.text(share)))
            case "hybrid":
                return Side("plain", self._threads(plain.hybrid(share)))
            case "vector":
                return self._fastest_right(plain, share)
            case _:
                return Side("plain", self._threads(plain.regex(share, kind)))

    def _fastest_right(self, plain: PlainServing, share: Share) -> Side:
        """Ask the index for more and more; under a filter, also compare all that pass."""
        right: list[Side] = []
        tried: list[Side] = []
        for candidates in (*PLAIN_CANDIDATES, None):
            if candidates is None and share.owner is None:
                continue
            how = "all that pass compared" if candidates is None else f"{candidates} candidates"
            side = Side("plain", self._threads(plain.vector(share, candidates=candidates)), how)
            side.run(1, self.pace.warm_s, 0)
            side.windows.append(side.run(_TRY_CLIENTS, self.pace.try_s, 0))
            tried.append(side)
            if self.recall(share, side.answers) >= LEAST_RECALL:
                right.append(side)
                if candidates is not None and share.owner is None:
                    break
        return max(right or tried[-1:], key=lambda side: side.rate)

    def libraries(self, kind: str, share: Share) -> Iterator[Side]:
        """Yield the libraries that can be asked this, each with the smallest `top_k` that reaches the recall."""
        peers = self.peers
        if peers is None or kind not in {"vector", "hybrid"}:
            return
        where = {} if share.owner is None else {"owner": {"$eq": share.owner}}
        top_ks = _PEER_TOP_KS if kind == "vector" else (TOP_K,)
        for library in LIBRARIES:
            for top_k in top_ks:
                ask = partial(peers.drive, library, kind, top_k=top_k, where=where)
                seen = ask(clients=_TRY_CLIENTS, seconds=self.pace.try_s)
                if seen is None:
                    break
                reached = kind != "vector" or self.recall(share, seen.answers) >= LEAST_RECALL
                if reached or top_k == top_ks[-1]:
                    how = "" if top_k == TOP_K else f"top_k {top_k}"
                    yield Side(library, partial(_ask_again, ask), how, is_measure=reached)
                    break

    def _threads(self, ask: Ask) -> Run:
        return run_threads(ask, queries=self.pace.queries)


def _ask_again(ask: "partial[Driven | None]", clients: int, seconds: float, first: int) -> Driven:
    seen = ask(clients=clients, seconds=seconds, first=first)
    if seen is None:
        msg = f"a library answered {ask.keywords} before, and fails now"
        raise RuntimeError(msg)
    return seen
