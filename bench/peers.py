"""The libraries that filtered search is compared with: a process in an environment of their own."""

import json
import subprocess
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from graphrag.config import Neo4jSettings

__all__ = ["PEERS", "TOLD", "Answer", "Peers", "open_peers"]

TOLD = "neo4j-graphrag, told"
"""The library told by hand what the index filters by. It is shown; ours is not measured by it."""
PEERS = ("neo4j-graphrag", "langchain-neo4j", TOLD)
_WORKER = Path(__file__).with_name("peer_worker.py")


@dataclass(frozen=True, slots=True)
class Answer:
    """What one search gave.

    Attributes:
        ids: Chunk ids, best first.
        ms: Milliseconds that the call took.
    """

    ids: Sequence[str]
    ms: float


class Peers:
    """The process, and what it can be asked.

    Args:
        questions: Its input.
        answers: Its output.
        server: What its first line says.

    Raises:
        RuntimeError: It ended, or could not make what it asks.
    """

    def __init__(self, questions: IO[str], answers: IO[str], server: Mapping[str, object]) -> None:
        self._questions = questions
        self._answers = answers
        self.versions = cast("dict[str, str]", self._exchange(server)["libraries"])

    def ask(self, library: str, vector: Sequence[float], *, top_k: int, where: Mapping[str, object]) -> Answer | None:
        """Return what a library finds, and the time of its call; None where it answers with an error.

        Args:
            library: One of `PEERS`.
            vector: Of the query.
            top_k: At least 1.
            where: The filter in its language.
        """
        answer = self._exchange({"library": library, "vector": vector, "top_k": top_k, "filter": where})
        if "error" in answer:
            return None
        return Answer(cast("list[str]", answer["ids"]), cast("float", answer["ms"]))

    def _exchange(self, question: Mapping[str, object]) -> dict[str, object]:
        self._questions.write(json.dumps(question) + "\n")
        self._questions.flush()
        line = self._answers.readline()
        if not line:
            msg = "the process of the libraries that are compared with ended; its error is above"
            raise RuntimeError(msg)
        return cast("dict[str, object]", json.loads(line))


@contextmanager
def open_peers(
    command: Sequence[str | Path],
    neo4j: Neo4jSettings,
    *,
    index: str,
    dimensions: int,
    filter_properties: Sequence[str],
    libraries: Sequence[str] = PEERS,
) -> Generator[Peers]:
    """Start the process, and end it with the block.

    Args:
        command: The Python of their environment, with options.
        neo4j: Where the server is; its password goes by the process's input.
        index: Name of the vector index.
        dimensions: Of its vectors.
        filter_properties: What it filters by.
        libraries: Which to ask.
    """
    server = {
        "uri": neo4j.uri,
        "username": neo4j.username,
        "password": neo4j.password.get_secret_value(),
        "index": index,
        "dimensions": dimensions,
        "filter_properties": list(filter_properties),
        "libraries": list(libraries),
    }
    with subprocess.Popen(  # noqa: S603 - the command is the caller's own
        [*command, _WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - both are pipes
        try:
            yield Peers(process.stdin, process.stdout, server)
        finally:
            # The end of its input ends it.
            process.stdin.close()
