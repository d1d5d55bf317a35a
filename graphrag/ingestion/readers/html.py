"""HTML pages: their main part as sections, read as browsers read it."""

import re

from graphrag.errors import UnreadableDocumentError
from graphrag.ingestion.readers.blocks import BlockCollector, layout_tables
from graphrag.ingestion.readers.charset import decode
from graphrag.ingestion.readers.cleaning import cleaning_notes, fold_blanks
from graphrag.ingestion.readers.dom import MAX_DEPTH, Node, attribute, estimated_depth, parse_html, walk
from graphrag.ingestion.readers.outline import OutlineBuilder
from graphrag.ingestion.readers.page import PageFilter, is_unseen
from graphrag.ingestion.readers.properties import choose_title, map_properties
from graphrag.ingestion.readers.protocol import SourceBytes
from graphrag.model.cleaning import clean_text
from graphrag.model.parsed import ParsedDocument

__all__ = ["HtmlReader"]

_META_CHARSET = re.compile(
    rb"""<meta[^>]{0,500}?charset\s*=\s*["']?\s*([\w.:-]+)|<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)""",
    re.IGNORECASE,
)
_TITLE_TAG = re.compile(r"<title\b[^<>]{0,500}>", re.IGNORECASE)
_TITLE_END = re.compile(r"</title[\s/>]", re.IGNORECASE)
_OPEN_TITLE_NOTE = "the page's title has no end, so what stands behind it was taken for text"
_META_BYTES = 4_096
"""Browsers look at 1,024 bytes; pages with long comments before the declaration are common enough."""


class HtmlReader:
    """Reads HTML and XHTML pages."""

    version = "html-2"

    def read(self, source: SourceBytes, *, password: str | None = None) -> ParsedDocument:  # noqa: ARG002 - never encrypted
        """Return the page's main part.

        Raises:
            UnreadableDocumentError: Elements nest deeper than 20,000 levels.
        """
        decoded = decode(source.data, declared=(source.charset, _declared_charset(source.data)))
        cleaned = clean_text(decoded.text)
        if (depth := estimated_depth(cleaned.text)) > MAX_DEPTH:
            msg = f"`{source.uri}` nests elements {depth} levels deep; at most {MAX_DEPTH} are read"
            raise UnreadableDocumentError(msg, uri=source.uri)
        metadata, outline = _page(cleaned.text)
        notes: tuple[str, ...] = ()
        if not outline.has_text and not outline.headings and (text := _without_open_title(cleaned.text)):
            metadata, outline = _page(text)
            notes = (_OPEN_TITLE_NOTE,)
        properties = map_properties(metadata, content_type="text/html")
        first = outline.headings[0][1] if outline.headings else None
        blocks, sections = outline.finish()
        return ParsedDocument(
            title=choose_title((properties.title, first, source.name)),
            content_type="text/html",
            blocks=blocks,
            sections=sections,
            language=properties.language,
            document_properties=properties.properties,
            source_metadata={**properties.rest, "charset": decoded.encoding},
            notes=(*decoded.notes, *cleaning_notes(cleaned), *notes, *properties.notes),
        )


def _page(text: str) -> tuple[dict[str, object], OutlineBuilder]:
    """Return the metadata of a page, and its main part."""
    parser = parse_html(text)
    title, metadata = _head(parser.root)
    outline = OutlineBuilder()
    if parser.body is not None:
        _fill(outline, parser.body, title)
    return metadata, outline


def _without_open_title(text: str) -> str:
    """Return the page without the tag of a title that never ends, and takes in all that follows; else empty."""
    found = _TITLE_TAG.search(text)
    if found is None or _TITLE_END.search(text, found.end()):
        return ""
    return text[: found.start()] + text[found.end() :]


def _declared_charset(data: bytes) -> str | None:
    found = _META_CHARSET.search(data, 0, _META_BYTES)
    if found is None:
        return None
    label = (found[1] or found[2]).decode("ascii", "replace").lower()
    # The declaration was read byte by byte, so the file is not in UTF-16 whatever it says (HTML Standard).
    return "utf-8" if label.startswith("utf-16") else label


def _head(root: Node | None) -> tuple[str, dict[str, object]]:
    """Return the page's title, empty where it has none, and its metadata with title and language."""
    metadata: dict[str, object] = {}
    if root is None:
        return "", metadata
    title_node = root.css_first("head title") or root.css_first("body > title")
    title = fold_blanks(title_node.text() if title_node is not None else "")
    if title:
        metadata["title"] = title
    if language := (attribute(root, "lang") or attribute(root, "xml:lang")).strip():
        metadata["language"] = language
    for node in root.css("meta"):
        name = (attribute(node, "name") or attribute(node, "property")).strip()
        content = attribute(node, "content").strip()
        if name and content and name.lower() not in {"viewport", "title", "language"}:
            metadata.setdefault(name, content)
    return title, metadata


def _fill(outline: OutlineBuilder, body: Node, title: str) -> None:
    root, skip = PageFilter().main_part(body)
    tops = root.css("h1")
    # The text of one is looked at only: that of many, nested in each other, would take for ever.
    repeats = bool(title) and len(tops) == 1 and fold_blanks(tops[0].text()) == title
    layout = layout_tables(walk(root, skip), single_cells=True)
    collector = _PageCollector(outline, layout=layout, title=title if repeats else "")
    if root is not body and not tops and (before := _single_heading(body)) and before != title:
        outline.add_heading(before, level=1)
    collector.collect(walk(root, skip))
    if repeats and not outline.headings and not outline.has_text:
        outline.add_heading(title, level=1)


def _single_heading(body: Node) -> str:
    found = [node for node in body.css("h1") if not is_unseen(node)]
    return fold_blanks(found[0].text()) if len(found) == 1 else ""


class _PageCollector(BlockCollector):
    """Leaves out the top heading that repeats the page's title: the title stands with the document."""

    def __init__(self, outline: OutlineBuilder, *, layout: frozenset[int], title: str) -> None:
        super().__init__(outline, layout=layout)
        self._title = title

    def add_heading(self, title: str, level: int) -> None:
        if not (level == 1 and self._title and fold_blanks(title) == self._title):
            super().add_heading(title, level)
