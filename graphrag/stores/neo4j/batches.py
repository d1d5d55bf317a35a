"""How the rows of a write are dealt out: documents that share a transaction, rows that share a statement."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from graphrag.stores.neo4j.plan import PreparedDocument, WritePlan

__all__ = [
    "all_children",
    "batches",
    "groups",
    "id_of",
    "lane_starts",
    "links_between_batches",
    "links_between_lanes",
    "new_ids",
    "waves",
]

GROUP_CHUNKS = 500
"""Chunks of small documents that share a transaction. The vector index takes large commits more slowly: per chunk,
1,000 at once cost it half as much again as 500, and 250 save nothing more (docs/benchmarks.md)."""
GROUP_DOCUMENTS = 200
BATCH_ROWS = 1_000
STAGE_LANES = 2
"""Parts of a large document that are written out of sight at once, each by its own connection."""


def groups(prepared: Sequence[tuple[int, PreparedDocument]]) -> Iterator[list[tuple[int, PreparedDocument]]]:
    """Yield runs of documents that share a transaction; no document stands twice in one."""
    group: list[tuple[int, PreparedDocument]] = []
    chunks = 0
    for item in prepared:
        size = len(item[1].chunks)
        twice = any(item[1].id == other.id for _, other in group)
        if group and (chunks + size > GROUP_CHUNKS or len(group) >= GROUP_DOCUMENTS or twice):
            yield group
            group, chunks = [], 0
        group.append(item)
        chunks += size
    if group:
        yield group


def waves(
    found: Iterable[list[tuple[int, PreparedDocument]]], *, width: int
) -> Iterator[list[list[tuple[int, PreparedDocument]]]]:
    """Yield groups that may be written at once: at most `width`, and no document in two of them."""
    wave: list[list[tuple[int, PreparedDocument]]] = []
    ids: set[str] = set()
    for group in found:
        own = {prepared.id for _, prepared in group}
        if wave and (len(wave) >= width or not ids.isdisjoint(own)):
            yield wave
            wave, ids = [], set()
        wave.append(group)
        ids |= own
    if wave:
        yield wave


def batches(rows: Sequence[dict[str, object]]) -> Iterator[list[dict[str, object]]]:
    """Yield rows in pieces that one statement takes well."""
    for start in range(0, len(rows), BATCH_ROWS):
        yield list(rows[start : start + BATCH_ROWS])


def _chain(plan: WritePlan) -> list[dict[str, object]]:
    """Return, for each new chunk, its link from the chunk before it; an empty map where that is not new."""
    links: list[dict[str, object]] = []
    previous: object = None
    for row in plan.new_chunks:
        links.append({"id": previous, "next_id": id_of(row)} if row["chained"] else {})
        previous = id_of(row)
    return links


def links_between_batches(plan: WritePlan) -> list[dict[str, object]]:
    """Return the links of the chain that the making of chunks in batches leaves out."""
    return [link for link in _chain(plan)[BATCH_ROWS::BATCH_ROWS] if link]


def lane_starts(count: int) -> list[int]:
    """Return where the lanes begin in which so many new chunks are staged at once."""
    rows_per_lane = -(-count // (STAGE_LANES * BATCH_ROWS)) * BATCH_ROWS
    return list(range(0, count, rows_per_lane)) if count else []


def links_between_lanes(plan: WritePlan) -> list[dict[str, object]]:
    """Return the links of the chain that staging in lanes leaves out."""
    chain = _chain(plan)
    return [chain[start] for start in lane_starts(len(chain)) if start and chain[start]]


def id_of(row: Mapping[str, object]) -> str:
    """Return the id of a new node's row."""
    return cast("str", cast("Mapping[str, object]", row["properties"])["id"])


def new_ids(plan: WritePlan) -> frozenset[str]:
    """Return the ids of the nodes that a plan makes."""
    return frozenset(id_of(row) for row in (*plan.new_sections, *plan.new_chunks))


def all_children(plan: WritePlan) -> list[dict[str, object]]:
    """Return the links to parents of a plan, those of new chunks included."""
    return [
        *plan.children,
        *({"parent_id": row["parent_id"], "id": id_of(row), "position": row["position"]} for row in plan.new_chunks),
    ]
