"""Content elements: the structure of documents, which is never embedded."""

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from pydantic import Field

from graphrag.model.datum import Datum

__all__ = [
    "ContainerSection",
    "ContentElement",
    "ContentRoot",
    "Document",
    "LeafSection",
    "NavigableDocument",
    "Section",
]


class ContentElement(Datum):
    """A document or a section."""

    own_labels: ClassVar[tuple[str, ...]] = ("Datum", "ContentElement")

    text: str = ""
    """Text of the whole subtree in document order, where an expansion or a reading filled it in."""
    truncated: bool = False
    """Whether `text` was cut at a limit."""


class ContentRoot(ContentElement):
    """The root of a document's tree: it has a URI and a title.

    Attributes:
        collection: The set of documents that it belongs to; identity, refresh and delete are per collection.
        ingested_at: When this version was written, in UTC.
        fingerprint: Hash of the bytes, the application's metadata and every setting that shapes the result.
        content_type: Media type, as the reader found it.
        language: BCP 47 tag, where known.
        document_properties: What the file says of itself, by fixed names (`doc_title`, `doc_author`, ...).
        source_metadata: Whatever else the file says of itself, as the parser named it; cannot be filtered on.
        chunk_count: Number of its chunks.
        pinned_metadata: Names of metadata that were set by hand; an ingestion keeps their values unless it
            names them itself.
    """

    own_labels: ClassVar[tuple[str, ...]] = ("Datum", "ContentElement", "ContentRoot", "Document")

    # A document always has one. Fields go by name and are frozen, which pyright cannot see in `model_config`.
    uri: str  # pyright: ignore[reportGeneralTypeIssues, reportIncompatibleVariableOverride]
    title: str
    collection: str = "default"
    ingested_at: datetime | None = None
    fingerprint: str = ""
    content_type: str = ""
    language: str | None = None
    document_properties: Mapping[str, object] = Field(default_factory=dict)
    source_metadata: Mapping[str, object] = Field(default_factory=dict)
    chunk_count: int = 0
    pinned_metadata: tuple[str, ...] = ()


Document = ContentRoot
NavigableDocument = ContentRoot


class Section(ContentElement):
    """A division of a document under one heading.

    Attributes:
        document_id: The document that it belongs to.
        parent_id: The section or document right above it.
        position: 0-based place among all children of its parent, chunks included, in document order.
        title: The heading's text.
        level: 1 for the highest heading level.
        section_path: Titles from the top section down to this one, itself included.
    """

    own_labels: ClassVar[tuple[str, ...]] = ("Datum", "ContentElement", "Section")

    document_id: str
    parent_id: str
    position: int = 0
    title: str
    level: int = 1
    section_path: tuple[str, ...] = ()


class ContainerSection(Section):
    """A section with sections below it (and perhaps with text of its own before them)."""

    own_labels: ClassVar[tuple[str, ...]] = ("Datum", "ContentElement", "Section", "ContainerSection")


class LeafSection(Section):
    """A section with text only."""

    own_labels: ClassVar[tuple[str, ...]] = ("Datum", "ContentElement", "Section", "LeafSection")
