"""A program that writes into a store and kills itself on the way: `python -m tests.integration.neo4j.killed_writer`.

It reads one JSON object from standard input: `neo4j` (uri, username, password), `operation`, `folder`, `message` (which
one it dies at, from 1; 0 never), `when` (`before` it is sent, or seconds after). It prints how many it has sent.
"""

import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from itertools import count
from typing import Any

from graphrag.config import IngestionSettings, Neo4jSettings
from graphrag.ingestion import Ingestor
from graphrag.ingestion.readers import MarkdownReader
from graphrag.stores import Neo4jStore
from graphrag.stores.neo4j._sync import write as writing
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.graph import Graph

__all__ = ["OPERATIONS", "STAGE_ABOVE", "main", "run_operation"]

STAGE_ABOVE = 3
"""Some of the documents have more chunks, so both ways of writing are cut off."""

OPERATIONS: dict[str, Callable[[Neo4jStore, Ingestor, str], object]] = {
    "write": lambda _store, ingestor, folder: ingestor.ingest([folder]),
    "refresh": lambda _store, ingestor, folder: ingestor.ingest([folder], metadata={"year": 2024}, sync=True),
    "delete": lambda store, _ingestor, _folder: store.clear(),
}


def run_operation(store: Neo4jStore, operation: str, folder: str) -> object:
    """Run one of the operations, in this process."""
    embedder = DeterministicEmbedder(Graph.DIMENSIONS)
    settings = IngestionSettings(embed_group_chunks=6)
    with Ingestor(store, embedder, reader=MarkdownReader(), settings=settings) as ingestor:
        return OPERATIONS[operation](store, ingestor, folder)


class DyingSocket:
    """Counts what is sent over any socket, and ends the process at one of the messages."""

    def __init__(self, message: int, when: str | float) -> None:
        self.sent = 0
        self._message = message
        self._when = when
        self._numbers = count(1)
        self._lock = threading.Lock()

    def install(self) -> None:
        """Put this in the way of all sockets of the process."""
        send = socket.socket.sendall

        def sendall(own: socket.socket, data: Any, *flags: int) -> None:
            with self._lock:
                self.sent = number = next(self._numbers)
            if number == self._message and self._when == "before":
                _die()
            send(own, data, *flags)
            if number == self._message:
                threading.Timer(float(self._when), _die).start()

        socket.socket.sendall = sendall  # type: ignore[method-assign]


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """Run the operation, as far as it comes."""
    asked = json.load(sys.stdin)
    writing.STAGE_ABOVE = STAGE_ABOVE
    with Neo4jStore(Neo4jSettings(**asked["neo4j"]), DeterministicEmbedder(Graph.DIMENSIONS)) as store:
        store.info()  # connecting is no part of it
        dying = DyingSocket(asked["message"], asked["when"])
        dying.install()
        run_operation(store, asked["operation"], asked["folder"])
        sys.stdout.write(f"{dying.sent}\n")


if __name__ == "__main__":
    main()
