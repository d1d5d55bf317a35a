# Generated from graphrag/stores/neo4j/_async/nearest.py by tools/generate_sync.py; do not edit.
"""The nearest chunks to a vector, under any filter: at least as many as match, whichever way is taken."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from neo4j.vector import Vector
from numpy.typing import NDArray

from graphrag.cypher import Fragment, PlainWord, plain_word
from graphrag.errors import InvalidRequestError
from graphrag.filters.pushdown import Split, split
from graphrag.model import SearchExplanation, SearchPath
from graphrag.stores.neo4j._sync.part import Part, hidden_vectors
from graphrag.stores.neo4j.paths import first_candidates, next_candidates
from graphrag.stores.neo4j.predicates import Conditions, Predicate, predicate
from graphrag.stores.neo4j.pushing import IndexedProperties
from graphrag.stores.neo4j.stamp import Stamp

__all__ = ["FLOAT_NOISE", "Neo4jNearest", "VectorHits", "VectorQuestion", "unit_vector"]

Row = dict[str, object]
Slots = dict[str, PlainWord | Fragment]

FLOAT_NOISE = 1e-6
"""float32 keeps seven digits: an identical vector may come out just below 1."""
MAX_CANDIDATES = 10_000
"""Most that the index is asked for in one search."""
_NO_LIMIT = 2**31
_ENOUGH = 0.6
"""Share of the wanted candidates that are enough; more are asked for only where fewer passed."""


@dataclass(frozen=True, slots=True)
class VectorQuestion:
    """What is asked of the chunks' vectors.

    Attributes:
        vector: Unit length.
        top_k: Most results.
        floor: Lowest score.
        conditions: What must hold of a chunk.
        whole: Whether chunks are to come with their properties, or as ids.
    """

    vector: NDArray[np.float32]
    top_k: int
    floor: float
    conditions: Conditions
    whole: bool


@dataclass(frozen=True, slots=True)
class VectorHits:
    """What was found, best first, and how.

    Attributes:
        rows: Maps of `chunk` or `id`, and `score`.
        explanation: Which way was taken.
    """

    rows: Sequence[Row]
    explanation: SearchExplanation


@dataclass(slots=True)
class _Call:
    """What the statements of one search have in common."""

    question: VectorQuestion
    stamp: Stamp
    parts: Split
    where: Predicate
    inside: Predicate | None
    wanted: int
    slots: Slots = field(default_factory=dict[str, PlainWord | Fragment])
    parameters: dict[str, object] = field(default_factory=dict[str, object])
    rounds: int = 0

    def explain(self, path: SearchPath, *, candidates: int, matched: int | None) -> SearchExplanation:
        return SearchExplanation(
            leg="vector",
            path=path,
            candidates=candidates,
            matched=matched,
            rounds=self.rounds,
            predicate=str(self.where.text) if self.question.conditions.nodes else "",
            in_index=str(self.inside.text) if self.inside else "",
        )


class Neo4jNearest(Part):
    """The vector leg of searches."""

    def _nearest(self, question: VectorQuestion) -> VectorHits:
        """Return the nearest of the chunks that match."""
        while True:
            stamp = self._live_stamp()
            call = self._call(question, stamp)
            if question.conditions.never:
                return VectorHits([], call.explain("nothing", candidates=0, matched=0))
            found = self._search(call)
            if found is not None:
                return found
            # Another program has written the first list under a property that the index was asked about.
            self._forget_stamp()

    def _call(self, question: VectorQuestion, stamp: Stamp) -> _Call:
        indexed = IndexedProperties.of(stamp.filter_properties, stamp.list_properties)
        parts = split(question.conditions.nodes, indexed.takes)
        where = question.conditions.compiled(listless=indexed.scalar)
        inside = predicate(parts.inside, "c", prefix="_inside_", listless=indexed.scalar) if parts.inside else None
        settings = self._search_settings
        call = _Call(
            question,
            stamp,
            parts,
            where,
            inside,
            wanted=max(settings.over_fetch_min, math.ceil(settings.over_fetch_factor * question.top_k)),
        )
        call.slots = {"vector": plain_word(stamp.embedding_property), "where": where.text}
        if question.whole:
            call.slots["hidden"] = hidden_vectors(stamp)
        call.parameters = {
            "embedding": Vector.from_numpy(question.vector),
            "floor": question.floor,
            "top_k": question.top_k,
            **where.parameters,
        }
        return call

    def _search(self, call: _Call) -> VectorHits | None:
        """Return what is found; None where the stamp that the call was made with is out of date."""
        if not call.parts.remainder:
            return self._by_index(call, call.wanted)
        key = (call.where.text, repr(sorted(call.where.parameters.items())))
        known = self._matches.recall(key)
        if known is None or known.few:
            compared = self._exactly(call, self._search_settings.exact_scan_max)
            self._matches.learn(key, few=compared is not None)
            if compared is not None:
                return compared
        share = known.share if known else None
        found = self._by_index(call, first_candidates(call.wanted, share, most=MAX_CANDIDATES))
        if found is not None and found.explanation.matched is not None and found.explanation.candidates:
            self._matches.learn(key, few=False, share=found.explanation.matched / found.explanation.candidates)
        return found

    def _by_index(self, call: _Call, candidates: int) -> VectorHits | None:
        """Ask the index for candidates, for more where too few of them pass, and compare exactly where it has none."""
        enough = min(call.wanted, max(call.question.top_k, math.ceil(_ENOUGH * call.wanted)))
        path: SearchPath = "in_index" if call.inside and not call.parts.remainder else "over_fetch"
        if not call.question.conditions.nodes:
            path = "index"
        while True:
            row = self._ask_index(call, candidates)
            if self._is_outdated(call, row["listed"]):
                return None
            seen, passed = int(cast("int", row["seen"])), int(cast("int", row["passed"]))
            found = VectorHits(cast("list[Row]", row["found"]), call.explain(path, candidates=seen, matched=passed))
            if passed >= enough or (seen < candidates and passed >= call.question.top_k):
                return found
            if seen < candidates or candidates >= MAX_CANDIDATES:
                # An approximate index may miss what matches: where it has given all that it has, all are compared.
                return self._exactly(call, None) or found
            candidates = next_candidates(call.wanted, candidates, passed, most=MAX_CANDIDATES)

    def _ask_index(self, call: _Call, candidates: int) -> Row:
        call.rounds += 1
        slots: Slots = {**call.slots, "index": plain_word(call.stamp.vector_index)}
        parameters = {**call.parameters, "candidates": candidates}
        if call.inside:
            slots["inside"] = Fragment(f"WHERE {call.inside.text}")
            parameters |= call.inside.parameters
        name = "chunk/vector_search" if call.question.whole else "chunk/vector_candidates"
        return (self._connection.read(name, parameters, slots=slots))[0]

    def _is_outdated(self, call: _Call, listed: object) -> bool:
        """Tell whether a property that IN was asked of inside the index may hold lists by now."""
        if call.stamp.list_properties is None or listed is None:
            return False
        grown = set(cast("Collection[str]", listed)).difference(call.stamp.list_properties)
        return any(test.key in grown for test in call.parts.inside)

    def _exactly(self, call: _Call, most: int | None) -> VectorHits | None:
        """Compare all chunks that match; None where there are more than `most`."""
        call.rounds += 1
        limit = _NO_LIMIT if most is None else most
        name = "chunk/exact_search" if call.question.whole else "chunk/exact_candidates"
        row = (self._connection.read(name, {**call.parameters, "most": limit}, slots=call.slots))[0]
        matched = int(cast("int", row["matched"]))
        if matched > limit:
            return None
        rows = cast("list[Row]", row["found"])
        return VectorHits(rows, call.explain("exact_scan", candidates=matched, matched=matched))


def unit_vector(embedding: NDArray[np.float32] | Sequence[float], dimensions: int) -> NDArray[np.float32]:
    """Return a query's vector with length 1.

    Raises:
        InvalidRequestError: It has another shape, or cannot be compared by cosine.
    """
    vector = np.asarray(embedding, dtype=np.float32)
    if vector.shape != (dimensions,):
        msg = f"the query vector has the shape {vector.shape}; the index takes ({dimensions},)"
        raise InvalidRequestError(msg)
    norm = float(np.linalg.norm(vector.astype(np.float64)))
    if not math.isfinite(norm) or norm == 0:
        msg = "the query vector is all zeros or holds NaN or infinity; it cannot be compared by cosine"
        raise InvalidRequestError(msg)
    return (vector / norm).astype(np.float32)
