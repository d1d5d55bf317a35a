"""Groups of chunks that are nearly equal, by the vector index."""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, TypeVar, cast

from graphrag.concurrency._async import gather
from graphrag.cypher import Fragment, PlainWord, plain_word
from graphrag.errors import TimeoutExceededError
from graphrag.filters.nodes import PropertyFilter
from graphrag.filters.scope import Scope
from graphrag.model import Chunk, Cluster, ClusterRequest, ResultList, Retrievable, SimilarityResult
from graphrag.stores._async.protocols import AsyncClusterSearch
from graphrag.stores.neo4j._async.search import AsyncNeo4jSearch
from graphrag.stores.neo4j.leaders import Group, Leaders, Neighbour
from graphrag.stores.neo4j.predicates import Conditions, Predicate
from graphrag.stores.neo4j.scores import unit_score, vector_floor
from graphrag.stores.neo4j.stamp import Stamp

__all__ = ["AsyncNeo4jClusters"]

R = TypeVar("R", bound=Retrievable)

_PAGE = 2_000
_BATCH = 50
"""Chunks whose neighbours one statement asks for."""
_PARALLEL = 4
_CANDIDATES = (30, 300, 3_000)
"""What the index is asked for around a chunk: more where near ones may lie behind those that it gave. Beyond the last
number all chunks that match are compared, once a cluster of that size."""
_SURE = 0.5
"""Where at most this share of the candidates is near, near ones behind them are unlikely: the benchmark missed none
(docs/clusters.md)."""
_READ = 1_000
"""Chunks that are read at once when the clusters are known."""
_LEAST_TIMEOUT_S = 0.1


@dataclass(frozen=True, slots=True)
class _Answer:
    """The neighbours of one chunk, and whether these are all."""

    found: Sequence[Neighbour]
    complete: bool


_NOTHING = _Answer((), complete=True)


@dataclass(slots=True)
class _Call:
    """What the statements of one search have in common, and what it has found."""

    conditions: Conditions
    where: Predicate
    anchor: Predicate
    stamp: Stamp
    floor: float
    ends: float
    leaders: Leaders = field(default_factory=Leaders)
    asked: int = 0
    cut: Literal["", "chunks", "time"] = ""

    @property
    def timeout_s(self) -> float:
        """What is left of the time."""
        return max(self.ends - time.monotonic(), _LEAST_TIMEOUT_S)

    @property
    def slots(self) -> dict[str, PlainWord | Fragment]:
        """The slots that the statements have in common."""
        vector = plain_word(self.stamp.embedding_property)
        return {"vector": vector, "where": self.where.text, "anchor": self.anchor.text}

    @property
    def parameters(self) -> dict[str, object]:
        """The parameters that they have in common."""
        return {**self.where.parameters, **self.anchor.parameters, "floor": self.floor}


