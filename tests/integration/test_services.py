"""The example services under uvicorn: 64 clients at once with the keys of four owners, and what goes wrong."""

import asyncio
import importlib
import json
import os
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from graphrag.config import Neo4jSettings, Settings
from graphrag.errors import (
    BusyError,
    ConfigurationError,
    InvalidRequestError,
    ModelCallError,
    SchemaError,
    StatementError,
    StoreUnavailableError,
    TimeoutExceededError,
)
from graphrag.model import MaterializedDocument
from graphrag.stores import AsyncNeo4jStore, Neo4jStore
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.documents import make_document
from tests.integration.neo4j.graph import Graph

pytest.importorskip("fastapi", reason="fastapi is not installed")
uvicorn = pytest.importorskip("uvicorn", reason="uvicorn is not installed")

SERVICES = Path(__file__).parents[2] / "examples" / "services"
OWNERS = ("anna", "ben", "cleo", "dana")
CLIENTS = 64
ROUNDS = 2
MAX_CONNECTIONS = 12
CONNECTIONS = (
    "CALL dbms.listConnections() YIELD connectionId, connector WHERE connector = 'bolt' RETURN collect(connectionId)"
)
EMBEDDER = DeterministicEmbedder(Graph.DIMENSIONS, "words")
MISSING = "z" * 32


def key_of(owner: str) -> str:
    return f"key of {owner}"


@pytest.fixture(scope="module")
def library(neo4j_server: Neo4jSettings) -> Iterator[dict[str, list[MaterializedDocument]]]:
    """Documents by owner; each chunk has a word of its own, and one that all share."""
    held = {
        owner: [
            make_document(
                EMBEDDER,
                f"file:///{owner}/{number}",
                [f"shared lantern {owner}{number}{'abcde'[place]} stands alone" for place in range(5)],
                metadata={"owner": owner},
                title=f"{owner} {number}",
            )
            for number in range(8)
        ]
        for owner in OWNERS
    }
    with Graph(neo4j_server) as graph:
        graph.drop_everything()
        with Neo4jStore(neo4j_server, EMBEDDER) as store:
            store.apply_schema()
            store.write_documents([document for documents in held.values() for document in documents])
        yield held


@pytest.fixture(scope="module")
def modules() -> Iterator[dict[str, Any]]:
    """The examples' modules: they import each other by their plain names."""
    sys.path.insert(0, str(SERVICES))
    names = ("access", "answers", "faults", "async_service", "sync_service")
    try:
        yield {name: importlib.import_module(name) for name in names}
    finally:
        sys.path.remove(str(SERVICES))
        for name in names:
            sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def elsewhere(neo4j_server: Neo4jSettings, library: dict[str, list[MaterializedDocument]]) -> set[str]:
    """The connections to the database that were there before a service was: of other tests' stores."""
    with Graph(neo4j_server) as graph:
        return set(graph.value(CONNECTIONS))


@pytest.fixture(scope="module", params=["async_service", "sync_service"])
def address(
    request: pytest.FixtureRequest,
    neo4j_server: Neo4jSettings,
    elsewhere: set[str],
    modules: dict[str, Any],
) -> Iterator[str]:
    """One of the services, running in this process."""
    access = modules["access"]
    keys = access.AccessList({access.digest_of(key_of(owner)): owner for owner in OWNERS})
    neo4j = neo4j_server.model_copy(update={"max_pool_size": MAX_CONNECTIONS})
    settings = Settings(store=neo4j.uri, neo4j=neo4j)
    app = modules[request.param].make_app(settings, keys, embedder=EMBEDDER)
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning", lifespan="on"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the service did not start"
            time.sleep(0.02)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=20)
        assert not thread.is_alive()


@dataclass
class Load:
    """What the clients saw."""

    seconds: list[float] = field(default_factory=list)
    connections: list[int] = field(default_factory=list)

    def told(self, elapsed_s: float) -> str:
        times = sorted(second * 1_000 for second in self.seconds)
        p50, p99 = statistics.median(times), times[int(len(times) * 0.99)]
        return (
            f"{CLIENTS} clients, {len(times)} requests in {elapsed_s:.1f} s: {len(times) / elapsed_s:.0f} a second, "
            f"p50 {p50:.0f} ms, p99 {p99:.0f} ms; at most {max(self.connections)} connections"
        )


