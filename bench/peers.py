"""The libraries that search is compared with: a process in an environment of their own."""

import json
import subprocess
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

import numpy as np
from numpy.typing import NDArray

from bench.clients import Driven
from graphrag.config import Neo4jSettings

__all__ = ["PEERS", "TOLD", "Answer", "Peers", "open_peers"]

TOLD = "neo4j-graphrag, told"
"""The library told by hand what the index filters by. It is shown; ours is not measured by it."""
PEERS = ("neo4j-graphrag", "langchain-neo4j", TOLD)
_WORKER = "bench.peer_worker"
_ROOT = Path(__file__).resolve().parent.parent


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

    def bring(self, vectors: NDArray[np.float32], texts: Sequence[str]) -> None:
        """Hand over the queries that `drive` asks, by number."""
        self._exchange({"vectors": vectors.tolist(), "texts": list(texts)})

    def drive(
        self,
        library: str,
        search: str,
        *,
        top_k: int,
        where: Mapping[str, object],
        clients: int,
        seconds: float,
        first: int = 0,
    ) -> Driven | None:
        """Ask a library from threads of its process; None where it answers with an error.

        Args:
            library: One of `PEERS`.
            search: `vector` or `hybrid`.
            top_k: At least 1.
            where: The filter in its language; empty for none.
            clients: Threads.
            seconds: How long.
            first: Number of the first query.
        """
        answer = self._exchange(
            {
                "library": library,
                "search": search,
                "top_k": top_k,
                "filter": where,
                "clients": clients,
                "seconds": seconds,
                "first": first,
            }
        )
        if "error" in answer:
            return None
        by_name = cast("dict[str, list[str]]", answer["answers"])
        answers = {int(number): ids for number, ids in by_name.items()}
        return Driven(cast("float", answer["rate"]), cast("list[float]", answer["times_ms"]), answers)

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
    text_index: str | None = None,
) -> Generator[Peers]:
    """Start the process, and end it with the block.

    Args:
        command: The Python of their environment, with options.
        neo4j: Where the server is; its password goes by the process's input.
        index: Name of the vector index.
        dimensions: Of its vectors.
        filter_properties: What it filters by.
        libraries: Which to ask.
        text_index: Name of the full-text index, for hybrid search.
    """
    server = {
        "uri": neo4j.uri,
        "username": neo4j.username,
        "password": neo4j.password.get_secret_value(),
        "index": index,
        "dimensions": dimensions,
        "filter_properties": list(filter_properties),
        "libraries": list(libraries),
        "text_index": text_index,
    }
    # The environment's Python is a link, which must not be followed; a path from here is none from the root.
    program, *options = command
    with subprocess.Popen(  # noqa: S603 - the command is the caller's own
        [Path(program).absolute(), *options, "-m", _WORKER],
        cwd=_ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - both are pipes
        try:
            yield Peers(process.stdin, process.stdout, server)
        finally:
            # The end of its input ends it.
            process.stdin.close()
