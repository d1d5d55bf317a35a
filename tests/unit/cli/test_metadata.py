"""Metadata on the command line: what becomes a number, what stays text, what takes away."""

from datetime import date
from pathlib import Path

import click
import pytest

from graphrag.cli._metadata import parse_changes, parse_meta, read_meta_file


@pytest.mark.parametrize(
    "value, expected",
    [
        ("2024", 2024),
        ("-1.5", -1.5),
        ("true", True),
        ("null", None),
        ('"2024"', "2024"),
        ('["a", "b"]', ["a", "b"]),
        ("", ""),
        ("plain words", "plain words"),
        ("a=b", "a=b"),
        ("007", "007"),
        ("NaN", "NaN"),
        ("1e999", "1e999"),
        ("-1e999", "-1e999"),
        ("[1, 1e999]", "[1, 1e999]"),
        ("1e300", 1e300),
        ("[Infinity]", "[Infinity]"),
        ('{"a": 1}', '{"a": 1}'),
        ("[" * 100_000, "[" * 100_000),
        ("2024-01-31", "2024-01-31"),
    ],
)
def test_a_value_is_json_where_it_is_a_scalar_or_a_list_and_else_text(value: str, expected: object) -> None:
    parsed = parse_meta([f"key={value}"])["key"]
    assert parsed == expected
    assert type(parsed) is type(expected)


def test_a_key_that_is_given_twice_is_refused() -> None:
    assert parse_meta(["a=1", "b=2"]) == {"a": 1, "b": 2}
    with pytest.raises(click.BadParameter, match="'a' is given twice"):
        parse_meta(["a=1", "b=2", "a=3"])
    with pytest.raises(click.BadParameter, match="'a' is given twice"):
        parse_changes(["a=1", "a="])


@pytest.mark.parametrize("pair", ["novalue", "=value", ""])
def test_what_is_no_pair_is_refused(pair: str) -> None:
    with pytest.raises(click.BadParameter, match="is not KEY=VALUE"):
        parse_meta([pair])


def test_a_change_without_a_value_takes_the_key_away() -> None:
    assert parse_changes(["gone=", "kept=1", 'empty=""']) == {"gone": None, "kept": 1, "empty": ""}


def test_files_of_json_and_toml(tmp_path: Path) -> None:
    json_file, toml_file = tmp_path / "meta.json", tmp_path / "meta.toml"
    json_file.write_text('\ufeff{"year": 2024, "place": {"name": "Wrackhaven"}}', encoding="utf-8")
    toml_file.write_text("year = 2024\nday = 2024-01-31\n", encoding="utf-8")
    assert read_meta_file(json_file) == {"year": 2024, "place": {"name": "Wrackhaven"}}
    assert read_meta_file(toml_file) == {"year": 2024, "day": date(2024, 1, 31)}


@pytest.mark.parametrize(
    "name, content, told",
    [
        ("a.json", b"{", "cannot be read as JSON or TOML"),
        ("a.json", b"[1]", "must hold one JSON object"),
        ("a.json", b"\xff\xfe\x00", "cannot be read as JSON or TOML"),
        ("a.toml", b"x = ", "cannot be read as JSON or TOML"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(name: str, content: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(click.BadParameter, match=told):
        read_meta_file(path)
