"""Addresses, credentials, deadlines and the life of a store: each failure is one typed error that says what to do."""

import asyncio
import gc
import logging
import socket
import threading
import traceback
from collections.abc import Callable
from unittest import mock

import pytest
from pydantic import SecretStr

from graphrag.config import Neo4jSettings, Settings
from graphrag.errors import (
    ConfigurationError,
    GraphRagError,
    StatementError,
    StoreError,
    StoreUnavailableError,
    TimeoutExceededError,
)
from graphrag.model import Document, TextSimilaritySearchRequest
from graphrag.stores import AsyncNeo4jStore, Neo4jStore
from graphrag.stores.neo4j._sync.connection import Connection
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.documents import make_document
from tests.integration.neo4j.graph import Graph

CANARY = "c4n4ry-p@ss:/#"
EMBEDDER = DeterministicEmbedder(Graph.DIMENSIONS)


def changed(graph: Graph, **values: object) -> Neo4jSettings:
    return graph.settings.model_copy(update=values)


def open_and_close(settings: Neo4jSettings) -> None:
    with Neo4jStore(settings, EMBEDDER):
        pass


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_wrong_password_is_told_without_the_password(graph: Graph, caplog: pytest.LogCaptureFixture) -> None:
    """CASES 65, fault 11: one line, no secret in message, traceback, representation or log; no storm of retries."""
    caplog.set_level(logging.DEBUG)
    settings = changed(graph, password=SecretStr(CANARY))
    with pytest.raises(StoreUnavailableError, match=r"refuses these credentials; check NEO4J_USERNAME") as caught:
        open_and_close(settings)
    shown = "".join(traceback.format_exception(caught.value)) + repr(settings) + caplog.text
    assert CANARY not in shown
    assert not caught.value.retryable


def test_an_empty_password_is_a_typed_error(graph: Graph) -> None:
    with pytest.raises(StoreUnavailableError, match=r"no password is set \(NEO4J_PASSWORD\)"):
        open_and_close(changed(graph, password=SecretStr("")))


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_a_port_where_nothing_listens_is_told_at_once(graph: Graph, scheme: str) -> None:
    settings = changed(graph, uri=f"{scheme}://127.0.0.1:{free_port()}", connect_timeout_s=2.0, call_timeout_s=5.0)
    with pytest.raises(StoreUnavailableError, match=r"no Neo4j server answers at .*start one \(`graphrag db start`\)"):
        open_and_close(settings)


def test_encryption_asked_of_a_server_without_it_is_told(graph: Graph) -> None:
    """CASES 65: the wrong scheme for a server that listens."""
    uri = graph.settings.uri.replace("bolt://", "bolt+s://")
    with pytest.raises(StoreUnavailableError, match="check NEO4J_URI: scheme"):
        open_and_close(changed(graph, uri=uri, connect_timeout_s=3.0, call_timeout_s=5.0))


def test_a_port_that_speaks_another_protocol_is_told(graph: Graph) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            peer, _ = server.accept()
            with peer:
                peer.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        uri = f"bolt://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(StoreUnavailableError, match="answers, but not by this scheme: it looks like HTTP"):
            open_and_close(changed(graph, uri=uri, connect_timeout_s=3.0, call_timeout_s=5.0))
        thread.join()


def test_the_servers_own_database_is_told_by_its_name(graph: Graph) -> None:
    """CASES 59."""
    told = "database `system` of the server at .* holds no documents; name another in NEO4J_DATABASE"
    with Neo4jStore(changed(graph, database="system"), EMBEDDER) as store:
        with pytest.raises(StoreUnavailableError, match=told):
            store.count(Document)
        with pytest.raises(StoreUnavailableError, match=told):
            store.apply_schema()


def test_a_plain_server_asked_for_tls_is_told_from_none(graph: Graph) -> None:
    uri = str(changed(graph).uri).replace("bolt://", "bolt+s://")
    with pytest.raises(StoreUnavailableError, match="answers, but not by this scheme: no TLS is spoken there"):
        open_and_close(changed(graph, uri=uri))


