"""The JSON form: what each object stands for, where an error is, and that what is written is read back."""

# ruff: noqa: DTZ001 - date-times without a zone are values to test with

import json
import math
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given

from graphrag.errors import InvalidFilterError
from graphrag.filters import filter_from_json, filter_from_json_text, filter_to_json, filter_to_json_text, parse_filter
from graphrag.filters.json_form import MAX_JSON_CHARS
from graphrag.filters.nodes import (
    And,
    Between,
    Contains,
    ContainsIgnoreCase,
    EndsWith,
    Eq,
    EqIgnoreCase,
    Exists,
    FilterNode,
    Gt,
    Gte,
    HasAnyLabel,
    HasElement,
    In,
    Lt,
    Lte,
    Ne,
    Nin,
    Not,
    Or,
    StartsWith,
)
from graphrag.testing.filter_strategies import filters

BERLIN = ZoneInfo("Europe/Berlin")
WRITTEN: list[tuple[dict[str, object], FilterNode]] = [
    ({"owner": "alice"}, Eq("owner", "alice")),
    ({"k": 1}, Eq("k", 1)),
    ({"k": 1.0}, Eq("k", 1.0)),
    ({"k": True}, Eq("k", True)),
    ({"k": ["a", "b"]}, Eq("k", ("a", "b"))),
    ({"k": []}, Eq("k", ())),
    ({"k": {"$ne": 1}}, Ne("k", 1)),
    ({"k": {"$gt": 1}}, Gt("k", 1)),
    ({"k": {"$gte": 1}}, Gte("k", 1)),
    ({"k": {"$lt": 1}}, Lt("k", 1)),
    ({"k": {"$lte": 1}}, Lte("k", 1)),
    ({"k": {"$in": [1, "a", True]}}, In("k", (1, "a", True))),
    ({"k": {"$in": []}}, In("k", ())),
    ({"k": {"$nin": [1]}}, Nin("k", (1,))),
    ({"k": {"$between": [1, 2]}}, Between("k", 1, 2)),
    ({"k": {"$contains": "a"}}, Contains("k", "a")),
    ({"k": {"$starts_with": "a"}}, StartsWith("k", "a")),
    ({"k": {"$ends_with": "a"}}, EndsWith("k", "a")),
    ({"k": {"$eq_ignore_case": "a"}}, EqIgnoreCase("k", "a")),
    ({"k": {"$contains_ignore_case": "a"}}, ContainsIgnoreCase("k", "a")),
    ({"k": {"$has_element": 1}}, HasElement("k", 1)),
    ({"k": {"$exists": True}}, Exists("k")),
    ({"$not": {"k": {"$exists": True}}}, Not(Exists("k"))),
    ({"$labels": ["Person", "Odd label"]}, HasAnyLabel(("Person", "Odd label"))),
    ({"$and": [{"a": 1}, {"b": 2}]}, And((Eq("a", 1), Eq("b", 2)))),
    ({"$and": [{"a": 1}]}, And((Eq("a", 1),))),
    ({"$or": [{"a": 1}, {}]}, Or((Eq("a", 1), And()))),
    ({"$or": []}, Or()),
    ({"$not": {}}, Not(And())),
    ({}, And()),
    ({"$property": {"key": "$odd", "$eq": 1}}, Eq("$odd", 1)),
    ({"$property": {"key": "$and", "$in": [1]}}, In("$and", (1,))),
    ({"a.b": {"$gt": 1}}, Gt("a.b", 1)),
    ({"k": {"$eq": {"$date": "2024-01-31"}}}, Eq("k", date(2024, 1, 31))),
    ({"k": {"$lt": {"$datetime": "2024-01-31T09:00:00"}}}, Lt("k", datetime(2024, 1, 31, 9))),
    ({"k": {"$lt": {"$datetime": "2024-01-31T09:00:00+00:00"}}}, Lt("k", datetime(2024, 1, 31, 9, tzinfo=UTC))),
    (
        {"k": {"$lt": {"$datetime": "2024-10-27T02:30:00+01:00[Europe/Berlin]"}}},
        Lt("k", datetime(2024, 10, 27, 2, 30, tzinfo=BERLIN, fold=1)),
    ),
    (
        {"k": {"$lt": {"$datetime": "2024-10-27T02:30:00+02:00[Europe/Berlin]"}}},
        Lt("k", datetime(2024, 10, 27, 2, 30, tzinfo=BERLIN)),
    ),
    ({"k": {"$eq": {"$time": "09:00:00+01:00"}}}, Eq("k", time(9, tzinfo=timezone(timedelta(hours=1))))),
    ({"k": {"$eq": {"$duration": "P1DT7.500000S"}}}, Eq("k", timedelta(1, 7, 500_000))),
    ({"k": {"$in": [{"$duration": "-PT1S"}]}}, In("k", (timedelta(seconds=-1),))),
    ({"k": [{"$date": "2024-01-31"}]}, Eq("k", (date(2024, 1, 31),))),
    ({"k": {"$eq": {"$float": "inf"}}}, Eq("k", math.inf)),
    ({"k": {"$eq": {"$float": "-inf"}}}, Eq("k", -math.inf)),
]  # fmt: skip


