# Generated from graphrag/stores/neo4j/_async/sections.py by tools/generate_sync.py; do not edit.
"""Sections: tables of contents, finding by title, reading as one text."""

import re
from collections.abc import Collection, Mapping
from typing import cast

from graphrag.errors import InvalidRequestError
from graphrag.filters.nodes import And, ContainsIgnoreCase, Eq, PropertyFilter
from graphrag.filters.scope import Scope
from graphrag.model import (
    Document,
    DocumentOutline,
    ResultList,
    Section,
    SectionChoice,
    SectionEntry,
    SectionReading,
    SectionText,
)
from graphrag.model.cleaning import clean_text
from graphrag.model.identity import check_id
from graphrag.stores._sync.protocols import SectionReader
from graphrag.stores.neo4j._sync.part import Part
from graphrag.stores.neo4j.limits import check_limit
from graphrag.stores.neo4j.predicates import Predicates
from graphrag.stores.neo4j.rows import visible_datum
from graphrag.stores.neo4j.subtree import render_subtree
from graphrag.stores.neo4j.titles import title_key

__all__ = ["Neo4jSections"]

Row = Mapping[str, object]

MAX_OUTLINES = 100
MAX_OUTLINE_SECTIONS = 2_000
MAX_FOUND = 1_000
_CANDIDATES = 20
"""Sections that a choice lists."""
_ID = re.compile("[a-z2-7]{32}")


class Neo4jSections(Part, SectionReader):
    """Reading along HAS_CHILD, and finding by the key of a title."""

    def table_of_contents(
        self,
        document_title: str | None = None,
        *,
        document_id: str | None = None,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
        limit: int = 20,
    ) -> ResultList[DocumentOutline]:
        """Return the sections of documents, with the number of chunks below each (see the protocol)."""
        seen = self._in_documents(document_title, document_id, scope, collections)
        check_limit(limit, most=MAX_OUTLINES)
        rows = self._connection.read(
            "section/outlines",
            {"limit": limit + 1, "sections": MAX_OUTLINE_SECTIONS + 1, **seen.parameters},
            slots=seen.slots,
        )
        documents = cast("list[Row]", rows[0]["documents"])
        sections = cast("list[Row]", rows[0]["sections"])
        notes: list[str] = []
        if len(documents) > limit:
            notes.append(f"there are more documents; the first {limit} are listed, others by a narrower title")
        shown = [cast("Document", visible_datum({**row, "labels": ["Document"]})) for row in documents[:limit]]
        ids = {document.id for document in shown}
        listed = [row for row in sections[:MAX_OUTLINE_SECTIONS] if row["document_id"] in ids]
        if len(sections) > MAX_OUTLINE_SECTIONS and sections[MAX_OUTLINE_SECTIONS]["document_id"] in ids:
            notes.append(f"there are more sections; the first {MAX_OUTLINE_SECTIONS:,} are listed")
        return ResultList([_outline(document, listed) for document in shown], notes=notes)

    def find_sections(
        self,
        title: str,
        *,
        document_title: str | None = None,
        document_id: str | None = None,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
        limit: int = 20,
    ) -> ResultList[SectionEntry]:
        """Return the sections that bear a title (see the protocol)."""
        title = self._check_title("title", title)
        seen = self._in_documents(document_title, document_id, scope, collections)
        check_limit(limit, most=MAX_FOUND)
        parameters: dict[str, object] = {"limit": limit + 1, **seen.parameters}
        if (self._live_stamp()).section_titles:
            name, parameters["key"] = "section/find_by_title", title_key(title)
        else:
            name, parameters["title"] = "section/scan_titles", title
        rows = self._connection.read(name, parameters, slots=seen.slots)
        more = [f"more sections bear this title; the first {limit} are listed"] if len(rows) > limit else []
        return ResultList([_entry(row) for row in rows[:limit]], notes=more)

    def read_section(
        self,
        section: str,
        *,
        document_title: str | None = None,
        document_id: str | None = None,
        max_chars: int | None = None,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
    ) -> SectionReading | None:
        """Return a section as one text (see the protocol)."""
        section = self._check_title("section", section)
        most = self._limits.max_answer_chars
        limit = most if max_chars is None else check_limit(max_chars, most=most, name="max_chars")
        seen = self._in_documents(document_title, document_id, scope, collections)
        if _ID.fullmatch(section):
            text = self._read_by_id(section, seen, limit=limit)
            if text is not None:
                return text
        found = self.find_sections(
            section,
            document_title=document_title,
            document_id=document_id,
            scope=scope,
            collections=collections,
            limit=_CANDIDATES,
        )
        if len(found) > 1:
            return SectionChoice(section, tuple(found), found.notes)
        return self._read_by_id(found[0].id, seen, limit=limit) if found else None

    def _read_by_id(self, id_: str, seen: Predicates, *, limit: int) -> SectionText | None:
        rows = self._connection.read(
            # A heading has at least one character, so this many rows are more than fit.
            "section/read",
            {"id": id_, "limit": limit + 1, **seen.parameters},
            slots=seen.slots,
        )
        if not rows:
            return None
        entry = _entry(rows[0])
        below = cast("list[Row]", rows[0]["below"])
        text, truncated = render_subtree(entry.id, below, limit=limit, between_chunks=True)
        note = f"the text was cut at {limit:,} characters; its subsections can be read one by one, and its chunks"
        return SectionText(entry, text, truncated, (note,) if truncated else ())

    def _in_documents(
        self, title: object, id_: object, scope: Scope | None, collections: Collection[str] | None
    ) -> Predicates:
        """Return what documents, and the chunks of what is shown of them, must be."""
        filters: list[PropertyFilter] = []
        if title is not None:
            filters.append(ContainsIgnoreCase("title", self._check_title("document_title", title)))
        if id_ is not None:
            filters.append(Eq("id", check_id(id_)))
        return Predicates.of_documents(And(tuple(filters)) if filters else None, scope, collections)

    def _check_title(self, name: str, title: object) -> str:
        most = self._limits.max_query_chars
        if not isinstance(title, str) or not title.strip() or len(title) > most:
            shown = f"a text of {len(title):,} characters" if isinstance(title, str) and title else repr(title)[:80]
            msg = f"`{name}` is {shown}; it must be text that is not blank, of at most {most:,} characters"
            raise InvalidRequestError(msg)
        return clean_text(title).text.strip()


def _outline(document: Document, rows: list[Row]) -> DocumentOutline:
    told = {"document_title": document.title, "uri": document.uri, "collection": document.collection}
    entries = (_entry({**row, **told}) for row in rows if row["document_id"] == document.id)
    return DocumentOutline(document, tuple(entries))


def _entry(row: Row) -> SectionEntry:
    return SectionEntry(
        section=cast("Section", visible_datum({"properties": row["properties"], "labels": row["labels"]})),
        document_title=str(row["document_title"]),
        uri=str(row["uri"]),
        collection=str(row["collection"]),
        chunk_count=int(cast("int", row["chunks"])),
    )
