"""Embedding models that run in this process, from a folder, without a network."""

import logging
import threading
from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from graphrag.config import EmbeddingSettings
from graphrag.embedding.bert_graph import supports
from graphrag.embedding.encoders import Encoder
from graphrag.embedding.model_folder import ModelFolder, find_model
from graphrag.embedding.onnx_encoder import onnx_file, open_onnx
from graphrag.embedding.openvino_encoder import open_openvino
from graphrag.embedding.optional import is_installed
from graphrag.embedding.tokenizer import ModelTokenizer
from graphrag.embedding.torch_encoder import open_torch
from graphrag.embedding.vectors import unit_rows
from graphrag.embedding.weights import weights_hash
from graphrag.errors import ConfigurationError, GraphRagError, InvalidRequestError, ModelCallError

__all__ = ["SentenceTransformersEmbedder"]

_log = logging.getLogger(__name__)


class SentenceTransformersEmbedder:
    """Embeds with a model of sentence-transformers that lies in a folder.

    Construction reads nothing. Name, id, dimensions and tokenizer come from the folder's small files; the model is
    loaded at the first text. Safe to use from several threads: one runs the model, others wait.

    Args:
        settings: Model, backend and precision, prompts, batch size. Code that comes with a model never runs, and
            weights are read from safetensors alone: no setting changes that.
    """

    def __init__(self, settings: EmbeddingSettings) -> None:
        self._settings = settings
        self._lock = threading.RLock()
        self._encoder: Encoder | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}(model={self._settings.model!r}, backend={self._settings.backend!r})"

    @property
    def model_name(self) -> str:
        """The model's name, as configured."""
        return self._settings.model

    @property
    def model_id(self) -> str:
        """Name and a hash of the weights, and of the document prompt where there is one.

        Raises:
            ModelCallError: The model is missing or cannot be read.
            MissingExtraError: The default model's package is not installed.
        """
        return self._model_id

    @property
    def dimensions(self) -> int:
        """Length of each vector.

        Raises:
            ModelCallError: The model is missing or cannot be read.
            ConfigurationError: `embedding.dimensions` is set, and to another number than the model's.
            MissingExtraError: The default model's package is not installed.
        """
        return self._dimensions

    @property
    def tokenizer(self) -> ModelTokenizer:
        """The model's tokenizer, read from `tokenizer.json`.

        Raises:
            ModelCallError: The model is missing or cannot be read.
            MissingExtraError: The extra `embeddings` is not installed.
        """
        return self._tokenizer

    @property
    def backend(self) -> str:
        """Backend and precision in use, such as `openvino bfloat16`. Loads the model.

        Raises:
            ModelCallError: The model is missing or cannot be loaded.
        """
        with self._lock:
            return self._loaded().name

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a text, in their order: shape (len(texts), dimensions), float32, unit length.

        A text of more than the model's tokens is cut.

        Raises:
            ModelCallError: The model is missing or failed, or gave a vector that cannot be stored.
            MissingExtraError: The extra `embeddings` is not installed.
            InvalidRequestError: `texts` is a single string.
        """
        if isinstance(texts, str):
            msg = "`texts` is a string; a sequence of strings is expected"
            raise InvalidRequestError(msg)
        return self._embed([self._settings.document_prompt + text for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query: shape (dimensions,), float32, unit length.

        Raises:
            ModelCallError: As for `embed_documents`.
            MissingExtraError: The extra `embeddings` is not installed.
        """
        row: NDArray[np.float32] = self._embed([self._settings.query_prompt + text])[0]
        return row

    def close(self) -> None:
        """Free the model and its threads. May be called twice; a later text loads the model again."""
        with self._lock:
            self._encoder = None

    @cached_property
    def _folder(self) -> ModelFolder:
        return find_model(self._settings.model)

    @cached_property
    def _model_id(self) -> str:
        folder = self._folder
        identity = f"{folder.name}@{folder.weights_hash()}"
        if self._settings.backend == "onnx" and onnx_file(folder).is_file():
            # Its own weights, which need not be those of the safetensors.
            identity += f"+onnx:{weights_hash([onnx_file(folder)])}"
        prompt = self._settings.document_prompt
        return f"{identity}+prompt:{sha256(prompt.encode()).hexdigest()[:8]}" if prompt else identity

    @cached_property
    def _dimensions(self) -> int:
        own = self._folder.dimensions
        wanted = self._settings.dimensions
        if wanted is not None and wanted != own:
            msg = f"setting `embedding.dimensions` is {wanted}, and model `{self.model_name}` has {own}; leave it out"
            raise ConfigurationError(msg)
        return own

    @cached_property
    def _tokenizer(self) -> ModelTokenizer:
        return ModelTokenizer(self._folder, max_tokens=self._max_tokens, prompt=self._settings.document_prompt)

    @property
    def _max_tokens(self) -> int:
        own = self._folder.max_tokens
        return min(own, self._settings.max_tokens or own)

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        dimensions = self.dimensions
        if not texts:
            return np.zeros((0, dimensions), dtype=np.float32)
        with self._lock:
            encoder = self._loaded()
            try:
                raw = encoder.encode(texts, batch_size=self._settings.batch_size)
            except GraphRagError:
                raise
            except Exception as error:  # any class, of whichever package runs the model
                msg = f"embedding model `{self.model_name}` failed on {len(texts)} texts ({encoder.name}): {error}"
                raise ModelCallError(msg) from error
        return unit_rows(raw, count=len(texts), dimensions=dimensions, model=self.model_name)

    def _loaded(self) -> Encoder:
        if self._encoder is None:
            self._encoder = _open_encoder(self._folder, self._settings, max_tokens=self._max_tokens)
            _log.info("embedding model %s runs on %s", self._folder.name, self._encoder.name)
        return self._encoder


def _open_encoder(folder: ModelFolder, settings: EmbeddingSettings, *, max_tokens: int) -> Encoder:
    """Return the fastest faithful encoder: OpenVINO where it is installed and computes this model, else torch."""
    backend = settings.backend
    if backend == "onnx":
        return open_onnx(folder, settings, max_tokens=max_tokens)
    if backend == "openvino" and not supports(folder):
        msg = (
            f"setting `embedding.backend`: `openvino` runs BERT encoders pooled by mean or first token, which model "
            f"`{folder.name}` is not; set it to `torch`"
        )
        raise ConfigurationError(msg)
    # The default model needs OpenVINO or torch; where neither is installed, the first one's error tells the extra.
    on_openvino = supports(folder) and (is_installed("openvino") or not is_installed("torch"))
    if backend == "openvino" or (backend == "auto" and on_openvino):
        return open_openvino(folder, settings, max_tokens=max_tokens)
    return open_torch(folder, settings, max_tokens=max_tokens)
