"""The OpenAI-compatible endpoint against a stub on loopback, with the faults that real ones show."""

import gzip
import json
import logging
import math
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from pydantic import SecretStr

from graphrag.config import EmbeddingSettings
from graphrag.embedding import Embedder, open_embedder
from graphrag.embedding.endpoint import OpenAIEmbedder
from graphrag.embedding.endpoint_answer import retry_after_s
from graphrag.errors import ConfigurationError, InvalidRequestError, ModelCallError

CANARY = "CANARY-9f31"
Body = dict[str, object]
Reply = tuple[int, dict[str, str], bytes]


def vector(text: str, dimensions: int = 3) -> list[float]:
    return [float(len(text)), *[1.0] * (dimensions - 1)]


def good(body: Body) -> Reply:
    """Answer in reversed order: only `index` tells which vector is whose."""
    texts = body["input"]
    assert isinstance(texts, list)
    data = [{"index": index, "embedding": vector(text)} for index, text in enumerate(texts)]
    return answer(data[::-1])


def answer(data: object, status: int = 200, **headers: str) -> Reply:
    return status, headers, json.dumps({"object": "list", "data": data}).encode()


def failing(status: int, **headers: str) -> Callable[[Body], Reply]:
    return lambda body: (status, headers, b'{"error": "' + CANARY.encode() + b'"}')


