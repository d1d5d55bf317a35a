"""The table of tests in `docs/filters.md` is true: the three forms of each line are one filter."""

import re
from pathlib import Path

import pytest

from graphrag.filters import EntityFilter, parse_filter, prop

PAGE = (Path(__file__).parents[3] / "docs" / "filters.md").read_text(encoding="utf-8")
ROWS = [
    [re.findall(r"`([^`]+)`", cell) for cell in line.strip("|").split(" | ")]
    for line in PAGE.splitlines()
    if line.startswith("| ") and re.search(r'"k"|has_any_label', line)
]
WHOLE = [row for row in ROWS if row[2][0].startswith("{")]


def test_the_table_is_found() -> None:
    assert len(ROWS) == 16
    assert len(WHOLE) == 14


@pytest.mark.parametrize("row", WHOLE, ids=lambda row: row[-1][0])
def test_python_json_and_text_of_a_line_are_one_filter(row: list[list[str]]) -> None:
    _, in_python, in_json, in_text = row
    built = eval(in_python[0], {"prop": prop, "EntityFilter": EntityFilter})  # noqa: S307 - our own page
    for form in (*in_json, *in_text):
        assert parse_filter(form) == built
