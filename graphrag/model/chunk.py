"""Chunk: the unit of search, and its place in its document."""

from typing import ClassVar

from graphrag.model.retrievable import Retrievable

__all__ = ["Chunk"]


class Chunk(Retrievable):
    """A piece of one document's text.

    Attributes:
        document_id: Its document.
        parent_id: The section or document that it hangs on.
        section_ids: Ids of the sections above it, from the top one down; the last is its own.
        section_path: Their titles.
        collection: Its document's collection.
        document_title: Its document's title.
        sequence_number: 0-based place in the document.
        position: 0-based place among all children of its parent.
        text: What is indexed and embedded: urtext, with context that transformers put before it.
        urtext: The slice [start, end) of the document's canonical text, unmodified.
        start: First code point in the document's canonical text.
        end: One past the last.
        page: 1-based page where it starts, where pages are known.
        source_start: First code point in the decoded source file, for Markdown and plain text.
        source_end: One past the last.
    """

    own_labels: ClassVar[tuple[str, ...]] = ("Datum", "Retrievable", "Chunk")

    document_id: str
    parent_id: str
    section_ids: tuple[str, ...] = ()
    section_path: tuple[str, ...] = ()
    collection: str = "default"
    document_title: str = ""
    sequence_number: int
    position: int = 0
    text: str
    urtext: str
    start: int = 0
    end: int = 0
    page: int | None = None
    source_start: int | None = None
    source_end: int | None = None

    def embeddable_value(self) -> str:
        """Return `text`."""
        return self.text

    def path_from_root(self) -> tuple[str, ...]:
        """Return the ids from its document down to itself, both included."""
        return (self.document_id, *self.section_ids, self.id)
