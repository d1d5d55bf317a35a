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
from graphrag.errors import StoreError
from graphrag.filters.nodes import property_names
from graphrag.filters.pushdown import Split, split
from graphrag.model import SearchExplanation, SearchPath
from graphrag.stores.neo4j._sync.part import Part, hidden_vectors
from graphrag.stores.neo4j.paths import first_candidates, next_candidates, wanted_candidates
from graphrag.stores.neo4j.predicates import Conditions, Predicate, predicate
from graphrag.stores.neo4j.pushing import IndexedProperties
from graphrag.stores.neo4j.stamp import Stamp

__all__ = ["Neo4jNearest", "VectorHits", "VectorQuestion"]

Row = dict[str, object]
Slots = dict[str, PlainWord | Fragment]

MAX_CANDIDATES = 9_999
"""Most that the index is asked for in one search. From 10,000 on a quantized one no longer compares exactly, so that it
misses four in ten of the best (measured on 2026.08.1, docs/benchmarks.md)."""
RELIABLE_CANDIDATES = 5_000
"""Beyond this the index misses more and more of what it is asked for (measured, docs/benchmarks.md)."""
MAX_COMPARED = 50_000
"""Most chunks that are compared for a better answer; for a full one there is no limit but the deadline."""
_NO_LIMIT = 2**31
_ATTEMPTS = 5
"""How often a search begins: each time again a name got its first list meanwhile, which happens once a name."""
_SCORE_NOISE = 1e-5
"""What an index's score may differ from the exact one of single precision. A quantized score is off by a hundredth."""
_ENOUGH = 0.6
"""Share of the wanted candidates that are enough; more are asked for only where fewer passed."""


class _OutdatedError(Exception):
    """The stamp that a call was made with says less than the one in the database."""