@pytest.mark.parametrize("form,node", WRITTEN)
def test_each_form_is_read_as_one_node_and_written_so(form: dict[str, object], node: FilterNode) -> None:
    """THREATS 11; CASES 14."""
    assert filter_from_json(form) == node
    assert filter_to_json(node) == form
    assert json.loads(filter_to_json_text(node)) == form


@pytest.mark.parametrize(
    "form,node",
    [
        ({"k": {"$eq": 1}}, Eq("k", 1)),
        ({"k": {"$date": "2024-01-31"}}, Eq("k", date(2024, 1, 31))),
        ({"k": {"$exists": False}}, Not(Exists("k"))),
        ({"a": 1, "b": 2}, And((Eq("a", 1), Eq("b", 2)))),
        ({"year": {"$gte": 2020, "$lt": 2024}}, And((Gte("year", 2020), Lt("year", 2024)))),
        (
            {"year": {"$gte": 2020, "$lt": 2024}, "$labels": ["A"], "$or": []},
            And((Gte("year", 2020), Lt("year", 2024), HasAnyLabel(("A",)), Or())),
        ),
        ({"$and": []}, And()),
        ({"$property": {"key": "$odd", "$gt": 1, "$lt": 3}}, And((Gt("$odd", 1), Lt("$odd", 3)))),
        ({"k": (1, 2)}, Eq("k", (1, 2))),
        ({"k": date(2024, 1, 31)}, Eq("k", date(2024, 1, 31))),
        ({"k": {"$eq": {"$duration": "P1W"}}}, Eq("k", timedelta(7))),
        ({"k": {"$eq": {"$duration": "P1DT2H30M0.5S"}}}, Eq("k", timedelta(1, 9_000, 500_000))),
        ({"k": {"$datetime": "2024-01-31T09:00[Europe/Berlin]"}}, Eq("k", datetime(2024, 1, 31, 9, tzinfo=BERLIN))),
        ({"k": {"$eq": {"$datetime": "2024-01-31T09:00:00Z"}}}, Eq("k", datetime(2024, 1, 31, 9, tzinfo=UTC))),
        ({"op": "= 1 OR"}, Eq("op", "= 1 OR")),
        ({"a` = 1 OR true //": 1}, Eq("a` = 1 OR true //", 1)),
    ],
)  # fmt: skip
def test_forms_that_are_read_too(form: dict[str, object], node: FilterNode) -> None:
    """THREATS 8; CASES 20."""
    assert filter_from_json(form) == node


@given(filters(max_depth=16))
def test_every_filter_is_written_as_json_and_read_back_the_same(filter_: FilterNode) -> None:
    assert filter_from_json(filter_to_json(filter_)) == filter_
    text = filter_to_json_text(filter_)
    assert filter_from_json_text(text) == parse_filter(f" \n{text}") == filter_
    assert "\n" not in text


