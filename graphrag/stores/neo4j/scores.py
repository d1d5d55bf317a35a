"""Between what the server gives as scores and the scale 0..1, and the vectors that it is asked with."""

import math
from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from graphrag.errors import InvalidRequestError

__all__ = ["raw_floor", "text_score", "unit_score", "unit_vector", "vector_floor"]

_FLOAT_NOISE = 1e-6
"""float32 keeps seven digits: an identical vector may come out just below 1."""
_TEXT_SCALE = 3.0
"""raw / (raw + 3): 0.5 is a raw BM25 score of 3. The scale of the design that this package follows."""


def unit_vector(embedding: NDArray[np.float32] | Sequence[float], dimensions: int) -> NDArray[np.float32]:
    """Return a query's vector with length 1.

    Raises:
        InvalidRequestError: It is no vector, has another shape, or cannot be compared by cosine.
    """
    try:
        vector = np.asarray(embedding, dtype=np.float32)
    except (TypeError, ValueError, OverflowError) as error:
        msg = f"the query vector, a {type(embedding).__name__}, holds what is no number; it must be numbers alone"
        raise InvalidRequestError(msg) from error
    if vector.shape != (dimensions,):
        msg = f"the query vector has the shape {vector.shape}; the index takes ({dimensions},)"
        raise InvalidRequestError(msg)
    norm = float(np.linalg.norm(vector.astype(np.float64)))
    if not math.isfinite(norm) or norm == 0:
        msg = "the query vector is all zeros or holds NaN or infinity; it cannot be compared by cosine"
        raise InvalidRequestError(msg)
    return (vector / norm).astype(np.float32)


def vector_floor(threshold: float | None) -> float:
    """Return the lowest score to ask for, less the noise of single precision."""
    return (threshold or 0.0) - _FLOAT_NOISE


def unit_score(score: object) -> float:
    """Return the server's (1 + cosine) / 2 without the noise that leads out of 0..1."""
    return min(1.0, max(0.0, float(cast("float", score))))


def text_score(raw: float) -> float:
    """Return a raw BM25 score on the scale 0..1."""
    return raw / (raw + _TEXT_SCALE)


def raw_floor(score: float) -> float:
    """Return the raw score of one below 1 on the scale 0..1, less the noise of single precision."""
    return _TEXT_SCALE * score / (1 - score) - _FLOAT_NOISE
