"""Running the statements of a plan inside one transaction, each only where it has rows."""

from graphrag.stores.neo4j._async.connection import AsyncWriter
from graphrag.stores.neo4j.batches import (
    all_children,
    batches,
    id_of,
    links_between_batches,
    links_between_lanes,
    new_ids,
)
from graphrag.stores.neo4j.plan import WritePlan
from graphrag.stores.neo4j.stamp import Stamp

__all__ = ["OvertakenError", "apply_plan", "apply_staged_plan"]


class OvertakenError(Exception):
    """Another writer changed the document while this one was staging it."""


async def apply_plan(writer: AsyncWriter, plan: WritePlan, stamp: Stamp) -> None:
    """Write what a plan says, all of it in this transaction."""
    await _remove(writer, plan)
    await writer.run("content/set_documents", rows=plan.documents)
    if plan.new_sections:
        await writer.run("content/create_sections", rows=plan.new_sections)
    await _change(writer, plan, stamp)
    if plan.children:
        await writer.run("content/link_children", rows=plan.children)
    for batch in batches(plan.new_chunks):
        await writer.run("content/create_chunks", rows=batch, property=stamp.embedding_property)
    for batch in batches([*plan.next, *links_between_batches(plan)]):
        await writer.run("content/link_next", rows=batch)


async def apply_staged_plan(
    writer: AsyncWriter, plan: WritePlan, stamp: Stamp, *, run_id: str, staged: frozenset[str]
) -> None:
    """Write what a plan says, where its new nodes are there already, out of sight.

    Raises:
        OvertakenError: Something else is new by now, or not all of it is there any more.
    """
    new = new_ids(plan)
    if new != staged:
        raise OvertakenError
    await _remove(writer, plan)
    await writer.run("content/set_documents", rows=plan.documents)
    containers = [id_of(row) for row in plan.new_sections if row["container"]]
    sections = await writer.run("content/reveal_sections", run_id=run_id, containers=containers)
    chunks = await writer.run("content/reveal_chunks", run_id=run_id)
    if (sections[0]["revealed"], chunks[0]["revealed"]) != (len(plan.new_sections), len(plan.new_chunks)):
        raise OvertakenError
    await _change(writer, plan, stamp)
    late = [row for row in all_children(plan) if row["id"] not in new or row["parent_id"] not in new]
    for batch in batches(late):
        await writer.run("content/link_children", rows=batch)
    joints = [*plan.next, *links_between_lanes(plan)]
    if joints:
        await writer.run("content/link_next", rows=joints)


async def _remove(writer: AsyncWriter, plan: WritePlan) -> None:
    if plan.deleted:
        await writer.run("content/delete_nodes", ids=plan.deleted)
    if plan.unlinked_children:
        await writer.run("content/unlink_children", ids=plan.unlinked_children)
    if plan.unlinked_next:
        await writer.run("content/unlink_next", ids=plan.unlinked_next)


async def _change(writer: AsyncWriter, plan: WritePlan, stamp: Stamp) -> None:
    if plan.changed_sections:
        await writer.run("content/update_sections", rows=plan.changed_sections)
    for batch in batches(plan.changed_chunks):
        await writer.run("content/update_chunks", rows=batch)
    for batch in batches(plan.changed_vectors):
        await writer.run("content/set_vectors", rows=batch, property=stamp.embedding_property)
