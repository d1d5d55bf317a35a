"""Readers: from the bytes of a file to a tree of sections.

`AutoReader` looks at a file and picks the reader that knows it: Markdown, HTML, plain text and tables of
text are read here, all other formats by Apache Tika, in worker processes or by a Tika server.
"""

from graphrag.ingestion.readers.auto import AutoReader
from graphrag.ingestion.readers.delimited import DelimitedTextReader
from graphrag.ingestion.readers.html import HtmlReader
from graphrag.ingestion.readers.markdown import MarkdownReader
from graphrag.ingestion.readers.protocol import Reader, SourceBytes
from graphrag.ingestion.readers.text import PlainTextReader
from graphrag.ingestion.readers.tika import TikaReader
from graphrag.ingestion.readers.tika_pool import TikaPool
from graphrag.ingestion.readers.tika_server import TikaServer, TikaServerReader

__all__ = [
    "AutoReader",
    "DelimitedTextReader",
    "HtmlReader",
    "MarkdownReader",
    "PlainTextReader",
    "Reader",
    "SourceBytes",
    "TikaPool",
    "TikaReader",
    "TikaServer",
    "TikaServerReader",
]
