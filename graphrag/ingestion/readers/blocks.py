"""From elements of a page to blocks of text and headings: one pass, no recursion.

Lists become one block with an item a line, tables one block with a row a line and ` | ` between cells,
preformatted text stays as it is. Elements that structure nothing are read through.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from graphrag.ingestion.readers.cleaning import word_set
from graphrag.ingestion.readers.dom import DomEvent, Node, attribute
from graphrag.ingestion.readers.outline import OutlineBuilder
from graphrag.model.parsed import Block, BlockKind

__all__ = ["BLOCK_TAGS", "HEADINGS", "BlockCollector", "layout_tables"]

HEADINGS = {f"h{level}": level for level in range(1, 7)}
BLOCK_TAGS = word_set(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form header hgroup hr html legend li main menu nav ol p pre section summary table tbody td tfoot th thead "
    "tr ul"
) | set(HEADINGS)
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_CELLS = frozenset({"td", "th"})
_BLANKS = re.compile(r"[ \t\n\r\f\xa0]+")
_AROUND_BREAK = re.compile(r" *\n[ \n]*")
_MAX_INDENTS = 20
_MAX_GUESSED_HEADER_ROWS = 3


@dataclass(slots=True)
class _List:
    ordered: bool
    number: int = 0


@dataclass(slots=True)
class _Table:
    rows: list[list[str]] = field(default_factory=list)
    header_rows: int = 0
    in_head: bool = False
    all_th: bool = True


class BlockCollector:
    """Takes the events of a walk and fills an outline.

    Args:
        outline: Where headings and blocks go.
        layout: `mem_id` of tables that only place things (see `layout_tables`); their cells are read through.
        first_row_is_header: Whether a table without header cells repeats its first row.
    """

    def __init__(
        self, outline: OutlineBuilder, *, layout: frozenset[int] = frozenset(), first_row_is_header: bool = False
    ) -> None:
        self.outline = outline
        self.page: int | None = None
        self._layout = layout
        self._first_row_is_header = first_row_is_header
        self._inline: list[str] = []
        self._verbatim = 0
        self._quotes = 0
        self._heading: int | None = None
        self._lists: list[_List] = []
        self._marker = ""
        self._list_lines: list[str] = []
        self._table: _Table | None = None

    def collect(self, events: Iterable[DomEvent]) -> None:
        """Take all events of a walk."""
        for kind, what in events:
            if isinstance(what, str):
                self.text(what)
            elif kind == "open":
                self.open(what)
            else:
                self.close(what)
        self.flush()
        self._flush_list()

    def text(self, text: str) -> None:
        """Take text as it stands in the page."""
        self._inline.append(text if self._verbatim else _BLANKS.sub(" ", text))

    @property
    def in_flow(self) -> bool:
        """Whether text here becomes paragraphs: not in a heading, a table or preformatted text."""
        return self._heading is None and self._table is None and not self._verbatim

    def open(self, node: Node) -> None:
        """Begin an element."""
        tag = node.tag or ""
        if tag == "br":
            self._inline.append("\n")
        elif tag not in BLOCK_TAGS:
            pass
        elif self._heading is not None:
            self._inline.append(" ")
        elif self._table is not None:
            self._open_in_table(self._table, tag)
        else:
            self._open_block(node, tag)

    def close(self, node: Node) -> None:
        """End an element."""
        tag = node.tag or ""
        if tag not in BLOCK_TAGS:
            return
        if self._heading is not None:
            self._close_in_heading(tag)
        elif self._table is not None:
            self._close_in_table(self._table, tag)
        else:
            self._close_block(tag)

    def flush(self) -> None:
        """End the paragraph that is open, if it has text."""
        raw = "".join(self._inline)
        self._inline.clear()
        text = _AROUND_BREAK.sub("\n", re.sub(" +", " ", raw)).strip()
        if not text:
            return
        self.before_content()
        if self._lists:
            self._add_list_text(text)
        else:
            self.paragraph(text)

    def before_content(self) -> None:
        """Called before text, a table or code is added; does nothing here."""

    def paragraph(self, text: str) -> None:
        """Add a paragraph."""
        self.add(text, "quote" if self._quotes else "paragraph")

    def add_list_line(self, line: str) -> None:
        """Add a line to the list that is open, or open one."""
        self._list_lines.append(line)

    def add(self, text: str, kind: BlockKind, *, table_header: str = "") -> None:
        """Add a block of its own."""
        self._flush_list()
        self.outline.add_block(Block(text + "\n\n", kind, self.page, table_header=table_header))

    def add_heading(self, title: str, level: int) -> None:
        """Add a heading; what is open before it ends."""
        self._flush_list()
        self.outline.add_heading(title, level=level)

    def _open_block(self, node: Node, tag: str) -> None:
        self.flush()
        if tag in HEADINGS:
            self._heading = HEADINGS[tag]
        elif tag == "pre":
            self._verbatim += 1
        elif tag == "blockquote":
            self._quotes += 1
        elif tag in _LISTS:
            start = attribute(node, "start")
            self._lists.append(_List(tag == "ol", int(start) - 1 if start.isascii() and start.isdigit() else 0))
        elif tag == "li" and self._lists:
            top = self._lists[-1]
            top.number += 1
            self._marker = f"{top.number}. " if top.ordered else "- "
        elif tag == "table" and node.mem_id not in self._layout:
            self._table = _Table()

    def _close_block(self, tag: str) -> None:
        if tag == "pre" and self._verbatim:
            self._verbatim -= 1
            self._flush_verbatim()
            return
        self.flush()
        if tag == "blockquote" and self._quotes:
            self._quotes -= 1
        elif tag in _LISTS and self._lists:
            self._lists.pop()
            self._marker = ""
            if not self._lists:
                self._flush_list()

    def _close_in_heading(self, tag: str) -> None:
        if HEADINGS.get(tag) == self._heading:
            title, level = "".join(self._inline), self._heading
            self._inline.clear()
            self._heading = None
            if level is not None:
                self.add_heading(title, level)
        else:
            self._inline.append(" ")

    def _flush_verbatim(self) -> None:
        text = "".join(self._inline).strip("\r\n").rstrip()
        self._inline.clear()
        if text.strip():
            self.before_content()
            self.add(text, "code")

    def _add_list_text(self, text: str) -> None:
        indent = "  " * min(len(self._lists) - 1, _MAX_INDENTS)
        lines = text.split("\n")
        first = self._marker or "  "
        self._marker = ""
        self._list_lines.append(indent + first + lines[0])
        self._list_lines.extend(f"{indent}  {line}" for line in lines[1:])

    def _flush_list(self) -> None:
        if self._list_lines:
            text = "\n".join(self._list_lines)
            self._list_lines.clear()
            self.outline.add_block(Block(text + "\n\n", "list", self.page))

    def _open_in_table(self, table: _Table, tag: str) -> None:
        if tag == "caption":
            self._inline.clear()
        elif tag == "thead":
            table.in_head = True
        elif tag == "tr":
            table.rows.append([])
            table.all_th = True
        elif tag in _CELLS:
            self._inline.clear()
            table.all_th = table.all_th and tag == "th"
        else:
            self._inline.append(" ")

    def _close_in_table(self, table: _Table, tag: str) -> None:
        text = _BLANKS.sub(" ", "".join(self._inline)).strip()
        if tag in _CELLS and table.rows:
            table.rows[-1].append(text)
            self._inline.clear()
        elif tag == "caption":
            self._inline.clear()
            if text:
                self.add(text, "paragraph")
        elif tag == "tr" and table.rows:
            if not any(table.rows[-1]):
                table.rows.pop()
            elif table.header_rows == len(table.rows) - 1 and (table.in_head or table.all_th):
                table.header_rows += 1
        elif tag == "thead":
            table.in_head = False
        elif tag == "table":
            self._inline.clear()
            self._table = None
            self._add_table(table)
        else:
            self._inline.append(" ")

    def _add_table(self, table: _Table) -> None:
        rows = [_row(cells) for cells in table.rows]
        if not rows:
            return
        header_rows = table.header_rows
        if not header_rows and self._first_row_is_header:
            header_rows = _guessed_header(table.rows)
        header = "".join(row + "\n" for row in rows[:header_rows]) if header_rows < len(rows) else ""
        self.before_content()
        self.add("\n".join(rows), "table", table_header=header)


def layout_tables(events: Iterable[DomEvent], *, single_cells: bool) -> frozenset[int]:
    """Return the `mem_id` of the tables that place things on the page rather than hold data.

    These are tables that say so by their role, or that hold another table, a heading or preformatted text.

    Args:
        events: A walk over the page.
        single_cells: Whether a table of one cell counts as well.
    """
    layout: set[int] = set()
    open_tables: list[tuple[int, list[int]]] = []
    for kind, what in events:
        if isinstance(what, str):
            continue
        tag = what.tag or ""
        if kind == "close":
            if tag == "table" and open_tables:
                key, cells = open_tables.pop()
                if single_cells and len(cells) < 2:  # noqa: PLR2004 - one cell
                    layout.add(key)
            continue
        if open_tables and (tag in {"table", "pre"} or tag in HEADINGS):
            layout.add(open_tables[-1][0])
        if tag == "table":
            open_tables.append((what.mem_id, []))
            if attribute(what, "role").lower() in {"presentation", "none"}:
                layout.add(what.mem_id)
        elif tag in _CELLS and open_tables:
            open_tables[-1][1].append(1)
    return frozenset(layout)


def _row(cells: Sequence[str]) -> str:
    """Return a table's row as a line; cells at its end that are empty are left out."""
    last = max((index for index, cell in enumerate(cells) if cell), default=-1)
    return " | ".join(cells[: last + 1])


def _guessed_header(rows: Sequence[Sequence[str]]) -> int:
    """Return how many rows are a table's head where nothing says so: a title line may stand above the names."""
    for index, cells in enumerate(rows[:_MAX_GUESSED_HEADER_ROWS]):
        if sum(1 for cell in cells if cell) > 1:
            return index + 1
    return 1
