"""Write the DOCX, PDF and PPTX files of `examples/documents` from the Markdown in `tools/example_sources`.

The texts are kept as Markdown so that they can be read and changed in a review; the binary files are committed, so that
a demo needs none of the three libraries. Run it after a change to a source: `python tools/build_examples.py`.
The same sources give the same bytes again with the same versions of the libraries.
"""

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from pathlib import Path

import docx
import pptx
from docx.opc.coreprops import CoreProperties
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from pptx.parts.coreprops import CorePropertiesPart
from pptx.util import Pt
from reportlab.lib import colors  # type: ignore[import-untyped]  # carries no types
from reportlab.lib.pagesizes import A4  # type: ignore[import-untyped]  # the same
from reportlab.lib.styles import getSampleStyleSheet  # type: ignore[import-untyped]  # the same
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]  # the same
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Table  # type: ignore[import-untyped]  # the same

SOURCES = Path(__file__).parent / "example_sources"
TARGET = Path(__file__).parent.parent / "examples" / "documents"
PUBLISHER = "Wrackhaven Mill and Tramway Trust"
TITLE_AND_CONTENT = 1  # python-pptx's default template counts its layouts so


@dataclass(frozen=True)
class Source:
    """A source's place, its author and the day that the file says it was made."""

    name: str
    author: str
    created: datetime


@dataclass(frozen=True)
class Block:
    """One block of a source: `kind` is `h1` to `h3`, `p`, `ul`, `ol`, `table` or `blockquote`."""

    kind: str
    rows: tuple[tuple[str, ...], ...]  # a table's cells; one cell a row for an item of a list; else a single cell

    @property
    def text(self) -> str:
        """The block as one line."""
        return " ".join(cell for row in self.rows for cell in row)


DOCX = (
    Source("trustees-minutes-2023-11-21", PUBLISHER, datetime(2023, 11, 28, tzinfo=UTC)),
    Source("treasurer-report-2025", "Samir Halloway", datetime(2025, 4, 7, tzinfo=UTC)),
)
PDF = (
    Source("gate-survey-2022", "Anneke Drost", datetime(2022, 12, 2, tzinfo=UTC)),
    Source("petrel-overhaul", "Hugh Castellan", datetime(2025, 3, 24, tzinfo=UTC)),
)
PPTX = (Source("open-day-talk-2025", "Maud Verrall", datetime(2025, 5, 17, tzinfo=UTC)),)


def read(source: Source) -> list[Block]:
    """Return the blocks of a source in order."""
    text = (SOURCES / f"{source.name}.md").read_text(encoding="utf-8")
    tree = SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(text))
    return [_block(node) for node in tree.children]


def _block(node: SyntaxTreeNode) -> Block:
    kinds = {"heading": node.tag, "paragraph": "p", "bullet_list": "ul", "ordered_list": "ol"}
    row_type = {"table": "tr", "bullet_list": "list_item", "ordered_list": "list_item"}.get(node.type)
    rows = [found for found in node.walk() if found.type == row_type] if row_type else [node]
    return Block(kinds.get(node.type, node.type), tuple(tuple(_inline_texts(row)) for row in rows))


def _inline_texts(node: SyntaxTreeNode) -> Iterator[str]:
    return (found.content for found in node.walk() if found.type == "inline")


def write_docx(source: Source) -> None:
    """Write a Word file with true heading and list styles."""
    document = docx.Document()
    blocks = read(source)
    styles = {"p": "Normal", "ul": "List Bullet", "ol": "List Number"}
    for block in blocks:
        if block.kind.startswith("h"):
            document.add_heading(block.text, level=int(block.kind[1]))
        elif block.kind == "table":
            table = document.add_table(rows=0, cols=len(block.rows[0]), style="Table Grid")
            for row in block.rows:
                for cell, text in zip(table.add_row().cells, row, strict=True):
                    cell.text = text
        else:
            for (text,) in block.rows:
                document.add_paragraph(text, style=styles[block.kind])
    _set_properties(document.core_properties, source, title=blocks[0].text)
    path = TARGET / f"{source.name}.docx"
    document.save(str(path))
    _fix_times(path, source)