@pytest.mark.parametrize(
    "form,place,message",
    [
        ({"k": None}, "$.k", 'null equals nothing; ask for absence with {"$exists": false}'),
        ({"k": {"$in": [1, None]}}, "$.k.$in[1]", "null equals nothing"),
        ({"k": {"$ne": None}}, "$.k.$ne", "null equals nothing"),
        ({"tenant": {"$where": "1"}}, "$.tenant.$where", "`$where` is no operator; known are $eq, $ne, $gt"),
        ({"k": {"$get": 1}}, "$.k.$get", "`$get` is no operator (did you mean `$gt`?)"),
        ({"k": {"gte": 1}}, "$.k.gte", "`gte` is no operator (did you mean `$gte`?)"),
        ({"k": {"nested": {"a": 1}}}, "$.k.nested", "`nested` is no operator"),
        ({"k": {"$regex": "(a+)+b"}}, "$.k.$regex", "`$regex` is no operator"),
        ({"$nor": []}, "$.$nor", "`$nor` joins no filters (did you mean `$or`?); known are $and, $or, $not, $labels"),
        ({"$gte": 2020}, "$.$gte", 'a test of a property stands below its name: {"year": {"$gte": 2020}}'),
        ({"k": {}}, "$.k", "no operator is given; known are $eq"),
        ({"$and": {"a": 1}}, "$.$and", "a list of filters is wanted; this is of type dict"),
        ({"$and": [1]}, "$.$and[0]", "a filter is an object; this is of type int"),
        ({"$and": [{"a": 1}, {"year": {"$gte": None}}]}, "$.$and[1].year.$gte", "null"),
        ({"$or": [{"$not": {"year": {"$gte": [1]}}}]}, "$.$or[0].$not.year.$gte", "a list has no order"),
        ({"$not": []}, "$.$not", "a filter is an object; this is of type list"),
        ({"$labels": []}, "$.$labels", "no labels are given"),
        ({"$labels": "Person"}, "$.$labels", "a list of labels is wanted; this is of type str"),
        ({"$labels": ["a\0b"]}, "$.$labels", "without NUL"),
        ({"k": {"$in": "ab"}}, "$.k.$in", "a list of values is wanted; this is of type str"),
        ({"k": {"$in": [[1]]}}, "$.k.$in[0]", "a list within a list"),
        ({"k": {"$between": [1]}}, "$.k.$between", "a list of two bounds, low and high; 1 are given"),
        ({"k": {"$between": [1, "a"]}}, "$.k.$between", "the bounds are a number and a text"),
        ({"k": {"$exists": 1}}, "$.k.$exists", "`$exists` takes true or false"),
        ({"k": {"$starts_with": 1}}, "$.k.$starts_with", "`starts_with` compares text"),
        ({"k": math.nan}, "$.k", "NaN equals nothing"),
        ({"k": 2**63}, "$.k", "does not fit 64 bits"),
        ({"k": [1, "a"]}, "$.k", "the list holds number and text"),
        ({"k": ["a", "\0"]}, "$.k[1]", "NUL"),
        ({"k": {"$eq": {"$date": "2024-13-01"}}}, "$.k.$eq.$date", "this is no date: it is written as 2024-01-31"),
        ({"k": {"$date": "2024-01-31T00:00:00"}}, "$.k.$date", "this is no date"),
        ({"k": {"$datetime": "2024-01-31"}}, "$.k.$datetime", "this is no datetime: it is written as"),
        ({"k": {"$datetime": "2024-01-31T09:00:00+05:00[Europe/Berlin]"}}, "$.k.$datetime", "this is no datetime"),
        ({"k": {"$datetime": "2024-01-31T09:00:00[No/Where]"}}, "$.k.$datetime", "a zone that this machine knows"),
        ({"k": {"$datetime": "2024-01-31T09:00:00[../../etc/passwd]"}}, "$.k.$datetime", "this is no datetime"),
        ({"k": {"$time": "25:00"}}, "$.k.$time", "this is no time: it is written as 09:00:00"),
        ({"k": {"$duration": "P1Y"}}, "$.k.$duration", "no months or years"),
        ({"k": {"$duration": "P"}}, "$.k.$duration", "this is no duration"),
        ({"k": {"$duration": "PT"}}, "$.k.$duration", "this is no duration"),
        ({"k": {"$duration": "P" + "9" * 9 + "W"}}, "$.k.$duration", "this is no duration"),
        ({"k": {"$date": 1}}, "$.k.$date", "`$date` takes text; this is of type int"),
        ({"k": {"$float": "nan"}}, "$.k.$float", "`$float` takes `inf` or `-inf`"),
        ({"k": {"$eq": {"$dat": "x"}}}, "$.k.$eq.$dat", "`$dat` is no type of value (did you mean `$date`?)"),
        ({"k": {"$date": "2024-01-31", "$gt": 1}}, "$.k", "an object as a value has one member"),
        ({"$property": {"$eq": 1}}, "$.$property", "it names its property by `key`"),
        ({"$property": {"key": 1, "$eq": 1}}, "$.$property.$eq", "a property's name is of type int"),
        ({"$property": {"key": "$odd"}}, "$.$property", "no operator is given"),
        ({"": 1}, '$[""]', "has 0 characters"),
        ({"a b": {"$x": 1}}, '$["a b"].$x', "`$x` is no operator"),
        ({"text": "a"}, "$.text", "`text` cannot be filtered on"),
        ({1: "a"}, "$", "a member's name is of type int"),
        ([], "$", "a filter is an object; this is of type list"),
        (None, "$", "a filter is an object; this is of type NoneType"),
        ({"k": {"$in": [1] * 1_001}}, "$.k.$in", "the list has 1001 values; at most 1000"),
        ({str(number): 1 for number in range(257)}, "$", "the object has 257 members; a filter has at most 256 nodes"),
        ({str(number): 1 for number in range(256)}, "$", "257 nodes; at most 256 are taken"),
    ],
)  # fmt: skip
def test_what_is_no_filter_is_refused_with_its_place(form: Any, place: str, message: str) -> None:
    """THREATS 8 and 15; CASES 14 and 20."""
    with pytest.raises(InvalidFilterError) as caught:
        filter_from_json(form)
    assert caught.value.place == place
    assert message in caught.value.message


