"""Parameters that can be sent, and answers as plain data without vectors."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pytest
from neo4j.spatial import WGS84Point
from neo4j.time import Date, DateTime, Duration
from neo4j.vector import Vector

from graphrag.errors import InvalidRequestError
from graphrag.stores.neo4j.statement_values import PlainValues, statement_parameters


def test_what_the_driver_takes_is_sent_as_it_is() -> None:
    given: dict[str, object] = {
        "none": None, "bool": True, "int": -(2**63), "float": float("inf"), "text": "é\0", "bytes": b"\x00",
        "list": [1, "a", [None]], "map": {"a": {"b": 1.5}}, "date": date(2024, 1, 2), "delta": timedelta(days=1),
        "naive": datetime(2024, 1, 2, 3),  # noqa: DTZ001 - naive times are a kind of their own
    }  # fmt: skip
    assert statement_parameters(given, needed=frozenset({"none", "map"})) == given
    assert statement_parameters({"a": (1, 2)}, needed=frozenset()) == {"a": [1, 2]}
    assert statement_parameters(None, needed=frozenset()) == {}
    sent = statement_parameters({"at": datetime(2024, 1, 2, tzinfo=UTC), "t": time(1, tzinfo=UTC)}, needed=frozenset())
    assert sent["at"] == datetime(2024, 1, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    "given, told",
    [
        ({"a": 2**63}, "parameter `a` is a whole number of more than 64 bits"),
        ({"a": [1, {"b": Decimal(1)}]}, r"parameter `a\[1\].b` is of type Decimal; text, numbers"),
        ({"a": {1: 2}}, "parameter `a` has a name of type int"),
        ({1: 2}, "parameter `parameters` has a name of type int"),
        ({"a": "SECRET\ud800"}, "parameter `a` holds half a character"),
        ({"a": {"\ud800": 1}}, "parameter `a` holds half a character"),
        ({"a": {1, 2}}, "is of type set"),
        ({"a": object()}, "is of type object"),
        ([], "`parameters` is of type list"),
        ({}, "not given: `a`, `b`"),
    ],
)
def test_what_cannot_be_sent_is_told_by_place_and_type(given: Any, told: str) -> None:
    needed = frozenset({"a", "b"}) if given == {} else frozenset[str]()
    with pytest.raises(InvalidRequestError, match=told) as caught:
        statement_parameters(given, needed=needed)
    assert "SECRET" not in str(caught.value)


def test_a_value_that_is_too_deep_or_holds_itself_is_refused() -> None:
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(InvalidRequestError, match="more than 32 deep"):
        statement_parameters({"a": endless}, needed=frozenset())


def test_values_of_the_driver_become_plain_data() -> None:
    values = PlainValues(16)
    row = values.row(
        ["p", "d", "t", "u", "m", "b", "x"],
        [WGS84Point((1, 2)), Date(2024, 1, 2), DateTime(2024, 1, 2, 3), Duration(months=1), {"a": [1, None]}, b"x",
         range],
    )  # fmt: skip
    assert row == {
        "p": {"srid": 4326, "coordinates": [1.0, 2.0]},
        "d": date(2024, 1, 2),
        "t": datetime(2024, 1, 2, 3),  # noqa: DTZ001 - as above
        "u": "P1M",
        "m": {"a": [1, None]},
        "b": b"x",
        "x": "<type>",
    }
    assert values.vectors == 0


def test_vectors_are_left_out_wherever_they_stand() -> None:
    """By name, by the stored dimensions, by length, by type: in columns, maps and lists of lists."""
    marks = {
        "embedding": [1, 2],
        "c.embedding_2": [0.5],
        "n.`embedding`": [0.5],
        "m": {"embedding": [0.5, 0.25], "embedding_model": "m"},
        "all": [[0.5] * 16, [0.25] * 16],
        "other": [0.5] * 64,
        "v": Vector.from_native([1.0, 2.0, 3.0], "f32"),
    }
    values = PlainValues(16)
    assert values.row(list(marks), marks.values()) == {
        "embedding": "<vector of 2 numbers>",
        "c.embedding_2": "<vector of 1 numbers>",
        "n.`embedding`": "<vector of 1 numbers>",
        "m": {"embedding": "<vector of 2 numbers>", "embedding_model": "m"},
        "all": ["<vector of 16 numbers>", "<vector of 16 numbers>"],
        "other": "<vector of 64 numbers>",
        "v": "<vector of 3 numbers>",
    }
    assert values.vectors == 8
    kept = {"a": [1] * 100, "b": [0.5] * 15, "c": [0.5] * 63 + ["x"], "embedding": [], "embedding_of": ["a"]}
    values = PlainValues(None)
    assert values.row(list(kept), kept.values()) == kept
    assert values.vectors == 0


def test_the_size_is_about_that_of_json() -> None:
    values = PlainValues(None)
    values.row(["text"], ["é" * 1_000])
    assert 2_000 <= values.size <= 2_100
