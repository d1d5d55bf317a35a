"""Runs a cross-encoder of sentence-transformers on torch, on the CPU."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from graphrag.embedding.model_folder import ModelFolder
from graphrag.embedding.optional import import_optional
from graphrag.embedding.tokenizer import replace_surrogates
from graphrag.embedding.torch_encoder import offline, quiet
from graphrag.errors import ModelCallError

__all__ = ["PairScorer", "open_cross_encoder"]


class PairScorer(Protocol):
    """A loaded model. Not safe to use from several threads at once."""

    def score(self, query: str, texts: Sequence[str], *, batch_size: int) -> NDArray[np.float32]:
        """Return the model's raw output for the query with each text: shape (len(texts),), any number."""
        ...


class _CrossEncoder:
    def __init__(self, name: str, model: Any) -> None:  # noqa: ANN401 - a class of an optional package
        self._name = name
        self._model = model

    def score(self, query: str, texts: Sequence[str], *, batch_size: int) -> NDArray[np.float32]:
        """Return the logits; the model sorts the pairs by length itself."""
        asked = replace_surrogates(query)
        try:
            raw = self._model.predict(
                [(asked, replace_surrogates(text)) for text in texts],
                batch_size=batch_size,
                show_progress_bar=False,
                # What the model's own files would put before each text.
                prompt="",
            )
        except Exception as error:  # any class, of three packages
            msg = f"cross-encoder `{self._name}` failed on {len(texts)} texts: {error}"
            raise ModelCallError(msg) from error
        return np.asarray(raw, dtype=np.float32).reshape(-1)


def open_cross_encoder(folder: ModelFolder, *, max_tokens: int | None = None) -> PairScorer:
    """Return a loaded model with one output.

    Args:
        folder: The model's.
        max_tokens: Longest pair, special tokens counted; at most what the model takes.

    Raises:
        ModelCallError: The model cannot be loaded, or has several outputs.
        MissingExtraError: sentence-transformers or torch is not installed.
    """
    feature = f"cross-encoder `{folder.name}`"
    torch: Any = import_optional("torch", feature=feature)
    with offline(feature), quiet(feature):
        package = import_optional("sentence_transformers", feature=feature)
        try:
            model = package.CrossEncoder(
                str(folder.path),
                device="cpu",
                local_files_only=True,
                trust_remote_code=False,
                max_length=min(folder.max_tokens, max_tokens or folder.max_tokens),
                # Given, so that the function that the model's files name is not even looked up.
                activation_fn=torch.nn.Identity(),
                model_kwargs={"use_safetensors": True, "dtype": "float32"},
            )
            outputs = int(model.num_labels)
        except Exception as error:  # any class, of three packages
            msg = f"cross-encoder `{folder.name}` cannot be loaded from `{folder.path}`: {error}"
            raise ModelCallError(msg) from error
    if outputs != 1:
        msg = (
            f"model `{folder.name}` has {outputs} outputs; a cross-encoder for reranking has one, which says how well "
            "a text answers a query"
        )
        raise ModelCallError(msg)
    return _CrossEncoder(folder.name, model.eval())