class Stub:
    """Gives the replies of `script` in turn, then good ones; keeps what it was asked."""

    def __init__(self) -> None:
        self.script: list[Callable[[Body], Reply]] = []
        self.bodies: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.released = threading.Event()
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                stub.bodies.append(body)
                stub.headers.append({name.lower(): value for name, value in self.headers.items()})
                stub.paths.append(self.path)
                status, headers, content = (stub.script.pop(0) if stub.script else good)(body)
                self.send_response(status)
                for name, value in {"content-length": str(len(content)), **headers}.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *args: object) -> None:
                """Stay silent."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/v1"

    def hang(self, body: Body) -> Reply:
        self.released.wait(10)
        return good(body)

    def stop(self) -> None:
        self.released.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def stub() -> Iterator[Stub]:
    stub = Stub()
    yield stub
    stub.stop()


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def connect(stub: Stub, waits: list[float]) -> Iterator[Callable[..., OpenAIEmbedder]]:
    opened: list[OpenAIEmbedder] = []

    def connect(**settings: object) -> OpenAIEmbedder:
        given = {"endpoint_url": stub.url, "model": "m", "api_key": SecretStr(CANARY), **settings}
        opened.append(OpenAIEmbedder(EmbeddingSettings.model_validate(given), sleep=waits.append))
        return opened[-1]

    yield connect
    for embedder in opened:
        embedder.close()


Connect = Callable[..., OpenAIEmbedder]


def test_batches_come_back_in_order_with_unit_length(stub: Stub, connect: Connect) -> None:
    embedder: Embedder = connect(batch_size=2)
    rows = embedder.embed_documents(["a", "bbbb", "cc", "ddd", "e"])
    assert rows.shape == (5, 3)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(5), abs=1e-6)
    assert rows[:, 0].argsort(kind="stable").tolist() == [0, 4, 2, 3, 1]
    assert [body["input"] for body in stub.bodies] == [["a", "bbbb"], ["cc", "ddd"], ["e"]]
    assert set(stub.paths) == {"/v1/embeddings"}


def test_the_request_names_model_and_key_and_dimensions_where_set(stub: Stub, connect: Connect) -> None:
    assert connect(dimensions=3, query_prompt="query: ").embed_query("a").shape == (3,)
    connect(api_key=SecretStr("")).embed_query("a")
    assert stub.bodies == [
        {"model": "m", "input": ["query: a"], "encoding_format": "float", "dimensions": 3},
        {"model": "m", "input": ["a"], "encoding_format": "float"},
    ]
    assert stub.headers[0]["authorization"] == f"Bearer {CANARY}"
    assert "authorization" not in stub.headers[1]


def test_dimensions_are_asked_for_once_where_not_set(stub: Stub, connect: Connect) -> None:
    embedder = connect()
    assert (embedder.dimensions, embedder.dimensions) == (3, 3)
    assert len(stub.bodies) == 1
    assert connect(dimensions=7).dimensions == 7
    assert len(stub.bodies) == 1


def test_the_id_names_model_and_endpoint(stub: Stub, connect: Connect) -> None:
    embedder = connect()
    assert embedder.model_name == "m"
    assert embedder.model_id == f"m@127.0.0.1:{stub.server.server_port}"
    assert connect(document_prompt="p").model_id.startswith(embedder.model_id + "+prompt:")
    assert embedder.tokenizer is None


def test_no_texts_give_no_rows_and_a_string_is_no_list_of_texts(connect: Connect) -> None:
    assert connect(dimensions=3).embed_documents([]).shape == (0, 3)
    with pytest.raises(InvalidRequestError, match="`texts` is a string"):
        connect().embed_documents("abc")


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
def test_a_failure_that_may_pass_is_tried_again(stub: Stub, connect: Connect, waits: list[float], status: int) -> None:
    """Fault 23: the model fails, then works."""
    stub.script = [failing(status), failing(status)]
    assert connect().embed_query("a").shape == (3,)
    assert len(stub.bodies) == 3
    assert 0.25 <= waits[0] <= 0.5 <= waits[1] <= 1.0


def test_retry_after_is_kept_to_within_a_bound(stub: Stub, connect: Connect, waits: list[float]) -> None:
    stub.script = [failing(429, Retry_After="2"), failing(503, Retry_After="86400"), failing(429, Retry_After="soon")]
    connect().embed_query("a")
    assert waits[:2] == [2.0, 30.0]
    assert 1.0 <= waits[2] <= 2.0


@pytest.mark.parametrize(
    "header, seconds", [("3", 3.0), ("0.5", 0.5), ("-1", None), ("nan", None), ("inf", None), (None, None)]
)
def test_only_a_sensible_retry_after_counts(header: str | None, seconds: float | None) -> None:
    assert retry_after_s(header) == seconds


def test_after_the_last_try_one_error_says_what_to_do(stub: Stub, connect: Connect, waits: list[float]) -> None:
    stub.script = [failing(500)] * 9
    with pytest.raises(ModelCallError, match=r"failed 3 times, at last: status 500; .* `embedding.retries`"):
        connect(retries=2).embed_query("a")
    assert len(waits) == 2


@pytest.mark.parametrize(
    "status, hint",
    [
        (400, "takes texts of this length"),
        (401, "`embedding.api_key`"),
        (404, "`embedding.endpoint_url` is not its base address"),
        (413, "lower `embedding.batch_size`"),
    ],
)
def test_a_refusal_is_not_tried_again(stub: Stub, connect: Connect, status: int, hint: str) -> None:
    stub.script = [failing(status)]
    with pytest.raises(ModelCallError, match=f"with status {status}: .*{hint}"):
        connect().embed_query("a")
    assert len(stub.bodies) == 1


def test_redirects_are_not_followed_so_the_key_stays_here(stub: Stub, connect: Connect) -> None:
    """THREATS 70."""
    elsewhere = Stub()
    try:
        stub.script = [failing(307, Location=f"{elsewhere.url}/embeddings")]
        with pytest.raises(ModelCallError, match="points to another address, which is not followed"):
            connect().embed_query("a")
        assert elsewhere.headers == []
    finally:
        elsewhere.stop()


def data(*vectors: object) -> Callable[[Body], Reply]:
    return lambda body: answer([{"index": index, "embedding": held} for index, held in enumerate(vectors)])


@pytest.mark.parametrize(
    "reply, message",
    [
        (data([1.0, 0.0]), "gave 1 vectors for 2 texts"),
        (data([1.0], [1.0], [1.0]), "gave 3 vectors for 2 texts"),
        (data([1.0, 0.0], [1.0, 0.0, 0.0]), "gave 3 dimensions for text 1; 2 are expected"),
        (data([1.0, 0.0], [math.nan, 0.0]), "not finite for text 1"),
        (data([1.0, 0.0], [0.0, math.inf]), "not finite for text 1"),
        (data([1.0, 0.0], [0.0, 0.0]), "without direction .* for text 1"),
        (data([1.0, 0.0], []), "gave no list of numbers for text 1"),
        (data([1.0, 0.0], None), "gave no list of numbers for text 1"),
        (data([1.0, 0.0], ["1", "2"]), "gave no list of numbers for text 1"),
        (data([1.0, 0.0], "AACAPw=="), "gave no list of numbers for text 1"),
        (lambda body: answer([{"index": 0, "embedding": [1.0]}] * 2), "vector 1 carries the index 0"),
        (lambda body: answer([{"index": 5, "embedding": [1.0]}] * 2), "vector 0 carries the index 5"),
        (lambda body: answer(["x", "y"]), "vector 0 carries the index None"),
        (lambda body: answer(None), "holds no list `data`"),
        (lambda body: (200, {}, b"<html>"), "something else than JSON"),
        (lambda body: (200, {}, b"[" * 200_000), "something else than JSON"),
        (lambda body: (200, {}, b" " * 50_000_000), "more than .* bytes"),
        (lambda body: (200, {"content-encoding": "gzip"}, gzip.compress(b" " * 50_000_000)), "more than .* bytes"),
    ],
)
def test_a_bad_answer_is_refused(stub: Stub, connect: Connect, reply: Callable[[Body], Reply], message: str) -> None:
    """CASES 39, fault 23: wrong count, wrong dimension, NaN, and answers that are none; nothing is guessed."""
    stub.script = [reply]
    with pytest.raises(ModelCallError, match=message):
        connect().embed_documents(["a", "b"])
    assert len(stub.bodies) == 1


def test_other_dimensions_than_asked_for_are_refused(stub: Stub, connect: Connect) -> None:
    """CASES 38."""
    with pytest.raises(ModelCallError, match="gave 3 dimensions for text 0; 4 are expected"):
        connect(dimensions=4).embed_query("a")


def test_dimensions_that_change_between_batches_are_refused(stub: Stub, connect: Connect) -> None:
    stub.script = [good, data([1.0, 0.0])]
    with pytest.raises(ModelCallError, match="gave 2 dimensions for text 1; 3 are expected"):
        connect(batch_size=1).embed_documents(["a", "b"])


def test_a_hanging_endpoint_is_given_up(stub: Stub, connect: Connect) -> None:
    """Fault 23: the model hangs."""
    stub.script = [stub.hang] * 2
    began = time.monotonic()
    with pytest.raises(ModelCallError, match=r"failed 2 times, at last: no answer in time; .*`embedding.timeout_s`"):
        connect(timeout_s=0.2, retries=1).embed_query("a")
    assert time.monotonic() - began < 5


def test_no_server_is_tried_again_and_then_one_error(connect: Connect, waits: list[float]) -> None:
    gone = Stub()
    gone.stop()
    with pytest.raises(ModelCallError, match="failed 2 times, at last: no connection"):
        connect(endpoint_url=gone.url, retries=1).embed_query("a")
    assert len(waits) == 1


def test_closing_twice_is_no_error_and_a_later_text_connects_again(connect: Connect) -> None:
    embedder = connect()
    embedder.embed_query("a")
    embedder.close()
    embedder.close()
    assert embedder.embed_query("a").shape == (3,)


@pytest.mark.parametrize("status", [401, 429, 500])
def test_the_key_is_in_no_message_log_or_repr(
    stub: Stub, connect: Connect, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    """THREATS 70: not even when the endpoint echoes it."""
    stub.script = [failing(status)] * 2
    embedder = connect(retries=1)
    with caplog.at_level(logging.DEBUG), pytest.raises(ModelCallError) as caught:
        embedder.embed_query("a")
    told = "".join(traceback.format_exception(caught.value)) + caplog.text + repr(embedder) + embedder.model_id
    assert CANARY not in told
    assert CANARY not in str(vars(embedder))


@pytest.mark.parametrize(
    "url", ["", "ftp://host/v1", "host:8080/v1", "http://", "http://host:port/v1", "/v1", "file:///etc/passwd"]
)
def test_an_endpoint_that_is_no_http_address_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError, match="`embedding.endpoint_url` is not an address"):
        open_embedder(EmbeddingSettings(endpoint_url=url))


@pytest.mark.parametrize(
    "url", [f"https://u:{CANARY}@host/v1", f"https://{CANARY}@host/v1", f"https://host/v1?key={CANARY}"]
)
def test_a_secret_in_the_endpoint_is_refused_and_not_printed(url: str) -> None:
    """THREATS 70."""
    with pytest.raises(ConfigurationError, match="give the key as `embedding.api_key`") as caught:
        open_embedder(EmbeddingSettings(endpoint_url=url))
    assert CANARY not in "".join(traceback.format_exception(caught.value))


def test_a_set_endpoint_is_what_the_factory_opens(stub: Stub) -> None:
    assert isinstance(open_embedder(EmbeddingSettings(endpoint_url=stub.url)), OpenAIEmbedder)
