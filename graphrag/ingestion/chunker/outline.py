"""The tree of a parsed document laid out flat: sections with ids, and the passages to cut."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from graphrag.errors import IngestionError
from graphrag.model.cleaning import clean_text
from graphrag.model.content import ContainerSection, LeafSection, Section
from graphrag.model.identity import section_id
from graphrag.model.parsed import Block, ParsedDocument, ParsedSection

__all__ = ["MAX_TITLE_CHARS", "Outline", "Place", "TextCleaner", "shorten_title"]

MAX_TITLE_CHARS = 1_000
"""A longer heading is cut with `…` where it serves as a title, and stands whole at the head of its section's text."""

_MAX_DEPTH = 1_000
_UNTITLED = "untitled"


class TextCleaner:
    """Cleans text, and counts what it takes out."""

    def __init__(self) -> None:
        self.nul_removed: int = 0
        self.surrogates_replaced: int = 0

    def text(self, text: str) -> str:
        """Return the text without NUL and lone surrogates."""
        cleaned = clean_text(text)
        self.nul_removed += cleaned.nul_removed
        self.surrogates_replaced += cleaned.surrogates_replaced
        return cleaned.text

    def blocks(self, blocks: Sequence[Block]) -> list[Block]:
        """Return the blocks with clean texts; one that lost characters no longer matches its source."""
        return [self._block(block) for block in blocks]

    def _block(self, block: Block) -> Block:
        text, header = self.text(block.text), clean_text(block.table_header).text
        if text is block.text and header is block.table_header:
            return block
        source_start = block.source_start if len(text) == len(block.text) else None
        return replace(block, text=text, table_header=header, source_start=source_start)


@dataclass(slots=True)
class Place:
    """A section of the outline, or the document itself, with its own text.

    Attributes:
        section: None for the document.
        parent: Index of the place right above it; -1 for the document.
        blocks: Its own text, cleaned; empty where that is blank.
        section_ids: From the top section down to itself.
        is_leaf: Whether it has no subsections.
    """

    section: Section | None
    parent: int
    blocks: list[Block]
    section_ids: tuple[str, ...]
    is_leaf: bool

    @property
    def section_path(self) -> tuple[str, ...]:
        """Titles from the top section down to itself."""
        return self.section.section_path if self.section else ()


class Outline:
    """All places of a document in document order; the first is the document.

    Attributes:
        places: In document order, parents before children.
        headings: The headings in document order, whole and on one line each.
    """

    def __init__(self, parsed: ParsedDocument, *, document_id: str, uri: str, cleaner: TextCleaner) -> None:
        self._document_id = document_id
        self._cleaner = cleaner
        self._occurrences: Counter[tuple[str, ...]] = Counter()
        self.headings: list[str] = []
        self.places: list[Place] = [Place(None, -1, self._own_text(parsed.blocks), (), not parsed.sections)]
        for section, parent, depth in _walk(parsed.sections):
            if depth > _MAX_DEPTH:
                msg = f"sections are nested deeper than {_MAX_DEPTH} levels; flatten the document's headings"
                raise IngestionError(msg, uri=uri, stage="chunk")
            self._add(section, parent)

    def _add(self, parsed: ParsedSection, parent: int) -> None:
        heading = " ".join(self._cleaner.text(parsed.title).split()) or _UNTITLED
        title = shorten_title(heading)
        self.headings.append(heading)
        blocks = [Block(heading + "\n\n")] if title != heading else []
        blocks += self._own_text(parsed.blocks)
        above = self.places[parent]
        path = (*above.section_path, title)
        occurrence = self._occurrences[path]
        self._occurrences[path] += 1
        kind = ContainerSection if parsed.sections else LeafSection
        section = kind(
            id=section_id(self._document_id, path, occurrence),
            document_id=self._document_id,
            parent_id=above.section.id if above.section else self._document_id,
            title=title,
            level=parsed.level,
            section_path=path,
        )
        self.places.append(Place(section, parent, blocks, (*above.section_ids, section.id), not parsed.sections))

    def _own_text(self, blocks: Sequence[Block]) -> list[Block]:
        cleaned = self._cleaner.blocks(blocks)
        return cleaned if any(not block.text.isspace() for block in cleaned if block.text) else []


def shorten_title(title: str) -> str:
    """Return the title, cut with `…` where it has more than 1,000 characters."""
    return title if len(title) <= MAX_TITLE_CHARS else title[: MAX_TITLE_CHARS - 1] + "…"


def _walk(sections: Sequence[ParsedSection]) -> Iterator[tuple[ParsedSection, int, int]]:
    """Yield each section with its parent's index in document order (0 is the document) and its depth, from 1."""
    stack = [(section, 0, 1) for section in reversed(sections)]
    index = 0
    while stack:
        section, parent, depth = stack.pop()
        index += 1
        yield section, parent, depth
        own = index
        stack.extend((child, own, depth + 1) for child in reversed(section.sections))
