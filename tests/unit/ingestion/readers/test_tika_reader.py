"""What is made of a Tika worker's answer; the worker itself is tested with the real one."""

from collections.abc import Mapping

import pytest

from graphrag.errors import PasswordRequiredError, UnreadableDocumentError, UnsupportedDocumentError
from graphrag.ingestion.readers import SourceBytes, TikaReader
from graphrag.ingestion.readers.tika_pool import TikaAnswer, WorkerEndedError, WorkerTimeoutError
from graphrag.model.parsed import ParsedDocument

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
OK: Mapping[str, object] = {
    "status": "ok",
    "metadata": {"Content-Type": [DOCX]},
    "truncated": False,
    "damaged": "",
    "embedded_media": 0,
    "embedded_left_out": 0,
    "slide_titles": [],
}


class StandIn:
    """Answers every file alike."""

    def __init__(self, answer: TikaAnswer | Exception) -> None:
        self._answer = answer

    def prepare(self) -> None: ...

    def parse(self, data: bytes, *, name: str, password: str | None = None) -> TikaAnswer:
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


def read(body: str = "", *, password: str | None = None, kind: str = DOCX, **header: object) -> ParsedDocument:
    metadata = header.pop("metadata", {})
    assert isinstance(metadata, dict)
    data = header.pop("data", b"x")
    assert isinstance(data, bytes)
    answer = TikaAnswer(
        {**OK, "metadata": {"Content-Type": [kind], **metadata}, **header}, f"<body>{body}</body>".encode()
    )
    return read_with(answer, password=password, data=data)


def read_with(answer: TikaAnswer | Exception, *, password: str | None = None, data: bytes = b"x") -> ParsedDocument:
    source = SourceBytes(uri="file:///a.bin", data=data, name="a.bin")
    return TikaReader(StandIn(answer)).read(source, password=password)


def headings(document: ParsedDocument) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in document.walk()]


@pytest.mark.parametrize(
    "answer, error, message",
    [
        (
            WorkerTimeoutError(),
            UnreadableDocumentError,
            "`file:///a.bin` took too long to parse; `tika.timeout_s` raises",
        ),
        (WorkerEndedError(), UnreadableDocumentError, "ended the Tika worker: .* or `tika.heap_mb` is too small"),
        ({"kind": "corrupt", "message": "ZipException"}, UnreadableDocumentError, r"is damaged \(ZipException\)"),
        ({"kind": "bomb", "message": "m"}, UnreadableDocumentError, "was refused: it unpacks to far more"),
        ({"kind": "memory", "message": "m"}, UnreadableDocumentError, "needs more memory than a worker has"),
        ({"kind": "unsupported", "message": "x/y"}, UnsupportedDocumentError, "is of type `x/y`, which holds no text"),
        ({"kind": "encrypted", "message": "m"}, PasswordRequiredError, "is encrypted, and no password was given"),
    ],
)
def test_failures_are_typed(answer: Exception | dict[str, object], error: type[Exception], message: str) -> None:
    """CASES 48, THREATS 65."""
    given = TikaAnswer({"status": "failed", **answer}, b"") if isinstance(answer, dict) else answer
    with pytest.raises(error, match=message):
        read_with(given)


def test_wrong_password_is_told_from_none_and_never_printed() -> None:
    answer = TikaAnswer({"status": "failed", "kind": "encrypted", "message": "m"}, b"")
    with pytest.raises(PasswordRequiredError, match="the password does not open it") as caught:
        read_with(answer, password="CANARY")
    assert "CANARY" not in str(caught.value)


@pytest.mark.parametrize("body", ["", "\n\n\n", "<p></p>", "<p> &nbsp; </p>"])
def test_file_without_text_is_empty(body: str) -> None:
    """CASES 47: no error and no block."""
    document = read(body)
    assert (document.blocks, document.sections, document.no_text_layer) == ((), (), False)


@pytest.mark.parametrize(
    "body, kind, media",
    [("<div class=page><p></p></div>", "application/pdf", 0), ("", "image/png", 0), ("<p></p>", DOCX, 2)],
)
def test_pages_and_pictures_without_text_are_told(body: str, kind: str, media: int) -> None:
    """CASES 47: a scan has content, but no text layer."""
    document = read(body, kind=kind, embedded_media=media)
    assert document.no_text_layer
    assert document.canonical_text() == ""


