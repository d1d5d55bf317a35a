"""What a model gave, checked and brought to unit length: no bad vector goes on to a store."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphrag.errors import ModelCallError

__all__ = ["lowest_cosine", "unit_rows"]

_SMALLEST_NORM = 1e-12
_MATRIX = 2


def unit_rows(raw: ArrayLike, *, count: int, dimensions: int, model: str, first: int = 0) -> NDArray[np.float32]:
    """Return `raw` as float32 rows of unit length.

    Args:
        raw: What the model gave: one vector a text.
        count: How many vectors are expected.
        dimensions: How long each is expected to be.
        model: The model's name, for messages.
        first: Index of the first text, for messages, where these are a part of the texts.

    Raises:
        ModelCallError: The number or length of the vectors is another, or a vector holds a number that is not
            finite, or is zero. The message names the text's index; the text itself is not printed.
    """
    try:
        rows = np.asarray(raw, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        msg = f"model `{model}` gave something else than {count} vectors of {dimensions} numbers"
        raise ModelCallError(msg) from error
    if rows.ndim == 0 or len(rows) != count:
        given = 0 if rows.ndim == 0 else len(rows)
        msg = f"model `{model}` gave {given} vectors for {count} texts; it must give one for each"
        raise ModelCallError(msg)
    if count == 0:
        return np.zeros((0, dimensions), dtype=np.float32)
    if rows.ndim != _MATRIX or rows.shape[1] != dimensions:
        given_shape = "no vector" if rows.ndim != _MATRIX else f"{rows.shape[1]} dimensions"
        msg = f"model `{model}` gave {given_shape} for text {first}; {dimensions} dimensions are expected"
        raise ModelCallError(msg)
    return _normalized(rows, model, first)


def lowest_cosine(left: NDArray[np.float32], right: NDArray[np.float32]) -> float:
    """Return the smallest cosine between rows of the same index; both hold rows of unit length."""
    return float(np.min(np.sum(left * right, axis=1)))


def _normalized(rows: NDArray[np.float64], model: str, first: int) -> NDArray[np.float32]:
    finite = np.isfinite(rows).all(axis=1)
    if not finite.all():
        msg = f"model `{model}` gave a number that is not finite for text {first + int(np.argmin(finite))}"
        raise ModelCallError(msg)
    with np.errstate(over="ignore"):
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
    usable = (norms[:, 0] > _SMALLEST_NORM) & np.isfinite(norms[:, 0])
    if not usable.all():
        index = first + int(np.argmin(usable))
        msg = f"model `{model}` gave a vector without direction (zero, or too large) for text {index}"
        raise ModelCallError(msg)
    return np.ascontiguousarray(rows / norms, dtype=np.float32)
