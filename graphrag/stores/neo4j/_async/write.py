"""Writing documents: whole or absent, by diff, safe to run again.

A small document is one transaction. A large one is first written out of sight, in batches, under the
label Staged that no index sees; one last transaction gives the nodes their labels, relinks, and deletes
what is gone. Every write begins with the lock of its document's node, so two writers of one document
follow each other, and what the second one compares with is what the first one wrote.
"""

import uuid
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar, cast

from graphrag.concurrency._async import run_blocking
from graphrag.errors import (
    BusyError,
    GraphRagError,
    InvalidRequestError,
    SchemaError,
    StoreError,
    StoreUnavailableError,
)
from graphrag.model import Document, MaterializedDocument
from graphrag.model.identity import check_collection, document_id
from graphrag.model.metadata import check_metadata
from graphrag.stores._async.protocols import AsyncContentElementRepository
from graphrag.stores.neo4j._async.connection import AsyncWriter
from graphrag.stores.neo4j._async.part import AsyncPart
from graphrag.stores.neo4j.bounds import check_index_keys
from graphrag.stores.neo4j.plan import (
    PreparedDocument,
    WritePlan,
    chunks_to_embed,
    plan_write,
    prepare_document,
    states_by_document,
)
from graphrag.stores.neo4j.rows import DIGEST_PREFIX, datum_from_row, metadata_hash, storable_metadata
from graphrag.stores.neo4j.stamp import Stamp
from graphrag.stores.reports import Deletion, WriteOutcome

__all__ = ["AsyncNeo4jWriting"]

T = TypeVar("T")
Row = dict[str, object]

STAGE_ABOVE = 4_000
"""New chunks above which a document is staged (bench/write.py shows the two ways side by side)."""
GROUP_CHUNKS = 1_000
"""Chunks of small documents that share a transaction."""
GROUP_DOCUMENTS = 200
BATCH_ROWS = 1_000
STAGED_LIFETIME_S = 4 * 3_600
"""A staged node older than this belongs to a write that was cut off: the largest document's deadline is half of it."""
_STAGED_ATTEMPTS = 3
_DELETE_BATCH = 5_000


class _OvertakenError(Exception):
    """Another writer changed the document while this one was staging it."""


