"""Embedders for tests: no model, the same vectors on every machine, and faults on demand."""

import hashlib
import re
import threading
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from graphrag.embedding.protocol import Tokenizer
from graphrag.embedding.vectors import unit_rows
from graphrag.errors import ModelCallError

__all__ = ["DeterministicEmbedder", "FailingEmbedder", "Fault", "WordTokenizer"]

Mode = Literal["hash", "words"]
Fault = Literal["error", "too_few", "wrong_dimensions", "nan", "infinite", "zero"]

_WORD = re.compile(r"\w+")


class WordTokenizer:
    """Counts each word as one token.

    Args:
        max_tokens: Longest input in words.
    """

    def __init__(self, max_tokens: int) -> None:
        self._max_tokens = max_tokens

    @property
    def max_tokens(self) -> int:
        """Longest input in tokens."""
        return self._max_tokens

    def token_offsets(self, text: str) -> Sequence[tuple[int, int]]:
        """Return [start, end) of each word in code points of `text`, in order."""
        return [match.span() for match in _WORD.finditer(text)]


class DeterministicEmbedder:
    """Gives equal texts equal unit vectors, in every process, so that rankings can be asserted.

    Args:
        dimensions: Length of each vector, at least 1.
        mode: `hash`: texts that differ in anything have unrelated vectors. `words`: each word has a vector, and a
            text the sum of its words' vectors, so that texts which share words are near; case does not matter.
        vectors: Fixed vectors by text, of any length but zero; they go before `mode`.
        name: The model's name; another name gives other vectors too, as another model would.
        max_tokens: Sets a tokenizer that counts words; without it the embedder has none.

    Attributes:
        calls: The texts of each call so far, queries as calls of one text.

    Raises:
        ModelCallError: A vector of `vectors` has another number of dimensions, or is zero or not finite.
    """

    def __init__(
        self,
        dimensions: int = 64,
        mode: Mode = "hash",
        *,
        vectors: Mapping[str, Sequence[float]] | None = None,
        name: str = "deterministic",
        max_tokens: int | None = None,
    ) -> None:
        self._dimensions = dimensions
        self._mode = mode
        self._name = name
        self._tokenizer = None if max_tokens is None else WordTokenizer(max_tokens)
        self._fixed: dict[str, NDArray[np.float32]] = {
            text: unit_rows([vector], count=1, dimensions=dimensions, model=name)[0]
            for text, vector in (vectors or {}).items()
        }
        self._lock = threading.Lock()
        self.calls: list[tuple[str, ...]] = []

    @property
    def model_name(self) -> str:
        """The name given."""
        return self._name

    @property
    def model_id(self) -> str:
        """Name, mode and dimensions: equal where vectors are comparable."""
        return f"{self._name}@{self._mode}-{self._dimensions}"

    @property
    def dimensions(self) -> int:
        """Length of each vector."""
        return self._dimensions

    @property
    def tokenizer(self) -> Tokenizer | None:
        """A tokenizer that counts words, where `max_tokens` was given."""
        return self._tokenizer

    @property
    def embedded_count(self) -> int:
        """How many texts were embedded so far, queries included."""
        return sum(map(len, self.calls))

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a text, in their order: shape (len(texts), dimensions), float32, unit length."""
        with self._lock:
            self.calls.append(tuple(texts))
        if not texts:
            return np.zeros((0, self._dimensions), dtype=np.float32)
        return np.stack([self._vector(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query: shape (dimensions,), float32, unit length; a document's of the same text."""
        row: NDArray[np.float32] = self.embed_documents([text])[0]
        return row

    def close(self) -> None:
        """Do nothing: there is no model."""

    def _vector(self, text: str) -> NDArray[np.float32]:
        if (fixed := self._fixed.get(text)) is not None:
            return fixed
        words = _WORD.findall(text.casefold()) if self._mode == "words" else []
        raw = np.sum([self._direction(word) for word in words or [text]], axis=0)
        row: NDArray[np.float32] = unit_rows([raw], count=1, dimensions=self._dimensions, model=self._name)[0]
        return row

    def _direction(self, text: str) -> NDArray[np.float64]:
        seed = hashlib.sha256(f"{self._name}\0{text}".encode("utf-8", "surrogatepass")).digest()
        # The generator is named, since NumPy may change its default one.
        return np.random.Generator(np.random.PCG64(int.from_bytes(seed, "big"))).standard_normal(self._dimensions)


class FailingEmbedder(DeterministicEmbedder):
    """Behaves like `DeterministicEmbedder` up to one call, then as a broken model does.

    What it gives is not checked on the way out: it stands for an embedder of another make, so that a store or
    pipeline shows that it checks for itself.

    Args:
        fault: `error` raises `ModelCallError`; the others return one vector too few, vectors one number longer, or
            a last vector that is not a number, infinite or zero.
        failing_call: Number of the call that fails, from 1; earlier and later ones succeed.
        dimensions: Length of each vector.
        lasting: Let every later call fail too.
    """

    def __init__(self, fault: Fault, failing_call: int = 1, *, dimensions: int = 64, lasting: bool = False) -> None:
        super().__init__(dimensions)
        self._fault: Fault = fault
        self._failing_call = failing_call
        self._lasting = lasting

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a text, or what the fault says.

        Raises:
            ModelCallError: The fault is `error`, and this is the failing call.
        """
        rows = super().embed_documents(texts)
        call = len(self.calls)
        failing = call >= self._failing_call if self._lasting else call == self._failing_call
        return self._broken(rows) if failing else rows

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query, or what the fault says; an empty vector where there is one too few."""
        rows = self.embed_documents([text])
        return rows[0] if len(rows) else np.zeros(0, dtype=np.float32)

    def _broken(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        if self._fault == "error":
            msg = f"model `{self.model_name}` failed on call {len(self.calls)}, as the test asked"
            raise ModelCallError(msg)
        if self._fault == "too_few":
            return rows[:-1]
        if self._fault == "wrong_dimensions":
            return np.pad(rows, ((0, 0), (0, 1)))
        rows[-1:] = {"nan": np.nan, "infinite": np.inf, "zero": 0.0}[self._fault]
        return rows
