"""What the rest of the package asks of an embedding model."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Embedder", "Tokenizer"]


class Tokenizer(Protocol):
    """Counts as the embedding model counts."""

    @property
    def max_tokens(self) -> int:
        """Longest input in tokens, special tokens already taken off."""
        ...

    def token_offsets(self, text: str) -> Sequence[tuple[int, int]]:
        """Return [start, end) of each token in code points of `text`, in order, special tokens left out."""
        ...


class Embedder(Protocol):
    """Turns texts into unit vectors. Construction is cheap: the model is loaded at its first use."""

    @property
    def model_name(self) -> str:
        """The model's name, as configured."""
        ...

    @property
    def model_id(self) -> str:
        """Name and a hash of the weights (or endpoint and name): equal where vectors are comparable."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of each vector."""
        ...

    @property
    def tokenizer(self) -> Tokenizer | None:
        """The model's tokenizer; None where only the endpoint knows."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a text, in their order: shape (len(texts), dimensions), float32, unit length.

        Raises:
            ModelCallError: The model is missing or failed, or gave another number or length of vectors.
        """
        ...

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query: shape (dimensions,), float32, unit length.

        Raises:
            ModelCallError: As for `embed_documents`.
        """
        ...

    def close(self) -> None:
        """Free the model and its threads. May be called twice."""
        ...
