"""Embedding by an endpoint that speaks the OpenAI API: `POST {base}/embeddings`."""

import logging
import random
import threading
import time
from collections.abc import Callable, Sequence
from hashlib import sha256

import httpx
import numpy as np
from numpy.typing import NDArray

from graphrag.config import EmbeddingSettings
from graphrag.embedding.endpoint_answer import (
    PassingFailure,
    decoded,
    embeddings_url,
    is_passing,
    read_bounded,
    refusal,
    retry_after_s,
    vectors_in_order,
)
from graphrag.embedding.vectors import unit_rows
from graphrag.errors import InvalidRequestError, ModelCallError

__all__ = ["OpenAIEmbedder"]

_log = logging.getLogger(__name__)

_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 30.0
_BYTES_PER_NUMBER = 64
_BYTES_BESIDE = 1_000_000
_MOST_DIMENSIONS = 65_536


class OpenAIEmbedder:
    """Embeds by an OpenAI-compatible endpoint. Safe to use from several threads.

    A failed batch is tried again with growing waits when the failure may pass: no connection, time-out, 429, 5xx.
    The key is sent as bearer to the endpoint alone: redirects are not followed, the environment's proxies are not
    used, and the key is in no message, log or `repr`.

    Args:
        settings: `endpoint_url`, `model`, and `dimensions` where the endpoint is to shorten its vectors.
        sleep: Waits that many seconds between tries.

    Raises:
        ConfigurationError: `endpoint_url` is missing or is not an http address, or holds a user name or password.
    """

    def __init__(self, settings: EmbeddingSettings, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self._settings = settings
        self._sleep = sleep
        self._url = embeddings_url(settings.endpoint_url)
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None
        self._dimensions = settings.dimensions

    def __repr__(self) -> str:
        return f"{type(self).__name__}(model={self.model_name!r}, endpoint_url={str(self._url)!r})"

    @property
    def model_name(self) -> str:
        """The model's name, as configured."""
        return self._settings.model

    @property
    def model_id(self) -> str:
        """Name and endpoint, and a hash of the document prompt where there is one.

        The weights behind an endpoint cannot be seen: give a changed model another name.
        """
        port = f":{self._url.port}" if self._url.port else ""
        identity = f"{self.model_name}@{self._url.host}{port}"
        prompt = self._settings.document_prompt
        return f"{identity}+prompt:{sha256(prompt.encode()).hexdigest()[:8]}" if prompt else identity

    @property
    def dimensions(self) -> int:
        """Length of each vector: as set, else as of one vector that is asked for once.

        Raises:
            ModelCallError: The endpoint failed.
        """
        if self._dimensions is None:
            self.embed_query("dimensions")
        if self._dimensions is None:  # pragma: no cover - the call above sets it or raises
            msg = f"endpoint `{self._url}` does not tell its dimensions; set `embedding.dimensions`"
            raise ModelCallError(msg)
        return self._dimensions

    @property
    def tokenizer(self) -> None:
        """None: only the endpoint knows how its model counts."""
        return

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a text, in their order: shape (len(texts), dimensions), float32, unit length.

        Raises:
            ModelCallError: The endpoint failed, after as many tries as `retries` allows, or gave another number or
                length of vectors, or one that cannot be stored.
            InvalidRequestError: `texts` is a single string.
        """
        if isinstance(texts, str):
            msg = "`texts` is a string; a sequence of strings is expected"
            raise InvalidRequestError(msg)
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        size = self._settings.batch_size
        prompted = [self._settings.document_prompt + text for text in texts]
        return np.concatenate([self._batch(prompted[at : at + size], first=at) for at in range(0, len(prompted), size)])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query: shape (dimensions,), float32, unit length.

        Raises:
            ModelCallError: As for `embed_documents`.
        """
        row: NDArray[np.float32] = self._batch([self._settings.query_prompt + text])[0]
        return row

    def close(self) -> None:
        """Close the connections. May be called twice; a later text opens them again."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _batch(self, texts: Sequence[str], *, first: int = 0) -> NDArray[np.float32]:
        body: dict[str, object] = {"model": self.model_name, "input": list(texts), "encoding_format": "float"}
        if self._settings.dimensions is not None:
            body["dimensions"] = self._settings.dimensions
        answer = self._post(body, count=len(texts))
        vectors = vectors_in_order(
            answer, count=len(texts), dimensions=self._dimensions, model=self.model_name, first=first
        )
        expected = self._dimensions or len(vectors[0])
        rows = unit_rows(vectors, count=len(texts), dimensions=expected, model=self.model_name, first=first)
        self._dimensions = expected
        return rows

    def _post(self, body: dict[str, object], *, count: int) -> object:
        """Return the answer to one batch, after waits where a try fails in a way that may pass."""
        retries_left = self._settings.retries
        wait_s = _FIRST_WAIT_S
        while True:
            try:
                return self._try(body, count=count)
            except PassingFailure as failure:
                if retries_left == 0:
                    tries = self._settings.retries + 1
                    msg = (
                        f"embedding endpoint `{self._url}` failed {tries} times, at last: {failure}; see that it "
                        f"runs, or raise `embedding.retries` or `embedding.timeout_s`"
                    )
                    raise ModelCallError(msg) from failure
                retries_left -= 1
                # Half of the wait is by chance, so that several clients do not come back together.
                pause_s = failure.retry_after_s or wait_s * random.uniform(0.5, 1.0)  # noqa: S311
                _log.info("embedding endpoint failed (%s); trying again in %.1f s", failure, pause_s)
                self._sleep(min(pause_s, _LONGEST_WAIT_S))
                wait_s = min(wait_s * 2, _LONGEST_WAIT_S)

    def _try(self, body: dict[str, object], *, count: int) -> object:
        most = count * (self._dimensions or _MOST_DIMENSIONS) * _BYTES_PER_NUMBER + _BYTES_BESIDE
        deadline = time.monotonic() + self._settings.timeout_s
        try:
            with self._opened().stream("POST", self._url, json=body) as response:
                content = read_bounded(response, most=most, deadline=deadline)
        except httpx.TransportError as error:
            # Names of classes are told, not their texts: those may hold what a proxy or server was sent.
            raise PassingFailure(_reason(error)) from error
        except (httpx.HTTPError, RuntimeError) as error:
            msg = f"embedding endpoint `{self._url}` could not be asked: {type(error).__name__}"
            raise ModelCallError(msg) from error
        if is_passing(response.status_code):
            reason = f"status {response.status_code}"
            raise PassingFailure(reason, retry_after_s=retry_after_s(response.headers.get("retry-after")))
        if not response.is_success:
            raise ModelCallError(refusal(self._url, response.status_code, self.model_name))
        return decoded(content, url=self._url)

    def _opened(self) -> httpx.Client:
        with self._lock:
            if self._client is None:
                key = self._settings.api_key.get_secret_value()
                self._client = httpx.Client(
                    headers={"authorization": f"Bearer {key}"} if key else {},
                    timeout=self._settings.timeout_s,
                    follow_redirects=False,
                    trust_env=False,
                )
            return self._client


def _reason(error: httpx.TransportError) -> str:
    if isinstance(error, httpx.TimeoutException):
        return "no answer in time"
    return "no connection" if isinstance(error, httpx.ConnectError) else f"connection lost ({type(error).__name__})"