@pytest.mark.parametrize("kind", ["application/x-sharedlib", "application/octet-stream", "audio/mpeg", "video/mp4"])
def test_what_is_no_document_is_unsupported(kind: str) -> None:
    """THREATS 65: an executable."""
    with pytest.raises(UnsupportedDocumentError, match=f"of type `{kind}`"):
        read(kind=kind)


def test_damage_after_some_text_is_partial_and_before_any_an_error() -> None:
    document = read("<p>begin</p>", damaged="EOFException")
    assert document.partial
    assert document.notes == ("the file is damaged (EOFException); what stands before the damage was read",)
    with pytest.raises(UnreadableDocumentError, match=r"is damaged \(EOFException\): no text of it can be read"):
        read("", damaged="EOFException")


def test_cut_text_and_embedded_files_that_were_left_out_are_partial() -> None:
    document = read("<p>x</p>", truncated=True, embedded_left_out=3)
    assert document.partial
    assert document.notes == (
        "the text is longer than `tika.max_output_chars`; its end was cut",
        "embedded files left out, for their number or depth: 3",
    )


def test_title_paragraph_is_the_documents_title_and_no_section() -> None:
    document = read("<h1 class='title'>The Title</h1><h1>One</h1><p>a</p><h3>Deep</h3><h2>Two</h2>")
    assert document.title == "The Title"
    assert headings(document) == [(1, "One"), (3, "Deep"), (2, "Two")]
    assert document.canonical_text() == "a\n\n"


def test_title_paragraph_that_says_something_else_than_the_metadata_stays_text() -> None:
    document = read("<h1 class='title'>Seen</h1><p>a</p>", metadata={"dc:title": ["Told"]})
    assert document.title == "Told"
    assert document.canonical_text() == "Seen\n\na\n\n"


def test_slides_are_sections_with_their_title_and_number() -> None:
    document = read(
        "<div class='slide-content'><p>First</p><p>a</p></div><div class='slide-master-content'>master</div>"
        "<div class='slide-notes'><p>note</p></div><div class='slide-content'><p>b</p></div>",
        kind=PPTX,
        slide_titles=["First", ""],
    )
    assert headings(document) == [(1, "First"), (1, "Slide 2")]
    assert [(b.text, b.page) for s in document.walk() for b in s.blocks] == [
        ("a\n\n", 1),
        ("note\n\n", 1),
        ("b\n\n", 2),
    ]
    assert document.title == "First"


def test_sheets_are_sections_and_no_title() -> None:
    document = read(
        "<div class='sheet'><h1>Sheet1</h1><table><tr><td>All cups<tr><td>Team<td>Cups<td>"
        "<tr><td>Blues<td>1<td></table></div>",
        kind=XLSX,
    )
    assert headings(document) == [(1, "Sheet1")]
    assert document.title == "a.bin"
    (table,) = document.sections[0].blocks
    assert table.text == "All cups\nTeam | Cups\nBlues | 1\n\n"
    assert table.table_header == "All cups\nTeam | Cups\n"


def test_pages_are_counted() -> None:
    document = read("<div class=page><p>a\nb</p></div><div class=page><p>c</p></div>", kind="application/pdf")
    assert [(block.text, block.page) for block in document.blocks] == [("a b\n\n", 1), ("c\n\n", 2)]


def test_bulleted_paragraphs_are_one_list() -> None:
    document = read("<p>• one</p><p>•</p><p class='list_Bullet'>· two</p><p>three</p>")
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("list", "- one\n- two\n\n"),
        ("paragraph", "three\n\n"),
    ]


def test_embedded_files_with_text_are_sections_and_pictures_are_not() -> None:
    document = read(
        "<p>a</p><div class='embedded-file' title='image1.png'><p></p></div>"
        "<div class='embedded-file' title='outer.zip'><div class='embedded-file' title='in.txt'><p>b</p></div></div>"
        "<div class='embedded-file' title='t.csv'><table><tr><td>1<td>2</table></div>"
    )
    assert headings(document) == [(1, "outer.zip"), (2, "in.txt"), (1, "t.csv")]
    assert document.canonical_text() == "a\n\nb\n\n1 | 2\n\n"


def test_blank_lines_part_paragraphs_in_mail() -> None:
    document = read("<p>Hello,\nall\n \nsecond</p>", kind="message/rfc822")
    assert [block.text for block in document.blocks] == ["Hello, all\n\n", "second\n\n"]


