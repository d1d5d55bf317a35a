"""The type of a file: content first, then what the transport says, then its name."""

import pytest

from graphrag.errors import UnsupportedDocumentError
from graphrag.ingestion.readers import AutoReader, SourceBytes, TikaReader
from graphrag.ingestion.readers.detect import detect
from graphrag.ingestion.readers.tika_pool import TikaAnswer
from graphrag.model.parsed import ParsedDocument


class TikaStandIn:
    """Records what it is asked to read."""

    version = "stand-in"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str | None]] = []

    def read(self, source: SourceBytes, *, password: str | None = None) -> ParsedDocument:
        self.asked.append((source.name, password))
        raise UnsupportedDocumentError("no", uri=source.uri)


def source(data: bytes, name: str, content_type: str | None = None) -> SourceBytes:
    return SourceBytes(uri=f"file:///{name}", data=data, name=name, content_type=content_type)


@pytest.mark.parametrize(
    "data, name, content_type, expected",
    [
        (b"# a\n", "a.md", None, "markdown"),
        (b"# a\n", "a.MARKDOWN", None, "markdown"),
        (b"# a\n", "a", "text/markdown; charset=utf-8", "markdown"),
        (b"# a\n", "a", None, "text"),
        (b"<p>a", "a.html", None, "html"),
        (b" \n<!-- c --><!DOCTYPE html><p>a", "a.txt", None, "html"),
        (b"<?xml version='1.0'?>\n<html xmlns='x'>", "a.txt", None, "html"),
        ("\ufeff<html>".encode("utf-16-le"), "a", None, "html"),
        (b"<htmlish>", "a.txt", None, "text"),
        (b"a,b\n", "a.csv", None, "delimited"),
        (b"a,b\n", "a.txt", "text/csv", "delimited"),
        (b"%PDF-1.7\n", "a.txt", None, "tika"),
        (b"about %PDF-1.7 files", "a.txt", None, "text"),
        (b"{\\rtf1 x}", "a.txt", None, "tika"),
        (b"PK\x03\x04\x14\0\x06\0\0\0\0\0", "a.docx", None, "tika"),
        (b"\x7fELF\x02\x01\x01\0\0\0\0\0", "a.md", None, "tika"),
        (b"From: a@b\n\nx", "a.eml", None, "tika"),
        (b"From: a@b\n\nx", "a", "message/rfc822", "tika"),
        (b"<?xml version='1.0'?><svg/>", "a.svg", None, "tika"),
        (b"<?xml version='1.0'?><doc/>", "a", None, "tika"),
        (b"", "a.pdf", None, "empty"),
        (b" \t\r\n", "a.docx", None, "empty"),
        (b"\xef\xbb\xbf", "a.txt", None, "empty"),
        (b"\xff\xfe", "a.txt", None, "empty"),
        (b"\xff\xfe \0\n\0", "a.html", None, "empty"),
    ],
)
def test_detection(data: bytes, name: str, content_type: str | None, expected: str) -> None:
    """THREATS 65: a name promises nothing."""
    assert detect(source(data, name, content_type)).format == expected


@pytest.mark.parametrize("name", ["a.html", "a.XHTML", "a.md", "a.pdf"])
@pytest.mark.parametrize("before", [b"", b"<?xml version='1\x0e0'?>", b"PK\x03\x04"])
def test_a_damaged_page_is_a_page_by_its_name_and_its_first_tags(name: str, before: bytes) -> None:
    data = before + b"<!DOCTYPE html><html><body><p>fish" + b"\0" * 2_000 + b"</p></body></html>"
    is_page = name.lower().endswith("html") and not before.startswith(b"PK")
    assert detect(source(data, name)).format == ("html" if is_page else "tika")
    assert detect(source(data.replace(b"html", b"h7ml"), name)).format == "tika"


def test_text_under_the_name_of_a_binary_format_is_read_as_text_with_a_note() -> None:
    document = AutoReader(TikaStandIn()).read(source(b"no zip file", "a.odt"))
    assert document.canonical_text() == "no zip file\n\n"
    assert document.notes == ("named `.odt`, but the file is plain text and was read as such",)


@pytest.mark.parametrize("data", [b"", b"  \n", b"\xef\xbb\xbf", b"\0\0\0\0"])
def test_empty_files_give_a_document_without_text(data: bytes) -> None:
    """CASES 49: zero bytes, blanks and a mark only are no error."""
    tika = TikaStandIn()
    document = AutoReader(tika).read(source(data, "empty.txt"))
    assert (document.title, document.blocks, document.sections) == ("empty.txt", (), ())
    assert not document.no_text_layer
    assert tika.asked == []


def test_other_formats_go_to_tika_with_their_password() -> None:
    tika = TikaStandIn()
    with pytest.raises(UnsupportedDocumentError, match="no"):
        AutoReader(tika).read(source(b"%PDF-1.7", "a.pdf"), password="p")
    assert tika.asked == [("a.pdf", "p")]


class TikaService:
    """Counts how often it is made ready."""

    def __init__(self) -> None:
        self.prepared = 0

    def prepare(self) -> None:
        self.prepared += 1

    def parse(self, data: bytes, *, name: str, password: str | None = None) -> TikaAnswer:
        raise AssertionError


def test_tika_is_made_ready_only_where_a_name_asks_for_it() -> None:
    """CASES 48: what keeps Tika from running shows before a batch; files that do not need it start nothing."""
    service = TikaService()
    reader = AutoReader(TikaReader(service))
    reader.prepare(["a.md", "b.html", "c", "d.txt", "e.csv"])
    assert service.prepared == 0
    reader.prepare(["a.md", "B.PDF"])
    assert service.prepared == 1


def test_version_names_every_reader() -> None:
    """A new version of one reader changes the fingerprint of the documents."""
    assert AutoReader(TikaStandIn()).version == "delimited-1 html-2 markdown-1 text-1 stand-in"
