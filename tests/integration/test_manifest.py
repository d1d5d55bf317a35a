"""Every file of the shared documents is read as `manifest.json` says that it must be.

Left out: `outline` (bookmarks of a PDF as sections) and `phrases_if_ocr`, which no reader here claims.
"""

import json
import os
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from graphrag.config import TikaSettings
from graphrag.errors import PasswordRequiredError, UnreadableDocumentError
from graphrag.ingestion.readers import AutoReader, SourceBytes, TikaPool, TikaReader
from graphrag.model.parsed import Block, ParsedDocument
from tests.conftest import ENVIRON

pytest.importorskip("jpype", reason="the extra `tika` is not installed")

FOLDER = ENVIRON.get("GRAPHRAG_TEST_DATA")
ENTRIES: Sequence[Mapping[str, Any]] = (
    json.loads((Path(FOLDER) / "documents" / "manifest.json").read_text(encoding="utf-8"))["documents"]
    if FOLDER
    else ()
)
READABLE = [entry for entry in ENTRIES if entry["expect"]["status"] in {"ok", "type_mismatch"}]
LOCKED = [entry for entry in ENTRIES if entry["expect"]["status"] == "needs_password"]


def by_name(entry: Mapping[str, Any]) -> str:
    return str(entry["file"])


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AutoReader]:
    with (
        mock.patch.dict(os.environ, {"GRAPHRAG_HOME": str(tmp_path_factory.mktemp("home"))}),
        TikaPool(TikaSettings()) as pool,
    ):
        yield AutoReader(TikaReader(pool))


@pytest.fixture(scope="module")
def documents() -> dict[str, ParsedDocument]:
    """What was read, so that each file is parsed once."""
    return {}


@pytest.fixture
def document(
    request: pytest.FixtureRequest, reader: AutoReader, documents: dict[str, ParsedDocument]
) -> ParsedDocument:
    name = request.getfixturevalue("entry")["file"]
    if name not in documents:
        documents[name] = reader.read(source(name))
    return documents[name]


def source(name: str) -> SourceBytes:
    assert FOLDER is not None
    return SourceBytes(
        uri=f"file:///documents/{name}", data=(Path(FOLDER) / "documents" / name).read_bytes(), name=name
    )


def fold(text: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text)).strip()


def titles(document: ParsedDocument) -> list[tuple[int, str]]:
    return [(section.level, fold(section.title)) for section in document.walk()]


def everything(document: ParsedDocument) -> str:
    """Title, headings and text in document order."""
    parts = [document.title, "".join(block.text for block in document.blocks)]
    for section in document.walk():
        parts += [section.title, "".join(block.text for block in section.blocks)]
    return fold("\n".join(parts))


def blocks(document: ParsedDocument) -> list[Block]:
    return [*document.blocks, *(block for section in document.walk() for block in section.blocks)]


def told(entries: Sequence[Mapping[str, Any]], key: str) -> list[Mapping[str, Any]]:
    return [entry for entry in entries if key in entry["expect"]]


def is_subsequence(wanted: Sequence[tuple[int, str]], found: Sequence[tuple[int, str]]) -> bool:
    rest = iter(found)
    return all(item in rest for item in wanted)


@pytest.mark.skipif(FOLDER is None, reason="GRAPHRAG_TEST_DATA is not set: no shared data to read")
def test_manifest_names_32_files() -> None:
    assert len(ENTRIES) == 32


@pytest.mark.parametrize("entry", READABLE, ids=by_name)
def test_readable_file_has_its_phrases(entry: Mapping[str, Any], document: ParsedDocument) -> None:
    """Status `ok` and `type_mismatch`: read to the end, with every phrase."""
    assert not document.partial
    assert not document.no_text_layer
    text = everything(document)
    missing = [phrase for phrase in entry["expect"].get("phrases", ()) if fold(phrase) not in text]
    assert missing == []


@pytest.mark.parametrize("entry", told(READABLE, "phrases_strict"), ids=by_name)
def test_charset_is_as_browsers_take_it(entry: Mapping[str, Any], document: ParsedDocument) -> None:
    text = everything(document)
    assert all(fold(phrase) in text for phrase in entry["expect"]["phrases_strict"])


@pytest.mark.parametrize("entry", told(READABLE, "headings"), ids=by_name)
def test_headings_are_exact(entry: Mapping[str, Any], document: ParsedDocument) -> None:
    assert titles(document) == [(level, fold(title)) for level, title in entry["expect"]["headings"]]


@pytest.mark.parametrize("entry", told(READABLE, "headings_subset"), ids=by_name)
def test_headings_stand_in_order(entry: Mapping[str, Any], document: ParsedDocument) -> None:
    wanted = [(level, fold(title)) for level, title in entry["expect"]["headings_subset"]]
    assert is_subsequence(wanted, titles(document)), titles(document)


@pytest.mark.parametrize("entry", told(READABLE, "not_headings"), ids=by_name)
def test_what_is_no_heading_opens_no_section(entry: Mapping[str, Any], document: ParsedDocument) -> None:
    found = {title for _, title in titles(document)}
    assert found.isdisjoint(fold(title) for title in entry["expect"]["not_headings"])