class AsyncNeo4jWriting(AsyncPart, AsyncContentElementRepository):
    """The repository of documents."""

    _prepared = False

    async def prepare(self) -> None:
        """Make the schema where there is none, check it where there is one, and clear cut-off writes.

        Raises:
            SchemaError: What stands there does not fit; the message names the remedy.
        """
        raise NotImplementedError

    async def _ready(self) -> Stamp:
        if not self._prepared:
            await self.prepare()
            await self._delete_staged(None)
            self._prepared = True
        return await self._live_stamp()

    async def chunks_to_embed(self, document: MaterializedDocument) -> frozenset[str]:
        """Return the ids of those chunks that the store lacks, or has with another text or model."""
        stamp = await self._live_stamp()
        prepared = await run_blocking(prepare_document, document)
        rows = await self._connection.read("content/read_state", {"document_ids": [document.document.id]})
        state = states_by_document(rows).get(document.document.id, [])
        return chunks_to_embed(prepared, state, document.embedding_model or stamp.model_id)

    async def write_document(self, document: MaterializedDocument) -> WriteOutcome:
        """Write one document, or bring the stored one to this version (see the protocol)."""
        outcome = (await self.write_documents([document]))[0]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def write_documents(self, documents: Sequence[MaterializedDocument]) -> list[WriteOutcome | Exception]:
        """Write several documents, small ones together in one transaction (see the protocol)."""
        stamp = await self._ready()
        results: dict[int, WriteOutcome | Exception] = {}
        prepared: list[tuple[int, PreparedDocument]] = []
        for index, document in enumerate(documents):
            try:
                self._check_document(document, stamp)
                prepared.append((index, await run_blocking(prepare_document, document)))
            except GraphRagError as error:
                results[index] = error
        for group in _groups(prepared):
            results.update(await self._write_group(group, stamp))
        return [results[index] for index in range(len(documents))]

    def _check_document(self, document: MaterializedDocument, stamp: Stamp) -> None:
        root = document.document
        check_collection(root.collection)
        if len(document.chunks) > self._limits.max_document_chunks:
            msg = (
                f"`{root.uri}` has {len(document.chunks)} chunks; a document may have at most "
                f"{self._limits.max_document_chunks}: split it, or raise `limits.max_document_chunks`"
            )
            raise InvalidRequestError(msg)
        check_index_keys(root.metadata, stamp.filter_properties, uri=root.uri)
        for chunk in document.chunks:
            if chunk.metadata is not root.metadata:
                check_index_keys(chunk.metadata, stamp.filter_properties, uri=root.uri)
            if len(chunk.urtext) > self._limits.max_chunk_chars or len(chunk.text) > self._limits.max_text_chars:
                msg = (
                    f"chunk {chunk.sequence_number} of `{root.uri}` has {len(chunk.urtext)} characters, and "
                    f"{len(chunk.text)} with its context; at most {self._limits.max_chunk_chars} and "
                    f"{self._limits.max_text_chars} are stored"
                )
                raise InvalidRequestError(msg)
        if document.embedding_model and document.embedding_model != stamp.model_id:
            msg = (
                f"the vectors of `{root.uri}` are of the model `{document.embedding_model}`, those of the database of "
                f"`{stamp.model_id}`; vectors of two models cannot be compared"
            )
            raise SchemaError(msg)

    async def _write_group(
        self, group: Sequence[tuple[int, PreparedDocument]], stamp: Stamp
    ) -> dict[int, WriteOutcome | Exception]:
        if len(group) == 1:
            index, prepared = group[0]
            try:
                return {index: await self._write_one(prepared, stamp)}
            except GraphRagError as error:
                return {index: error}
        try:
            outcomes = await self._write_together([prepared for _, prepared in group], stamp)
        except (StoreUnavailableError, BusyError) as error:
            return {index: error for index, _ in group}
        except GraphRagError:
            # One of them is at fault, or the whole was too much at once: each by itself tells which.
            results: dict[int, WriteOutcome | Exception] = {}
            for item in group:
                results.update(await self._write_group([item], stamp))
            return results
        return {index: outcome for (index, _), outcome in zip(group, outcomes, strict=True)}

    async def _write_one(self, prepared: PreparedDocument, stamp: Stamp) -> WriteOutcome:
        if len(prepared.chunks) <= STAGE_ABOVE:
            return (await self._write_together([prepared], stamp))[0]
        for _ in range(_STAGED_ATTEMPTS):
            outcome = await self._write_staged(prepared, stamp)
            if outcome is not None:
                return outcome
        msg = f"`{prepared.uri}` was written by others again and again in the meantime; try later"
        raise StoreError(msg, retryable=True)

    async def _write_together(self, group: Sequence[PreparedDocument], stamp: Stamp) -> list[WriteOutcome]:
        async def work(writer: AsyncWriter) -> list[WriteOutcome]:
            plan = await self._lock_and_plan(writer, group, stamp)
            await _apply(writer, plan, stamp)
            return plan.outcomes

        chunks = sum(len(prepared.chunks) for prepared in group)
        return await self._in_transaction(work, what="content/write_documents", chunks=chunks)

    async def _lock_and_plan(
        self, writer: AsyncWriter, group: Sequence[PreparedDocument], stamp: Stamp, *, run_id: str = ""
    ) -> WritePlan:
        ids = sorted(prepared.id for prepared in group)
        locked = await writer.run("content/lock_documents", ids=ids, run_id=run_id)
        # Under the document's lock no other writer can be about to reveal what is deleted here.
        for row in locked:
            if row["staged"]:
                await _delete_staged(writer, prefix=f"{row['id']}/", keep=run_id)
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

    async def _in_transaction(self, work: Callable[[AsyncWriter], Awaitable[T]], *, what: str, chunks: int) -> T:
        timeout_s = self._write_timeout_s * (1 + chunks / 1_000)
        return await self._connection.write(work, what=what, timeout_s=timeout_s)

    @property
    def _write_timeout_s(self) -> float:
        return self._connection.settings.write_timeout_s

    # -- large documents

    async def _write_staged(self, prepared: PreparedDocument, stamp: Stamp) -> WriteOutcome | None:
        """Write a large document by way of staged nodes; None where another writer came between."""
        rows = await self._connection.read("content/read_state", {"document_ids": [prepared.id]}, timeout_s=300)
        state = states_by_document(rows).get(prepared.id, [])
        plan = await run_blocking(
            plan_write, prepared, state, created=not state, dimensions=stamp.dimensions, model_id=stamp.model_id
        )
        run_id = f"{prepared.id}/{uuid.uuid4().hex}"
        staged = await self._stage(plan, run_id, stamp)

        async def reveal(writer: AsyncWriter) -> WriteOutcome:
            final = await self._lock_and_plan(writer, [prepared], stamp, run_id=run_id)
            if _new_ids(final) != staged:
                raise _OvertakenError
            await _apply_staged(writer, final, run_id, stamp)
            return final.outcomes[0]

        try:
            return await self._in_transaction(reveal, what="content/reveal_chunks", chunks=len(prepared.chunks))
        except _OvertakenError:
            await self._delete_staged(run_id)
            return None
        except GraphRagError:
            with suppress(GraphRagError):  # the first error tells more; the next write clears what is left
                await self._delete_staged(run_id)
            raise

    async def _stage(self, plan: WritePlan, run_id: str, stamp: Stamp) -> frozenset[str]:
        """Write what is new out of sight, and the links between it; return the ids."""
        places: dict[object, object] = {}
        for batch in _batches(plan.new_sections):
            rows = [{"properties": row["properties"]} for row in batch]
            made = await self._stage_rows("content/stage_sections", rows, run_id=run_id)
            places.update((row["id"], row["place"]) for row in made)
        links: list[Row] = [
            {"parent": places[row["parent_id"]], "child": places[row["id"]], "position": row["position"]}
            for row in plan.children
            if row["id"] in places and row["parent_id"] in places
        ]
        for batch in _batches(links):
            await self._stage_rows("content/stage_links", batch, run_id=run_id)
        previous: object = None
        for batch in _batches(plan.new_chunks):
            rows = [{**row, "parent": places.get(row["parent_id"])} for row in batch]
            made = await self._stage_rows(
                "content/stage_chunks", rows, run_id=run_id, previous=previous, property=stamp.embedding_property
            )
            previous = made[0]["last"]
        return _new_ids(plan)

    async def _stage_rows(self, name: str, rows: list[Row], **parameters: object) -> list[Row]:
        async def work(writer: AsyncWriter) -> list[Row]:
            return await writer.run(name, rows=rows, **parameters)

        return await self._in_transaction(work, what=name, chunks=len(rows))

    async def _delete_staged(self, run_id: str | None) -> None:
        """Remove what is still out of sight: of one run of this writer's own, or whatever is old."""

        async def delete(writer: AsyncWriter) -> int:
            return await _delete_staged(writer, prefix=run_id)

        while await self._in_transaction(delete, what="content/delete_staged", chunks=_DELETE_BATCH):
            pass

    # -- metadata and deletion

    async def set_metadata(
        self,
        uri: str,
        changes: Mapping[str, object],
        *,
        collection: str,
        replace: bool = False,
        fingerprint: str = "",
    ) -> Document | None:
        """Change the metadata of a document and of its chunks, in one transaction (see the protocol)."""
        clean = check_metadata(changes)
        id_ = document_id(check_collection(collection), uri)
        stamp = await self._ready()
        check_index_keys(clean.values(), stamp.filter_properties, uri=uri)

        async def work(writer: AsyncWriter) -> Document | None:
            found = await writer.run("content/read_document", document_id=id_)
            if not found:
                return None
            stored = cast(
                "Document", datum_from_row(cast("Mapping[str, object]", found[0]["properties"]), ["Document"])
            )
            kept = {} if replace else {k: v for k, v in stored.metadata.items() if k not in clean.absent}
            merged = {**kept, **clean.values()}
            old, new = storable_metadata(stored.metadata), storable_metadata(merged)
            await writer.run(
                "content/set_metadata",
                document_id=id_,
                changes={**dict.fromkeys(old.keys() - new.keys()), **new},
                fingerprint=fingerprint or None,
                metadata_hash=metadata_hash(new),
                digest_prefix_length=DIGEST_PREFIX,
            )
            return stored.model_copy(update={"metadata": merged, "fingerprint": fingerprint or stored.fingerprint})

        return await self._in_transaction(work, what="content/set_metadata", chunks=self._limits.max_document_chunks)

    async def delete_document(self, uri: str, *, collection: str) -> Deletion:
        """Delete a document with its sections and chunks; all zeros where there is none."""
        return await self._delete_documents([document_id(check_collection(collection), uri)])

    async def clear(self, *, collections: Collection[str] | None = None) -> Deletion:
        """Delete all documents, or those of some collections: one after the other, each at once."""
        names = None if collections is None else sorted({check_collection(name) for name in collections})
        total = Deletion()
        while True:
            rows = await self._connection.read("content/document_ids", {"collections": names, "limit": 100})
            if not rows:
                break
            for row in rows:
                total += await self._delete_documents([str(row["id"])])
        if names is None:
            while await self._in_transaction(_delete_leftovers, what="content/delete_leftovers", chunks=_DELETE_BATCH):
                pass
        return total

    async def _delete_documents(self, ids: Sequence[str]) -> Deletion:
        async def work(writer: AsyncWriter) -> Deletion:
            rows = await writer.run("content/delete_documents", document_ids=list(ids))
            return Deletion(**{name: int(cast("int", rows[0][name])) for name in ("documents", "sections", "chunks")})

        return await self._in_transaction(
            work, what="content/delete_documents", chunks=self._limits.max_document_chunks
        )


