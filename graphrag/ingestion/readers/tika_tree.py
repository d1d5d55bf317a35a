"""From Tika's XHTML to sections: what its markup means differs by format, and is told here."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphrag.ingestion.readers.blocks import BlockCollector, layout_tables
from graphrag.ingestion.readers.cleaning import fold_blanks
from graphrag.ingestion.readers.dom import Node, attribute, parse_html, walk
from graphrag.ingestion.readers.outline import OutlineBuilder
from graphrag.jvm.tika_bridge import EMBEDDED_CLASS

__all__ = ["TikaTree", "build_tree"]

_MARKS = "".join(map(chr, (0x2022, 0x00B7, 0x25AA, 0x25E6, 0x2023, 0x2043, 0x25CF, 0x25CB, 0x25A0, 0x25A1)))
"""The signs that word processors put before the items of a list."""
_BULLET = re.compile(rf"[{_MARKS}\u2013*][ \t]+(?=\S)|[{_MARKS}][ \t]*\Z")
_LIST_STYLE = re.compile(r"list(?:_(?:bullet|number|paragraph))?(?:_(?P<depth>[1-9]))?", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n[ \t\r\xa0]*\n\s*")
_UNSEEN = frozenset({"head", "script", "style", "noscript", "template", "iframe", "object", "svg"})
_UNSEEN_CLASSES = frozenset({"slide-master-content", "slide-layout-content"})


@dataclass(frozen=True, slots=True)
class TikaTree:
    """What a file holds.

    Attributes:
        outline: Its sections and blocks.
        visible_title: The title that stands in the text: of a title style, else the first heading. Names of
            sheets and files and numbers of slides are none.
        has_title: Whether a title was taken out of the text, for the document to bear.
        pages: How many pages or slides there are; 0 where the format has none.
    """

    outline: OutlineBuilder
    visible_title: str = ""
    has_title: bool = False
    pages: int = 0


def build_tree(xhtml: str, *, content_type: str, told_title: str = "", slide_titles: Sequence[str] = ()) -> TikaTree:
    """Return the sections of a file that Tika has read.

    Args:
        xhtml: Tika's XHTML, cleaned.
        content_type: Decides how classes and headings are to be read.
        told_title: The title in the file's metadata; a visible title that says something else stays text.
        slide_titles: Of a presentation, each slide's title.
    """
    outline = OutlineBuilder()
    body = parse_html(xhtml).body
    if body is None:
        return TikaTree(outline)
    layout = layout_tables(walk(body, _skip), single_cells=content_type == "application/epub+zip")
    collector = _TikaCollector(
        outline,
        layout=layout,
        told_title=told_title,
        slide_titles=slide_titles,
        blank_lines_part=content_type.startswith("message/"),
    )
    collector.collect(walk(body, _skip))
    title = collector.title or collector.first_heading
    return TikaTree(outline, title, has_title=bool(collector.title), pages=collector.page or 0)


def _skip(node: Node) -> bool:
    if node.tag in _UNSEEN:
        return True
    classes = attribute(node, "class").split()
    return bool(classes) and not _UNSEEN_CLASSES.isdisjoint(classes)


class _TikaCollector(BlockCollector):
    """Knows pages, slides, title paragraphs, bullets and embedded files."""

    def __init__(
        self,
        outline: OutlineBuilder,
        *,
        layout: frozenset[int],
        told_title: str,
        slide_titles: Sequence[str],
        blank_lines_part: bool,
    ) -> None:
        super().__init__(outline, layout=layout, first_row_is_header=True)
        self.title = ""
        self.first_heading = ""
        self._blank_lines_part = blank_lines_part
        self._in_sheet = False
        self._told_title = told_title
        self._slide_titles = slide_titles
        self._slide_title = ""
        self._in_title = False
        self._style = ""
        self._embedded: list[str] = []
        """Names of the embedded files that are open; empty once a section bears the name."""

    def text(self, text: str) -> None:
        if not (self._blank_lines_part and self.in_flow):
            super().text(text)
            return
        first, *others = _BLANK_LINES.split(text)
        super().text(first)
        for other in others:
            self.flush()
            super().text(other)

    def open(self, node: Node) -> None:
        classes = attribute(node, "class").split()
        if classes and node.tag == "div":
            self._open_division(node, classes)
        elif node.tag == "h1" and "title" in classes:
            self.flush()
            self._in_title = True
        super().open(node)
        if node.tag == "p":
            self._style = classes[0] if classes else ""

    def close(self, node: Node) -> None:
        super().close(node)
        if node.tag == "p":
            self._style = ""
        if node.tag == "div" and EMBEDDED_CLASS in attribute(node, "class").split() and self._embedded:
            self._embedded.pop()

    def paragraph(self, text: str) -> None:
        bullet = _BULLET.match(text)
        style = _LIST_STYLE.fullmatch(self._style)
        if self._slide_title and fold_blanks(text) == self._slide_title:
            self._slide_title = ""  # the slide's section says it
        elif bullet or style:
            self._add_list_item(
                text[bullet.end() :] if bullet else text, depth=int(style["depth"] or 1) if style else 1
            )
        elif self._style.lower().endswith("quote"):
            self.add(text, "quote")
        else:
            super().paragraph(text)

    def _add_list_item(self, text: str, *, depth: int) -> None:
        if item := text.strip():
            indent = "  " * (depth - 1)
            self.add_list_line(f"{indent}- " + item.replace("\n", f"\n{indent}  "))

    def before_content(self) -> None:
        self._name_embedded()

    def add_heading(self, title: str, level: int) -> None:
        if self._in_title:
            self._in_title = False
            self._add_title(fold_blanks(title))
        else:
            if not self._in_sheet and not self.first_heading:
                self.first_heading = fold_blanks(title)
            super().add_heading(title, level)

    def _open_division(self, node: Node, classes: Sequence[str]) -> None:
        if "page" in classes:
            self.flush()
            self.page = (self.page or 0) + 1
        elif "slide-content" in classes:
            self.flush()
            self.page = (self.page or 0) + 1
            self._slide_title = (
                fold_blanks(self._slide_titles[self.page - 1]) if self.page <= len(self._slide_titles) else ""
            )
            self.first_heading = self.first_heading or self._slide_title
            super().add_heading(self._slide_title or f"Slide {self.page}", 1)
        elif "sheet" in classes:
            self._in_sheet = True
        elif EMBEDDED_CLASS in classes:
            self.flush()
            self._embedded.append(fold_blanks(attribute(node, "title")))

    def _name_embedded(self) -> None:
        """Open the section of an embedded file: only now is it known that there is text in it."""
        for depth, name in enumerate(self._embedded, start=1):
            if name:
                self._embedded[depth - 1] = ""
                super().add_heading(name, depth)

    def _add_title(self, title: str) -> None:
        first = not self.title and not self.outline.headings
        if first and (not self._told_title or self._told_title == title):
            self.title = title
        elif title:
            super().paragraph(title)