@pytest.mark.parametrize("entry", told(READABLE, "max_depth"), ids=by_name)
def test_depth_of_headings(entry: Mapping[str, Any], document: ParsedDocument) -> None:
    assert max(level for level, _ in titles(document)) == entry["expect"]["max_depth"]


@pytest.mark.parametrize("entry", told(READABLE, "order"), ids=by_name)
def test_order_of_phrases(entry: Mapping[str, Any], document: ParsedDocument) -> None:
    text = everything(document)
    for first, second in entry["expect"]["order"]:
        assert 0 <= text.find(fold(first)) < text.rfind(fold(second))


@pytest.mark.parametrize("entry", told(READABLE, "tables_min"), ids=by_name)
def test_tables_are_blocks_with_their_header(entry: Mapping[str, Any], document: ParsedDocument) -> None:
    tables = [block for block in blocks(document) if block.kind == "table"]
    assert len(tables) >= entry["expect"]["tables_min"]
    assert all(block.text.startswith(block.table_header) for block in tables)


@pytest.mark.parametrize("entry", told(READABLE, "title"), ids=by_name)
def test_title_of_the_metadata(entry: Mapping[str, Any], document: ParsedDocument) -> None:
    wanted = entry["expect"]["title"]
    assert document.document_properties.get("doc_title") == wanted
    assert document.title == (wanted if wanted is not None else entry["file"])


@pytest.mark.parametrize("entry", told(READABLE, "title_visible"), ids=by_name)
def test_title_in_the_text_is_kept(entry: Mapping[str, Any], document: ParsedDocument) -> None:
    assert fold(entry["expect"]["title_visible"]) in everything(document)


@pytest.mark.parametrize("entry", told(READABLE, "author"), ids=by_name)
def test_author(entry: Mapping[str, Any], document: ParsedDocument) -> None:
    assert document.document_properties["doc_author"] == entry["expect"]["author"]


@pytest.mark.parametrize("entry", told(READABLE, "sheets"), ids=by_name)
def test_sheets_are_sections(entry: Mapping[str, Any], document: ParsedDocument) -> None:
    assert [section.title for section in document.sections] == entry["expect"]["sheets"]


@pytest.mark.parametrize("entry", told(READABLE, "attachments"), ids=by_name)
def test_attachments_are_sections_with_text(entry: Mapping[str, Any], document: ParsedDocument) -> None:
    found = {section.title: section for section in document.sections}
    assert all(found[name].blocks for name in entry["expect"]["attachments"])


@pytest.mark.parametrize("entry", told(READABLE, "pages"), ids=by_name)
def test_pages(entry: Mapping[str, Any], document: ParsedDocument) -> None:
    assert document.document_properties["doc_pages"] == entry["expect"]["pages"]
    pages = [block.page for block in blocks(document)]
    assert pages == sorted(page for page in pages if page is not None)
    assert set(pages) == set(range(1, entry["expect"]["pages"] + 1))


@pytest.mark.parametrize("entry", READABLE, ids=by_name)
def test_blocks_end_in_a_blank_line(entry: Mapping[str, Any], document: ParsedDocument) -> None:
    """Blocks can simply be joined, and none is of blanks only."""
    for block in blocks(document):
        assert block.text.endswith("\n\n")
        assert block.text.strip()


@pytest.mark.parametrize("entry", LOCKED, ids=by_name)
def test_encrypted_file_needs_its_password(entry: Mapping[str, Any], reader: AutoReader) -> None:
    locked = source(entry["file"])
    with pytest.raises(PasswordRequiredError, match="no password was given"):
        reader.read(locked)
    with pytest.raises(PasswordRequiredError, match="the password does not open it"):
        reader.read(locked, password="wrong")
    text = everything(reader.read(locked, password=entry["expect"]["password"]))
    assert all(fold(phrase) in text for phrase in entry["expect"]["phrases_with_password"])


@pytest.mark.parametrize(
    "entry", [entry for entry in ENTRIES if entry["expect"]["status"] == "no_text_layer"], ids=by_name
)
def test_file_of_pictures_is_told(entry: Mapping[str, Any], reader: AutoReader) -> None:
    document = reader.read(source(entry["file"]))
    assert document.no_text_layer
    assert document.canonical_text() == ""
    assert document.document_properties["doc_pages"] == entry["expect"]["pages"]


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry["expect"]["status"] == "error"], ids=by_name)
def test_damaged_file_is_an_error_and_an_empty_one_has_no_text(entry: Mapping[str, Any], reader: AutoReader) -> None:
    damaged = source(entry["file"])
    if not damaged.data:
        document = reader.read(damaged)
        assert (document.blocks, document.sections, document.no_text_layer) == ((), (), False)
        return
    with pytest.raises(UnreadableDocumentError, match="is damaged"):
        reader.read(damaged)


@pytest.mark.parametrize(
    "entry", [entry for entry in ENTRIES if entry["expect"]["status"] == "error_or_partial"], ids=by_name
)
def test_cut_file_is_partial_or_an_error(entry: Mapping[str, Any], reader: AutoReader) -> None:
    message = ""
    try:
        document = reader.read(source(entry["file"]))
    except UnreadableDocumentError as error:
        message = str(error)
    else:
        assert document.partial
        assert document.canonical_text()
    assert not message or "is damaged" in message