async def live(
    client: httpx.AsyncClient, number: int, library: dict[str, list[MaterializedDocument]], load: Load
) -> None:
    """Do what one client does: search, read, and try what is another's."""
    owner = OWNERS[number % len(OWNERS)]
    other = OWNERS[(number + 1) % len(OWNERS)]
    headers = {"X-API-Key": key_of(owner)}

    async def get(path: str, status: int = 200, **parameters: object) -> Any:
        started = time.perf_counter()
        answer = await client.get(path, params=parameters, headers=headers)  # type: ignore[arg-type]
        load.seconds.append(time.perf_counter() - started)
        assert answer.status_code == status, (path, parameters, answer.status_code, answer.text)
        return answer.json()

    for step in range(ROUNDS):
        document = library[owner][(number + step) % 8]
        wanted = document.chunks[step % 5]
        word = wanted.urtext.split()[2]
        found = await get("/search", q=word, top_k=5, neighbours=1)
        assert found["results"][0]["id"] == wanted.id
        assert all(hit["document_title"].startswith(owner) for hit in found["results"])
        around = [chunk["id"] for chunk in found["results"][0]["context"]]
        place = wanted.sequence_number
        assert around == [chunk.id for chunk in document.chunks[max(0, place - 1) : place + 2]]
        shared = await get("/search", q="shared lantern", mode="text", top_k=50, per_document=1)
        assert sorted(hit["document_title"] for hit in shared["results"]) == [f"{owner} {n}" for n in range(8)]
        assert (await get(f"/documents/{document.document.id}"))["chunk_count"] == 5
        await get(f"/documents/{library[other][step].document.id}", 404)


async def watch_connections(graph: Graph, load: Load, elsewhere: set[str], ended: asyncio.Event) -> None:
    """Count the connections to the database that were not there before."""
    while not ended.is_set():
        load.connections.append(len(set(await asyncio.to_thread(graph.value, CONNECTIONS)) - elsewhere))
        await asyncio.sleep(0.2)


@pytest.mark.anyio
async def test_sixty_four_clients_are_all_answered_with_what_is_theirs(
    address: str, library: dict[str, list[MaterializedDocument]], elsewhere: set[str], neo4j_server: Neo4jSettings
) -> None:
    """THREATS 20: no error, no answer of another owner, and no more connections than the pool has."""
    load = Load()
    # Shorter than the server's, so that no client takes a connection that is being closed.
    limits = httpx.Limits(max_connections=CLIENTS, keepalive_expiry=2.0)
    with Graph(neo4j_server) as graph:
        async with httpx.AsyncClient(base_url=address, timeout=60, limits=limits) as client:
            await live(client, 0, library, Load())  # the server plans each statement once
            ended = asyncio.Event()
            watching = asyncio.create_task(watch_connections(graph, load, elsewhere, ended))
            started = time.perf_counter()
            try:
                await asyncio.gather(*(live(client, number, library, load) for number in range(CLIENTS)))
            finally:
                elapsed_s = time.perf_counter() - started
                ended.set()
                await watching  # before its connection is closed
    print(load.told(elapsed_s))  # noqa: T201 - the figures, with `-s`
    assert len(load.seconds) == CLIENTS * ROUNDS * 4
    assert max(load.connections) <= MAX_CONNECTIONS + 1, "one is the test's own"


def test_what_is_anothers_and_what_is_missing_have_the_same_bytes(
    address: str, library: dict[str, list[MaterializedDocument]]
) -> None:
    """THREATS 19."""
    theirs = library["ben"][0]
    ids = [theirs.document.id, theirs.chunks[0].id, MISSING]
    word = theirs.chunks[0].urtext.split()[2]
    with httpx.Client(base_url=address, headers={"X-API-Key": key_of("anna")}) as client:
        answers = [client.get(f"/documents/{id_}") for id_ in ids]
        assert {(answer.status_code, answer.content) for answer in answers} == {
            (404, b'{"error":"not_found","message":"nothing that you may see has this id"}')
        }
        answers = [client.get(f"/documents/{id_}/chunks") for id_ in ids]
        assert {(answer.status_code, answer.content) for answer in answers} == {(200, b"[]")}
        hidden, missing = (client.get("/search", params={"q": q, "mode": "text"}) for q in (word, "nowhereatall"))
        assert (hidden.status_code, hidden.content) == (missing.status_code, missing.content)
        assert hidden.json()["results"] == []
        listed = client.get("/documents", params={"limit": 100}).json()
        assert {document["title"].split()[0] for document in listed} == {"anna"}


