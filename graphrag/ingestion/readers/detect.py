"""Which reader a file is for: by its content first, then by what the transport says, then by its name."""

import re
from dataclasses import dataclass
from typing import Literal

from graphrag.ingestion.readers.charset import decode, looks_like_text
from graphrag.ingestion.readers.cleaning import word_set
from graphrag.ingestion.readers.protocol import SourceBytes

__all__ = ["Detected", "Format", "detect", "named_for_tika"]

Format = Literal["empty", "markdown", "html", "text", "delimited", "tika"]

_EXTENSIONS: dict[str, Format] = {
    **dict.fromkeys((".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx"), "markdown"),
    **dict.fromkeys((".html", ".htm", ".xhtml", ".xht"), "html"),
    **dict.fromkeys((".csv", ".tsv", ".tab"), "delimited"),
    # Formats of plain characters that are more than their text.
    **dict.fromkeys(
        (".eml", ".mht", ".mhtml", ".mbox", ".rtf", ".ics", ".vcf", ".svg", ".rss", ".atom", ".fb2"), "tika"
    ),
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
_BINARY_NAMES = word_set(
    ".pdf .doc .docx .docm .dot .dotx .ppt .pptx .pptm .pps .ppsx .xls .xlsx .xlsm .odt .ods .odp .odg .epub .mobi "
    ".pages .numbers .key .zip .gz .7z .png .jpg .jpeg .gif .tif .tiff .webp .msg .one .vsd .vsdx .chm .mp3 .mp4 .exe"
)
_HTML_START = re.compile(
    r"(?:<\?xml[^>]{0,300}\?>|<!--.*?-->|\s++)*+<(?:!doctype\s+html|html[\s>])", re.IGNORECASE | re.DOTALL
)
_HTML_TAG = re.compile(rb"<(?:!doctype\s+html|html[\s>])", re.IGNORECASE)
_ARCHIVE_MAGIC = (b"PK", b"\x1f\x8b", b"\xd0\xcf\x11\xe0", b"ITSF")
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
    if _is_blank(data, source.charset):
        return Detected("empty")
    extension = _extension(source.name)
    if data[:_HEAD_BYTES].lstrip().startswith(_TIKA_MAGIC):
        return Detected("tika")
    if not looks_like_text(data):
        return Detected("html" if _is_damaged_html(data, extension) else "tika")
    start = decode(data[:_HEAD_BYTES], declared=(source.charset,)).text
    named = _named(start, source.content_type, extension)
    if named is None and extension in _BINARY_NAMES:
        return Detected("text", f"named `{extension}`, but the file is plain text and was read as such")
    return Detected(named or "text")


def named_for_tika(name: str) -> bool:
    """Return whether a file of this name will most likely need Tika; its content is not looked at."""
    extension = _extension(name)
    return extension in _BINARY_NAMES or _EXTENSIONS.get(extension) == "tika"


def _is_blank(data: bytes, charset: str | None) -> bool:
    if not data.strip(b" \t\r\n\f\v"):
        return True
    # Decoding a long file to see that there is nothing in it is not worth while.
    return len(data) <= _HEAD_BYTES and not decode(data, declared=(charset,)).text.strip("\0 \t\r\n\f\v\xa0")


def _is_damaged_html(data: bytes, extension: str) -> bool:
    """Return whether bytes that do not look like text are a page all the same, by its name and its first tags."""
    return (
        _EXTENSIONS.get(extension) == "html"
        and not data.startswith(_ARCHIVE_MAGIC)
        and _HTML_TAG.search(data, 0, _HEAD_BYTES) is not None
    )


def _named(start: str, content_type: str | None, extension: str) -> Format | None:
    """Return what a file of readable characters is, by its first lines, its told type and its name."""
    if _HTML_START.match(start):
        return "html"
    hint = (content_type or "").split(";")[0].strip().lower()
    named = _CONTENT_TYPES.get(hint) or _EXTENSIONS.get(extension)
    if named is None and start.lstrip().startswith("<?xml"):
        return "tika"
    return named


def _extension(name: str) -> str:
    dot = name.rfind(".")
    return name[dot:].lower() if dot >= 0 else ""
