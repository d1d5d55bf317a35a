# Generated from graphrag/stores/neo4j/_async/lookup.py by tools/generate_sync.py; do not edit.
"""Finding by id, listing and counting."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import cast

from graphrag.errors import InvalidRequestError
from graphrag.filters.nodes import PropertyFilter
from graphrag.filters.scope import Scope, check_scope
from graphrag.model import Chunk, ContentRoot, Datum, Document, NamedEntityData, Section
from graphrag.model.identity import check_collection, check_id, document_id
from graphrag.model.tagged_json import dump_tagged
from graphrag.stores._sync.protocols import Lookup
from graphrag.stores.neo4j._sync.part import Part
from graphrag.stores.neo4j.predicates import Predicates
from graphrag.stores.neo4j.rows import chunk_from_row, visible_datum
from graphrag.stores.neo4j.temporal import python_value
from graphrag.stores.reports import StoreInfo

__all__ = ["Neo4jLookup"]

MAX_PAGE = 10_000
_HASH_PAGE = 2_000
_NOT_HASHED = frozenset({"ingested_at", "title_key", "write_lock"})


class Neo4jLookup(Part, Lookup):
    """Reading by id, and what there is."""

    def find_by_id(
        self,
        id: str,  # noqa: A002 - the name that the design gives it
        *,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
    ) -> Datum | None:
        """Return the document, section, chunk or entity of that id; None where there is none in scope."""
        check_id(id)
        seen = Predicates.of_nodes(scope, collections)
        rows = self._connection.read(
            "lookup/by_id",
            {"id": id, **seen.parameters},
            slots={"hidden": self._hidden_vectors(), **seen.slots},
        )
        found = visible_datum(rows[0]) if rows else None
        if isinstance(found, NamedEntityData) and found.origin == "extracted" and seen.parameters["scoped"]:
            # Drawn from any chunk, hidden ones among them: nothing tells yet which chunk told what.
            return found.model_copy(update={"description": "", "aliases": ()})
        return found

    def find_document(self, uri: str, *, collection: str, scope: Scope | None = None) -> Document | None:
        """Return the document of that canonical URI in one collection, or None."""
        id_ = document_id(check_collection(collection), uri)
        return (self.find_documents([id_], scope=scope)).get(id_)

    def find_documents(self, ids: Sequence[str], *, scope: Scope | None = None) -> Mapping[str, Document]:
        """Return the documents of these ids, by id; unknown ones are left out."""
        if not ids:
            return {}
        seen = Predicates.of_documents(None, scope, None)
        parameters = {"ids": [check_id(id_) for id_ in ids], **seen.parameters}
        rows = self._connection.read("lookup/documents_by_id", parameters, slots=seen.slots)
        documents = [_document(row) for row in rows]
        return {document.id: document for document in documents}

    def list_documents(
        self,
        *,
        where: PropertyFilter | None = None,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[Document]:
        """Return documents by collection, then URI (see the protocol)."""
        seen = Predicates.of_documents(where, scope, collections)
        rows = self._connection.read(
            "lookup/list_documents", {**seen.parameters, **_page(limit, offset)}, slots=seen.slots
        )
        return [_document(row) for row in rows]

    def list_sections(self, document_id: str, *, scope: Scope | None = None) -> list[Section]:
        """Return a document's sections in document order; none for an unknown document."""
        seen = Predicates.of_documents(None, scope, None)
        rows = self._connection.read(
            "lookup/list_sections", {"document_id": check_id(document_id), **seen.parameters}, slots=seen.slots
        )
        return [cast("Section", visible_datum(row)) for row in rows]

    def list_chunks(
        self,
        document_id: str,
        *,
        where: PropertyFilter | None = None,
        scope: Scope | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[Chunk]:
        """Return a document's chunks in document order (see the protocol)."""
        seen = Predicates.of_chunks(where, scope, None)
        rows = self._connection.read(
            "lookup/list_chunks",
            {"document_id": check_id(document_id), **seen.parameters, **_page(limit, offset)},
            slots={"hidden": self._hidden_vectors(), **seen.slots},
        )
        return [chunk_from_row(row["chunk"]) for row in rows]

    def count(
        self,
        kind: type[Datum],
        *,
        where: PropertyFilter | None = None,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
    ) -> int:
        """Return how many documents, sections, chunks or entities there are (see the protocol)."""
        if kind is Section:
            seen = Predicates.of_documents(None, scope, collections, slot="document").add("where", (where,), "s")
            return self._count("lookup/count_sections", seen)
        if kind is ContentRoot:
            return self._count("lookup/count_documents", Predicates.of_documents(where, scope, collections))
        if kind is Chunk:
            if where is None and not check_scope(scope).metadata:
                return self._count("lookup/count_chunks", Predicates.of_documents(None, None, collections))
            return self._count("lookup/count_matching_chunks", Predicates.of_chunks(where, scope, collections))
        if kind is NamedEntityData:
            return self._count("lookup/count_entities", Predicates.of_entities(where, scope))
        msg = f"`{getattr(kind, '__name__', kind)}` cannot be counted; Document, Section, Chunk and NamedEntityData can"
        raise InvalidRequestError(msg)

    def _count(self, statement: str, seen: Predicates) -> int:
        rows = self._connection.read(statement, seen.parameters, slots=seen.slots)
        return int(cast("int", rows[0]["count"]))

    def info(self) -> StoreInfo:
        """Return what the store holds and what it is."""
        version, edition = self._connection.check_server()
        rows = self._connection.read("lookup/info")
        stamp = self._read_stamp()
        return StoreInfo(
            kind="neo4j",
            documents=sum(int(cast("int", row["documents"])) for row in rows),
            sections=self.count(Section),
            chunks=sum(int(cast("int", row["chunks"])) for row in rows),
            entities=self.count(NamedEntityData),
            collections={str(row["collection"]): int(cast("int", row["documents"])) for row in rows},
            schema_version=stamp.version if stamp else None,
            dimensions=stamp.dimensions if stamp else None,
            embedding_model=stamp.model_id if stamp else None,
            details={
                "server": self._connection.where,
                "version": version,
                "edition": edition,
                "analyzer": stamp.analyzer if stamp else None,
                "filter_properties": list(stamp.filter_properties) if stamp else [],
                "vector_index": stamp.vector_index if stamp else None,
            },
        )

    def graph_hash(self) -> str:
        """Return a hash of all nodes and relationships: ids, labels and properties, without vectors and times."""
        digest = hashlib.blake2b(digest_size=20)
        after = ""
        while True:
            rows = self._connection.read("lookup/all_nodes", {"after": after, "limit": _HASH_PAGE}, timeout_s=300)
            for row in rows:
                digest.update(_canonical(row).encode())
            if len(rows) < _HASH_PAGE:
                return digest.hexdigest()
            after = str(rows[-1]["id"])


def _canonical(row: Mapping[str, object]) -> str:
    """Return a node with its relationships as one line; types count, vectors and times of writing do not."""
    properties = {
        name: python_value(value)
        for name, value in cast("Mapping[str, object]", row["properties"]).items()
        if name not in _NOT_HASHED and not (name.startswith("embedding") and name != "embedding_model")
    }
    links = sorted(dump_tagged(python_value(link)) for link in cast("list[object]", row["links"]))
    labels = sorted(cast("list[str]", row["labels"]))
    return dump_tagged([row["id"], labels, properties, links]) + "\n"


def _page(limit: int, offset: int) -> dict[str, object]:
    if type(limit) is not int or not 1 <= limit <= MAX_PAGE:
        msg = f"`limit` is {limit!r}; it must be a whole number from 1 to {MAX_PAGE}"
        raise InvalidRequestError(msg)
    if type(offset) is not int or not 0 <= offset < 2**63:
        msg = f"`offset` is {offset!r}; it must be a whole number from 0 up"
        raise InvalidRequestError(msg)
    return {"limit": limit, "offset": offset}


def _document(row: Mapping[str, object]) -> Document:
    return cast("Document", visible_datum({**row, "labels": ["Document"]}))
