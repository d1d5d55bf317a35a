"""Compare a real server's answers to generated filters with the definition of what filters mean.

    python -m tools.compare_filters 100000               on a local server of its own
    python -m tools.compare_filters 100000 --seed 7      the same filters again
    python -m tools.compare_filters 3000 --server        on the server of NEO4J_URI and the other settings

Each filter is asked of all nodes of a generated store of 50: as the condition of a WHERE, with indexes over some
properties; as a column of results, null taken for false; or compiled to be never null, as a column. A server needs
much longer to plan a new text than to answer it, so texts that come once go many to a statement.
Nodes of the label `FilterWorld` are written and deleted, nothing else is touched. The exit code is 1 where an answer
differs, or where too few or too many of them are true to tell anything.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from itertools import cycle
from pathlib import Path
from typing import Final, cast

from neo4j import Driver, GraphDatabase

from graphrag.compilers.base import Compiled
from graphrag.compilers.cypher import CypherCompiler
from graphrag.config import LocalServerSettings, Neo4jSettings, load_settings
from graphrag.filters.evaluate import matches
from graphrag.filters.nodes import PropertyFilter
from graphrag.local_neo4j.server import LocalServer
from graphrag.stores.neo4j.temporal import driver_value
from graphrag.testing.filter_worlds import FilterWorld

__all__ = ["Comparison", "Mismatch", "compare", "main"]

_NODES = 50
_FILTERS_A_WORLD = 5_000
_FILTERS_A_TREE = 12
_BATCH = 20
_CONNECTIONS = 4
_INDEXED = ("owner", "year", "at", "day")
_WAYS: Final = ("where", "column", "never null")
_SHOWN = 5
_TELLING_SHARES = (0.1, 0.9)
_PREFIX = "_filter_"

_WRITE = """CYPHER 25
UNWIND $nodes AS node
CREATE (n:FilterWorld {number_in_world: node.number})
SET n += node.properties
SET n:$(node.labels)"""
_DELETE = "CYPHER 25 MATCH (n:FilterWorld) DETACH DELETE n"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One answer that differs.

    Attributes:
        seed: Of the world.
        filter: What was asked.
        text: As it was compiled.
        way: How it was asked.
        wanted: Numbers of the nodes of which it is true by definition.
        found: Those that the server gave; -1 stands for a null where none may be.
    """

    seed: int
    filter: PropertyFilter
    text: str
    way: str
    wanted: frozenset[int]
    found: frozenset[int]


@dataclass(slots=True)
class Comparison:
    """What a run found."""

    filters: int = 0
    answers: int = 0
    true_answers: int = 0
    by_way: Counter[str] = field(default_factory=Counter[str])
    texts: set[str] = field(default_factory=set[str])
    mismatches: list[Mismatch] = field(default_factory=list[Mismatch])

    @property
    def share_true(self) -> float:
        """Share of the answers that are true."""
        return self.true_answers / self.answers


@dataclass(frozen=True, slots=True)
class _Question:
    """A filter, the way in which it is asked, and whether the compiler is told which properties hold no lists."""

    filter: PropertyFilter
    way: str
    scalar_keys: frozenset[str]

    def compiled(self, prefix: str = _PREFIX) -> Compiled:
        compiler = CypherCompiler("c", prefix, scalar_keys=self.scalar_keys)
        return compiler.compile([self.filter], never_null=self.way == "never null")


class _Server:
    """Runs statements of this tool."""

    def __init__(self, driver: Driver, database: str) -> None:
        self._driver = driver
        self._database = database

    def run(self, text: str, /, **parameters: object) -> list[tuple[object, ...]]:
        with self._driver.session(database=self._database) as session:
            sent = {name: driver_value(value) for name, value in parameters.items()}
            return [tuple(record.values()) for record in session.run(text, sent)]

    @contextmanager
    def indexes(self) -> Iterator[None]:
        for name in _INDEXED:
            self.run(f"CREATE INDEX filter_world_{name} IF NOT EXISTS FOR (n:FilterWorld) ON (n.{name})")
        self.run("CALL db.awaitIndexes(60)")
        try:
            yield
        finally:
            for name in _INDEXED:
                self.run(f"DROP INDEX filter_world_{name} IF EXISTS")

    @contextmanager
    def nodes(self, world: FilterWorld) -> Iterator[None]:
        self.run(_DELETE)
        nodes = [
            {
                "number": number,
                "properties": {key: driver_value(value) for key, value in node.properties.items()},
                "labels": sorted(node.labels),
            }
            for number, node in enumerate(world.nodes)
        ]
        self.run(_WRITE, nodes=nodes)
        try:
            yield
        finally:
            self.run(_DELETE)

    def ask(self, questions: Sequence[_Question]) -> list[frozenset[int]]:
        """Return for each question the numbers of the nodes of which it is true."""
        if len(questions) == 1 and questions[0].way == "where":
            compiled = questions[0].compiled()
            text = f"CYPHER 25 MATCH (c:FilterWorld) WHERE {compiled.text} RETURN c.number_in_world"
            return [frozenset(cast("int", row[0]) for row in self.run(text, **compiled.parameters))]
        prefixes = [f"_f{place}_" for place in range(len(questions))] if len(questions) > 1 else [_PREFIX]
        tests: list[str] = []
        parameters: dict[str, object] = {}
        for question, prefix in zip(questions, prefixes, strict=True):
            compiled = question.compiled(prefix)
            tests.append(compiled.text if question.way == "never null" else f"coalesce({compiled.text}, false)")
            parameters |= compiled.parameters
        text = f"CYPHER 25 MATCH (c:FilterWorld) RETURN c.number_in_world, [{', '.join(tests)}]"
        found: list[set[int]] = [set() for _ in questions]
        for node, answers in self.run(text, **parameters):
            for numbers, answer in zip(found, cast("list[bool | None]", answers), strict=True):
                if answer is not False:
                    numbers.add(-1 if answer is None else cast("int", node))
        return [frozenset(numbers) for numbers in found]


