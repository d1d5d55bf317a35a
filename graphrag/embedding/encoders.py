"""What runs a model: the protocol, and batches of tokens for those that take tokens."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from graphrag.embedding.model_folder import ModelFolder
from graphrag.embedding.tokenizer import open_tokenizer, replace_surrogates

__all__ = ["Encoder", "Forward", "TokenEncoder"]

Forward = Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.float32]]
"""Token ids and mask of one batch, both (texts, tokens), to vectors of shape (texts, dimensions)."""


class Encoder(Protocol):
    """A loaded model. Not safe to use from several threads at once."""

    @property
    def name(self) -> str:
        """Backend and precision, such as `openvino bfloat16`."""
        ...

    def encode(self, texts: Sequence[str], *, batch_size: int) -> NDArray[np.float32]:
        """Return one row a text, in their order: shape (len(texts), dimensions), of any length."""
        ...


class TokenEncoder:
    """An encoder over a function from token ids to vectors.

    Texts are sorted by their number of tokens, so that a batch holds little padding, and put back in order.

    Args:
        name: Backend and precision.
        folder: The model's folder, for the tokenizer.
        forward: Runs one batch; kept until the encoder is dropped.
        max_tokens: Longer inputs are cut, special tokens counted.
    """

    def __init__(self, name: str, folder: ModelFolder, *, forward: Forward, max_tokens: int) -> None:
        self._name = name
        self._forward = forward
        self._dimensions = folder.dimensions
        self._tokenizer: Any = open_tokenizer(folder)
        self._tokenizer.enable_truncation(max_tokens)

    @property
    def name(self) -> str:
        """Backend and precision."""
        return self._name

    def encode(self, texts: Sequence[str], *, batch_size: int) -> NDArray[np.float32]:
        """Return one row a text, in their order."""
        encodings = self._tokenizer.encode_batch_fast([replace_surrogates(text) for text in texts])
        tokens: list[list[int]] = [encoding.ids for encoding in encodings]
        order = sorted(range(len(tokens)), key=lambda index: -len(tokens[index]))
        rows = np.empty((len(tokens), self._dimensions), dtype=np.float32)
        for start in range(0, len(order), batch_size):
            indexes = order[start : start + batch_size]
            rows[indexes] = self._forward(*_padded([tokens[index] for index in indexes]))
        return rows


def _padded(tokens: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return ids and mask, padded to the longest; the mask makes the padding's id of no matter."""
    shape = (len(tokens), max(map(len, tokens)))
    ids = np.zeros(shape, dtype=np.int64)
    mask = np.zeros(shape, dtype=np.int64)
    for row, held in enumerate(tokens):
        ids[row, : len(held)] = held
        mask[row, : len(held)] = 1
    return ids, mask
