"""Every call ends by its deadline, in both faces, though the server says nothing (faults 3 and 7, I7)."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from pydantic import SecretStr

from graphrag.config import Neo4jSettings, Settings
from graphrag.errors import StoreUnavailableError, TimeoutExceededError
from graphrag.model import Document
from graphrag.stores.neo4j import AsyncNeo4jStore, Neo4jStore
from graphrag.stores.neo4j._sync.connection import Connection
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.documents import make_document

LIMIT_S = 2.0
GRACE_S = 3.0
"""Above our own second, for a busy machine."""


class Gate:
    """A proxy on loopback that passes everything on, until it is shut: then nothing comes through, nothing closes."""

    def __init__(self, uri: str) -> None:
        parts = urlsplit(uri)
        self._target = (parts.hostname, parts.port)
        self._open = threading.Event()
        self._open.set()
        self._ended = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._sockets: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def uri(self) -> str:
        return f"bolt://127.0.0.1:{self._listener.getsockname()[1]}"

    def shut(self) -> None:
        self._open.clear()

    def close(self) -> None:
        self._ended.set()
        self._open.set()
        for one in (self._listener, *self._sockets):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(self._target)
                self._sockets += [near, far]
                for source, sink in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                self._open.wait()
                if self._ended.is_set():
                    return
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)


@pytest.fixture
def gate(neo4j_server: Neo4jSettings) -> Iterator[Gate]:
    gate = Gate(neo4j_server.uri)
    yield gate
    gate.close()


def settings_through(gate: Gate, server: Neo4jSettings) -> Neo4jSettings:
    return server.model_copy(
        update={
            "uri": gate.uri,
            "call_timeout_s": LIMIT_S,
            "write_timeout_s": LIMIT_S,
            "connect_timeout_s": LIMIT_S,
            "password": SecretStr(server.password.get_secret_value()),
        }
    )


@pytest.mark.usefixtures("store")
def test_a_plain_read_ends_by_its_deadline(gate: Gate, neo4j_server: Neo4jSettings) -> None:
    with Neo4jStore(settings_through(gate, neo4j_server), settings=Settings()) as through:
        through.count(Document)
        gate.shut()
        started = time.monotonic()
        with pytest.raises(TimeoutExceededError, match="took longer than its limit of 3 s"):
            through.count(Document)
        assert time.monotonic() - started < LIMIT_S + GRACE_S


@pytest.mark.usefixtures("store")
def test_a_plain_write_ends_by_its_deadline(gate: Gate, neo4j_server: Neo4jSettings) -> None:
    embedder = DeterministicEmbedder(16)
    with Neo4jStore(settings_through(gate, neo4j_server), embedder, settings=Settings()) as through:
        through.write_document(make_document(embedder, chunks=["one"]))
        gate.shut()
        started = time.monotonic()
        with pytest.raises((TimeoutExceededError, StoreUnavailableError)):
            through.write_document(make_document(embedder, chunks=["two"]))
        assert time.monotonic() - started < 3 * LIMIT_S + GRACE_S


@pytest.mark.usefixtures("store")
def test_an_asynchronous_read_ends_by_its_deadline(gate: Gate, neo4j_server: Neo4jSettings) -> None:
    async def read() -> float:
        async with AsyncNeo4jStore(settings_through(gate, neo4j_server), settings=Settings()) as through:
            await through.count(Document)
            gate.shut()
            started = time.monotonic()
            with pytest.raises(TimeoutExceededError, match="took longer than its limit of 3 s"):
                await through.count(Document)
            return time.monotonic() - started

    assert asyncio.run(read()) < LIMIT_S + GRACE_S


def test_a_commit_without_a_bookmark_is_not_taken_for_one(neo4j_server: Neo4jSettings) -> None:
    """A server that shuts down answers an open transaction with a bare success, and the data are lost (I1)."""

    class Bookmarks:
        raw_values: frozenset[str] = frozenset()

    class Session:
        def last_bookmarks(self) -> Bookmarks:
            return Bookmarks()

    connection = Connection(neo4j_server)
    with pytest.raises(StoreUnavailableError, match="whether it took place is not known"):
        connection._check_acknowledged(Session())  # type: ignore[arg-type]
    Bookmarks.raw_values = frozenset({"FB:1"})
    connection._check_acknowledged(Session())  # type: ignore[arg-type]
