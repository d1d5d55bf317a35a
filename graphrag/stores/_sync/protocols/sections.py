# Generated from graphrag/stores/_async/protocols/sections.py by tools/generate_sync.py; do not edit.
"""Sections: tables of contents, finding by title, reading as one text."""

from abc import ABC, abstractmethod
from collections.abc import Collection

from graphrag.filters.scope import Scope
from graphrag.model import DocumentOutline, ResultList, SectionEntry, SectionReading

__all__ = [
    "SectionReader",
]


class SectionReader(ABC):
    """Reading documents by their sections, as a person leafs through them."""

    @abstractmethod
    def table_of_contents(
        self,
        document_title: str | None = None,
        *,
        document_id: str | None = None,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
        limit: int = 20,
    ) -> ResultList[DocumentOutline]:
        """Return the sections of documents, with the number of chunks below each.

        Args:
            document_title: Only documents whose title holds this text, without regard to case; None takes all.
            document_id: Only this document.
            scope: What the caller may see; sections and counts are those of visible chunks.
            collections: Where to look; None looks everywhere.
            limit: Most documents, 1..100.

        Returns:
            The documents by collection, title, then URI, with their sections in document order; at most 2,000
            sections together. A note says so where there are more of either.

        Raises:
            InvalidRequestError: An argument is out of bounds.
            StoreError: The store failed; `retryable` says if trying again makes sense.
        """

    @abstractmethod
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
        """Return the sections that bear a title.

        Args:
            title: The whole title, without regard to case and to blanks at its ends; 1..10,000 characters.
            document_title: Only in documents whose title holds this text, without regard to case.
            document_id: Only in this document.
            scope: What the caller may see; a section is visible if one of the chunks below it is.
            collections: Where to look; None looks everywhere.
            limit: Most sections, 1..1000.

        Returns:
            The sections by collection, document title, URI, then section path. A note says so where there are more.

        Raises:
            InvalidRequestError: An argument is out of bounds.
            StoreError: The store failed; `retryable` says if trying again makes sense.
        """

    @abstractmethod
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
        """Return a section as one text.

        Args:
            section: Its id, or its whole title without regard to case.
            document_title: Only in documents whose title holds this text, without regard to case.
            document_id: Only in this document.
            max_chars: Longest text; at most the limit of the settings (`limits.max_answer_chars`), which is the
                default.
            scope: What the caller may see; the text is that of visible chunks.
            collections: Where to look; None looks everywhere.

        Returns:
            The visible chunks below the section in document order, each character once, with the headings of its
            subsections. A longer text is cut between two chunks, has `truncated` set, and a note says so. Where
            several sections bear the title, a choice of them, never one of them by chance. None where no visible
            section has this id or title.

        Raises:
            InvalidRequestError: An argument is out of bounds.
            StoreError: The store failed; `retryable` says if trying again makes sense.
        """
