"""Patterns that explode on the Java machine or that RE2 refuses, beside a second client that searches by words.

    python -m bench.hostile_patterns                  20,000 chunks, on a local server of its own
    python -m bench.hostile_patterns --chunks 100000
    python -m bench.hostile_patterns --together       both clients in one process
    python -m bench.hostile_patterns --json result.json

Each pattern is searched for again and again by one client, while a second one, a process of its own, searches by words.
Its latency is measured before and after each pattern too, with nobody beside it: what counts is the ratio of the two,
and that each search for the pattern ends within its budget of time or as a typed error.
"""

import argparse
import json
import multiprocessing
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import cycle
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np

from bench.data import Corpus, Sizes, make_corpus, make_documents
from bench.setting import own_server
from graphrag.config import Neo4jSettings, SearchSettings
from graphrag.errors import InvalidPatternError
from graphrag.model import Chunk, TextSimilaritySearchRequest
from graphrag.stores import Neo4jStore
from graphrag.testing.embedder import DeterministicEmbedder

__all__ = ["PATTERNS", "Line", "main"]

PATTERNS = {
    "(.*a){12}": "12 greedy wildcards; past 100 s on Java 25",
    "(.*a){30}Q": "30 of them, and no match",
    r"(\w*)*\1b": "a back reference",
    "((((a{0,100}){0,100}){0,100}){0,100})": "repetitions nested four deep",
    "((a{0,30}){0,30}){0,1}Q": "repetitions as deep as RE2 takes them",
    "(?:(?:[a-z]+)*)*[0-9]$": "nested stars",
    "(x+x+)+y": "nested pluses",
    "(?=(a+))a*b": "look-ahead",
    r"\pL{1000}\pL{1000}": "large classes, repeated",
    r"(?s)(a|b|ab|ba|.b|b.){1,150}[^q]{900}Z": "a state for each place: RE2's slow way",
    r"(?i)(\pL{1,100}a)+Q": "large classes without regard to case",
    "(?:" + "|".join(f"[a-z]*{letter}[a-z]*Q" for letter in "abcdefghijklmnopqrstuvwxyz") + ")": "26 alternatives",
    "(.|a" * 120 + ")" * 120: "brackets 120 deep",
    "a" * 501: "more than 500 characters",
    r"\C\C\C[^\x00-\x7f]{500}": "single bytes",
    r"\xff\xfe[\x{10ffff}\x{e000}-\x{fffd}]{300}": "what no text holds",
}
_WARM_UP_S = 2.0


@dataclass(frozen=True, slots=True)
class Line:
    """What one pattern did.

    Attributes:
        pattern: Its beginning.
        kind: Why it is here.
        outcome: `refused`, `complete` or `cut`.
        calls: Searches for it while it was measured.
        longest_s: The longest of these.
        limit_s: Their budget of time.
        idle_p99_ms: Of the second client alone, before and after.
        beside_p99_ms: Of the second client beside it.
    """

    pattern: str
    kind: str
    outcome: str
    calls: int
    longest_s: float
    limit_s: float
    idle_p50_ms: float
    beside_p50_ms: float
    idle_p99_ms: float
    beside_p99_ms: float

    @property
    def ratio(self) -> float:
        """Of the two values of p99; below 2 is wanted."""
        return self.beside_p99_ms / self.idle_p99_ms


def measure(settings: Neo4jSettings, corpus: Corpus, *, seconds: float, together: bool = False) -> Iterator[Line]:
    """Yield a line a pattern. The database holds the corpus already."""
    limit_s = SearchSettings().regex_timeout_s
    with (
        Neo4jStore(settings, DeterministicEmbedder(corpus.sizes.dimensions)) as hostile,
        (_second_here if together else _second_apart)(settings, corpus.query_texts) as latencies,
    ):
        for pattern in PATTERNS:
            before = latencies(seconds / 2)
            with _again_and_again(hostile, pattern) as calls:
                beside = latencies(seconds)
            after = latencies(seconds / 2)
            outcomes = {outcome for outcome, _ in calls}
            yield Line(
                pattern=pattern[:40],
                kind=PATTERNS.get(pattern, ""),
                outcome=" ".join(sorted(outcomes)),
                calls=len(calls),
                longest_s=max(took_s for _, took_s in calls),
                limit_s=limit_s,
                idle_p50_ms=_percentile([*before, *after], 50),
                beside_p50_ms=_percentile(beside, 50),
                idle_p99_ms=_percentile([*before, *after], 99),
                beside_p99_ms=_percentile(beside, 99),
            )


