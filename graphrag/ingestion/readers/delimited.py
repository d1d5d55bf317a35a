"""CSV and TSV: one table, its lines as they stand in the file, its first line repeated as header."""

import re

from graphrag.ingestion.readers.charset import decode
from graphrag.ingestion.readers.cleaning import cleaning_notes
from graphrag.ingestion.readers.lines import SourceText
from graphrag.ingestion.readers.properties import choose_title
from graphrag.ingestion.readers.protocol import SourceBytes
from graphrag.model.cleaning import clean_text
from graphrag.model.parsed import Block, ParsedDocument

__all__ = ["DelimitedTextReader"]

_FIRST_LINE = re.compile(r"\s*(?P<line>[^\r\n]*(?:\r\n|\n|\r))")
_CONTENT_TYPES = {".tsv": "text/tab-separated-values", ".tab": "text/tab-separated-values"}


class DelimitedTextReader:
    """Reads files of one table, a row a line. Blocks are exact slices of the file."""

    version = "delimited-1"

    def read(self, source: SourceBytes, *, password: str | None = None) -> ParsedDocument:  # noqa: ARG002 - never encrypted
        """Return the file as one table block."""
        decoded = decode(source.data, declared=(source.charset,))
        cleaned = clean_text(decoded.text)
        extension = source.name[source.name.rfind(".") :].lower()
        return ParsedDocument(
            title=choose_title((source.name,)),
            content_type=_CONTENT_TYPES.get(extension, "text/csv"),
            blocks=_table(SourceText(cleaned.text, exact=cleaned.text == decoded.text)),
            source_metadata={"charset": decoded.encoding},
            notes=(*decoded.notes, *cleaning_notes(cleaned)),
        )


def _table(source: SourceText) -> tuple[Block, ...]:
    if not source.text.strip():
        return ()
    header = _FIRST_LINE.match(source.text)
    if header is None or not source.text[header.end() :].strip():
        return (source.block(0, len(source.text), kind="table"),)
    return (source.block(header.start("line"), len(source.text), kind="table", header_end=header.end()),)
