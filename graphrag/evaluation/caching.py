"""Vectors that are kept between runs: an embedder that asks the model only for what it has never seen.

A cache is a folder of files, each with the vectors of some texts: a header, keys, vectors, and a hash of all that.
Files are written beside their place and then moved to it, so that a reader never sees half of one, and are named by
their content, so that programs which share the folder do not disturb each other. A file that is damaged is removed and
told; its texts are embedded again.
"""

import contextlib
import hashlib
import json
import os
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from graphrag.config import EmbeddingSettings, default_home
from graphrag.embedding import open_embedder
from graphrag.embedding.protocol import Embedder, Tokenizer
from graphrag.embedding.vectors import unit_rows
from graphrag.errors import ConfigurationError

__all__ = ["CachingEmbedder", "open_cache"]

_SUFFIX = ".vectors"
_KEY_BYTES = 32
_HASH_BYTES = 32
_FLOAT_BYTES = 4
_WRITTEN_AT_ONCE = 1_000
_FORMAT = 1
_SHAPES_NOTHING = {"api_key", "batch_size", "retries", "threads", "timeout_s"}
"""Settings of an embedding model that change no vector."""


def open_cache(settings: EmbeddingSettings, folder: Path | None = None) -> "CachingEmbedder":
    """Return the embedder that the settings name, with a memory.

    Args:
        settings: All of them that shape a vector keep caches apart.
        folder: By default `evaluation/embeddings` in the folder for our own data.

    Raises:
        ConfigurationError: The settings are refused, or the folder cannot be made or read.
        ModelCallError: The model is missing.
    """
    shaping = settings.model_dump_json(exclude=_SHAPES_NOTHING)
    where = folder or default_home() / "evaluation" / "embeddings"
    return CachingEmbedder(open_embedder(settings), where, variant=shaping)


