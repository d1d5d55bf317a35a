"""Scoring hits anew by a model that reads the query together with each of them."""

import math
import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from graphrag.concurrency import Deadline
from graphrag.embedding.cross_encoder import PairScorer, open_cross_encoder
from graphrag.embedding.model_folder import ModelFolder, find_cross_encoder
from graphrag.errors import GraphRagError, InvalidRequestError, ModelCallError

__all__ = ["CrossEncoderReranker", "Reranker", "score_texts"]


_FEWEST_TOKENS = 8


class Reranker(Protocol):
    """Tells how well texts answer a query. Must be safe to call from several threads."""

    @property
    def model_id(self) -> str:
        """Name and a hash of the weights, or whatever else tells one model from another."""
        ...

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return a score in 0..1 a text, in their order: shape (len(texts),).

        Raises:
            ModelCallError: The model is missing or failed.
        """
        ...


class CrossEncoderReranker:
    """Scores with a cross-encoder of sentence-transformers that lies in a folder, on the CPU.

    Construction reads nothing; the model is loaded at the first query. Nothing is downloaded, weights are read from
    safetensors alone, and code that comes with a model never runs. Safe to use from several threads: one runs the
    model, others wait, no longer than the time limit.

    Args:
        model: Path of a folder with `config.json`, a tokenizer and `model.safetensors`, of a model with one output.
        batch_size: Pairs that go through the model at once, at least 1.
        max_tokens: Longest pair of query and text, special tokens counted; the longer of the two is cut. None takes
            what the model says.
        timeout_s: Seconds that one query may take, with the wait for other threads and the loading of the model; it
            ends between two batches. Above 0 and finite.

    Raises:
        InvalidRequestError: `batch_size`, `max_tokens` or `timeout_s` is out of bounds.
    """

    def __init__(
        self, model: str | Path, *, batch_size: int = 32, max_tokens: int | None = None, timeout_s: float = 60.0
    ) -> None:
        _check_at_least("batch_size", batch_size, 1)
        if max_tokens is not None:
            _check_at_least("max_tokens", max_tokens, _FEWEST_TOKENS)
        Deadline(seconds=timeout_s, what="reranking")  # checks it
        self._model = str(model)
        self._timeout_s = timeout_s
        self._batch_size = batch_size
        self._max_tokens = max_tokens
        self._lock = threading.Lock()
        self._scorer: PairScorer | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._model!r})"

    @property
    def model_id(self) -> str:
        """The folder's name, and a hash of the weights.

        Raises:
            ModelCallError: The model is missing or cannot be read.
        """
        return self._model_id

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return a score in 0..1 a text, in their order: the logistic function of the model's output.

        Raises:
            ModelCallError: The model is missing, has several outputs, or failed.
            MissingExtraError: sentence-transformers or torch is not installed.
            TimeoutExceededError: It took longer than `timeout_s`.
        """
        if not texts:
            return np.zeros(0, dtype=np.float64)
        deadline = Deadline(seconds=self._timeout_s, what=f"reranking {len(texts):,} texts")
        logits = np.zeros(len(texts), dtype=np.float64)
        if not self._lock.acquire(timeout=deadline.remaining_s()):
            raise deadline.exceeded()
        try:
            if self._scorer is None:
                self._scorer = open_cross_encoder(self._folder, max_tokens=self._max_tokens)
            # Texts of about one length go together: the longest of a batch tells what each of it costs.
            by_length = sorted(range(len(texts)), key=lambda place: len(texts[place]))
            for first in range(0, len(texts), self._batch_size):
                deadline.check()
                batch = by_length[first : first + self._batch_size]
                logits[batch] = self._scorer.score(
                    query, [texts[place] for place in batch], batch_size=self._batch_size
                )
        finally:
            self._lock.release()
        # In double precision: in single, all outputs above 17 would be one score.
        scores: NDArray[np.float64] = 0.5 * (1 + np.tanh(0.5 * logits))
        return scores

    def close(self) -> None:
        """Free the model. May be called twice; a later query loads it again."""
        with self._lock:
            self._scorer = None

    @cached_property
    def _folder(self) -> ModelFolder:
        return find_cross_encoder(self._model)

    @cached_property
    def _model_id(self) -> str:
        return f"{self._folder.name}@{self._folder.weights_hash()}"


def _check_at_least(name: str, value: object, lowest: int) -> None:
    if type(value) is not int or value < lowest:
        msg = f"`{name}` is {value!r}; it must be a whole number of at least {lowest}"
        raise InvalidRequestError(msg)


def score_texts(reranker: Reranker, query: str, texts: Sequence[str]) -> list[float]:
    """Return what a reranker says of texts, checked.

    Raises:
        ModelCallError: It failed, or gave another number of scores, or one that is not in 0..1.
    """
    try:
        raw = np.asarray(reranker.score(query, texts), dtype=np.float64)
    except GraphRagError:
        raise
    except Exception as error:  # any class: it may be anybody's
        msg = f"the reranker failed on {len(texts)} texts: {error}"
        raise ModelCallError(msg) from error
    if raw.shape != (len(texts),):
        msg = f"the reranker gave scores of the shape {raw.shape} for {len(texts)} texts; ({len(texts)},) is expected"
        raise ModelCallError(msg)
    scores = cast("list[float]", raw.tolist())
    if not all(math.isfinite(score) and 0 <= score <= 1 for score in scores):
        msg = "the reranker gave a score that is not in 0..1"
        raise ModelCallError(msg)
    return scores