async def _delete_staged(writer: AsyncWriter, *, prefix: str | None, keep: str = "") -> int:
    rows = await writer.run(
        "content/delete_staged",
        run_prefix=prefix,
        keep=keep,
        older_than_s=STAGED_LIFETIME_S,
        limit=_DELETE_BATCH,
    )
    return int(cast("int", rows[0]["deleted"]))


async def _delete_leftovers(writer: AsyncWriter) -> int:
    rows = await writer.run("content/delete_leftovers", limit=_DELETE_BATCH)
    return int(cast("int", rows[0]["deleted"]))


async def _apply(writer: AsyncWriter, plan: WritePlan, stamp: Stamp) -> None:
    """Run the statements of a plan, each only where it has rows."""
    await _remove(writer, plan)
    await writer.run("content/set_documents", rows=plan.documents)
    if plan.new_sections:
        await writer.run("content/create_sections", rows=plan.new_sections)
    await _change(writer, plan, stamp)
    if plan.children:
        await writer.run("content/link_children", rows=plan.children)
    for batch in _batches(plan.new_chunks):
        await writer.run("content/create_chunks", rows=batch, property=stamp.embedding_property)
    for batch in _batches([*plan.next, *_links_between_batches(plan)]):
        await writer.run("content/link_next", rows=batch)


