"""Lines of a text with their places, and blocks that are exact slices of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from graphrag.model.parsed import Block, BlockKind

__all__ = ["SourceText"]

_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class SourceText:
    """A decoded file, of which blocks are cut.

    Attributes:
        text: The file's text, cleaned.
        exact: Whether `text` is the decoded file code point for code point, so that offsets hold.
    """

    text: str
    exact: bool = True

    @cached_property
    def line_starts(self) -> Sequence[int]:
        """Code point at which each line begins, then the length of the text.

        Lines end at LF, CR or both together, as in CommonMark; form feeds and Unicode's separators end none.
        """
        starts = [0, *(found.end() for found in _LINE_END.finditer(self.text))]
        if starts[-1] != len(self.text):
            starts.append(len(self.text))
        return starts

    def line_span(self, first: int, end: int) -> tuple[int, int]:
        """Return start and end, in code points, of the lines `first` up to, without, `end` (0-based)."""
        last = len(self.line_starts) - 1
        return self.line_starts[min(first, last)], self.line_starts[min(end, last)]

    def block(self, start: int, end: int, *, kind: BlockKind = "paragraph", header_end: int | None = None) -> Block:
        """Return the slice [start, end) as a block; blank lines at its ends make way for its one separator.

        Args:
            start: First code point.
            end: Code point behind the last.
            kind: What the text is.
            header_end: For a table, where the lines end that are to be repeated.
        """
        raw = self.text[start:end]
        kept = raw[: len(raw) - len(_trailing_blank(raw))]
        # Blank lines before the first line of text; its indentation stays.
        lead = len(kept) - len(kept.lstrip())
        lead = max(kept.rfind("\n", 0, lead), kept.rfind("\r", 0, lead)) + 1
        return Block(
            kept[lead:] + "\n\n",
            kind,
            source_start=start + lead if self.exact else None,
            table_header=self.text[start:header_end] if header_end is not None else "",
        )


def _trailing_blank(raw: str) -> str:
    return raw[len(raw.rstrip()) :]
