"""Sections as a reader of a document meets them: in a table of contents, as a choice, as one text."""

from dataclasses import dataclass
from typing import TypeAlias

from graphrag.model.content import Document, Section

__all__ = ["DocumentOutline", "SectionChoice", "SectionEntry", "SectionReading", "SectionText"]


@dataclass(frozen=True, slots=True)
class SectionEntry:
    """A section and where it stands.

    Attributes:
        section: The section, without text.
        document_title: Its document's title.
        uri: Its document's URI.
        collection: Its document's collection.
        chunk_count: Number of visible chunks below it, at any depth.
    """

    section: Section
    document_title: str
    uri: str
    collection: str
    chunk_count: int

    @property
    def id(self) -> str:
        """The section's id."""
        return self.section.id

    @property
    def path(self) -> tuple[str, ...]:
        """Titles from the document's down to the section's own."""
        return (self.document_title, *self.section.section_path)


@dataclass(frozen=True, slots=True)
class DocumentOutline:
    """A document's table of contents.

    Attributes:
        document: The document; its `chunk_count` is that of its visible chunks.
        sections: Its visible sections in document order.
    """

    document: Document
    sections: tuple[SectionEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionText:
    """A section read as one text.

    Attributes:
        entry: The section and where it stands.
        text: The visible chunks below it in document order, each character once, with the headings of the
            sections below it.
        truncated: Whether the text was cut, always between two chunks.
        notes: Sentences for the caller on what was cut.
    """

    entry: SectionEntry
    text: str
    truncated: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionChoice:
    """Several sections bear the title that was asked for: choose one, and read it by its id.

    Attributes:
        title: What was asked for.
        candidates: The sections, by collection, document title, URI, then section path.
        notes: Sentences for the caller; one says so where there are more than are listed.
    """

    title: str
    candidates: tuple[SectionEntry, ...]
    notes: tuple[str, ...] = ()


SectionReading: TypeAlias = SectionText | SectionChoice
"""What reading a section by its title may give."""
