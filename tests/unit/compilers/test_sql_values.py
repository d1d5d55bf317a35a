"""The stored form of a value is equal where the value is, and sorts as it does."""

import json
import sys
from datetime import UTC, date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, strategies as st

from graphrag.compilers.sql_values import (
    after_kind,
    after_prefix,
    labels_to_json,
    lowered_name,
    properties_to_json,
    stored_name,
    stored_value,
)
from graphrag.errors import InvalidRequestError
from graphrag.filters.values import Scalar

INTEGERS = st.integers(-(2**63), 2**63 - 1)
NEIGHBOURS = st.builds(lambda power, step: 2**power + step, st.integers(0, 62), st.integers(-2, 2))
NUMBERS = INTEGERS | NEIGHBOURS | NEIGHBOURS.map(float) | st.floats(allow_nan=False)
TEXTS = st.text(st.characters(exclude_characters="\0", codec="utf-8"))
ZONES = st.timedeltas(timedelta(hours=-23), timedelta(hours=23)).map(timezone)
NAIVE = datetime(2024, 3, 1)  # noqa: DTZ001 - a date-time without a zone
ONE_OF_EACH: tuple[Scalar, ...] = (
    "1", True, 1, date(2024, 3, 1), NAIVE, NAIVE.replace(tzinfo=UTC), time(1), time(1, tzinfo=UTC), timedelta(1),
)  # fmt: skip


def utf8(value: Scalar) -> bytes:
    return stored_value(value).encode()


@given(NUMBERS, NUMBERS)
@example(2**53, float(2**53))
@example(2**53 + 1, float(2**53))
@example(2**63 - 1, 2.0**63)
@example(-(2**63), -(2.0**63))
@example(0, -0.0)
@example(sys.float_info.max, float("inf"))
@example(5e-324, 0)
@example(-5e-324, 5e-324)
def test_numbers_are_equal_and_in_order_as_in_python(one: float, other: float) -> None:
    assert (stored_value(one) == stored_value(other)) == (one == other)
    assert (stored_value(one) < stored_value(other)) == (one < other)
    assert len(stored_value(one)) == len("n") + 1 + 3 + 16


def test_numbers_around_zero_and_of_one_exponent_are_in_order_on_both_sides() -> None:
    positive = [
        5e-324,
        1e-300,
        0.1,
        0.5,
        0.75,
        1,
        1.25,
        1.5,
        2,
        3,
        2**53,
        2**53 + 1,
        2**63 - 1,
        2.0**63,
        1e308,
        float("inf"),
    ]
    numbers = [-number for number in reversed(positive)] + [0] + positive
    stored = list(map(stored_value, numbers))
    assert stored == sorted(stored)
    assert len(set(stored)) == len(numbers)


@given(TEXTS, TEXTS)
def test_texts_are_in_order_of_code_points(one: str, other: str) -> None:
    assert (utf8(one) < utf8(other)) == (one < other)


@given(st.datetimes(), st.datetimes())
def test_date_times_without_a_zone_are_in_order(one: datetime, other: datetime) -> None:
    assert (stored_value(one) < stored_value(other)) == (one < other)
    assert (stored_value(one) == stored_value(other)) == (one == other)


@given(st.datetimes(timezones=ZONES), st.datetimes(timezones=ZONES), ZONES)
@example(datetime.min.replace(tzinfo=timezone(timedelta(hours=12))), datetime.min.replace(tzinfo=UTC), UTC)
@example(datetime.max.replace(tzinfo=timezone(timedelta(hours=-12))), datetime.max.replace(tzinfo=UTC), UTC)
def test_date_times_with_a_zone_are_in_order_of_instants(one: datetime, other: datetime, zone: timezone) -> None:
    assert (stored_value(one) < stored_value(other)) == (one < other)
    assert (stored_value(one) == stored_value(other)) == (one == other)
    if 1 < one.year < 9999:
        assert stored_value(one) == stored_value(one.astimezone(zone))