class AsyncNeo4jClusters(AsyncNeo4jSearch, AsyncClusterSearch):
    """Clusters of chunks."""

    async def find_clusters(
        self,
        request: ClusterRequest | None = None,
        kind: type[R] = Chunk,  # type: ignore[assignment]  # PEP 696 defaults come with Python 3.13
        *,
        where: PropertyFilter | None = None,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
    ) -> ResultList[Cluster[R]]:
        """Return groups of chunks that are nearly equal, the largest first (see the protocol)."""
        request = ClusterRequest() if request is None else request
        self._check(kind, 1)
        conditions = Conditions.of_chunks(where, scope, collections)
        if conditions.never:
            return ResultList()
        found = await self._current(lambda: self._clustered(conditions, request))
        return cast("ResultList[Cluster[R]]", found)

    async def _clustered(self, conditions: Conditions, request: ClusterRequest) -> ResultList[Cluster[Chunk]]:
        call = self._cluster_call(conditions, request, await self._live_stamp())
        await self._group_all(call)
        return await self._clusters(call, request)

    def _cluster_call(self, conditions: Conditions, request: ClusterRequest, stamp: Stamp) -> _Call:
        where, anchor = conditions.compiled(), conditions.compiled("a", prefix="_anchor_")
        return _Call(
            conditions,
            where,
            anchor,
            stamp,
            vector_floor(request.similarity_threshold),
            ends=time.monotonic() + self._search_settings.cluster_timeout_s,
        )

    async def _group_all(self, call: _Call) -> None:
        """Go through all chunks that match, a page at a time, until the budget is spent."""
        after = ""
        try:
            while True:
                rows = await self._connection.read(
                    "cluster/page",
                    {"after": after, "limit": _PAGE, **call.where.parameters},
                    slots={"where": call.where.text},
                    timeout_s=call.timeout_s,
                )
                ids = [str(row["id"]) for row in rows]
                for batch in _parts(ids, _BATCH * _PARALLEL):
                    await self._group(call, [id_ for id_ in batch if call.leaders.is_free(id_)])
                    if call.cut:
                        return
                if len(ids) < _PAGE:
                    return
                after = ids[-1]
        except TimeoutExceededError:
            call.cut = "time"

    async def _group(self, call: _Call, ids: Sequence[str]) -> None:
        """Let each of some chunks take its neighbours; those that one before it has taken are passed over."""
        most = self._search_settings.cluster_max_chunks - call.asked
        answers = await self._ask_around(call, ids[:most], _CANDIDATES[0])
        for id_ in ids[:most]:
            if id_ in answers and call.leaders.is_free(id_):
                call.leaders.take(id_, await self._whole(call, id_, answers[id_]))
        call.asked += len(ids[:most])
        if len(ids) > most:
            call.cut = "chunks"
        elif time.monotonic() >= call.ends:
            call.cut = "time"

    async def _whole(self, call: _Call, id_: str, answer: _Answer) -> Sequence[Neighbour]:
        """Return all neighbours of a chunk, some of which may lie behind those that the index has given."""
        for candidates in _CANDIDATES[1:]:
            if answer.complete:
                return answer.found
            answer = (await self._ask_around(call, [id_], candidates)).get(id_, _NOTHING)
        if answer.complete:
            return answer.found
        parameters = {"id": id_, **call.parameters}
        name = "cluster/all_neighbours"
        rows = await self._connection.read(name, parameters, slots=call.slots, timeout_s=call.timeout_s)
        return _neighbours(rows[0]) if rows else []

    async def _ask_around(self, call: _Call, ids: Sequence[str], candidates: int) -> dict[str, _Answer]:
        slots = {**call.slots, "index": plain_word(call.stamp.vector_index)}
        reads = [
            partial(
                self._connection.read,
                "cluster/neighbours",
                {**call.parameters, "ids": part, "candidates": candidates},
                slots=slots,
                timeout_s=call.timeout_s,
            )
            for part in _parts(ids, _BATCH)
        ]
        answers = await gather(*reads, parallel=True)
        return {str(row["id"]): _answer(row, candidates) for rows in answers for row in rows}

    async def _clusters(self, call: _Call, request: ClusterRequest) -> ResultList[Cluster[Chunk]]:
        groups = call.leaders.largest(request.max_clusters, least=request.min_size)
        shown = {group.anchor: group.members[: request.top_k] for group in groups}
        ids = [id_ for anchor, members in shown.items() for id_ in (anchor, *(member.id for member in members))]
        chunks: dict[str, Chunk] = {}
        for some in _parts(ids, _READ):
            chunks |= await self._chunks_by_id(some, call.conditions)
        clusters = [_cluster(group, shown[group.anchor], chunks) for group in groups if group.anchor in chunks]
        whole = [cluster for cluster in clusters if cluster.similar]
        return ResultList(whole, notes=self._cluster_notes(call, request))

    def _cluster_notes(self, call: _Call, request: ClusterRequest) -> list[str]:
        settings = self._search_settings
        notes: list[str] = []
        if call.cut:
            limit = (
                f"{settings.cluster_max_chunks:,} chunks"
                if call.cut == "chunks"
                else (f"{settings.cluster_timeout_s:g} seconds")
            )
            notes.append(
                f"the search was cut at its limit of {limit}, after {call.asked:,} anchors, so there may be further "
                "clusters; a narrower filter needs less"
            )
        more = sum(1 for group in call.leaders.groups if group.size >= request.min_size) - request.max_clusters
        if more > 0:
            notes.append(f"there are {more:,} more clusters; the {request.max_clusters:,} largest are listed")
        return notes


def _parts(items: Sequence[str], size: int) -> list[list[str]]:
    return [list(items[start : start + size]) for start in range(0, len(items), size)]


def _answer(row: Mapping[str, object], candidates: int) -> _Answer:
    seen, near = int(cast("int", row["seen"])), int(cast("int", row["near"]))
    return _Answer(_neighbours(row), complete=seen < candidates or near <= _SURE * candidates)


def _neighbours(row: Mapping[str, object]) -> list[Neighbour]:
    found = cast("list[Mapping[str, object]]", row["found"])
    return [Neighbour(str(one["id"]), unit_score(one["score"])) for one in found]


def _cluster(group: Group, members: Sequence[Neighbour], chunks: Mapping[str, Chunk]) -> Cluster[Chunk]:
    similar = [
        SimilarityResult(chunks[member.id], member.score, {"vector": member.score})
        for member in members
        if member.id in chunks
    ]
    return Cluster(chunks[group.anchor], tuple(similar), group.size)
