"""Builds the tree of sections from headings and blocks as they come by."""

from dataclasses import dataclass, field

from graphrag.ingestion.readers.cleaning import fold_blanks
from graphrag.model.parsed import Block, ParsedSection

__all__ = ["MAX_HEADING_CHARS", "OutlineBuilder"]

MAX_HEADING_CHARS = 500
"""A longer one is text that was made to look like a heading; it becomes a paragraph, so that none is lost."""


@dataclass(slots=True)
class _Open:
    title: str
    level: int
    parent: int
    blocks: list[Block] = field(default_factory=list)
    children: list[ParsedSection] = field(default_factory=list)


class OutlineBuilder:
    """Collects headings and blocks in document order; `finish` gives them as a tree.

    A heading goes under the nearest one before it that is higher, whatever levels are left out
    between. Text before the first heading belongs to the document.
    """

    def __init__(self) -> None:
        self._nodes: list[_Open] = [_Open("", 0, -1)]
        self._current = 0

    def add_heading(self, title: str, *, level: int) -> bool:
        """Open a section; return False, and change nothing, for a heading without text."""
        folded = fold_blanks(title)
        if not folded:
            return False
        if len(folded) > MAX_HEADING_CHARS:
            self.add_block(Block(folded + "\n\n"))
            return True
        parent = self._current
        while self._nodes[parent].level >= level:
            parent = self._nodes[parent].parent
        self._nodes.append(_Open(folded, level, parent))
        self._current = len(self._nodes) - 1
        return True

    def add_block(self, block: Block) -> None:
        """Add text to the section that is open; text of blanks only is left out."""
        if block.text.strip():
            self._nodes[self._current].blocks.append(block)

    @property
    def headings(self) -> list[tuple[int, str]]:
        """Level and title of each heading so far, in document order."""
        return [(node.level, node.title) for node in self._nodes[1:]]

    @property
    def has_text(self) -> bool:
        """Whether any block was added."""
        return any(node.blocks for node in self._nodes)

    def finish(self) -> tuple[tuple[Block, ...], tuple[ParsedSection, ...]]:
        """Return the document's own blocks and its top sections."""
        # Backwards, every section is complete before its parent takes it; no recursion.
        for node in reversed(self._nodes[1:]):
            section = ParsedSection(node.title, node.level, tuple(node.blocks), tuple(reversed(node.children)))
            self._nodes[node.parent].children.append(section)
        root = self._nodes[0]
        return tuple(root.blocks), tuple(reversed(root.children))
