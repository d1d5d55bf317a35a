"""What is made of a Tika server's answers.

`tika_server_3_3_2.json` holds answers of Apache Tika Server 3.3.2, recorded from made-up files and one example; Java
traces and repeated metadata are shortened. `tests/integration/test_tika_server.py` compares with our workers.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from graphrag.errors import PasswordRequiredError, UnreadableDocumentError, UnsupportedDocumentError
from graphrag.ingestion.readers import SourceBytes, TikaReader
from graphrag.ingestion.readers.tika_pool import TikaAnswer
from graphrag.ingestion.readers.tika_server_answer import answer_of
from graphrag.jvm.tika_bridge import MAX_EMBEDDED_DEPTH, MAX_EMBEDDED_FILES
from graphrag.model.parsed import ParsedDocument

RECORDED: Mapping[str, Sequence[Mapping[str, Any]]] = json.loads(
    Path(__file__).with_name("tika_server_3_3_2.json").read_text(encoding="utf-8")
)
SHOW = Path(__file__).parents[4] / "examples" / "documents" / "open-day-talk-2025.pptx"


class Recorded:
    """Stands for a server that gives one answer."""

    def __init__(self, entries: object) -> None:
        self._content = json.dumps(entries).encode()

    def prepare(self) -> None: ...

    def parse(self, data: bytes, *, name: str, password: str | None = None) -> TikaAnswer:
        return answer_of(self._content, data)


def read(entries: object, data: bytes = b"PK", *, password: str | None = None) -> ParsedDocument:
    return TikaReader(Recorded(entries)).read(SourceBytes(uri="file:///f", data=data, name="f"), password=password)


def outline(document: ParsedDocument) -> list[tuple[int, str, str]]:
    return [(section.level, section.title, text(section.blocks)) for section in document.walk()]


def text(blocks: Sequence[Any]) -> str:
    return "".join(block.text for block in blocks).strip()


def entry(body: str = "", *, path: str = "", kind: str = "text/plain", **more: object) -> dict[str, object]:
    told: dict[str, object] = {
        "Content-Type": kind,
        "X-TIKA:embedded_depth": str(path.count("/")),
        "X-TIKA:content": f"<html><head><title></title></head>\n<body>{body}</body></html>",
    }
    return told | ({"X-TIKA:embedded_id_path": path, "resourceName": f"n{path}"} if path else {}) | more


def test_attachments_are_sections_and_pictures_are_not() -> None:
    document = read(RECORDED["mail"])
    assert document.title == "The gates"
    assert text(document.blocks) == "See the notes."
    assert outline(document) == [(1, "notes & plans.txt", "Three gates are beyond repair.")]
    assert document.document_properties["doc_author"] == "Anna <anna@mill.example>"
    assert "Content-Length" not in document.source_metadata


def test_files_in_archives_keep_their_order_and_their_place() -> None:
    """THREATS 54: a path is a name. The server lists what is innermost first, and leaves names as headings behind."""
    document = read(RECORDED["archive"])
    assert outline(document) == [
        (1, "first.txt", "in the outer one"),
        (1, "inner.zip", ""),
        (2, "deep.txt", "in the inner one"),
        (2, "../../up.txt", "a path is a name"),
        (1, "last.txt", "the end"),
    ]
    assert document.blocks == ()


def test_text_over_the_limit_is_partial_and_what_was_left_open_swallows_nothing() -> None:
    document = read(RECORDED["limit"])
    assert document.partial
    assert document.notes == ("the text is longer than `tika.max_output_chars`; its end was cut",)
    assert [(section.level, section.title) for section in document.walk()] == [(1, "a.txt"), (1, "b.txt")]


def test_files_beyond_the_bound_of_the_server_are_told() -> None:
    document = read(RECORDED["resources"])
    assert document.partial
    assert document.notes == ("embedded files left out, for their number or depth: 1",)
    assert len(document.sections) == 2


@pytest.mark.parametrize(
    "name, error, message",
    [
        ("encrypted", PasswordRequiredError, "is encrypted, and no password was given"),
        ("cut", UnreadableDocumentError, r"is damaged \(IllegalArgumentException\): no text of it can be read"),
        ("bomb", UnreadableDocumentError, "was refused: it unpacks to far more than its size allows"),
        ("unknown", UnsupportedDocumentError, "is of type `application/octet-stream`, which holds no text"),
    ],
)
def test_failures_are_those_of_a_worker(name: str, error: type[Exception], message: str) -> None:
    """CASES 48, THREATS 57, 65."""
    with pytest.raises(UnreadableDocumentError, match=message) as held:
        read(RECORDED[name])
    assert type(held.value) is error


def test_an_empty_file_is_no_error() -> None:
    """CASES 49."""
    document = read(RECORDED["empty"])
    assert (document.blocks, document.sections) == ((), ())


def test_slides_stand_in_the_order_of_the_show_with_their_titles() -> None:
    """This server takes them by the identifiers of their relations: rId10 before rId7."""
    document = read(RECORDED["show"], SHOW.read_bytes())
    assert [section.title for section in document.sections] == [
        "The sea does the work",
        "A mill without a river",
        "Two finds in an attic",
        "What was wrong",
        "An argument, and how it ended",
        "The wheel",
        "Petrel",
        "What we need now",
    ]
    assert [block.page for section in document.sections for block in section.blocks[:1]] == list(range(1, 9))
    assert text(document.sections[7].blocks).startswith("Three more drivers")


def test_slides_in_the_order_of_the_show_stay_in_it() -> None:
    """Older servers, and our workers, keep it."""
    kind = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    slides = "".join(f'<div class="slide-content"><p>slide {number}</p></div>' for number in range(1, 9))
    document = read([entry(slides, kind=kind)], SHOW.read_bytes())
    assert [text(section.blocks) for section in document.sections] == [f"slide {number}" for number in range(1, 9)]
    assert document.sections[7].title == "What we need now"


def test_titles_that_do_not_fit_the_slides_are_none() -> None:
    kind = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    document = read([entry('<div class="slide-content"><p>x</p></div>', kind=kind)], SHOW.read_bytes())
    assert outline(document) == [(1, "Slide 1", "x")]


def test_damage_after_some_text_is_partial() -> None:
    trace = (
        "java.io.IOException: Bad\n\tat a.B.c(B.java:1)\nCaused by: java.util.zip.ZipException: worse\n\t... 3 more\n"
    )
    document = read([entry("<div><p>begin", **{"X-TIKA:EXCEPTION:container_exception": trace})])
    assert document.partial
    assert document.notes == ("the file is damaged (ZipException); what stands before the damage was read",)
    assert document.canonical_text() == "begin\n\n"


def test_depth_is_refused_where_parsing_was_cut_too() -> None:
    """THREATS 59."""
    with pytest.raises(UnreadableDocumentError, match="nests elements 30002 levels deep"):
        read([entry("<div>" * 30_000, **{"X-TIKA:EXCEPTION:write_limit_reached": "true"})])


def test_an_error_without_a_name_is_damage_too() -> None:
    with pytest.raises(UnreadableDocumentError, match=r"is damaged \(Exception\)"):
        read([entry("", **{"X-TIKA:EXCEPTION:container_exception": "?"})])


@pytest.mark.parametrize(
    "told, error",
    [
        ("org.apache.tika.exception.UnsupportedFormatException: x", UnsupportedDocumentError),
        ("java.io.IOException: x\nCaused by: java.lang.OutOfMemoryError: heap", UnreadableDocumentError),
        ("a.B: x\nCaused by: org.apache.tika.sax.SecureContentHandler$SecureSAXException: x", UnreadableDocumentError),
    ],
)
def test_what_caused_an_error_counts(told: str, error: type[Exception]) -> None:
    with pytest.raises(UnreadableDocumentError) as held:
        read([entry("<p>text</p>", **{"X-TIKA:EXCEPTION:container_exception": told})])
    assert type(held.value) is error


def test_what_only_names_an_error_in_its_message_does_not_count() -> None:
    told = "java.io.IOException: org.apache.tika.exception.EncryptedDocumentException\n\tat x.Y.z(Y.java:1)"
    assert read([entry("<p>text</p>", **{"X-TIKA:EXCEPTION:container_exception": told})]).partial


def test_embedded_files_end_at_a_depth_and_at_a_number() -> None:
    """THREATS 57: as in our workers; children of what is left out are not counted."""
    paths = ["/" + "/".join(str(n) for n in range(1, depth + 1)) for depth in range(1, MAX_EMBEDDED_DEPTH + 3)]
    document = read([entry(), *(entry(f"<p>at {path}</p>", path=path) for path in reversed(paths))])
    assert max(section.level for section in document.walk()) == MAX_EMBEDDED_DEPTH
    assert document.notes == ("embedded files left out, for their number or depth: 1",)
    many = [entry("<p>x</p>", path=f"/{number}") for number in range(1, MAX_EMBEDDED_FILES + 11)]
    document = read([entry(), *many])
    assert len(document.sections) == MAX_EMBEDDED_FILES
    assert document.notes == ("embedded files left out, for their number or depth: 10",)


def test_pictures_alone_are_no_text_layer() -> None:
    """CASES 47."""
    assert read([entry(), entry(path="/1", kind="image/png")]).no_text_layer


def test_a_file_whose_holder_is_not_told_stands_in_the_outermost() -> None:
    document = read(
        [entry(), entry("<p>x</p>", path="/1"), entry("<p>y</p>", path="1"), entry("<p>z</p>", path="/9/8")]
    )
    assert [section.level for section in document.walk()] == [1, 1, 1]


def test_names_and_text_of_embedded_files_open_no_element() -> None:
    hostile = '"><script>x</script><div class="'
    document = read([entry(), entry("<p>a</p></div></div><p>b</p>", path="/1", resourceName=hostile)])
    assert [section.title for section in document.walk()] == [hostile]
    assert document.canonical_text() == "a\n\nb\n\n"


def test_characters_that_cannot_be_stored_are_replaced() -> None:
    assert read([entry("<p>a\ud800b</p>")]).canonical_text() == "a?b\n\n"


def metadata_of(told: Mapping[str, object]) -> Mapping[str, list[str]]:
    metadata = answer_of(json.dumps([told]).encode(), b"").header["metadata"]
    assert isinstance(metadata, dict)
    return metadata


def test_metadata_is_bounded_as_in_a_worker() -> None:
    metadata = metadata_of(entry(key=["v" * 20_000] * 600, number=1, nothing=None))
    assert len(metadata["key"]) == 500
    assert {len(value) for value in metadata["key"]} == {10_000}
    assert metadata["number"] == ["1"]
    assert len(metadata_of(entry(**{f"key{number}": "" for number in range(900)}))) == 500