def test_metadata_goes_through_the_fixed_mapping() -> None:
    document = read(
        "<p>x</p>",
        metadata={
            "dc:title": ["T"],
            "dc:creator": ["A", "B\0"],
            "dcterms:created": ["2024-01-02T03:04:05Z"],
            "xmpTPg:NPages": ["7"],
            "dc:language": ["fr"],
            "owner": ["x"],
            "X-TIKA:Parsed-By": ["p"],
        },
    )
    assert {name: str(value) for name, value in document.document_properties.items()} == {
        "doc_content_type": DOCX,
        "doc_title": "T",
        "doc_author": "A, B",
        "doc_created": "2024-01-02 03:04:05+00:00",
        "doc_pages": "7",
        "doc_language": "fr",
    }
    assert document.language == "fr"
    assert document.source_metadata == {"owner": "x"}


def test_deep_output_is_refused() -> None:
    """THREATS 59."""
    with pytest.raises(UnreadableDocumentError, match="nests elements 30001 levels deep"):
        read("<div>" * 30_000)


def test_paragraphs_of_list_styles_are_one_list() -> None:
    document = read(
        "<p class='list_Bullet'>one</p><p class='list_Bullet_2'>two<br>more</p><p class='list_Number'>three</p>"
        "<p class='intense_Quote'>four</p><p class='listing'>five</p>"
    )
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("list", "- one\n  - two\n    more\n- three\n\n"),
        ("quote", "four\n\n"),
        ("paragraph", "five\n\n"),
    ]


def test_title_paragraph_behind_a_page_header_is_still_the_title() -> None:
    document = read("<p class='header'>Head</p><h1 class='title'>The Title</h1><h1>One</h1><p>a</p>")
    assert document.title == "The Title"
    assert headings(document) == [(1, "One")]


BARE_PAGES = '<div class="page"><p/></div>' * 2
HALF = '<div class="page"><p>Text.</p></div><div class="page"><p/></div>'
PDF_END = b"%PDF-1.4 startxref\n9\n%%EOF\n"


def pdf(body: str, *chars: str, data: bytes) -> ParsedDocument:
    return read(body, kind="application/pdf", metadata={"pdf:charsPerPage": list(chars)}, data=data)


def test_cut_pdf_is_damaged_and_not_a_scan() -> None:
    """CASES 48: the pages' content lies behind the cut; advice to run OCR, and a removal, would be wrong."""
    with pytest.raises(UnreadableDocumentError, match=r"is damaged \(its end is missing\): no text of it can be read"):
        pdf(BARE_PAGES, "0", "0", data=b"%PDF-1.4 %%EOF" + b"x" * 3_000)
    with pytest.raises(UnreadableDocumentError, match=r"is damaged \(it has no pages\)"):
        pdf("", data=PDF_END)


def test_cut_pdf_with_some_text_is_partial() -> None:
    document = pdf(HALF, "5", "0", data=b"%PDF-1.4 x")
    assert document.partial
    assert document.notes == ("the file is damaged (its end is missing); what stands before the damage was read",)


@pytest.mark.parametrize("after", [b"", b"\n" * 1_000])
def test_whole_pdf_without_text_has_no_text_layer(after: bytes) -> None:
    document = pdf(BARE_PAGES, "0", "0", data=PDF_END + after)
    assert document.no_text_layer
    assert not document.partial


def test_pdf_without_its_end_but_with_all_its_text_is_whole() -> None:
    document = pdf('<div class="page"><p>Text.</p></div>', "5", data=b"%PDF-1.4 x")
    assert not document.partial


@pytest.mark.parametrize("kind", ["text/plain; charset=UTF-16LE", "text/markdown", "text/html"])
def test_binary_data_under_the_name_of_a_text_is_refused(kind: str) -> None:
    """THREATS 65: Tika finds characters in any bytes where a file's name promises some."""
    with pytest.raises(UnsupportedDocumentError, match="is binary data of an unknown kind, not the text that its name"):
        read("<p>garbage</p>", kind=kind, data=bytes(range(256)) * 800)


def test_utf_32_without_a_mark_is_no_binary_data() -> None:
    document = read("<p>Text.</p>", kind="text/plain", data="Text. \u4e2d".encode("utf-32-le"))
    assert document.canonical_text() == "Text.\n\n"
