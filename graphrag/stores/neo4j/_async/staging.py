"""Large documents: written out of sight first, revealed by one last transaction.

New nodes are written in batches under the label Staged alone, which no index of a search sees, and linked
among themselves. The last transaction takes the document's lock, gives them their labels, links the rest,
and deletes what is gone.
"""

import uuid
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from typing import cast

from graphrag.concurrency._async import gather, run_blocking
from graphrag.errors import GraphRagError
from graphrag.stores.neo4j._async.applying import OvertakenError, apply_staged_plan
from graphrag.stores.neo4j._async.connection import AsyncWriter
from graphrag.stores.neo4j._async.guarding import AsyncGuardedPart
from graphrag.stores.neo4j.batches import batches, lane_starts, new_ids
from graphrag.stores.neo4j.filterable import list_names
from graphrag.stores.neo4j.plan import PreparedDocument, WritePlan, plan_write, states_by_document
from graphrag.stores.neo4j.stamp import Stamp
from graphrag.stores.reports import WriteOutcome

__all__ = ["AsyncNeo4jStaging"]

Row = dict[str, object]

STAGED_LIFETIME_S = 4 * 3_600
"""A staged node older than this belongs to a write that was cut off: the largest document's deadline is half of it."""
DELETE_BATCH = 5_000


class AsyncNeo4jStaging(AsyncGuardedPart):
    """The lock of a document, the plan under it, and the way of large ones."""

    async def _lock_and_plan(
        self, writer: AsyncWriter, group: Sequence[PreparedDocument], stamp: Stamp, *, run_id: str = ""
    ) -> WritePlan:
        ids = sorted(prepared.id for prepared in group)
        locked = await writer.run("content/lock_documents", ids=ids, run_id=run_id)
        stored_stamp = self._check_unchanged(locked[0]["stamp"], stamp)
        await self._note_lists(writer, _list_names(group), stored_stamp)
        # Under the document's lock no other writer can be about to reveal what is deleted here.
        for row in locked:
            if row["staged"]:
                while await _delete_batch(writer, prefix=f"{row['id']}/", keep=run_id):
                    pass
        created = {str(row["id"]) for row in locked if row["created"]}
        stored = [id_ for id_ in ids if id_ not in created]
        rows = await writer.run("content/read_state", document_ids=stored) if stored else []
        states = states_by_document(rows)
        whole = WritePlan()
        for prepared in group:
            plan = await run_blocking(
                plan_write,
                prepared,
                states.get(prepared.id, []),
                created=prepared.id in created,
                dimensions=stamp.dimensions,
                model_id=stamp.model_id,
            )
            whole.add(plan)
        return whole

    async def _read_plan(self, prepared: PreparedDocument, stamp: Stamp) -> WritePlan:
        """Return what a write would change, as far as can be told without the document's lock."""
        rows = await self._connection.read("content/read_state", {"document_ids": [prepared.id]}, timeout_s=300)
        state = states_by_document(rows).get(prepared.id, [])
        return await run_blocking(
            plan_write, prepared, state, created=not state, dimensions=stamp.dimensions, model_id=stamp.model_id
        )

    async def _write_staged(self, prepared: PreparedDocument, plan: WritePlan, stamp: Stamp) -> WriteOutcome:
        """Write a large document by way of staged nodes.

        Raises:
            OvertakenError: Another writer came between; what was staged is gone.
        """
        run_id = f"{prepared.id}/{uuid.uuid4().hex}"
        try:
            staged = await self._stage(plan, run_id, stamp)

            async def reveal(writer: AsyncWriter) -> WriteOutcome:
                final = await self._lock_and_plan(writer, [prepared], stamp, run_id=run_id)
                await apply_staged_plan(writer, final, stamp, run_id=run_id, staged=staged)
                return final.outcomes[0]

            return await self._in_transaction(reveal, what="content/reveal_chunks", chunks=len(prepared.chunks))
        except (GraphRagError, OvertakenError):
            with suppress(GraphRagError):  # the first error tells more; the next write clears what is left
                await self._delete_staged(run_id)
            raise

    async def _stage(self, plan: WritePlan, run_id: str, stamp: Stamp) -> frozenset[str]:
        """Write what is new out of sight, and the links between it; return the ids."""
        places: dict[object, object] = {}
        for batch in batches(plan.new_sections):
            rows = [{"properties": row["properties"]} for row in batch]
            made = await self._stage_rows("content/stage_sections", rows, run_id=run_id)
            places.update((row["id"], row["place"]) for row in made)
        links: list[Row] = [
            {"parent": places[row["parent_id"]], "child": places[row["id"]], "position": row["position"]}
            for row in plan.children
            if row["id"] in places and row["parent_id"] in places
        ]
        for batch in batches(links):
            await self._stage_rows("content/stage_links", batch, run_id=run_id)
        rows = [{**row, "parent": places.get(row["parent_id"])} for row in plan.new_chunks]
        starts = lane_starts(len(rows))
        lanes = [rows[start:end] for start, end in pairwise((*starts, len(rows)))]
        await gather(*(partial(self._stage_lane, lane, run_id, stamp) for lane in lanes), parallel=True)
        return new_ids(plan)

    async def _stage_lane(self, rows: list[Row], run_id: str, stamp: Stamp) -> None:
        """Write chunks out of sight, each batch chained to the one before; lanes are joined when they are revealed."""
        previous: object = None
        for batch in batches(rows):
            made = await self._stage_rows(
                "content/stage_chunks", batch, run_id=run_id, previous=previous, property=stamp.embedding_property
            )
            previous = made[0]["last"]

    async def _stage_rows(self, name: str, rows: list[Row], **parameters: object) -> list[Row]:
        async def work(writer: AsyncWriter) -> list[Row]:
            return await writer.run(name, rows=rows, **parameters)

        return await self._in_transaction(work, what=name, chunks=len(rows))

    async def _delete_staged(self, run_id: str | None) -> None:
        """Remove what is still out of sight: of one run of this writer's own, or whatever is old."""

        async def delete(writer: AsyncWriter) -> int:
            return await _delete_batch(writer, prefix=run_id)

        while await self._in_transaction(delete, what="content/delete_staged", chunks=DELETE_BATCH):
            pass


def _list_names(group: Sequence[PreparedDocument]) -> frozenset[str]:
    """Return the names under which chunks of these documents have lists; most chunks share their document's."""
    distinct = {id(prepared.source.document.metadata): prepared.source.document.metadata for prepared in group}
    distinct |= {id(chunk.metadata): chunk.metadata for prepared in group for chunk in prepared.source.chunks}
    return frozenset().union(*map(list_names, distinct.values()))


async def _delete_batch(writer: AsyncWriter, *, prefix: str | None, keep: str = "") -> int:
    rows = await writer.run(
        "content/delete_staged", run_prefix=prefix, keep=keep, older_than_s=STAGED_LIFETIME_S, limit=DELETE_BATCH
    )
    return int(cast("int", rows[0]["deleted"]))
