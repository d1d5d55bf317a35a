"""Plain text: paragraphs between blank lines, each an exact slice of the file."""

import re

from graphrag.ingestion.readers.charset import decode
from graphrag.ingestion.readers.cleaning import cleaning_notes
from graphrag.ingestion.readers.lines import SourceText
from graphrag.ingestion.readers.properties import choose_title
from graphrag.ingestion.readers.protocol import SourceBytes
from graphrag.model.cleaning import clean_text
from graphrag.model.parsed import Block, ParsedDocument

__all__ = ["PlainTextReader", "paragraphs"]

_BLANK_LINES = re.compile(r"(?:\r\n|\n|\r)(?:[ \t\f\v]*(?:\r\n|\n|\r))+")


class PlainTextReader:
    """Reads plain text in any encoding."""

    version = "text-1"

    def read(self, source: SourceBytes, *, password: str | None = None) -> ParsedDocument:  # noqa: ARG002 - never encrypted
        """Return the file's paragraphs; there are no sections in plain text."""
        decoded = decode(source.data, declared=(source.charset,))
        cleaned = clean_text(decoded.text)
        return ParsedDocument(
            title=choose_title((source.name,)),
            content_type="text/plain",
            blocks=paragraphs(SourceText(cleaned.text, exact=cleaned.text == decoded.text)),
            source_metadata={"charset": decoded.encoding},
            notes=(*decoded.notes, *cleaning_notes(cleaned)),
        )


def paragraphs(source: SourceText) -> tuple[Block, ...]:
    """Return what stands between blank lines, in order."""
    blocks: list[Block] = []
    start = 0
    for found in _BLANK_LINES.finditer(source.text):
        blocks.append(source.block(start, found.start()))
        start = found.end()
    blocks.append(source.block(start, len(source.text)))
    return tuple(block for block in blocks if block.text.strip())
