"""A passage: the own text of one section or document, with all that deciding on cuts needs."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from graphrag.embedding.protocol import Tokenizer
from graphrag.ingestion.chunker.boundaries import is_grapheme_border, paragraph_starts, sentence_starts
from graphrag.model.parsed import Block

__all__ = ["Passage", "PlacedBlock"]

_SLICE_CHARS = 50_000
"""Tokenizers are given slices of at most this size: their memory is a large multiple of the text."""


@dataclass(frozen=True, slots=True)
class PlacedBlock:
    """A block and where its text stands in its passage."""

    block: Block
    start: int
    end: int

    @property
    def content_end(self) -> int:
        """Where its text ends without the line ends that only part it from the next block."""
        return self.start + len(self.block.text.rstrip("\r\n"))


class Passage:
    """Consecutive text that chunks may overlap in, but never reach out of.

    Attributes:
        text: The blocks' texts, joined.
        blocks: The blocks in order, placed.
    """

    def __init__(self, blocks: Sequence[Block], *, tokenizer: Tokenizer | None) -> None:
        self.blocks: list[PlacedBlock] = []
        place = 0
        for block in blocks:
            if block.text:
                self.blocks.append(PlacedBlock(block, place, place + len(block.text)))
                place += len(block.text)
        self.text: str = "".join(placed.block.text for placed in self.blocks)
        self._starts = [placed.start for placed in self.blocks]
        self._tokenizer = tokenizer

    def block_at(self, place: int) -> PlacedBlock:
        """Return the block that the character at `place` belongs to."""
        return self.blocks[max(0, bisect_right(self._starts, place) - 1)]

    @cached_property
    def paragraphs(self) -> Sequence[int]:
        """Places where a block or a paragraph in a block begins, but the first."""
        found = array("L")
        for placed in self.blocks:
            if placed.start and is_grapheme_border(self.text, placed.start):
                found.append(placed.start)
            if placed.block.kind != "table":
                found.extend(placed.start + place for place in paragraph_starts(placed.block.text))
        return found

    @cached_property
    def sentences(self) -> Sequence[int]:
        """Places where a sentence, a line of code or of a list, or a table's row begins; and all paragraphs."""
        found: set[int] = set(self.paragraphs)
        for placed in self.blocks:
            found.update(placed.start + place for place in sentence_starts(placed.block.text))
            if placed.block.kind in {"table", "code", "list"}:
                found.update(start for start in _line_starts(placed) if start)
        return array("L", sorted(found))

    @cached_property
    def _rows(self) -> tuple[Sequence[int], Sequence[int]]:
        """Starts and ends of table rows. A header belongs to its first row: alone it says nothing."""
        starts, ends = array("L"), array("L")
        for placed in self.blocks:
            if placed.block.kind != "table":
                continue
            header = placed.block.table_header
            header_end = placed.start + len(header) if header and placed.block.text.startswith(header) else placed.start
            own = [start for start in _line_starts(placed) if start == placed.start or start > header_end]
            starts.extend(own)
            ends.extend([*own[1:], placed.end])
        return starts, ends

    def row_around(self, place: int) -> tuple[int, int] | None:
        """Return [start, end) of the table row that a cut at `place` would part, or None."""
        starts, ends = self._rows
        index = bisect_left(starts, place) - 1
        if index >= 0 and starts[index] < place < ends[index]:
            return starts[index], ends[index]
        return None

    @cached_property
    def _tokens(self) -> tuple[Sequence[int], Sequence[int]]:
        """Starts and ends of all tokens; each block is tokenized once."""
        starts, ends = array("L"), array("L")
        if self._tokenizer is None:
            return starts, ends
        for placed in self.blocks:
            for low, high in _slices(placed.block.text):
                for start, end in self._tokenizer.token_offsets(placed.block.text[low:high]):
                    starts.append(placed.start + low + start)
                    ends.append(placed.start + low + end)
        return starts, ends

    def token_count(self, start: int, end: int) -> int:
        """Return about how many tokens [start, end) has; exact where both ends are token borders."""
        starts, ends = self._tokens
        return max(0, bisect_left(starts, end) - bisect_right(ends, start))

    def token_limit(self, start: int, tokens: int) -> int:
        """Return the furthest end so that [start, end) has at most about `tokens` tokens."""
        starts, ends = self._tokens
        index = bisect_right(ends, start) + max(0, tokens)
        return starts[index] if index < len(starts) else len(self.text)


def _line_starts(placed: PlacedBlock) -> list[int]:
    starts, place = [placed.start], placed.start
    for line in placed.block.text.split("\n"):
        place += len(line) + 1
        if place < placed.end and not placed.block.text.startswith("\n", place - placed.start):
            starts.append(place)
    return starts


def _slices(text: str) -> list[tuple[int, int]]:
    """Return [low, high) of pieces that are cut at blanks where there are any, so that no word is parted."""
    pieces, low = [], 0
    while len(text) - low > _SLICE_CHARS:
        high = low + _SLICE_CHARS
        blank = max(text.rfind(" ", low + 1, high), text.rfind("\n", low + 1, high))
        high = blank if blank > low else high
        pieces.append((low, high))
        low = high
    pieces.append((low, len(text)))
    return pieces
