"""`graphrag cypher` hands a statement on with its parameters and bounds, and prints what comes back."""

import json
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from graphrag.cli import main
from graphrag.cli._session import Session
from graphrag.errors import InvalidRequestError
from graphrag.stores.reports import StatementResult

Call = tuple[tuple[object, ...], dict[str, object]]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Call]:
    calls: list[Call] = []

    def cypher_search(*arguments: object, **more: object) -> StatementResult:
        calls.append((arguments, more))
        if arguments[0] == "CREATE (n)":
            raise InvalidRequestError("the statement is refused: it writes")
        if arguments[0] == "wide":
            return StatementResult(("a", "b"), ({"a": "x" * 90, "b": 1}, {"a": "y", "b": None}))
        rows = ({"title": "Tide\nmill", "n": 3}, {"title": "Old", "n": [1, {"a": None}]})
        return StatementResult(("title", "n"), rows, truncated=True, notes=("the answer was cut",))

    store = SimpleNamespace(cypher_search=cypher_search)
    monkeypatch.setattr(Session, "open_store", lambda *_: nullcontext(store))
    monkeypatch.setattr(Session, "open_store_without_model", lambda *_: nullcontext(store))
    return calls


def test_parameters_and_bounds_go_to_the_store(calls: list[Call]) -> None:
    arguments = ["cypher", "RETURN $a", "--param", "a=[1, 2.5]", "--param", '$b="x=y"', "--max-rows", "5"]
    result = CliRunner().invoke(main, [*arguments, "--max-bytes", "100", "--timeout", "2.5"])
    assert result.exit_code == 0
    assert calls == [(("RETURN $a", {"a": [1, 2.5], "b": "x=y"}), {"max_rows": 5, "max_bytes": 100, "timeout_s": 2.5})]


def test_rows_are_printed_in_columns_and_as_json(calls: list[Call]) -> None:
    result = CliRunner().invoke(main, ["cypher", "RETURN 1"])
    assert result.stdout.splitlines() == ["title      n", "Tide mill  3", 'Old        [1, {"a": null}]']
    assert result.stderr == "Note: the answer was cut\n2 rows.\n"
    found = json.loads(CliRunner().invoke(main, ["cypher", "RETURN 1", "--json"]).stdout)
    assert found == {
        "columns": ["title", "n"],
        "rows": [{"title": "Tide\nmill", "n": 3}, {"title": "Old", "n": [1, {"a": None}]}],
        "truncated": True,
        "notes": ["the answer was cut"],
    }


def test_what_is_too_wide_is_printed_value_by_value(calls: list[Call]) -> None:
    lines = CliRunner().invoke(main, ["cypher", "wide"], env={"COLUMNS": "80"}).stdout.splitlines()
    assert lines == ["row 1", f"  a: {'x' * 90}", "  b: 1", "row 2", "  a: y", "  b: null"]


def test_a_statement_may_come_from_standard_input(calls: list[Call]) -> None:
    CliRunner().invoke(main, ["cypher", "-"], input="RETURN\n 2")
    assert calls[0][0][0] == "RETURN\n 2"


def test_a_refused_statement_is_one_line(calls: list[Call]) -> None:
    result = CliRunner().invoke(main, ["cypher", "CREATE (n)"])
    assert (result.exit_code, result.stderr) == (1, "Error: the statement is refused: it writes\n")


@pytest.mark.parametrize(
    "given, told",
    [
        ("a", "'a' is not NAME=JSON"),
        ("=1", "'=1' is not NAME=JSON"),
        ("a=x", "the value of 'a' is no JSON; text stands in quotes"),
        ("a=NaN", "is no JSON"),
    ],
)
def test_a_wrong_parameter_is_a_usage_error(calls: list[Call], given: str, told: str) -> None:
    result = CliRunner().invoke(main, ["cypher", "RETURN $a", "--param", given])
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.split())
    twice = CliRunner().invoke(main, ["cypher", "RETURN $a", "--param", "a=1", "--param", "a=2"])
    assert "'a' is given twice" in twice.stderr
    assert calls == []
