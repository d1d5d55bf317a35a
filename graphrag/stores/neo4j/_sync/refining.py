# Generated from graphrag/stores/neo4j/_async/refining.py by tools/generate_sync.py; do not edit.
"""Vectors and neighbours of many hits, each in one statement."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from graphrag.cypher import Fragment, plain_word
from graphrag.errors import InvalidRequestError
from graphrag.filters.scope import Scope
from graphrag.model import Chunk
from graphrag.model.identity import check_id
from graphrag.stores._sync.protocols import Neighbourhood, VectorLookup
from graphrag.stores.neo4j._sync.part import Part
from graphrag.stores.neo4j.predicates import Conditions
from graphrag.stores.neo4j.rows import chunk_from_row

__all__ = ["Neo4jRefining"]


class Neo4jRefining(Part, VectorLookup, Neighbourhood):
    """What refining a search asks of the store."""

    def embeddings_of(
        self,
        ids: Sequence[str],
        *,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
    ) -> Mapping[str, NDArray[np.float32]]:
        """Return the vectors of chunks, by id (see the protocol)."""
        asked = self._check_ids(ids)
        visible = Conditions.of_chunks(None, scope, collections).compiled()
        if not asked:
            return {}
        stamp = self._live_stamp()
        rows = self._connection.read(
            "chunk/vectors_of",
            {"ids": asked, **visible.parameters},
            slots={"vector": plain_word(stamp.embedding_property), "where": visible.text},
        )
        return {str(row["id"]): np.asarray(row["embedding"], dtype=np.float32) for row in rows}

    def neighbours_of(
        self,
        ids: Sequence[str],
        count: int = 1,
        *,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
    ) -> Mapping[str, Sequence[Chunk]]:
        """Return each chunk with its neighbours (see the protocol)."""
        limit = self._limits.max_chunks_to_add
        if type(count) is not int or not 0 <= count <= limit:
            msg = f"`count` is {count!r}; it must be a whole number from 0 to {limit}"
            raise InvalidRequestError(msg)
        asked = self._check_ids(ids)
        visible = Conditions.of_chunks(None, scope, collections).compiled()
        if not asked:
            return {}
        parameters = {"ids": asked, **visible.parameters}
        slots = {"hidden": self._hidden_vectors(), "where": visible.text}
        if not count:  # a path of at most no hop is no pattern
            alone = self._connection.read("chunk/by_ids", parameters, slots=slots)
            return {chunk.id: [chunk] for chunk in (chunk_from_row(row["chunk"]) for row in alone)}
        slots["most"] = Fragment(str(count))
        rows = self._connection.read("expand/neighbours", parameters, slots=slots)
        found: dict[str, list[Chunk]] = {}
        for row in rows:
            chunk = chunk_from_row(row["chunk"])
            for id_ in cast("Iterable[str]", row["around"]):
                found.setdefault(id_, []).append(chunk)
        return found

    def _check_ids(self, ids: Sequence[str]) -> list[str]:
        given = cast("object", ids)
        limit = self._limits.max_top_k
        if isinstance(given, str | bytes) or not isinstance(given, Sequence) or len(given) > limit:
            told = f"of {len(given)}" if isinstance(given, Sequence) else f"of type {type(given).__name__}"
            msg = f"`ids` is {told}; it must be a list of at most {limit} ids"
            raise InvalidRequestError(msg)
        return list(dict.fromkeys(check_id(id_) for id_ in ids))
