"""Runs the graph that a model's folder brings as `onnx/model.onnx`, on ONNX Runtime."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag.config import EmbeddingSettings
from graphrag.embedding.encoders import Encoder, Forward, TokenEncoder
from graphrag.embedding.model_folder import ModelFolder
from graphrag.embedding.optional import import_optional
from graphrag.errors import ConfigurationError, ModelCallError

__all__ = ["onnx_file", "open_onnx"]


def onnx_file(folder: ModelFolder) -> Path:
    """Return where the folder holds its ONNX graph, by the convention of sentence-transformers."""
    return folder.path / "onnx" / "model.onnx"


def open_onnx(folder: ModelFolder, settings: EmbeddingSettings, *, max_tokens: int) -> Encoder:
    """Return an encoder in float32.

    Raises:
        ConfigurationError: bfloat16 is asked for, or the model is pooled in another way than by mean or first token.
        ModelCallError: The folder has no `onnx/model.onnx`, or it cannot be loaded.
        MissingExtraError: `onnxruntime` or `tokenizers` is not installed.
    """
    if settings.precision == "bfloat16":
        msg = "setting `embedding.precision`: the backend `onnx` computes in float32 only; take `openvino` or `torch`"
        raise ConfigurationError(msg)
    if folder.pooling is None:
        msg = (
            f"setting `embedding.backend`: model `{folder.name}` is not pooled by mean or first token alone, which the "
            f"backend `onnx` needs; set it to `torch`"
        )
        raise ConfigurationError(msg)
    file = onnx_file(folder)
    if not file.is_file():
        msg = (
            f"model folder `{folder.path}` has no `onnx/model.onnx`, which the backend `onnx` runs; export it there, "
            f"or set `embedding.backend` to `auto`"
        )
        raise ModelCallError(msg)
    runtime = import_optional(
        "onnxruntime", feature=f"embedding model `{folder.name}` on the backend `onnx`", extra="onnx"
    )
    options = runtime.SessionOptions()
    options.intra_op_num_threads = settings.threads
    try:
        session = runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # classes of the package's own, made at run time
        msg = f"model file `{file}` cannot be loaded: {error}"
        raise ModelCallError(msg) from error
    forward = _forward(session, first_token=folder.pooling == "cls")
    return TokenEncoder("onnx float32", folder, forward=forward, max_tokens=max_tokens)


def _forward(session: Any, *, first_token: bool) -> Forward:  # noqa: ANN401 - a class of an optional package
    names = {given.name for given in session.get_inputs()}

    def forward(ids: NDArray[np.int64], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states = np.asarray(session.run(None, {name: given[name] for name in names})[0], dtype=np.float32)
        if states.ndim == 2:  # noqa: PLR2004 - (texts, dimensions): pooled in the graph
            return states
        if first_token:
            return states[:, 0]
        kept = mask[:, :, None].astype(np.float32)
        pooled: NDArray[np.float32] = (states * kept).sum(axis=1) / kept.sum(axis=1)
        return pooled

    return forward
