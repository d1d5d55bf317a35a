"""Changing what is said of documents, and taking documents away."""

from collections.abc import Collection, Mapping, Sequence
from typing import cast

from graphrag.filters.nodes import PropertyFilter, filter_node
from graphrag.filters.scope import Scope
from graphrag.model import Document
from graphrag.model.identity import check_collection, document_id
from graphrag.model.metadata import CleanMetadata, check_metadata
from graphrag.stores._async.protocols import AsyncContentElementRepository
from graphrag.stores.neo4j._async.connection import AsyncWriter
from graphrag.stores.neo4j._async.guarding import AsyncGuardedPart
from graphrag.stores.neo4j.bounds import check_index_keys
from graphrag.stores.neo4j.digests import PREFIX_LENGTH
from graphrag.stores.neo4j.filterable import list_names
from graphrag.stores.neo4j.inheritance import DocumentMetadata
from graphrag.stores.neo4j.predicates import Predicates
from graphrag.stores.neo4j.rows import chunk_from_row, chunk_properties, datum_from_row
from graphrag.stores.reports import Deletion

__all__ = ["AsyncNeo4jUpkeep"]

_DELETE_BATCH = 5_000
_PAGE = 100


class AsyncNeo4jUpkeep(AsyncGuardedPart, AsyncContentElementRepository):
    """Metadata and deletion."""

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
        clean = check_metadata(changes, limits=self._limits)
        id_ = document_id(check_collection(collection), uri)
        return await self._under_one_schema(
            lambda: self._set_metadata(id_, uri, clean, replace=replace, fingerprint=fingerprint)
        )

    async def _set_metadata(
        self, id_: str, uri: str, clean: CleanMetadata, *, replace: bool, fingerprint: str
    ) -> Document | None:
        stamp = await self._ready()
        check_index_keys(clean.values(), stamp.bounded_properties, uri=uri)

        async def work(writer: AsyncWriter) -> Document | None:
            found = await writer.run("content/read_document", document_id=id_)
            if not found:
                return None
            stored = cast("Document", datum_from_row(found[0]["properties"], ["Document"]))
            changed = _with_changes(stored, clean.values(), clean.absent, replace=replace)
            current = await writer.run("schema/read_stamp")
            stored_stamp = self._check_unchanged(current[0]["stamp"] if current else None, stamp)
            await self._note_lists(writer, list_names(clean.properties), stored_stamp)
            if fingerprint:
                changed = changed.model_copy(update={"fingerprint": fingerprint})
            await self._rewrite(writer, stored, changed)
            return changed

        return await self._in_transaction(work, what="content/set_metadata", chunks=await self._chunk_count(id_))

    async def _rewrite(self, writer: AsyncWriter, stored: Document, changed: Document) -> None:
        old = DocumentMetadata.of(stored.metadata, limits=self._limits)
        new = DocumentMetadata.of(changed.metadata, limits=self._limits)
        await writer.run(
            "content/set_metadata",
            document_id=stored.id,
            changes={**dict.fromkeys(old.properties.keys() - new.properties.keys()), **new.properties},
            fingerprint=changed.fingerprint,
            pinned=list(changed.pinned_metadata) or None,
            metadata_hash=new.hash,
            digest_prefix_length=PREFIX_LENGTH,
        )
        # Chunks with metadata of their own are few; each keeps what is its own.
        rows: list[dict[str, object]] = []
        for row in await writer.run("content/chunks_with_own_metadata", document_id=stored.id):
            chunk = chunk_from_row(row["chunk"])
            names = set(cast("Sequence[str]", cast("Mapping[str, object]", row["chunk"])["own_metadata"]))
            own = {name: value for name, value in chunk.metadata.items() if name in names}
            kept = {**chunk_properties(chunk.model_copy(update={"metadata": own}), new)}
            rows.append({"id": chunk.id, "properties": {**kept, "embedding_model": chunk.embedding_model}})
        if rows:
            await writer.run("content/update_chunks", rows=rows)

    async def delete_document(self, uri: str, *, collection: str) -> Deletion:
        """Delete a document with its sections and chunks; all zeros where there is none."""
        id_ = document_id(check_collection(collection), uri)
        return await self._delete_document(id_, await self._chunk_count(id_), Predicates.of_documents(None, None, None))

    async def delete_documents(
        self, where: PropertyFilter, *, scope: Scope | None = None, collections: Collection[str] | None = None
    ) -> Deletion:
        """Delete the documents of which a filter is true: one after the other, each at once (see the protocol)."""
        # None is no condition elsewhere; here it would delete everything.
        return await self._delete_matching(Predicates.of_documents(filter_node(where), scope, collections))

    async def clear(self, *, collections: Collection[str] | None = None) -> Deletion:
        """Delete all documents, or those of some collections: one after the other, each at once."""
        total = await self._delete_matching(Predicates.of_documents(None, None, collections))
        if collections is None:
            while await self._in_transaction(_delete_leftovers, what="content/delete_leftovers", chunks=_DELETE_BATCH):
                pass
        return total

    async def _delete_matching(self, chosen: Predicates) -> Deletion:
        total = Deletion()
        after = ""
        while True:
            rows = await self._connection.read(
                "content/document_ids", {**chosen.parameters, "after": after, "limit": _PAGE}, slots=chosen.slots
            )
            for row in rows:
                total += await self._delete_document(str(row["id"]), int(cast("int", row["chunk_count"])), chosen)
            if len(rows) < _PAGE:
                return total
            after = str(rows[-1]["id"])

    async def _delete_document(self, id_: str, chunk_count: int, chosen: Predicates) -> Deletion:
        async def work(writer: AsyncWriter) -> Deletion:
            rows = await writer.run_filled(
                "content/delete_documents", chosen.slots, document_ids=[id_], **chosen.parameters
            )
            return Deletion(**{name: int(cast("int", rows[0][name])) for name in ("documents", "sections", "chunks")})

        return await self._in_transaction(work, what="content/delete_documents", chunks=chunk_count)

    async def _chunk_count(self, id_: str) -> int:
        """Return the size of a document, for the deadline of what is done to it; 0 where there is none."""
        rows = await self._connection.read("content/chunk_count", {"document_id": id_})
        return int(cast("int", rows[0]["chunk_count"])) if rows else 0


async def _delete_leftovers(writer: AsyncWriter) -> int:
    rows = await writer.run("content/delete_leftovers", limit=_DELETE_BATCH)
    return int(cast("int", rows[0]["deleted"]))


def _with_changes(
    stored: Document, values: Mapping[str, object], absent: Collection[str], *, replace: bool
) -> Document:
    """Return the document with other metadata; without `replace` the changes count as set by hand."""
    pinned = set(stored.pinned_metadata)
    if replace:
        metadata = dict(values)
        pinned &= metadata.keys()
    else:
        metadata = {**{name: value for name, value in stored.metadata.items() if name not in absent}, **values}
        pinned = (pinned | values.keys()) - set(absent)
    return stored.model_copy(update={"metadata": metadata, "pinned_metadata": tuple(sorted(pinned))})
