"""Clusters from all pairs: the definition that what the store finds is compared with."""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from graphrag.model import Chunk, Cluster

Vectors = Mapping[str, NDArray[np.float32]]
"""By the chunk's id."""


def scores(vectors: Vectors) -> tuple[list[str], NDArray[np.float64]]:
    ids = sorted(vectors)
    rows = np.stack([vectors[id_] for id_ in ids]).astype(np.float64)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return ids, (1 + rows @ rows.T) / 2


def leaders(vectors: Vectors, threshold: float) -> dict[str, set[str]]:
    """Return the definition's clusters, from all pairs: each in the order of ids takes what is near and free."""
    ids, near = scores(vectors)
    taken: set[str] = set()
    found: dict[str, set[str]] = {}
    for row, id_ in enumerate(ids):
        if id_ in taken:
            continue
        members = {ids[other] for other in np.flatnonzero(near[row] >= threshold) if other != row} - taken
        if members:
            found[id_] = members
            taken |= {id_, *members}
    return found


def shown(clusters: Iterable[Cluster[Chunk]]) -> dict[str, set[str]]:
    return {cluster.anchor.id: {result.match.id for result in cluster.similar} for cluster in clusters}


def pairs(clusters: Mapping[str, set[str]]) -> set[tuple[str, str]]:
    return {(anchor, member) for anchor, members in clusters.items() for member in members}