@contextmanager
def _again_and_again(store: Neo4jStore, pattern: str) -> Iterator[list[tuple[str, float]]]:
    """Search for a pattern in another thread until the end of the block; wait for the last search then."""
    calls: list[tuple[str, float]] = []
    ended = threading.Event()

    def run() -> None:
        while not ended.is_set() or not calls:
            started = time.perf_counter()
            try:
                notes = store.regex_search(pattern, kind=Chunk).notes
                outcome = "cut" if any("was cut" in note for note in notes) else "complete"
            except InvalidPatternError:
                outcome = "refused"
                # A caller that is told so at once does not ask the same again without end.
                ended.wait(0.01)
            calls.append((outcome, time.perf_counter() - started))

    thread = threading.Thread(target=run, name="hostile")
    thread.start()
    try:
        yield calls
    finally:
        ended.set()
        thread.join()


@contextmanager
def _second_here(settings: Neo4jSettings, queries: Sequence[str]) -> Iterator[Callable[[float], list[float]]]:
    """Open the second client in this process; yield what searches for so many seconds and tells how long each took."""
    texts = cycle(queries)
    with Neo4jStore(settings) as store:

        def latencies(seconds: float) -> list[float]:
            took: list[float] = []
            ends = time.perf_counter() + seconds
            while time.perf_counter() < ends:
                started = time.perf_counter()
                store.text_search(TextSimilaritySearchRequest(next(texts)))
                took.append(time.perf_counter() - started)
            return took

        latencies(_WARM_UP_S)
        yield latencies


@contextmanager
def _second_apart(settings: Neo4jSettings, queries: Sequence[str]) -> Iterator[Callable[[float], list[float]]]:
    """The same, in a process of its own."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve_second, args=(settings, list(queries), there))
    process.start()

    def latencies(seconds: float) -> list[float]:
        here.send(seconds)
        answer: list[float] = here.recv()
        return answer

    try:
        yield latencies
    finally:
        here.send(None)
        process.join()


def _serve_second(settings: Neo4jSettings, queries: Sequence[str], asked: Connection) -> None:
    with _second_here(settings, queries) as latencies:
        while (seconds := asked.recv()) is not None:
            asked.send(latencies(seconds))


def _percentile(values: Sequence[float], share: float) -> float:
    return float(np.percentile(np.array(values), share)) * 1_000


def table(lines: Sequence[Line]) -> str:
    """Return the lines as a table in Markdown."""
    rows = [
        "| pattern | | outcome | calls | longest s | p50 idle, beside, ms | p99 idle, beside, ms | ratio of p99 |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for line in lines:
        shown = line.pattern.replace("|", "\\|")
        rows.append(
            f"| `{shown}` | {line.kind} | {line.outcome} | {line.calls} | {line.longest_s:.2f} | "
            f"{line.idle_p50_ms:.1f} {line.beside_p50_ms:.1f} | {line.idle_p99_ms:.1f} {line.beside_p99_ms:.1f} | "
            f"{line.ratio:.2f} |"
        )
    return "\n".join(rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--chunks", type=int, default=20_000, help="size of the corpus (default: 20,000)")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each pattern is measured (default: 10)")
    parser.add_argument("--seed", type=int, default=7, help="of the corpus (default: 7)")
    parser.add_argument("--together", action="store_true", help="run both clients in one process")
    parser.add_argument("--json", type=Path, help="also write the numbers to this file")
    options = parser.parse_args(arguments)
    corpus = make_corpus(Sizes(chunks=options.chunks, documents=max(1, options.chunks // 100)), seed=options.seed)
    with own_server() as (settings, _):
        with Neo4jStore(settings, DeterministicEmbedder(corpus.sizes.dimensions)) as store:
            store.apply_schema()
            store.write_documents(make_documents(corpus, name="hostile", model=DeterministicEmbedder(384).model_id))
        lines: list[Line] = []
        for line in measure(settings, corpus, seconds=options.seconds, together=options.together):
            print(f"{line.pattern}: {line.outcome}, ratio {line.ratio:.2f}", file=sys.stderr)
            lines.append(line)
    print(table(lines))
    if options.json:
        options.json.write_text(json.dumps([asdict(line) for line in lines], indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
