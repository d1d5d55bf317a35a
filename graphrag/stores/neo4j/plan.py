"""What a new version of a document changes: a diff of the stored tree and the new one, without any I/O."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import cast

from graphrag.config import LIMITS, Limits
from graphrag.errors import InvalidRequestError
from graphrag.model import ContainerSection, MaterializedDocument
from graphrag.stores.neo4j.digests import same_text
from graphrag.stores.neo4j.inheritance import DocumentMetadata
from graphrag.stores.neo4j.rows import (
    chunk_properties,
    document_properties,
    section_properties,
)
from graphrag.stores.neo4j.vectors import CheckedVector, check_vectors, missing_vectors
from graphrag.stores.reports import WriteOutcome

__all__ = [
    "NodeState",
    "PreparedDocument",
    "WritePlan",
    "chunks_to_embed",
    "plan_write",
    "prepare_document",
    "states_by_document",
]

Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class NodeState:
    """What matters of one stored node."""

    id: str
    chunk: bool
    digest: str | None
    parent_id: str | None
    position: int | None
    sequence_number: int | None
    embedding_model: str | None
    embedding_hash: str | None = None


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document as rows of properties, made once and compared as often as need be."""

    source: MaterializedDocument
    properties: Row
    sections: tuple[Row, ...]
    chunks: tuple[Row, ...]

    @property
    def id(self) -> str:
        """The document's id."""
        return self.source.document.id

    @property
    def uri(self) -> str:
        """The document's URI, for messages."""
        return self.source.document.uri


@dataclass(slots=True)
class WritePlan:
    """The rows of each statement of a write, of one document or of several."""

    documents: list[Row] = field(default_factory=list[Row])
    deleted: list[str] = field(default_factory=list[str])
    new_sections: list[Row] = field(default_factory=list[Row])
    changed_sections: list[Row] = field(default_factory=list[Row])
    new_chunks: list[Row] = field(default_factory=list[Row])
    changed_chunks: list[Row] = field(default_factory=list[Row])
    changed_vectors: list[Row] = field(default_factory=list[Row])
    unlinked_children: list[str] = field(default_factory=list[str])
    unlinked_next: list[str] = field(default_factory=list[str])
    children: list[Row] = field(default_factory=list[Row])
    """Links of sections, and of chunks that stay but move; new chunks are linked as they are made."""
    next: list[Row] = field(default_factory=list[Row])
    """Links that do not come with the making of new chunks."""
    outcomes: list[WriteOutcome] = field(default_factory=list[WriteOutcome])

    def add(self, other: "WritePlan") -> None:
        """Take over the rows of another document's plan."""
        for name in WritePlan.__dataclass_fields__:
            getattr(self, name).extend(getattr(other, name))


def prepare_document(source: MaterializedDocument, *, limits: Limits = LIMITS) -> PreparedDocument:
    """Return a document as rows.

    Raises:
        InvalidRequestError: Metadata cannot be stored, or the parts do not fit together; nothing is sent.
    """
    document = source.document
    if document.chunk_count != len(source.chunks):
        msg = f"`{document.uri}` says that it has {document.chunk_count} chunks, and has {len(source.chunks)}"
        raise InvalidRequestError(msg)
    ids = {document.id, *(s.id for s in source.sections), *(c.id for c in source.chunks)}
    if len(ids) != 1 + len(source.sections) + len(source.chunks):
        msg = f"`{document.uri}` has two parts with one id; ids come from `graphrag.model.identity`"
        raise InvalidRequestError(msg)
    _check_places(source)
    metadata = DocumentMetadata.of(document.metadata, limits=limits)
    return PreparedDocument(
        source=source,
        properties=document_properties(document, metadata),
        sections=tuple(section_properties(section) for section in source.sections),
        chunks=tuple(chunk_properties(chunk, metadata) for chunk in source.chunks),
    )


def _check_places(source: MaterializedDocument) -> None:
    """Refuse parts whose parent is not there: a statement would leave them out without a word."""
    document = source.document
    parents = {document.id}
    for section in source.sections:
        if section.document_id != document.id or section.parent_id not in parents:
            msg = f"section `{section.id}` of `{document.uri}` is of another document, or comes before its parent"
            raise InvalidRequestError(msg)
        parents.add(section.id)
    for number, chunk in enumerate(source.chunks):
        if chunk.sequence_number != number or chunk.document_id != document.id or chunk.parent_id not in parents:
            msg = f"chunk {number} of `{document.uri}` has another number, document or parent than its place says"
            raise InvalidRequestError(msg)


def chunks_to_embed(prepared: PreparedDocument, state: Iterable[NodeState], model_id: str) -> frozenset[str]:
    """Return the ids of the chunks whose vector the store lacks."""
    known = {node.id: node for node in state if node.chunk}
    return frozenset(
        cast("str", row["id"])
        for row in prepared.chunks
        if (node := known.get(cast("str", row["id"]))) is None
        or not same_text(node.digest, cast("str", row["digest"]))
        or node.embedding_model != model_id
    )


