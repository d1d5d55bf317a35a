"""Writers that are killed (SIGKILL) at any message that they send: nothing is torn, and a second run ends it.

`make kills` kills more often than the tests do all day; each kill is at a random message of a random operation,
right before it is sent or up to some milliseconds after.
"""

import json
import random
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from graphrag.stores import Neo4jStore
from graphrag.stores.neo4j._sync import write as writing
from tests.conftest import ENVIRON
from tests.integration.neo4j.graph import Graph
from tests.integration.neo4j.killed_writer import OPERATIONS, STAGE_ABOVE, run_operation

KILLS = int(ENVIRON.get("GRAPHRAG_KILLS", "9"))
REPOSITORY = Path(__file__).resolve().parents[3]
_DELAYS = (0.0, 0.001, 0.003, 0.01, 0.03)

Texts = dict[str, tuple[str, ...]]
"""The texts of the chunks of each document, by its URI."""


def section(title: str, *texts: str) -> str:
    return "\n\n".join([f"# {title}", *texts])


def write_folder(folder: Path, version: int) -> None:
    """Bring the folder to a version: in the second one documents are new, gone, longer, shorter, and turned round."""
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for number in range(9):
        parts = [section(f"Part {part}", f"Sentence {number} of part {part}.") for part in range(1 + number % 6)]
        if version and number % 3 == 0:
            parts = [*reversed(parts[1:]), section("New", "A sentence more."), section("Newer", "And one.")]
        if version == 0 or number not in {1, 5}:
            (folder / f"{number}.md").write_text("\n\n".join(parts), encoding="utf-8")
    if version:
        (folder / "new.md").write_text("\n\n".join(section(f"N{n}", f"New {n}.") for n in range(6)), encoding="utf-8")


@dataclass(frozen=True)
class Case:
    """An operation as it goes when nothing comes between."""

    operation: str
    before: Texts
    after: Texts
    graph_hash: str
    messages: int


class Bench:
    """A store, a folder, and a child that is killed."""

    def __init__(self, graph: Graph, store: Neo4jStore, folder: Path) -> None:
        self.graph = graph
        self.store = store
        self.folder = folder

    def start(self, operation: str) -> None:
        """Bring store and folder to where an operation begins."""
        self.graph.reset()
        write_folder(self.folder, 0)
        if operation != "write":
            run_operation(self.store, "write", str(self.folder))
        if operation == "refresh":
            write_folder(self.folder, 1)

    def child(self, operation: str, message: int, when: str | float) -> "subprocess.CompletedProcess[str]":
        settings = self.graph.settings
        asked = {
            "neo4j": {
                "uri": settings.uri,
                "username": settings.username,
                "password": settings.password.get_secret_value(),
            },
            "operation": operation,
            "folder": str(self.folder),
            "message": message,
            "when": when,
        }
        command = [sys.executable, "-m", "tests.integration.neo4j.killed_writer"]
        return subprocess.run(
            command, input=json.dumps(asked), capture_output=True, text=True, cwd=REPOSITORY, timeout=120, check=False
        )

    def case(self, operation: str) -> Case:
        """Run an operation to its end, in a child as it is killed later."""
        self.start(operation)
        before = self.texts()
        done = self.child(operation, 0, "before")
        assert done.returncode == 0, done.stderr
        return Case(operation, before, self.texts(), self.store.graph_hash(), int(done.stdout))

    def texts(self) -> Texts:
        found: dict[str, list[str]] = {
            row["uri"]: [] for row in self.graph.run("MATCH (d:Document) RETURN d.uri AS uri")
        }
        chunks = "MATCH (c:Chunk) RETURN c.uri AS uri, c.urtext AS text ORDER BY c.sequence_number"
        for row in self.graph.run(chunks):
            found[row["uri"]].append(row["text"])
        return {uri: tuple(texts) for uri, texts in found.items()}

    def await_rollback(self) -> None:
        """Wait until the server has seen that the writer is gone."""
        for _ in range(200):
            if self.graph.value("SHOW TRANSACTIONS YIELD transactionId RETURN count(*)") <= 1:
                return
            time.sleep(0.05)
        pytest.fail("the killed writer's transaction did not end")

    def kill(self, case: Case, message: int, when: str | float) -> None:
        """Kill an operation, look at what is left, and run it again."""
        self.start(case.operation)
        done = self.child(case.operation, message, when)
        assert done.returncode in {-9, 0}, done.stderr
        self.await_rollback()
        self.graph.check_whole()
        for uri, texts in self.texts().items():
            assert texts in {case.before.get(uri), case.after.get(uri)}, uri
        assert case.before.keys() & case.after.keys() <= self.texts().keys() <= case.before.keys() | case.after.keys()
        run_operation(self.store, case.operation, str(self.folder))
        self.graph.check_whole()
        assert self.store.graph_hash() == case.graph_hash
        assert self.graph.value("MATCH (s:Staged) RETURN count(s)") == 0


@pytest.mark.slow
@pytest.mark.timeout(max(300, 10 * KILLS))
def test_a_writer_that_is_killed_leaves_whole_documents_and_a_second_run_ends_it(
    graph: Graph, store: Neo4jStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I1, I2, I3 and I6: nothing torn, doubled or orphaned; the same graph as without the kill."""
    monkeypatch.setattr(writing, "STAGE_ABOVE", STAGE_ABOVE)
    seed = int(ENVIRON.get("GRAPHRAG_SEED") or random.SystemRandom().randrange(2**32))
    sys.stdout.write(f"seed {seed}\n")
    rng = random.Random(seed)  # noqa: S311 - a choice of tests, no secret
    bench = Bench(graph, store, tmp_path / "documents")
    cases = [bench.case(operation) for operation in OPERATIONS]
    assert [bool(case.before) for case in cases] == [False, True, True]
    assert cases[1].before != cases[1].after
    assert all(case.messages > 5 for case in cases), cases
    for number in range(KILLS):
        case = cases[number % len(cases)]
        message = rng.randint(1, case.messages)
        when: str | float = "before" if rng.random() < 0.4 else rng.choice(_DELAYS)
        try:
            bench.kill(case, message, when)
        except AssertionError as error:
            error.add_note(f"{case.operation}, message {message} of {case.messages}, {when}; seed {seed}")
            raise
        sys.stdout.write(f"{number + 1}: {case.operation}, message {message} of {case.messages}, {when}\n")