def test_depth_is_bounded_before_it_is_followed() -> None:
    form: dict[str, object] = {}
    form["$not"] = form  # without an end
    with pytest.raises(InvalidFilterError, match="over 16 levels"):
        filter_from_json(form)
    shared: dict[str, object] = {"k": 1}
    for _ in range(15):
        shared = {"$and": [shared] * 200}
    with pytest.raises(InvalidFilterError, match="at most 256 are taken"):
        filter_from_json(shared)


@pytest.mark.parametrize(
    "text,place,message",
    [
        ('{"a": 1, "a": 2}', "$", "two members of the name 'a'; join two tests by `$and`"),
        ('{"k": {"$gt": 1, "$gt": 2}}', "$", "two members of the name '$gt'"),
        ('{"k": NaN}', "$", "`NaN` is no JSON"),
        ('{"k": -Infinity}', "$", "`-Infinity` is no JSON"),
        ('{"k": 1e999}', "$", "too large for a float"),
        ('{"k": ' + "9" * 5_000 + "}", "$", "does not fit 64 bits"),
        ('{"k": 1', "character 8", "the text is no JSON: Expecting"),
        ('{"k": 1} x', "character 10", "Extra data"),
        ('{"a": ' * 100_000, "character 289", "nested over 48 levels deep"),
        ('{"k": ' + "[" * 100_000, "character 54", "nested over 48 levels deep"),
        ('{"k": "' + "x" * MAX_JSON_CHARS + '"}', "$", "at most 1000000 are read"),
        ('{"k": "\\ud800"}', "$.k", "lone surrogate"),
        ("[]", "$", "a filter is an object; this is of type list"),
        ("", "character 1", "the text is no JSON"),
    ],
)
def test_json_text_that_is_no_filter_is_refused(text: str, place: str, message: str) -> None:
    with pytest.raises(InvalidFilterError) as caught:
        filter_from_json_text(text)
    assert caught.value.place == place
    assert message in caught.value.message
    assert len(str(caught.value)) < 500


def test_many_brackets_within_text_are_text() -> None:
    assert filter_from_json_text('{"k": "' + "[" * 100 + '\\"' + "{" * 100 + '"}') == Eq(
        "k", "[" * 100 + '"' + "{" * 100
    )


def test_whole_and_floating_numbers_stay_what_they_are() -> None:
    assert filter_from_json_text('{"k": 1}') == Eq("k", 1)
    assert filter_from_json_text('{"k": 1.0}') == Eq("k", 1.0)
    assert filter_from_json_text('{"k": -9223372036854775808}') == Eq("k", -(2**63))
    assert filter_from_json_text('{"k": -0.0}') == Eq("k", -0.0)


@pytest.mark.parametrize(
    "text,place",
    [
        (r'{"\ud800": 1}', "$"),
        (r'{"$\ud800": []}', "$"),
        (r'{"k": {"$\ud800": 1}}', "$.k"),
        (r'{"k": {"$eq": {"$\ud800": "x"}}}', "$.k.$eq"),
    ],
)
def test_a_message_about_a_lone_surrogate_can_be_printed(text: str, place: str) -> None:
    with pytest.raises(InvalidFilterError, match="a member's name holds a lone surrogate") as caught:
        filter_from_json_text(text)
    assert caught.value.place == place
    assert str(caught.value).encode()