def plan_write(
    prepared: PreparedDocument, state: Sequence[NodeState], *, created: bool, dimensions: int, model_id: str
) -> WritePlan:
    """Return what turns the stored version into the new one.

    Args:
        prepared: The new version.
        state: All nodes below the stored document; empty for a new one.
        created: Whether the document's node was not there before.
        dimensions: Length that each vector must have.
        model_id: The model of the live index.

    Raises:
        InvalidRequestError: A chunk that needs a vector has none, or one that cannot be stored; it is named.
    """
    plan = WritePlan(documents=[{"id": prepared.id, "properties": prepared.properties}])
    known = {node.id: node for node in state}
    wanted = {cast("str", row["id"]) for row in (*prepared.sections, *prepared.chunks)}
    plan.deleted = sorted(known.keys() - wanted)
    _plan_sections(plan, prepared, known)
    vectors = _vectors(prepared, known, dimensions=dimensions, model_id=model_id)
    _plan_chunks(plan, prepared, known, vectors=vectors, model_id=model_id)
    _plan_chain(plan, prepared, known)
    gone = sum(1 for id_ in plan.deleted if known[id_].chunk)
    updated = len({row["id"] for row in (*plan.changed_chunks, *plan.changed_vectors)})
    plan.outcomes = [
        WriteOutcome(
            document_id=prepared.id,
            created=created,
            chunks_added=len(plan.new_chunks),
            chunks_updated=updated,
            chunks_kept=len(prepared.chunks) - len(plan.new_chunks) - updated,
            chunks_removed=gone,
        )
    ]
    return plan


def _plan_sections(plan: WritePlan, prepared: PreparedDocument, known: Mapping[str, NodeState]) -> None:
    for section, row in zip(prepared.source.sections, prepared.sections, strict=True):
        container = isinstance(section, ContainerSection)
        node = known.get(section.id)
        link: Row = {"parent_id": section.parent_id, "id": section.id, "position": section.position}
        if node is None:
            plan.new_sections.append({"properties": row, "container": container})
            plan.children.append(link)
            continue
        if node.digest != row["digest"]:
            plan.changed_sections.append({"id": section.id, "properties": row, "container": container})
        if (node.parent_id, node.position) != (section.parent_id, section.position):
            plan.unlinked_children.append(section.id)
            plan.children.append(link)


def _plan_chunks(
    plan: WritePlan,
    prepared: PreparedDocument,
    known: Mapping[str, NodeState],
    *,
    vectors: Mapping[str, CheckedVector],
    model_id: str,
) -> None:
    previous_is_new = False
    for chunk, row in zip(prepared.source.chunks, prepared.chunks, strict=True):
        node = known.get(chunk.id)
        vector = vectors.get(chunk.id)
        if node is None:
            made = vectors[chunk.id]
            plan.new_chunks.append(
                {
                    "properties": {**row, "embedding_model": model_id, "embedding_hash": made.hash},
                    "parent_id": chunk.parent_id,
                    "position": chunk.position,
                    "embedding": made.vector,
                    "chained": previous_is_new,
                }
            )
            previous_is_new = True
            continue
        previous_is_new = False
        if node.digest != row["digest"]:
            plan.changed_chunks.append({"id": chunk.id, "properties": row})
        if vector is not None and (vector.hash, model_id) != (node.embedding_hash, node.embedding_model):
            plan.changed_vectors.append(
                {
                    "id": chunk.id,
                    "embedding": vector.vector,
                    "embedding_model": model_id,
                    "embedding_hash": vector.hash,
                }
            )
        if (node.parent_id, node.position) != (chunk.parent_id, chunk.position):
            plan.unlinked_children.append(chunk.id)
            plan.children.append({"parent_id": chunk.parent_id, "id": chunk.id, "position": chunk.position})


def _plan_chain(plan: WritePlan, prepared: PreparedDocument, known: Mapping[str, NodeState]) -> None:
    """Compare the chain of stored chunks with the wanted one, link by link."""
    stored = sorted((n for n in known.values() if n.chunk), key=lambda n: (n.sequence_number or 0, n.id))
    old = {a.id: b.id for a, b in pairwise(stored)}
    chunks = prepared.source.chunks
    new = {a.id: b.id for a, b in pairwise(chunks)}
    deleted = set(plan.deleted)
    for id_, next_id in old.items():
        # A link to or from a deleted node goes with it.
        if new.get(id_) != next_id and id_ not in deleted and next_id not in deleted:
            plan.unlinked_next.append(id_)
    for id_, next_id in new.items():
        both_new = id_ not in known and next_id not in known
        if old.get(id_) != next_id and not both_new:
            plan.next.append({"id": id_, "next_id": next_id})


def _vectors(
    prepared: PreparedDocument, known: Mapping[str, NodeState], *, dimensions: int, model_id: str
) -> dict[str, CheckedVector]:
    """Return the vectors of chunks that need one, and of those that were given another."""
    needed = chunks_to_embed(prepared, known.values(), model_id)
    given = prepared.source.vectors
    missing = needed - given.keys()
    if missing:
        raise missing_vectors(prepared.source, missing)
    return check_vectors(prepared.source, dimensions=dimensions)


def states_by_document(rows: Iterable[Mapping[str, object]]) -> Mapping[str, list[NodeState]]:
    """Return the rows of `content/read_state` by document.

    Without the document's lock, a node may be deleted while its row is made (a statement is no snapshot): from
    that moment on its properties read as null. Such a row is of a node that is gone, and is left out.
    """
    states: dict[str, list[NodeState]] = defaultdict(list)
    for row in rows:
        if row["id"] is None or row["document_id"] is None:
            continue
        values = dict(row)
        document_id = cast("str", values.pop("document_id"))
        states[document_id].append(NodeState(**values))  # type: ignore[arg-type]  # the statement's documented types
    return states
