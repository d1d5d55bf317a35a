"""What a reader makes of a file, before there are chunks: a tree of sections with blocks of text.

A document's canonical text is the concatenation of all blocks' texts in document order: its own
blocks first, then those of its sections, each section's own blocks before those of its subsections.
Headings are not part of it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Block", "BlockKind", "ParsedDocument", "ParsedSection"]

BlockKind = Literal["paragraph", "list", "table", "code", "quote"]


@dataclass(frozen=True, slots=True)
class Block:
    """A run of text that reads as one: a paragraph, a list, a table, a code block.

    Attributes:
        text: The text with its trailing separator, so that blocks can simply be joined. Ends in a
            blank line (two line ends), unless the reader cannot know better.
        kind: What it is; tables are cut between rows (one a line), code between lines.
        page: 1-based page or slide, where known.
        source_start: Code point of `text[0]` in the decoded source file, where the whole of `text` is an
            exact slice of it (up to trailing line ends); else None.
        table_header: For a table, the line or lines to repeat in `Chunk.text` of each further piece.
    """

    text: str
    kind: BlockKind = "paragraph"
    page: int | None = None
    source_start: int | None = None
    table_header: str = ""


@dataclass(frozen=True, slots=True)
class ParsedSection:
    """A heading with what stands under it.

    Attributes:
        title: The heading's text, never empty, without line ends.
        level: 1 for the highest; a child's is higher than its parent's, not always by one.
        blocks: Own text, before the first subsection.
        sections: Subsections in document order.
    """

    title: str
    level: int
    blocks: tuple[Block, ...] = ()
    sections: tuple["ParsedSection", ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A file as its reader understood it.

    Attributes:
        title: From the file's metadata, else its first heading, else its name. Never empty.
        content_type: Media type without parameters.
        blocks: Text before the first heading.
        sections: Top sections in document order.
        language: BCP 47 tag, where known.
        document_properties: `doc_title`, `doc_author`, `doc_created`, ... by the fixed mapping.
        source_metadata: All else that the file says of itself; JSON values only.
        partial: Whether reading stopped before the end (a damaged or over-long file).
        no_text_layer: Whether the file has content (pages, images) but no text in it.
        notes: Sentences on what was cut, skipped or replaced.
    """

    title: str
    content_type: str
    blocks: tuple[Block, ...] = ()
    sections: tuple[ParsedSection, ...] = ()
    language: str | None = None
    document_properties: Mapping[str, object] = field(default_factory=dict)
    source_metadata: Mapping[str, object] = field(default_factory=dict)
    partial: bool = False
    no_text_layer: bool = False
    notes: tuple[str, ...] = ()

    def walk(self) -> Iterator[ParsedSection]:
        """Yield all sections in document order, parents before children, without recursion."""
        stack = list(reversed(self.sections))
        while stack:
            section = stack.pop()
            yield section
            stack.extend(reversed(section.sections))

    def canonical_text(self) -> str:
        """Return the text that all chunk offsets refer to."""
        parts = [block.text for block in self.blocks]
        for section in self.walk():
            parts.extend(block.text for block in section.blocks)
        return "".join(parts)
