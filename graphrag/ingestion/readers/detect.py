"""Which reader a file is for: by its content first, then by what the transport says, then by its name."""

import re
from dataclasses import dataclass
from typing import Literal

from graphrag.ingestion.readers.charset import decode, looks_like_text
from graphrag.ingestion.readers.protocol import SourceBytes

__all__ = ["Detected", "Format", "detect"]

Format = Literal["empty", "markdown", "html", "text", "delimited", "tika"]

_EXTENSIONS: dict[str, Format] = {
    **dict.fromkeys((".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx"), "markdown"),
    **dict.fromkeys((".html", ".htm", ".xhtml", ".xht"), "html"),
    **dict.fromkeys((".csv", ".tsv", ".tab"), "delimited"),
    # Formats of plain characters that are more than their text.
    **dict.fromkeys((".eml", ".mht", ".mhtml", ".mbox", ".rtf", ".ics", ".vcf", ".svg", ".rss", ".atom", ".fb2"), "tika"),
}
_CONTENT_TYPES: dict[str, Format] = {
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/csv": "delimited",
    "text/tab-separated-values": "delimited",
    "message/rfc822": "tika",
    "application/rtf": "tika",
    "text/rtf": "tika",
}
_TIKA_MAGIC = (b"%PDF-", b"{\\rtf", b"%!PS")
_BINARY_NAMES = frozenset(
    ".pdf .doc .docx .docm .dot .dotx .ppt .pptx .pptm .pps .ppsx .xls .xlsx .xlsm .odt .ods .odp .odg .epub .mobi "
    ".pages .numbers .key .zip .gz .7z .png .jpg .jpeg .gif .tif .tiff .webp .msg .one .vsd .vsdx .chm .mp3 .mp4 .exe".split()
)
_HTML_START = re.compile(r"\s*(?:<\?xml[^>]{0,300}\?>|<!--.*?-->|\s)*<(?:!doctype\s+html|html[\s>])", re.IGNORECASE | re.DOTALL)
_HEAD_BYTES = 8_192


@dataclass(frozen=True, slots=True)
class Detected:
    """A format, and a sentence where the name promised another one."""

    format: Format
    note: str = ""


def detect(source: SourceBytes) -> Detected:
    """Return which reader the file is for.

    Binary files are Tika's, which knows hundreds of formats and looks at their content as well. A file
    of readable characters is never given to a parser of a binary format for its name's sake.
    """
    data = source.data
    if not data.strip(b" \t\r\n\f\v"):
        return Detected("empty")
    head = data[:_HEAD_BYTES]
    if head.lstrip().startswith(_TIKA_MAGIC) or not looks_like_text(data):
        return Detected("tika")
    start = decode(head, declared=(source.charset,)).text
    if not start.strip() and not decode(data).text.strip():
        return Detected("empty")
    extension = _extension(source.name)
    if _HTML_START.match(start):
        return Detected("html")
    hint = (source.content_type or "").split(";")[0].strip().lower()
    named = _CONTENT_TYPES.get(hint) or _EXTENSIONS.get(extension)
    if named is not None:
        return Detected(named)
    if start.lstrip().startswith("<?xml"):
        return Detected("tika")
    if extension in _BINARY_NAMES:
        return Detected("text", f"named `{extension}`, but the file is plain text and was read as such")
    return Detected("text")


def _extension(name: str) -> str:
    dot = name.rfind(".")
    return name[dot:].lower() if dot >= 0 else ""
