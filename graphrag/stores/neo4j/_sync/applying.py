# Generated from graphrag/stores/neo4j/_async/applying.py by tools/generate_sync.py; do not edit.
"""Running the statements of a plan inside one transaction, each only where it has rows."""

from graphrag.stores.neo4j._sync.connection import Writer
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


def apply_plan(writer: Writer, plan: WritePlan, stamp: Stamp) -> None:
    """Write what a plan says, all of it in this transaction."""
    _remove(writer, plan)
    writer.run("content/set_documents", rows=plan.documents)
    if plan.new_sections:
        writer.run("content/create_sections", rows=plan.new_sections)
    _change(writer, plan, stamp)
    if plan.children:
        writer.run("content/link_children", rows=plan.children)
    for batch in batches(plan.new_chunks):
        writer.run("content/create_chunks", rows=batch, property=stamp.embedding_property)
    for batch in batches([*plan.next, *links_between_batches(plan)]):
        writer.run("content/link_next", rows=batch)


def apply_staged_plan(writer: Writer, plan: WritePlan, stamp: Stamp, *, run_id: str, staged: frozenset[str]) -> None:
    """Write what a plan says, where its new nodes are there already, out of sight.

    Raises:
        OvertakenError: Something else is new by now, or not all of it is there any more.
    """
    new = new_ids(plan)
    if new != staged:
        raise OvertakenError
    _remove(writer, plan)
    writer.run("content/set_documents", rows=plan.documents)
    containers = [id_of(row) for row in plan.new_sections if row["container"]]
    sections = writer.run("content/reveal_sections", run_id=run_id, containers=containers)
    chunks = writer.run("content/reveal_chunks", run_id=run_id)
    if (sections[0]["revealed"], chunks[0]["revealed"]) != (len(plan.new_sections), len(plan.new_chunks)):
        raise OvertakenError
    _change(writer, plan, stamp)
    late = [row for row in all_children(plan) if row["id"] not in new or row["parent_id"] not in new]
    for batch in batches(late):
        writer.run("content/link_children", rows=batch)
    joints = [*plan.next, *links_between_lanes(plan)]
    if joints:
        writer.run("content/link_next", rows=joints)


def _remove(writer: Writer, plan: WritePlan) -> None:
    if plan.deleted:
        writer.run("content/delete_nodes", ids=plan.deleted)
    if plan.unlinked_children:
        writer.run("content/unlink_children", ids=plan.unlinked_children)
    if plan.unlinked_next:
        writer.run("content/unlink_next", ids=plan.unlinked_next)


def _change(writer: Writer, plan: WritePlan, stamp: Stamp) -> None:
    if plan.changed_sections:
        writer.run("content/update_sections", rows=plan.changed_sections)
    for batch in batches(plan.changed_chunks):
        writer.run("content/update_chunks", rows=batch)
    for batch in batches(plan.changed_vectors):
        writer.run("content/set_vectors", rows=batch, property=stamp.embedding_property)
