"""Results as JSON, and names as a person reads them."""

import json
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import pytest

from graphrag.cli._output import counted, deletion_told, jsonable, print_json, shown_uri
from graphrag.ingestion import DocumentVerdict, Verdict
from graphrag.model import Document
from graphrag.stores.reports import Deletion


@pytest.mark.parametrize(
    "value, expected",
    [
        (date(2024, 1, 31), "2024-01-31"),
        (datetime(2024, 1, 31, 9, tzinfo=UTC), "2024-01-31T09:00:00+00:00"),
        (time(9, 30), "09:30:00"),
        (timedelta(days=1, seconds=2, microseconds=500_000), "P1DT2.5S"),
        (float("nan"), None),
        (float("inf"), None),
        (Verdict.ADDED, "added"),
        ((1, {"a": {2}}), [1, {"a": [2]}]),
        (Path("a/b"), "a/b"),
        (Deletion(1, 2, 3), {"documents": 1, "sections": 2, "chunks": 3}),
        (True, True),
    ],
)
def test_every_value_has_a_form_in_json(value: object, expected: object) -> None:
    assert jsonable(value) == expected
    json.dumps(jsonable(value), allow_nan=False)


def test_verdicts_keep_their_names() -> None:
    assert jsonable(DocumentVerdict("file:///a", Verdict.FAILED, "why")) == {
        "uri": "file:///a",
        "verdict": "failed",
        "reason": "why",
        "chunks": 0,
        "embedded": 0,
        "notes": [],
        "document_id": None,
    }


def test_one_json_document_that_no_terminal_obeys(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"title": "é \x1b[2J \x9b \u202e \udcff"})
    printed = capsys.readouterr().out
    assert json.loads(printed) == {"title": "é \x1b[2J \x9b \u202e \udcff"}
    assert printed.isascii() or not set(printed) & set("\x1b\x9b\u202e\udcff")


def test_a_file_is_told_from_the_working_folder_and_any_other_address_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert shown_uri((tmp_path / "a b.md").as_uri()) == "a b.md"
    assert shown_uri("file:///elsewhere/a%0Ab.md") == "/elsewhere/a b.md"
    assert shown_uri("https://example.com/a%20b") == "https://example.com/a%20b"
    assert shown_uri("file:///elsewhere/%1B%5B2J") == "/elsewhere/�[2J"


def test_numbers_go_with_their_nouns() -> None:
    assert counted(1, "chunk") == "1 chunk"
    assert counted(1_200, "chunk") == "1,200 chunks"
    assert deletion_told(Deletion(1, 0, 2)) == "Deleted 1 document, 0 sections, 2 chunks."


def test_a_document_is_json() -> None:
    document = Document(id="x", uri="file:///a", title="A", metadata={"day": date(2024, 1, 31)})
    assert jsonable(document.model_dump())["metadata"] == {"day": "2024-01-31"}  # type: ignore[index]