def compare(driver: Driver, database: str, *, count: int, seed: int, tell: bool = False) -> Comparison:
    """Ask a server `count` generated filters, and compare with `graphrag.filters.evaluate`.

    Args:
        driver: A driver of the server.
        database: The database; nodes of the label `FilterWorld` in it are deleted.
        count: How many filters.
        seed: Of the first world; each next one has the next.
        tell: Whether to write to stderr how far it is.
    """
    comparison, server = Comparison(), _Server(driver, database)
    with server.indexes():
        for number, start in enumerate(range(0, count, _FILTERS_A_WORLD)):
            world = FilterWorld(seed + number, size=_NODES)
            with server.nodes(world):
                _compare_world(
                    server, world, seed=seed + number, count=min(_FILTERS_A_WORLD, count - start), comparison=comparison
                )
            if tell:
                print(f"{comparison.filters:,} filters, {len(comparison.mismatches)} mismatches", file=sys.stderr)
    return comparison


def _compare_world(server: _Server, world: FilterWorld, *, seed: int, count: int, comparison: Comparison) -> None:
    scalars = (frozenset[str](), world.listless)
    trees = count // _FILTERS_A_TREE or 1
    # Ways and knowledge of lists vary independently of each other.
    choices = cycle((way, scalar_keys) for scalar_keys in scalars for way in _WAYS)
    questions = [
        _Question(filter_, *choice) for filter_, choice in zip(world.filters(count, trees=trees), choices, strict=False)
    ]
    texts = [question.compiled().text for question in questions]
    often = {text for text, times in Counter(texts).items() if times > 1} | comparison.texts
    comparison.texts.update(texts)
    batches: list[list[_Question]] = []
    together: list[_Question] = []
    for number, (question, text) in enumerate(zip(questions, texts, strict=True)):
        if text in often or (question.way == "where" and number % 4 == 0):
            batches.append([question])
        else:
            together.append(question if question.way != "where" else replace(question, way="column"))
    batches += [together[start : start + _BATCH] for start in range(0, len(together), _BATCH)]
    with ThreadPoolExecutor(_CONNECTIONS) as pool:
        for batch, found in zip(batches, pool.map(server.ask, batches), strict=True):
            for question, numbers in zip(batch, found, strict=True):
                _judge(world, question, seed=seed, found=numbers, comparison=comparison)


def _judge(
    world: FilterWorld, question: _Question, *, seed: int, found: frozenset[int], comparison: Comparison
) -> None:
    filter_ = question.filter
    wanted = frozenset(
        number for number, node in enumerate(world.nodes) if matches(filter_, node.properties, node.labels)
    )
    comparison.filters += 1
    comparison.answers += len(world.nodes)
    comparison.true_answers += len(wanted)
    comparison.by_way[question.way] += 1
    if found != wanted:
        text = question.compiled().text
        mismatch = Mismatch(seed, filter_, text, question.way, wanted, found)
        comparison.mismatches.append(mismatch)
        if len(comparison.mismatches) <= _SHOWN:
            print(f"\n{mismatch}", file=sys.stderr)


@contextmanager
def _own_server() -> Iterator[Neo4jSettings]:
    with tempfile.TemporaryDirectory(prefix="graphrag-filters-") as folder:
        server = LocalServer(LocalServerSettings(home=Path(folder) / "neo4j"))
        info = server.start()
        try:
            yield Neo4jSettings(uri=info.bolt_uri, username=info.username, password=info.password)
        finally:
            server.stop()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for and print what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=100_000, help="number of filters (default: 100,000)")
    parser.add_argument("--seed", type=int, help="of the first world; the others follow (default: a random one)")
    parser.add_argument("--server", action="store_true", help="use the server of the settings")
    options = parser.parse_args(arguments)
    seed = random.randrange(2**32) if options.seed is None else options.seed  # noqa: S311 - no cryptography
    print(f"seed {seed}")
    began = time.perf_counter()
    with nullcontext(load_settings().neo4j) if options.server else _own_server() as settings:
        auth = (settings.username, settings.password.get_secret_value())
        with GraphDatabase.driver(settings.uri, auth=auth, notifications_min_severity="OFF") as driver:
            found = compare(driver, settings.database or "neo4j", count=options.count, seed=seed, tell=True)
    print(
        f"{found.filters:,} filters, each over {_NODES} nodes: {found.answers:,} answers, "
        f"{found.share_true:.1%} of them true; asked as {dict(found.by_way)}; {len(found.texts):,} texts, "
        f"{len(found.mismatches)} mismatches, {time.perf_counter() - began:.0f} s"
    )
    low, high = _TELLING_SHARES
    return 0 if not found.mismatches and low <= found.share_true <= high else 1


if __name__ == "__main__":
    sys.exit(main())