class CachingEmbedder:
    """An embedder with a memory on disk.

    Args:
        embedder: Makes what is not there yet; it is closed with this one.
        folder: Where the files are; made if it is not there. Models keep apart in it by themselves.
        variant: What else shapes the vectors beside the model and the text (prompts, precision, bounds).

    Attributes:
        reused: How many texts were answered from the cache.
        embedded: How many were embedded.
        damaged: Files that could not be used, and were removed.

    It is a context manager, which writes what is new and closes the embedder. Safe to call from several threads.

    Raises:
        ConfigurationError: The folder cannot be made or read.
        ModelCallError: The model is missing.
    """

    def __init__(self, embedder: Embedder, folder: Path, *, variant: str = "") -> None:
        self._embedder = embedder
        name = hashlib.sha256(f"{_FORMAT}\0{embedder.model_id}\0{variant}".encode()).hexdigest()[:32]
        self._folder = folder / name
        self._lock = threading.Lock()
        self._vectors: dict[bytes, NDArray[np.float32]] = {}
        self._new: dict[bytes, NDArray[np.float32]] = {}
        self.reused: int = 0
        self.embedded: int = 0
        self.damaged: tuple[Path, ...] = ()
        self._load()

    @property
    def folder(self) -> Path:
        """Where the files of this model are."""
        return self._folder

    @property
    def model_name(self) -> str:
        """The model's name, as configured."""
        return self._embedder.model_name

    @property
    def model_id(self) -> str:
        """Name and a hash of the weights: equal where vectors are comparable."""
        return self._embedder.model_id

    @property
    def dimensions(self) -> int:
        """Length of each vector."""
        return self._embedder.dimensions

    @property
    def tokenizer(self) -> Tokenizer | None:
        """The model's tokenizer; None where only the endpoint knows."""
        return self._embedder.tokenizer

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a text, in their order: shape (len(texts), dimensions), float32, unit length.

        Raises:
            ModelCallError: The model failed, or gave vectors that cannot be used.
            ConfigurationError: The cache cannot be written.
        """
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        keys = [_key("document", text) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._vectors}
        if missing:
            rows = self._embedder.embed_documents(list(missing.values()))
            self._keep(list(missing), rows)
        self.reused += len(texts) - len(missing)
        return np.stack([self._vectors[key] for key in keys])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query: shape (dimensions,), float32, unit length.

        Raises:
            ModelCallError, ConfigurationError: As for `embed_documents`.
        """
        key = _key("query", text)
        if key in self._vectors:
            self.reused += 1
        else:
            self._keep([key], self._embedder.embed_query(text)[np.newaxis])
        return self._vectors[key]

    def flush(self) -> None:
        """Write what is new.

        Raises:
            ConfigurationError: The folder cannot be written.
        """
        with self._lock:
            new, self._new = self._new, {}
        if not new:
            return
        data = _packed(new, self.dimensions)
        target = self._folder / f"{hashlib.sha256(data).hexdigest()[:32]}{_SUFFIX}"
        try:
            _write_atomically(target, data)
        except OSError as error:
            self._refuse("written", error)

    def close(self) -> None:
        """Write what is new, and free the model. May be called twice.

        Raises:
            ConfigurationError: The folder cannot be written.
        """
        try:
            self.flush()
        finally:
            self._embedder.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _keep(self, keys: Sequence[bytes], rows: NDArray[np.float32]) -> None:
        # What a model of any make gives is checked before it is kept for good, and kept to the last bit.
        unit_rows(rows, count=len(keys), dimensions=self.dimensions, model=self.model_name)
        own = dict(zip(keys, np.asarray(rows, dtype=np.float32), strict=True))
        with self._lock:
            self._vectors.update(own)
            self._new.update(own)
            self.embedded += len(own)
            many = len(self._new) >= _WRITTEN_AT_ONCE
        if many:
            self.flush()

    def _load(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            paths = sorted(self._folder.glob(f"*{_SUFFIX}"))
        except OSError as error:
            self._refuse("read", error)
        damaged: list[Path] = []
        for path in paths:
            try:
                found = _read(path, self.dimensions)
            except FileNotFoundError:  # another program found it damaged
                continue
            except OSError as error:  # which says nothing against what it holds
                self._refuse("read", error)
            if found is None:
                damaged.append(path)
                with contextlib.suppress(OSError):
                    path.unlink()
            else:
                self._vectors.update(found)
        self.damaged = tuple(damaged)

    def _refuse(self, what: str, error: OSError) -> NoReturn:
        why = error.strerror or error
        msg = f"the cache of embeddings at `{self._folder}` cannot be {what} ({why}); give another folder (`--cache`)"
        raise ConfigurationError(msg) from error


def _key(kind: str, text: str) -> bytes:
    return hashlib.sha256(f"{kind}\0{text}".encode("utf-8", "surrogatepass")).digest()


def _packed(vectors: dict[bytes, NDArray[np.float32]], dimensions: int) -> bytes:
    header = json.dumps({"format": _FORMAT, "count": len(vectors), "dimensions": dimensions}).encode() + b"\n"
    rows = np.stack(list(vectors.values())).astype("<f4").tobytes()
    content = header + b"".join(vectors) + rows
    return content + hashlib.sha256(content).digest()


def _read(path: Path, dimensions: int) -> dict[bytes, NDArray[np.float32]] | None:
    """Return what a file holds; None where it is not as it was written.

    Raises:
        OSError: It cannot be read.
    """
    data = path.read_bytes()
    content, checked = data[:-_HASH_BYTES], data[-_HASH_BYTES:]
    if hashlib.sha256(content).digest() != checked:
        return None
    header, _, body = content.partition(b"\n")
    with contextlib.suppress(ValueError, KeyError, TypeError):
        told = json.loads(header)
        count = int(told["count"])
        if told["dimensions"] == dimensions and len(body) == count * (_KEY_BYTES + dimensions * _FLOAT_BYTES):
            rows = np.frombuffer(body, dtype="<f4", offset=count * _KEY_BYTES).reshape(count, dimensions)
            return dict(zip(_keys(body, count), rows.astype(np.float32), strict=True))
    return None


def _keys(body: bytes, count: int) -> Iterator[bytes]:
    for start in range(0, count * _KEY_BYTES, _KEY_BYTES):
        yield body[start : start + _KEY_BYTES]


def _write_atomically(target: Path, data: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".writing-", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
