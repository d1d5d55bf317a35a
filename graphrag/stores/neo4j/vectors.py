"""Vectors on their way into the database: the checks that the server does not make.

A vector of another length, of zeros, or with a NaN is stored without complaint and never found.
"""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from neo4j.vector import Vector

from graphrag.errors import InvalidRequestError, MissingEmbeddingError
from graphrag.model import MaterializedDocument

__all__ = ["CheckedVector", "check_vectors", "missing_vectors"]


@dataclass(frozen=True, slots=True)
class CheckedVector:
    """A vector as the driver sends it (raw float32), and a hash that tells whether it changed."""

    vector: Vector
    hash: str


def check_vectors(source: MaterializedDocument, *, dimensions: int) -> dict[str, CheckedVector]:
    """Return the given vectors by chunk id.

    Raises:
        InvalidRequestError: One has another shape, is all zeros, or holds NaN or infinity; its chunk is named.
    """
    numbers = {chunk.id: chunk.sequence_number for chunk in source.chunks}
    order = sorted((id_ for id_ in source.vectors if id_ in numbers), key=numbers.__getitem__)
    if not order:
        return {}
    for id_ in order:
        shape = getattr(source.vectors[id_], "shape", "?")
        if shape != (dimensions,):
            raise _refused(source, numbers[id_], f"has an embedding of shape {shape}; the index takes ({dimensions},)")
    with np.errstate(over="ignore"):  # what float32 cannot hold becomes infinity, and is refused below
        matrix = np.asarray([source.vectors[id_] for id_ in order], dtype=np.float32)
    norms = np.linalg.norm(matrix, axis=1)
    bad = np.flatnonzero(~np.isfinite(norms) | (norms == 0))
    if bad.size:
        what = "is all zeros" if norms[bad[0]] == 0 else "holds NaN or infinity"
        raise _refused(source, numbers[order[int(bad[0])]], f"has an embedding that {what}")
    return {
        id_: CheckedVector(
            Vector.from_numpy(matrix[row]), hashlib.blake2b(matrix[row].tobytes(), digest_size=8).hexdigest()
        )
        for row, id_ in enumerate(order)
    }


def missing_vectors(source: MaterializedDocument, ids: Collection[str]) -> MissingEmbeddingError:
    """Return the error for chunks that have no embedding; the first of them is named."""
    chunk = next(chunk for chunk in source.chunks if chunk.id in ids)
    more = f" (and {len(ids) - 1} more)" if len(ids) > 1 else ""
    return MissingEmbeddingError(
        f"chunk {chunk.sequence_number} (`{chunk.id}`) of `{source.document.uri}`{more} has no embedding, and the "
        "store has none of it; nothing of it was written",
        chunk_ids=frozenset(ids),
    )


def _refused(source: MaterializedDocument, number: int, what: str) -> InvalidRequestError:
    chunk = source.chunks[number]
    return InvalidRequestError(
        f"chunk {number} (`{chunk.id}`) of `{source.document.uri}` {what}; nothing of it was written"
    )