async def _apply_staged(writer: AsyncWriter, plan: WritePlan, run_id: str, stamp: Stamp) -> None:
    await _remove(writer, plan)
    await writer.run("content/set_documents", rows=plan.documents)
    containers = [_id_of(row) for row in plan.new_sections if row["container"]]
    sections = await writer.run("content/reveal_sections", run_id=run_id, containers=containers)
    chunks = await writer.run("content/reveal_chunks", run_id=run_id)
    if (sections[0]["revealed"], chunks[0]["revealed"]) != (len(plan.new_sections), len(plan.new_chunks)):
        raise _OvertakenError
    await _change(writer, plan, stamp)
    new = _new_ids(plan)
    late = [row for row in _all_children(plan) if row["id"] not in new or row["parent_id"] not in new]
    for batch in _batches(late):
        await writer.run("content/link_children", rows=batch)
    if plan.next:
        await writer.run("content/link_next", rows=plan.next)


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
    for batch in _batches(plan.changed_chunks):
        await writer.run("content/update_chunks", rows=batch)
    for batch in _batches(plan.changed_vectors):
        await writer.run("content/set_vectors", rows=batch, property=stamp.embedding_property)


def _groups(prepared: Sequence[tuple[int, PreparedDocument]]) -> Iterator[list[tuple[int, PreparedDocument]]]:
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


def _batches(rows: Sequence[dict[str, object]]) -> Iterator[list[dict[str, object]]]:
    for start in range(0, len(rows), BATCH_ROWS):
        yield list(rows[start : start + BATCH_ROWS])


def _chain(plan: WritePlan) -> list[dict[str, object]]:
    """Return, for each new chunk, its link from the chunk before it; an empty map where that is not new."""
    links: list[dict[str, object]] = []
    previous: object = None
    for row in plan.new_chunks:
        links.append({"id": previous, "next_id": _id_of(row)} if row["chained"] else {})
        previous = _id_of(row)
    return links


def _links_between_batches(plan: WritePlan) -> list[dict[str, object]]:
    """Return the links of the chain that the making of chunks in batches leaves out."""
    return [link for link in _chain(plan)[BATCH_ROWS::BATCH_ROWS] if link]


def _id_of(row: Mapping[str, object]) -> str:
    return cast("str", cast("Mapping[str, object]", row["properties"])["id"])


def _new_ids(plan: WritePlan) -> frozenset[str]:
    return frozenset(_id_of(row) for row in (*plan.new_sections, *plan.new_chunks))


def _all_children(plan: WritePlan) -> list[dict[str, object]]:
    return [
        *plan.children,
        *({"parent_id": row["parent_id"], "id": _id_of(row), "position": row["position"]} for row in plan.new_chunks),
    ]
