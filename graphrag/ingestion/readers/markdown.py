"""Markdown (CommonMark with tables and front matter): headings become sections, all else exact slices of the file.

Markup stays in the text, so that offsets hold and code, links and tables read as their author wrote them.
Comments, scripts and styles are cut out. Headings inside lists and quotes are part of these: they
structure the list item, not the document.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from graphrag.ingestion.readers.charset import decode
from graphrag.ingestion.readers.cleaning import cleaning_notes, fold_blanks
from graphrag.ingestion.readers.front_matter import split_front_matter
from graphrag.ingestion.readers.lines import SourceText
from graphrag.ingestion.readers.outline import OutlineBuilder
from graphrag.ingestion.readers.properties import choose_title, map_properties
from graphrag.ingestion.readers.protocol import SourceBytes
from graphrag.model.cleaning import clean_text
from graphrag.model.parsed import BlockKind, ParsedDocument

__all__ = ["MarkdownReader"]

_KINDS: dict[str, BlockKind] = {
    "paragraph_open": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "blockquote_open": "quote",
    "table_open": "table",
    "fence": "code",
    "code_block": "code",
    "html_block": "paragraph",
}
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_UNSEEN_HTML = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?P<tag>script|style|template|noscript)\b.*?(?:</(?P=tag)\s*>|\Z)", re.DOTALL | re.IGNORECASE
)
_HEADING_HTML = re.compile(r"\s*<h(?P<level>[1-6])\b[^>]*>(?P<title>.*)</h(?P=level)\s*>\s*", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


class MarkdownReader:
    """Reads Markdown files."""

    version = "markdown-1"

    def read(self, source: SourceBytes, *, password: str | None = None) -> ParsedDocument:  # noqa: ARG002 - never encrypted
        """Return the file's sections; its text is as in the file, so `source_start` holds."""
        decoded = decode(source.data, declared=(source.charset,))
        cleaned = clean_text(decoded.text)
        front = split_front_matter(cleaned.text)
        lines = SourceText(cleaned.text, exact=cleaned.text == decoded.text)
        outline = OutlineBuilder()
        _fill(outline, lines, front.end)
        properties = map_properties(front.values, content_type="text/markdown")
        first = outline.headings[0][1] if outline.headings else None
        blocks, sections = outline.finish()
        return ParsedDocument(
            title=choose_title((properties.title, first, source.name)),
            content_type="text/markdown",
            blocks=blocks,
            sections=sections,
            language=properties.language,
            document_properties=properties.properties,
            source_metadata={**properties.rest, "charset": decoded.encoding},
            notes=(*decoded.notes, *cleaning_notes(cleaned), *properties.notes),
        )


@cache
def _block_parser() -> MarkdownIt:
    """A parser of blocks only: what stands inside a line is parsed where a heading or a comment needs it."""
    return MarkdownIt("commonmark").enable("table").disable(["inline", "text_join"])


@cache
def _inline_parser() -> MarkdownIt:
    return MarkdownIt("commonmark")


def _fill(outline: OutlineBuilder, source: SourceText, start: int) -> None:
    environment: dict[str, object] = {}
    tokens = _block_parser().parse(source.text[start:], environment)
    first_line = source.text.count("\n", 0, start) if "\r" not in source.text else _line_of(source, start)
    done = first_line
    for group in _top_level(tokens):
        head = group[0]
        if head.map is None:
            continue
        begin, end = head.map[0] + first_line, head.map[1] + first_line
        # Lines between two blocks are blank, or definitions of link targets: these are kept as text.
        _add(outline, source, "paragraph", (done, begin))
        done = end
        if head.type == "heading_open":
            outline.add_heading(_title(group[1].content, environment), level=int(head.tag[1]))
        elif head.type != "hr":
            _add_block(outline, source, group, (begin, end))
    _add(outline, source, "paragraph", (done, len(source.line_starts)))


def _line_of(source: SourceText, start: int) -> int:
    return source.line_starts.index(start)


def _top_level(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Yield the tokens of each block that is in no other block."""
    begin = 0
    for index, token in enumerate(tokens):
        if token.level == 0 and token.nesting <= 0:
            yield tokens[begin : index + 1]
            begin = index + 1


def _add(outline: OutlineBuilder, source: SourceText, kind: BlockKind, span: tuple[int, int]) -> None:
    start, end = source.line_span(*span)
    if not source.text[start:end].isspace() and start < end:
        outline.add_block(source.block(start, end, kind=kind))


def _add_block(outline: OutlineBuilder, source: SourceText, group: Sequence[Token], span: tuple[int, int]) -> None:
    head = group[0]
    kind = _KINDS.get(head.type, "paragraph")
    start, end = source.line_span(*span)
    if head.type == "html_block" and _add_html_heading(outline, source.text[start:end]):
        return
    if kind == "table":
        _, header_end = source.line_span(span[0], span[0] + 2)
        outline.add_block(source.block(start, end, kind=kind, header_end=header_end))
        return
    for piece_start, piece_end in _seen(source.text, (start, end), group, kind):
        if source.text[piece_start:piece_end].strip():
            outline.add_block(source.block(piece_start, piece_end, kind=kind))


def _add_html_heading(outline: OutlineBuilder, html: str) -> bool:
    """Add a heading for a block that is nothing but one heading in HTML, as many READMEs begin."""
    found = _HEADING_HTML.fullmatch(_UNSEEN_HTML.sub("", html))
    return found is not None and outline.add_heading(_TAG.sub("", found["title"]), level=int(found["level"]))


def _seen(text: str, span: tuple[int, int], group: Sequence[Token], kind: BlockKind) -> Iterator[tuple[int, int]]:
    """Yield the parts of a block that a reader of the page would see, without comments and scripts."""
    start, end = span
    hidden: list[tuple[int, int]] = []
    if group[0].type == "html_block":
        hidden = [found.span() for found in _UNSEEN_HTML.finditer(text, start, end)]
    elif kind != "code" and "<!--" in text[start:end]:
        comments = Counter(_comments(group))
        for found in _COMMENT.finditer(text, start, end):
            folded = _folded(found[0])
            if comments[folded] > 0:
                comments[folded] -= 1
                hidden.append(found.span())
    for hidden_start, hidden_end in hidden:
        yield start, hidden_start
        start = hidden_end
    yield start, end


def _comments(group: Sequence[Token]) -> Iterator[str]:
    """Yield the comments inside a block, as the parser sees them: not those in code."""
    for token in group:
        if token.type == "html_block":
            yield from (_folded(comment) for comment in _COMMENT.findall(token.content))
        elif token.type == "inline" and "<!--" in token.content:
            for inline in _inline_parser().parseInline(token.content):
                yield from (
                    _folded(child.content)
                    for child in inline.children or ()
                    if child.type == "html_inline" and child.content.startswith("<!--")
                )


def _folded(comment: str) -> str:
    """Inside a quote or a list each line has a marker or indentation before it; the parser takes it off."""
    return re.sub(r"[\s>]+", "", comment)


def _title(content: str, environment: dict[str, object]) -> str:
    """Return a heading's text as a reader sees it: no markup, images by their description."""
    parts: list[str] = []
    for inline in _inline_parser().parseInline(content, environment):
        for token in inline.children or ():
            if token.type in {"text", "code_inline", "image"}:
                parts.append(token.content)
            elif token.type in {"softbreak", "hardbreak"}:
                parts.append(" ")
    return fold_blanks("".join(parts))
