"""Whether a faster precision gives the vectors of float32: measured on the machine before it is used."""

import logging

from graphrag.embedding.encoders import Encoder
from graphrag.embedding.vectors import lowest_cosine, unit_rows
from graphrag.errors import ModelCallError

__all__ = ["LOWEST_COSINE", "is_faithful"]

_log = logging.getLogger(__name__)

LOWEST_COSINE = 0.999
"""Smallest cosine between a vector of the faster precision and the same text's in float32."""

_SAMPLES = (
    "a",
    "Who designed the bridge, and when was it opened?",
    "The committee met on 12 March 1998 in Basel; its report (27 pages) lists 4 causes, each with its cost in euros.",
    "for (int i = 0; i < n; ++i) { total += price[i] * quantity[i]; }  # naïve, Zürich, 東京, 😀",
    "Water is lifted by pumps from the lower basin into the upper one when power is cheap. " * 12,
)
"""From one token to more than 200, in words, numbers, code and other scripts."""


def is_faithful(fast: Encoder, exact: Encoder) -> bool:
    """Tell whether `fast` gives the vectors of `exact`: cosine of at least 0.999 on each of a few texts."""
    try:
        pair = [
            unit_rows(rows, count=len(_SAMPLES), dimensions=rows.shape[1], model=encoder.name)
            for encoder, rows in (
                (encoder, encoder.encode(_SAMPLES, batch_size=len(_SAMPLES))) for encoder in (fast, exact)
            )
        ]
    except ModelCallError as error:
        _log.warning("%s is not used: %s", fast.name, error)
        return False
    cosine = lowest_cosine(*pair)
    if cosine < LOWEST_COSINE:
        _log.warning("%s is not used: its cosine to %s is %.4f, below %s", fast.name, exact.name, cosine, LOWEST_COSINE)
        return False
    _log.debug("%s: cosine to %s at least %.6f", fast.name, exact.name, cosine)
    return True