def test_without_a_known_key_nothing_is_answered(address: str) -> None:
    with httpx.Client(base_url=address) as client:
        answers = [
            client.get(path, headers=headers)
            for path in ("/search?q=x", "/documents", f"/documents/{MISSING}", f"/documents/{MISSING}/chunks")
            for headers in (
                {},
                {"X-API-Key": ""},
                {"X-API-Key": "guess"},
                {"X-API-Key": key_of("anna") + " "[:0] + "x"},
            )
        ]
        assert {(answer.status_code, answer.json()["error"]) for answer in answers} == {(401, "unauthorized")}
        assert client.get("/health").json() == {"status": "ok"}
        assert client.get("/openapi.json").json()["paths"].keys() == {
            "/health", "/search", "/documents", "/documents/{document_id}", "/documents/{document_id}/chunks",
        }  # fmt: skip


@pytest.mark.parametrize(
    "path, told",
    [
        ("/search", "`q`: Field required"),
        ("/search?q=", "`q`: String should have at least 1 character"),
        (f"/search?q={'x' * 1_001}", "`q`: String should have at most 1000 characters"),
        ("/search?q=x&top_k=51", "`top_k`: Input should be less than or equal to 50"),
        ("/search?q=x&neighbours=4", "`neighbours`: Input should be less than or equal to 3"),
        ("/search?q=x&mode=magic", "`mode`: Input should be 'hybrid', 'vector', 'text' or 'regex'"),
        ("/search?q=(&mode=regex", "at character 1 of the pattern"),
        ("/documents/a%00b", "`id` is 'a\\x00b'; it must be 1 to 512 printable characters"),
        ("/documents?limit=101", "`limit`: Input should be less than or equal to 100"),
    ],
)
def test_a_bad_request_is_told_so_that_it_can_be_corrected(address: str, path: str, told: str) -> None:
    answer = httpx.get(address + path, headers={"X-API-Key": key_of("anna")})
    assert answer.status_code == 422
    assert told in answer.json()["message"]
    assert set(answer.json()) == {"error", "message"}


SECRET = "bolt://10.0.0.7:7687 password=hunter2"


@pytest.mark.parametrize(
    "error, status, code",
    [
        (StoreUnavailableError(SECRET), 503, "store_unavailable"),
        (StatementError(SECRET, statement="x", retryable=True), 503, "store_unavailable"),
        (StatementError(SECRET, statement="x"), 500, "internal"),
        (SchemaError(SECRET), 500, "internal"),
        (ConfigurationError(SECRET), 500, "internal"),
        (ModelCallError(SECRET), 503, "model_call"),
        (BusyError(SECRET), 503, "busy"),
        (TimeoutExceededError(SECRET), 504, "timeout"),
        (InvalidRequestError("`limit` is 0"), 422, "invalid_request"),
    ],
)
def test_errors_are_answered_without_what_happened_inside(
    address: str, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, code: str
) -> None:
    async def fail_async(*_: object, **__: object) -> None:
        raise error

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(AsyncNeo4jStore, "list_documents", fail_async)
    monkeypatch.setattr(Neo4jStore, "list_documents", fail)
    answer = httpx.get(f"{address}/documents", headers={"X-API-Key": key_of("anna")})
    assert (answer.status_code, answer.json()["error"]) == (status, code)
    assert "hunter2" not in answer.text
    assert ("Retry-After" in answer.headers) == (status == 503)


@pytest.mark.slow
@pytest.mark.parametrize("service", ["async_service", "sync_service"])
def test_the_command_of_the_readme_starts_a_service(
    service: str, library: dict[str, list[MaterializedDocument]], neo4j_server: Neo4jSettings, tmp_path: Path
) -> None:
    keys = tmp_path / "keys.json"
    importlib.invalidate_caches()
    from hashlib import sha256

    keys.write_text(json.dumps({sha256(key_of("anna").encode()).hexdigest(): "anna"}), encoding="utf-8")
    environ = {
        **os.environ,
        "NEO4J_URI": neo4j_server.uri,
        "NEO4J_USERNAME": neo4j_server.username,
        "NEO4J_PASSWORD": neo4j_server.password.get_secret_value(),
        "SERVICE_KEYS": str(keys),
    }
    command = [sys.executable, "-m", "uvicorn", "--app-dir", str(SERVICES), "--factory", f"{service}:create_app",
               "--port", "0"]  # fmt: skip
    process = subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    try:
        assert process.stderr is not None
        told = next((line for line in process.stderr if "running on" in line), "")
        found = re.search(r"http://127\.0\.0\.1:\d+", told)
        assert found, told
        document = library["anna"][0]
        answer = httpx.get(
            f"{found[0]}/search",
            params={"q": document.chunks[0].urtext.split()[2], "mode": "text"},
            headers={"X-API-Key": key_of("anna")},
            timeout=30,
        )
        assert [hit["id"] for hit in answer.json()["results"]] == [document.chunks[0].id]
    finally:
        process.terminate()
        process.communicate(timeout=20)