def test_an_hour_that_a_clock_repeats_is_two_instants_with_a_zone_and_one_time_without() -> None:
    first = datetime(2024, 10, 27, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    second = first.replace(fold=1)
    assert stored_value(first) < stored_value(second)
    assert stored_value(first.replace(tzinfo=None)) == stored_value(second.replace(tzinfo=None))


def test_times_with_a_zone_are_equal_by_clock_and_offset() -> None:
    noon = time(12, tzinfo=UTC)
    assert stored_value(noon) == stored_value(time(12, tzinfo=timezone(timedelta(0), "GMT")))
    assert stored_value(noon) != stored_value(time(13, tzinfo=timezone(timedelta(hours=1))))


@given(st.dates(), st.dates())
def test_dates_are_in_order(one: date, other: date) -> None:
    assert (stored_value(one) < stored_value(other)) == (one < other)


@given(st.timedeltas(), st.timedeltas())
@example(timedelta(days=1), timedelta(hours=24))
def test_durations_are_equal_by_their_length(one: timedelta, other: timedelta) -> None:
    assert (stored_value(one) == stored_value(other)) == (one == other)


def test_no_kind_reaches_into_another() -> None:
    kinds = sorted(stored_value(value)[0] for value in ONE_OF_EACH)
    assert len(set(kinds)) == len(ONE_OF_EACH)
    for value in ONE_OF_EACH:
        stored = stored_value(value)
        within = [other for other in map(stored_value, ONE_OF_EACH) if stored[0] <= other < after_kind(stored)]
        assert within == [stored]
        assert not stored[0] <= "[" < after_kind(stored), "a list is read as text that begins so"


@given(TEXTS, TEXTS)
@example("\ud7ff", "\ue000")
@example("a\U0010ffff", "b")
@example("\U0010ffff", "")
def test_what_begins_with_a_text_lies_before_what_follows_all_of_these(start: str, other: str) -> None:
    low, high = stored_value(start), after_prefix(stored_value(start))
    high.encode()
    assert low <= stored_value(start + other) < high
    assert (low <= stored_value(other) < high) == other.startswith(start)


@given(st.dictionaries(TEXTS.filter(bool), st.just(1)))
@example({"a": 1, "%61": 1, "%": 1, "%25": 1, '"': 1, "%22": 1, "\\": 1, "%la": 1, "%25la": 1})
def test_no_two_names_become_one_and_none_has_what_a_quoted_path_cannot_hold(properties: dict[str, object]) -> None:
    names = list(map(stored_name, properties)) + list(map(lowered_name, properties))
    assert len(set(names)) == 2 * len(properties)
    assert not any(set(name) & set('"\\\x00\x01\n\x1f') for name in names)


def test_a_plain_name_is_its_own_and_text_with_upper_case_is_there_twice() -> None:
    stored = json.loads(properties_to_json({"owner": "Alice", "name": "bob", "k%": "X", "tags": ["A"]}))
    assert stored == {
        "owner": "tAlice", "%lowner": "talice", "name": "tbob", "k%25": "tX", "%lk%25": "tx", "tags": ["tA"],
    }  # fmt: skip


def test_what_no_filter_sees_is_left_out() -> None:
    properties = {"none": None, "map": {"a": 1}, "mixed": [1, "a"], "large": 2**63, "nested": [[1]], "bytes": b"x"}
    assert properties_to_json(properties) == "{}"


def test_a_nan_is_there_and_of_no_kind_that_a_filter_compares_with() -> None:
    nan = float("nan")
    assert json.loads(properties_to_json({"x": nan, "y": [1.0, nan]})) == {"x": "x", "y": [stored_value(1), "x"]}
    assert all(stored_value(value)[0] != "x" for value in ONE_OF_EACH)


def test_a_whole_number_beyond_64_bits_in_a_list_equals_the_float_of_its_value_or_nothing() -> None:
    stored = json.loads(properties_to_json({"x": [2**70, 2**70 + 1, 10**400]}))
    assert stored == {"x": [stored_value(2.0**70), "x", "x"]}


def test_numbers_of_a_list_are_compared_by_value() -> None:
    assert properties_to_json({"x": [1, 2]}) == properties_to_json({"x": (1.0, 2)})


@pytest.mark.parametrize("properties", [{"k": "a\0"}, {"k": ["a", "\0"]}])
def test_nul_in_a_text_is_refused(properties: dict[str, object]) -> None:
    with pytest.raises(InvalidRequestError, match="a text holds NUL, which no database keeps; take it out"):
        properties_to_json(properties)


@pytest.mark.parametrize("properties", [{"k": "\ud800"}, {"k": ["\udfff"]}, {"\ud800": 1}])
def test_a_lone_surrogate_is_refused(properties: dict[str, object]) -> None:
    with pytest.raises(InvalidRequestError, match="lone surrogate, which no database keeps; take it out"):
        properties_to_json(properties)


def test_an_escape_of_nul_written_out_is_text_like_any_other() -> None:
    assert json.loads(properties_to_json({"k": "\\u0000"})) == {"k": "t\\u0000"}


def test_labels_are_kept_as_they_are() -> None:
    assert labels_to_json(["Person", 'a"b', "%"]) == '["Person","a\\"b","%"]'
    with pytest.raises(InvalidRequestError, match="lone surrogate"):
        labels_to_json(["\ud800"])


_NOON = datetime(2024, 1, 31, 9)  # noqa: DTZ001 - without a zone, which is another kind


@pytest.mark.parametrize(
    "value, form",
    [
        (False, "b0"), (True, "b1"), ("é", "té"), (0, "n10000000000000000000"), (-0.0, "n10000000000000000000"),
        (1, "n144d8000000000000000"), (-1, "n0bb27fffffffffffffff"), (1.5, "n144dc000000000000000"),
        (2**63 - 1, "n148bfffffffffffffffe"), (-(2**63), "n0b737fffffffffffffff"), (2**53 + 1, "n14828000000000000400"),
        (float("inf"), "n1fff0000000000000000"), (date(2024, 1, 31), "d2024-01-31"),
        (_NOON, "m2024-01-31T09:00:00.000000"), (_NOON.replace(tzinfo=UTC), "z063842374800000000"),
        (datetime(2024, 1, 31, 10, tzinfo=ZoneInfo("Europe/Berlin")), "z063842374800000000"),
        (time(9), "c09:00:00.000000"), (time(9, tzinfo=timezone(timedelta(hours=1))), "k09:00:00.000000 3600000000"),
        (timedelta(1, 2, 3), "i86402000003"), (timedelta(microseconds=-1), "i-1"),
    ],
)  # fmt: skip
def test_the_form_of_each_kind_stays_as_databases_hold_it(value: Scalar, form: str) -> None:
    assert stored_value(value) == form


def test_what_a_filter_does_not_see_is_left_out_and_all_else_is_stored() -> None:
    stored = properties_to_json({
        "a": None, "m": {"x": 1}, "b": True, "d": date(2024, 1, 31), "t": time(9), "i": timedelta(1), "n": 2**63,
        "f": 1.0, "l": [-(2**63)], "e": -(2**63), "s": "Ä",
    })  # fmt: skip
    assert json.loads(stored) == {
        "b": "b1", "d": "d2024-01-31", "t": "c09:00:00.000000", "i": "i86400000000", "f": "n144d8000000000000000",
        "l": ["n0b737fffffffffffffff"], "e": "n0b737fffffffffffffff", "s": "tÄ", "%ls": "tä",
    }  # fmt: skip
    assert "Ä" in stored


@pytest.mark.parametrize("value", [{"k": "a\0"}, {"k": ["a", "b\0"]}, {"a": "x", "k": ["b\0", "c"]}])
def test_nul_is_refused_wherever_it_stands(value: dict[str, object]) -> None:
    with pytest.raises(InvalidRequestError, match="NUL"):
        properties_to_json(value)


def test_the_letters_of_an_escape_are_no_nul() -> None:
    assert json.loads(properties_to_json({"k": "\\u0000"})) == {"k": "t\\u0000"}