@dataclass(frozen=True, slots=True)
class VectorQuestion:
    """What is asked of the chunks' vectors.

    Attributes:
        vector: Unit length.
        top_k: Most results.
        floor: Lowest score.
        conditions: What must hold of a chunk.
        whole: Whether chunks are to come with their properties, or as ids, for a leg of a hybrid search.
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
            predicate=self.where.told,
            in_index=self.inside.told if self.inside else "",
        )


class Neo4jNearest(Part):
    """The vector leg of searches."""

    def _nearest(self, question: VectorQuestion) -> VectorHits:
        """Return the nearest of the chunks that match."""
        for _ in range(_ATTEMPTS):
            call = self._call(question, self._live_stamp())
            if question.conditions.never:
                return VectorHits([], call.explain("nothing", candidates=0, matched=0))
            try:
                return self._search(call)
            except _OutdatedError:
                self._forget_stamp()
        msg = "filter properties got their first lists again and again while this search ran; try again"
        raise StoreError(msg, retryable=True)

    def _call(self, question: VectorQuestion, stamp: Stamp) -> _Call:
        indexed = IndexedProperties.of(stamp.filter_properties, stamp.list_properties)
        parts = split(question.conditions.nodes, indexed.takes)
        names = frozenset[str]().union(*map(property_names, question.conditions.nodes))
        listless = [name for name in names if indexed.is_listless(name)]
        where = question.conditions.compiled(listless=listless)
        inside = predicate(parts.inside, "c", prefix="_inside_", listless=listless) if parts.inside else None
        settings = self._search_settings
        factor = settings.over_fetch_factor if question.whole else settings.leg_over_fetch_factor
        call = _Call(
            question,
            stamp,
            parts,
            where,
            inside,
            wanted=max(settings.over_fetch_min, math.ceil(factor * question.top_k)),
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

    def _search(self, call: _Call) -> VectorHits:
        """Return what is found, whichever way is the fastest."""
        if not call.question.conditions.nodes:
            return self._by_index(call, "index", share=1.0)
        key = call.where.fingerprint()
        known = self._matches.recall(key)
        if known is None or known.few:
            compared = self._exactly(call, self._few(call))
            self._matches.learn(key, few=compared is not None)
            if compared is not None:
                return compared
        share = known.share if known else None
        if not call.parts.remainder:
            matched = known.matched if known else None
            if share is None or matched is None:
                matched, share = self._count_matches(call)
                self._matches.learn(key, few=False, share=share, matched=matched)
            return self._by_index(call, "in_index", share=share, matched=matched)
        found = self._by_index(call, "over_fetch", share=share)
        if found.explanation.path == "over_fetch" and found.explanation.candidates:
            self._matches.learn(key, few=False, share=(found.explanation.matched or 0) / found.explanation.candidates)
        return found

    def _few(self, call: _Call) -> int:
        """Return up to how many matches all are compared at once."""
        settings = self._search_settings
        if call.parts.remainder:
            return settings.exact_scan_max
        return min(settings.exact_scan_max, settings.exact_scan_max_indexed)

    def _count_matches(self, call: _Call) -> tuple[int, float]:
        """Return how many chunks match a filter of indexed properties, and which share of all they are."""
        call.rounds += 1
        name = "lookup/count_share"
        row = (self._connection.read(name, call.where.parameters, slots={"where": call.where.text}))[0]
        matched = int(cast("int", row["matched"]))
        return matched, matched / max(1, int(cast("int", row["chunks"])))

    def _by_index(
        self, call: _Call, path: SearchPath, *, share: float | None, matched: int | None = None
    ) -> VectorHits:
        """Ask the index for candidates, for more where too few pass, and compare exactly where that cannot help."""
        wanted = min(MAX_CANDIDATES, wanted_candidates(call.wanted, share, inside=path == "in_index", matched=matched))
        enough = max(call.question.top_k, math.ceil(_ENOUGH * wanted))
        candidates = wanted
        if path == "over_fetch":
            if share is not None and wanted > share * RELIABLE_CANDIDATES:
                compared = self._exactly(call, MAX_COMPARED)
                if compared is not None:
                    return compared
            candidates = first_candidates(wanted, share, most=MAX_CANDIDATES)
        while True:
            row = self._ask_index(call, candidates)
            if row["live"] not in {None, call.stamp.vector_index}:
                # Another program has built a new index, and drops this one soon: the next call asks the new one.
                self._forget_stamp()
            seen, passed = int(cast("int", row["seen"])), int(cast("int", row["passed"]))
            found = VectorHits(cast("list[Row]", row["found"]), call.explain(path, candidates=seen, matched=passed))
            if passed >= enough or (path == "index" and seen < candidates and passed >= call.question.top_k):
                return found
            # An index that is approximate may miss what matches: where it has given all that it has, or few of its
            # candidates pass, all that match are compared.
            last = seen < candidates or candidates >= MAX_CANDIDATES
            compared = self._exactly(call, None if passed < call.question.top_k and last else MAX_COMPARED)
            if compared is not None or last:
                return compared or found
            candidates = next_candidates(wanted, candidates, passed, most=MAX_CANDIDATES)

    def _ask_index(self, call: _Call, candidates: int) -> Row:
        """Ask for candidates, cut by the index's scores; by exact ones where the index does not know these.

        An index of ours compares more vectors exactly than it gives; one that was made to do without has scores of
        one bit a dimension.
        """
        key = ("scores", call.stamp.vector_index)
        if self._matches.recall(key) is None:
            row = self._cut_candidates(call, candidates, rescore=False)
            if float(cast("float", row["off"] or 0.0)) <= _SCORE_NOISE:
                return row
            self._matches.learn(key, few=False)
        return self._cut_candidates(call, candidates, rescore=True)

    def _cut_candidates(self, call: _Call, candidates: int, *, rescore: bool) -> Row:
        call.rounds += 1
        slots: Slots = {**call.slots, "index": plain_word(call.stamp.vector_index)}
        parameters = {**call.parameters, "candidates": candidates, "rescore": rescore}
        if call.inside:
            slots["inside"] = Fragment(f"WHERE {call.inside.text}")
            parameters |= call.inside.parameters
        name = "chunk/vector_search" if call.question.whole else "chunk/vector_candidates"
        row = (self._connection.read(name, parameters, slots=slots))[0]
        _check_lists(call, row["listed"])
        return row

    def _exactly(self, call: _Call, most: int | None) -> VectorHits | None:
        """Compare all chunks that match; None where there are more than `most`."""
        call.rounds += 1
        limit = _NO_LIMIT if most is None else most
        name = "chunk/exact_search" if call.question.whole else "chunk/exact_candidates"
        row = (self._connection.read(name, {**call.parameters, "most": limit}, slots=call.slots))[0]
        _check_lists(call, row["listed"])
        matched = int(cast("int", row["matched"]))
        if matched > limit:
            return None
        rows = cast("list[Row]", row["found"])
        return VectorHits(rows, call.explain("exact_scan", candidates=matched, matched=matched))


def _check_lists(call: _Call, listed: object) -> None:
    """Refuse an answer that took a property for free of lists which holds one by now."""
    known = call.stamp.list_properties
    if known is None or listed is None:
        return
    grown = set(cast("Collection[str]", listed)).difference(known)
    if grown and any(grown & property_names(node) for node in call.question.conditions.nodes):
        raise _OutdatedError