def test_an_unknown_database_is_told_and_nothing_is_written(graph: Graph) -> None:
    """CASES 59."""
    with pytest.raises(StoreUnavailableError, match="has no database `kb2`; check NEO4J_DATABASE"):
        open_and_close(changed(graph, database="kb2"))
    assert graph.value("MATCH (n:Datum) RETURN count(n)") == 0


def test_every_call_carries_the_configured_database(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASES 59: set-up, write, searches, look-ups, deletion and drop; the first name is the one that exists."""
    from neo4j import Driver

    seen: list[object] = []
    session = Driver.session

    def recording(self: Driver, **config: object) -> object:
        seen.append(config.get("database"))
        return session(self, **config)

    monkeypatch.setattr(Driver, "session", recording)
    with Neo4jStore(changed(graph, database="neo4j"), EMBEDDER) as store:
        store.drop_schema()
        store.apply_schema()
        document = make_document(EMBEDDER)
        store.write_document(document)
        store.vector_search(TextSimilaritySearchRequest("fox"))
        store.hybrid_search(TextSimilaritySearchRequest("fox"))
        store.find_by_id(document.chunks[0].id)
        store.expand_result(document.chunks[0].id, "zoom_out")  # type: ignore[arg-type]
        store.set_metadata(document.document.uri, {"a": 1}, collection="default")
        store.schema_status()
        store.info()
        store.graph_hash()
        store.delete_document(document.document.uri, collection="default")
        store.clear()
    assert len(seen) > 20
    assert set(seen) == {"neo4j"}


@pytest.mark.parametrize("version", ["5.26.3", "2025.11.0", "2026.05.2"])
def test_an_older_server_is_refused(graph: Graph, version: str) -> None:
    """Also where it does not understand the first statement: then its greeting tells the version."""
    message = rf"is Neo4j {version}; this package needs 2026.06 or later: upgrade it"
    row = {"name": "Neo4j Kernel", "version": version, "edition": "community"}
    with mock.patch.object(Connection, "read", return_value=[row]), pytest.raises(StoreError, match=message):
        open_and_close(graph.settings)
    syntax = StatementError("statement `schema/server_info` failed", statement="schema/server_info")
    with (
        mock.patch.object(Connection, "read", side_effect=syntax),
        mock.patch.object(Connection, "_greeted_version", return_value=version),
        pytest.raises(StoreError, match=message),
    ):
        open_and_close(graph.settings)


def test_a_statement_that_a_new_server_refuses_is_not_called_old(graph: Graph) -> None:
    syntax = StatementError("statement `schema/server_info` failed", statement="schema/server_info")
    with mock.patch.object(Connection, "read", side_effect=syntax), pytest.raises(StatementError) as caught:
        open_and_close(graph.settings)
    assert caught.value is syntax


@pytest.mark.parametrize("version", ["2026.06.0", "2026.08.1+1234", "2027.01.0-drop1.0"])
def test_a_newer_server_is_taken(graph: Graph, version: str) -> None:
    row = {"name": "Neo4j Kernel", "version": version, "edition": "enterprise"}
    with mock.patch.object(Connection, "read", return_value=[row]):
        assert Connection(graph.settings).check_server() == (version, "enterprise")


def test_a_read_that_takes_too_long_is_a_typed_error(graph: Graph) -> None:
    """I7: the deadline of a call ends it, on the server too."""
    with Neo4jStore(changed(graph, call_timeout_s=0.5), EMBEDDER) as store:
        store.write_documents(
            [make_document(EMBEDDER, f"file:///{n}", [f"{n} {i}" for i in range(200)]) for n in range(5)]
        )
        slow = mock.Mock(render=lambda **_: "UNWIND range(1, 1000000000) AS i WITH i WHERE i % 7 = 9 RETURN i")
        with (
            mock.patch("graphrag.stores.neo4j._sync.connection.statement", return_value=slow),
            pytest.raises(TimeoutExceededError, match="took longer than its (deadline|limit).*raise"),
        ):
            store.count(Document)
        assert store.count(Document) == 5


def test_a_closed_store_says_so_and_can_be_opened_again(graph: Graph) -> None:
    """CASES 64: no driver is opened behind the caller's back."""
    store = Neo4jStore(graph.settings, EMBEDDER)
    with store:
        store.write_document(make_document(EMBEDDER))
    calls: list[Callable[[], object]] = [
        lambda: store.count(Document),
        lambda: store.write_document(make_document(EMBEDDER)),
        store.apply_schema,
        store.info,
    ]
    for call in calls:
        with pytest.raises(StoreError, match="is closed; open it again"):
            call()
    store.close()
    with store:
        assert store.count(Document) == 1


@pytest.mark.anyio
async def test_an_async_store_works_like_the_other(async_store: AsyncNeo4jStore, graph: Graph) -> None:
    document = make_document(EMBEDDER)
    assert (await async_store.write_document(document)).created
    found = await async_store.hybrid_search(TextSimilaritySearchRequest("the quick brown fox"))
    assert found[0].match.urtext == "the quick brown fox"
    many = await asyncio.gather(*(async_store.text_search(TextSimilaritySearchRequest("fox")) for _ in range(20)))
    assert all(len(results) == 1 for results in many)
    graph.check_whole()


def test_an_async_store_in_two_loops(graph: Graph, recwarn: pytest.WarningsRecorder) -> None:
    """CASES 64: closed in between it works; left open it is one typed error, and no driver is left unclosed."""
    store = AsyncNeo4jStore(graph.settings, EMBEDDER)

    async def whole() -> int:
        async with store:
            return await store.count(Document)

    assert asyncio.run(whole()) == asyncio.run(whole()) == 0

    async def left_open() -> None:
        await store.open()

    async def in_another_loop() -> None:
        with pytest.raises(StoreError, match="was opened in another event loop"):
            await store.count(Document)
        with pytest.raises(StoreError, match="was opened in another event loop"):
            await store.aclose()

    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(left_open())
        asyncio.run(in_another_loop())
        loop.run_until_complete(store.aclose())
    finally:
        loop.close()
    gc.collect()
    assert [str(warning.message) for warning in recwarn] == []


def test_the_plain_face_works_from_threads_and_inside_a_running_loop(graph: Graph) -> None:
    """CASES 64."""
    with Neo4jStore(graph.settings, EMBEDDER) as store:

        async def inside() -> int:
            return store.count(Document)

        assert asyncio.run(inside()) == 0
        counts: list[int] = []
        threads = [threading.Thread(target=lambda: counts.append(store.count(Document))) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert counts == [0, 0, 0]


def test_a_connection_that_died_is_replaced(graph: Graph) -> None:
    """CASES 64, fault 9: a call after the connections were cut succeeds."""
    with Neo4jStore(graph.settings, EMBEDDER) as store:
        store.count(Document)
        own = "SHOW TRANSACTIONS YIELD connectionId RETURN connectionId"
        mine = {row["connectionId"] for row in graph.run(own)}
        for row in graph.run("CALL dbms.listConnections() YIELD connectionId RETURN connectionId"):
            if row["connectionId"] not in mine:
                graph.run("CALL dbms.killConnection($id)", id=row["connectionId"])
        assert store.count(Document) == 0


def test_a_constructor_opens_nothing_and_refuses_bad_addresses() -> None:
    """THREATS 70 and 74: what is wrong with an address is told before anything is sent."""
    with pytest.raises(ConfigurationError) as caught:
        Neo4jStore(Neo4jSettings(uri=f"bolt://user:{CANARY.replace('#', '')}@db.example:7687"), settings=Settings())
    assert "c4n4ry" not in str(caught.value)
    assert isinstance(caught.value, GraphRagError)