def write_pptx(source: Source) -> None:
    """Write slides: a heading begins one, a list or paragraph is its body, a quotation its notes."""
    deck = pptx.Presentation()
    blocks = read(source)
    slides = deck.slides
    for block in blocks:
        if block.kind.startswith("h"):
            slide = slides.add_slide(deck.slide_layouts[0 if block.kind == "h1" else TITLE_AND_CONTENT])
            slide.placeholders[0].text_frame.text = block.text
            continue
        slide = slides[len(slides) - 1]
        if block.kind == "blockquote":
            notes = slide.notes_slide.notes_text_frame
            if notes is None:
                message = f"`{source.name}`: the template has no room for notes"
                raise ValueError(message)
            notes.text = block.text
        else:
            frame = slide.placeholders[1].text_frame
            frame.text = "\n".join(text for (text,) in block.rows)
            for paragraph in frame.paragraphs:
                paragraph.font.size = Pt(24)
    _set_properties(deck.core_properties, source, title=blocks[0].text)
    path = TARGET / f"{source.name}.pptx"
    deck.save(str(path))
    _fix_times(path, source)


def write_pdf(source: Source) -> None:
    """Write pages with headings, tables and a page number."""
    blocks = read(source)
    path = TARGET / f"{source.name}.pdf"
    document = SimpleDocTemplate(
        str(path), pagesize=A4, title=blocks[0].text, author=source.author, creator=PUBLISHER, lang="en", invariant=1
    )
    flowables: list[Flowable] = [flowable for block in blocks for flowable in _flowables(block)]
    document.build(flowables, onFirstPage=_number_page, onLaterPages=_number_page)


def _flowables(block: Block) -> Iterator[Paragraph | Table]:
    styles = getSampleStyleSheet()
    body, item = styles["BodyText"], styles["Bullet"]
    body.fontSize, body.leading = item.fontSize, item.leading = 11, 15
    item.leftIndent = 18
    if block.kind == "table":
        cells = [[Paragraph(escape(cell), body) for cell in row] for row in block.rows]
        look = [("GRID", (0, 0), (-1, -1), 0.5, colors.grey), ("VALIGN", (0, 0), (-1, -1), "TOP")]
        yield Table(cells, style=look, spaceBefore=6, spaceAfter=6, repeatRows=1)
    elif block.kind.startswith("h"):
        heading = styles[f"Heading{block.kind[1]}"]
        heading.keepWithNext = True
        yield Paragraph(escape(block.text), heading)
    else:
        for number, (text,) in enumerate(block.rows, start=1):
            mark = {"ul": "•", "ol": f"{number}."}.get(block.kind)
            yield Paragraph(escape(text), item if mark else body, bulletText=mark)


def _number_page(canvas: Canvas, document: SimpleDocTemplate) -> None:
    canvas.setFont("Helvetica", 9)
    canvas.drawCentredString(A4[0] / 2, 36, f"Page {document.page}")


def _set_properties(properties: CoreProperties | CorePropertiesPart, source: Source, *, title: str) -> None:
    properties.title = title
    properties.author = source.author
    properties.last_modified_by = source.author
    properties.comments = ""
    properties.language = "en"
    properties.created = properties.modified = source.created.replace(tzinfo=None)


def _fix_times(path: Path, source: Source) -> None:
    """Give every member of the archive the source's day, so that a second run writes the same bytes."""
    day = source.created.timetuple()[:6]
    with zipfile.ZipFile(path) as archive:
        members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            info = zipfile.ZipInfo(name, day)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)


def main() -> None:
    """Write all five files and print their sizes."""
    for sources, suffix, write in ((DOCX, "docx", write_docx), (PDF, "pdf", write_pdf), (PPTX, "pptx", write_pptx)):
        for source in sources:
            write(source)
            path = TARGET / f"{source.name}.{suffix}"
            print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
