"""What each filter means: every line of the definition, with the expected value written out."""

# ruff: noqa: DTZ001, RUF001 - date-times without a zone and look-alike letters are values to test with

import math
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from enum import StrEnum
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given

from graphrag.errors import InvalidFilterError, UnsupportedFilterError
from graphrag.filters.evaluate import matches
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
    PropertyFilter,
    StartsWith,
)
from graphrag.filters.values import Scalar
from graphrag.testing.filter_strategies import filters, property_maps

MISSING = object()
BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")
ONE_HOUR = timezone(timedelta(hours=1))

COMPARISONS: list[FilterNode] = [
    Eq("k", 1),
    Gt("k", 1),
    Gte("k", 1),
    Lt("k", 1),
    Lte("k", 1),
    Between("k", 0, 2),
    In("k", (1, "a")),
    Contains("k", "a"),
    StartsWith("k", ""),
    EndsWith("k", ""),
    EqIgnoreCase("k", ""),
    ContainsIgnoreCase("k", ""),
    HasElement("k", 1),
    Exists("k"),
]
NEGATIONS: list[FilterNode] = [Ne("k", 1), Nin("k", (1, "a")), Not(Eq("k", 1)), Not(Exists("k")), Not(Gt("k", 1))]


def holds(filter_: PropertyFilter, value: object = MISSING) -> bool:
    return matches(filter_, {} if value is MISSING else {"k": value})


UNSEEN = [
    pytest.param(MISSING, id="missing"),
    pytest.param(None, id="none"),
    pytest.param({"a": 1}, id="map"),
    pytest.param([1, "a"], id="list of two kinds"),
    pytest.param([1, True], id="a boolean is no number"),
    pytest.param([1, None], id="list with none"),
    pytest.param([[1]], id="nested list"),
    pytest.param([1.5, 2**53 + 1], id="numbers that no one list holds"),
    pytest.param([date(2024, 1, 1), datetime(2024, 1, 1)], id="dates and date-times"),
    pytest.param([datetime(2024, 1, 1), datetime(2024, 1, 1, tzinfo=UTC)], id="naive and aware"),
    pytest.param(b"a", id="bytes"),
    pytest.param(2**63, id="over 64 bits"),
    pytest.param([2**63], id="list over 64 bits"),
    pytest.param([object()], id="list of something else"),
    pytest.param({1}, id="set"),
]


@pytest.mark.parametrize("value", UNSEEN)
@pytest.mark.parametrize("filter_", COMPARISONS, ids=repr)
def test_a_property_that_is_missing_or_kept_as_json_fails_every_comparison(filter_: FilterNode, value: object) -> None:
    """THREATS 10."""
    assert not holds(filter_, value)


@pytest.mark.parametrize("value", UNSEEN)
@pytest.mark.parametrize("filter_", NEGATIONS, ids=repr)
def test_a_property_that_is_missing_or_kept_as_json_passes_every_negation(filter_: FilterNode, value: object) -> None:
    """THREATS 10."""
    assert holds(filter_, value)


@given(filters(), property_maps())
def test_there_is_no_third_value(filter_: FilterNode, properties: dict[str, object]) -> None:
    assert matches(filter_, properties) is not matches(Not(filter_), properties)


@pytest.mark.parametrize(
    "filter_,expected",
    [
        (And(()), True),
        (Or(()), False),
        (In("k", ()), False),
        (Nin("k", ()), True),
        (Not(And(())), False),
        (Not(Or(())), True),
        (And((Eq("k", 1), And(()))), True),
        (And((Eq("k", 1), Or(()))), False),
        (Or((Eq("k", 2), Eq("k", 1))), True),
        (Or((Eq("k", 2), Eq("k", 3))), False),
        (And((Eq("k", 1), Eq("k", 2))), False),
    ],
)
def test_combinations_and_combinations_of_nothing(filter_: FilterNode, *, expected: bool) -> None:
    """THREATS 11."""
    assert holds(filter_, 1) is expected


@pytest.mark.parametrize(
    "value,stored,expected",
    [
        (1, 1.0, True),
        (1.0, 1, True),
        (1, True, False),
        (True, 1, False),
        (True, True, True),
        (True, False, False),
        (0, False, False),
        (1, "1", False),
        ("1", 1, False),
        ("true", True, False),
        (0.0, -0.0, True),
        (0, -0.0, True),
        (2**53 + 1, float(2**53), False),
        (2**53, float(2**53), True),
        (float(2**53), 2**53 + 1, False),
        (math.inf, math.inf, True),
        (math.inf, -math.inf, False),
        (1, math.nan, False),
        ("", "", True),
        ("é", "e\u0301", False),
        ("a", "A", False),
        ("😀", "😀", True),
        (date(2024, 1, 1), date(2024, 1, 1), True),
        (date(2024, 1, 1), datetime(2024, 1, 1), False),
        (datetime(2024, 1, 1), date(2024, 1, 1), False),
        (date(2024, 1, 1), "2024-01-01", False),
        (datetime(2024, 1, 1), datetime(2024, 1, 1, tzinfo=UTC), False),
        (datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, 1, tzinfo=ONE_HOUR), True),
        (datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, 1, tzinfo=BERLIN), True),
        (datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=BERLIN), False),
        (datetime(2024, 1, 1), datetime(2024, 1, 1, fold=1), True),
        (time(9), time(9), True),
        (time(9), time(9, 0, 0, 1), False),
        (time(9), time(9, tzinfo=UTC), False),
        (time(9, tzinfo=UTC), time(9, tzinfo=UTC), True),
        (time(9, tzinfo=UTC), time(10, tzinfo=ONE_HOUR), False),
        (timedelta(days=1), timedelta(hours=24), True),
        (timedelta(days=1), timedelta(days=1, microseconds=1), False),
        (timedelta(0), 0, False),
    ],
)
def test_equality_within_and_between_kinds(value: Scalar, stored: object, *, expected: bool) -> None:
    assert holds(Eq("k", value), stored) is expected
    assert holds(Ne("k", value), stored) is not expected
    assert holds(In("k", ("other", value)), stored) is expected
    assert holds(Nin("k", ("other", value)), stored) is not expected
    assert holds(HasElement("k", value), [stored]) is expected


@pytest.mark.parametrize("filter_", [node for node in COMPARISONS if node != Exists("k")], ids=repr)
def test_a_property_that_is_nan_fails_every_comparison_but_it_exists(filter_: FilterNode) -> None:
    assert not holds(filter_, math.nan)
    assert holds(Ne("k", 1), math.nan)
    assert holds(Nin("k", (1,)), math.nan)
    assert holds(Exists("k"), math.nan)


def test_a_list_with_nan_equals_no_list() -> None:
    assert not holds(Eq("k", (1.0, 2.0)), [math.nan, 2.0])
    assert holds(HasElement("k", 2), [math.nan, 2.0])


@pytest.mark.parametrize(
    "stored,value,order",
    [
        (1, 2, -1),
        (2, 2.0, 0),
        (2.5, 2, 1),
        (2**53, 2**53 + 1, -1),
        (float(2**53), 2**53 + 1, -1),
        (-math.inf, -(2**63), -1),
        (math.inf, 2**63 - 1, 1),
        (-0.0, 0.0, 0),
        (False, True, -1),
        (True, True, 0),
        ("Z", "a", -1),
        ("a", "aa", -1),
        ("", "a", -1),
        ("é", "f", 1),
        ("😀", "z", 1),
        ("\ue000", "z", 1),
        (date(2024, 1, 1), date(2024, 1, 2), -1),
        (datetime(2024, 1, 1), datetime(2024, 1, 1, 0, 0, 1), -1),
        (datetime(2024, 1, 1, 1, tzinfo=BERLIN), datetime(2024, 1, 1, tzinfo=UTC), 0),
        (datetime(2024, 1, 1, 0, 30, tzinfo=BERLIN), datetime(2024, 1, 1, tzinfo=UTC), -1),
    ],
)
def test_order_within_a_kind(stored: object, value: Scalar, order: int) -> None:
    assert holds(Lt("k", value), stored) is (order < 0)
    assert holds(Lte("k", value), stored) is (order <= 0)
    assert holds(Gt("k", value), stored) is (order > 0)
    assert holds(Gte("k", value), stored) is (order >= 0)
    assert holds(Between("k", value, value), stored) is (order == 0)


@pytest.mark.parametrize(
    "stored,value",
    [
        (1, "1"),
        ("1", 1),
        (True, 0),
        (1, False),
        (date(2024, 1, 1), datetime(2023, 1, 1)),
        (datetime(2024, 1, 1), date(2023, 1, 1)),
        (datetime(2024, 1, 1), datetime(2023, 1, 1, tzinfo=UTC)),
        ("2024-01-01", date(2023, 1, 1)),
        (math.nan, 1),
        ([1, 2], 1),
        (timedelta(1), 1),
    ],
)
def test_between_kinds_there_is_no_order(stored: object, value: Scalar) -> None:
    assert not any(holds(kind("k", value), stored) for kind in (Lt, Lte, Gt, Gte))
    assert not holds(Between("k", value, value), stored)


def test_between_includes_both_bounds_and_is_empty_the_wrong_way_round() -> None:
    assert [holds(Between("k", 1, 3), value) for value in (0, 1, 2, 3, 4)] == [False, True, True, True, False]
    assert not holds(Between("k", 3, 1), 2)


def test_an_hour_that_the_clock_repeats_is_two_instants_in_every_zone() -> None:
    first = datetime(2024, 10, 27, 2, 30, tzinfo=BERLIN)
    second = first.replace(fold=1)
    assert first == second  # what Python says, and what is not meant
    assert not holds(Eq("k", first), second)
    assert holds(Lt("k", second), first)
    assert holds(Eq("k", datetime(2024, 10, 27, 0, 30, tzinfo=UTC)), first)
    assert holds(Eq("k", datetime(2024, 10, 27, 1, 30, tzinfo=UTC)), second)
    assert holds(Eq("k", second), datetime(2024, 10, 26, 21, 30, tzinfo=NEW_YORK))
    assert holds(HasElement("k", second), [first, second])
    assert not holds(In("k", (second,)), [first])


def test_a_stored_date_time_at_the_edge_of_all_years_has_its_place() -> None:
    earliest = datetime(1, 1, 1, tzinfo=ONE_HOUR)
    latest = datetime(9999, 12, 31, 23, 59, tzinfo=timezone(timedelta(hours=-1)))
    now = datetime(2024, 1, 1, tzinfo=UTC)
    assert holds(Lt("k", now), earliest)
    assert holds(Gt("k", now), latest)


def test_a_stored_time_whose_zone_has_no_offset_counts_as_missing() -> None:
    class Nowhere(tzinfo):
        def utcoffset(self, dt: datetime | None) -> None:
            return None

    assert not holds(Exists("k"), time(9, tzinfo=BERLIN))
    assert not holds(Exists("k"), datetime(2024, 1, 1, tzinfo=Nowhere()))


@pytest.mark.parametrize(
    "value,stored,expected",
    [
        ((1, 2), [1, 2], True),
        ((1, 2), (1, 2), True),
        ((1, 2), [1.0, 2.0], True),
        ((1, 2), [1, 2.0], True),
        ((1, 2), [2, 1], False),
        ((1, 2), [1, 2, 3], False),
        ((1,), 1, False),
        (1, [1], False),
        ((), [], True),
        ((), [1], False),
        ((1,), [True], False),
        (("a",), ["a"], True),
        ((datetime(2024, 1, 1, tzinfo=UTC),), [datetime(2024, 1, 1, 1, tzinfo=BERLIN)], True),
    ],
)
def test_lists_are_equal_as_wholes(value: Scalar, stored: object, *, expected: bool) -> None:
    assert holds(Eq("k", value), stored) is expected
    assert holds(Ne("k", value), stored) is not expected


def test_in_asks_a_list_for_any_common_element_and_nin_is_its_negation() -> None:
    assert holds(In("k", ("a", "b")), ["b", "c"])
    assert not holds(In("k", ("a", "b")), ["c"])
    assert not holds(In("k", ("a", "b")), [])
    assert not holds(Nin("k", ("a", "b")), ["b", "c"])
    assert holds(Nin("k", ("a", "b")), ["c"])
    assert holds(Nin("k", ("a", "b")), [])
    assert holds(In("k", (1,)), [1.0, 2.5])
    assert not holds(In("k", (1,)), [True])


def test_has_element_asks_lists_alone() -> None:
    assert holds(HasElement("k", "a"), ["a", "b"])
    assert not holds(HasElement("k", "a"), "a")
    assert not holds(HasElement("k", "a"), [])
    assert holds(HasElement("k", 1), [1.0])
    assert not holds(HasElement("k", 1), 1)


def test_contains_asks_text_for_a_part_and_a_list_for_an_element() -> None:
    assert holds(Contains("k", "li"), "alice")
    assert holds(Contains("k", ""), "alice")
    assert not holds(Contains("k", "LI"), "alice")
    assert holds(Contains("k", "alice"), ["alice"])
    assert not holds(Contains("k", "li"), ["alice"])
    assert holds(Contains("k", 1), [1.0, 2.0])
    assert not holds(Contains("k", 1), 1)
    assert not holds(Contains("k", "1"), 1)
    assert not holds(Contains("k", 1), "1")


@pytest.mark.parametrize("stored", [1, True, 1.5, date(2024, 1, 1), ["alice"], timedelta(1)], ids=repr)
def test_text_tests_are_false_of_anything_but_text(stored: object) -> None:
    for filter_ in (StartsWith("k", ""), EndsWith("k", ""), EqIgnoreCase("k", "1"), ContainsIgnoreCase("k", "")):
        assert not holds(filter_, stored)


def test_starts_with_and_ends_with_compare_code_points() -> None:
    assert holds(StartsWith("k", "al"), "alice")
    assert not holds(StartsWith("k", "Al"), "alice")
    assert holds(EndsWith("k", "ce"), "alice")
    assert not holds(EndsWith("k", "CE"), "alice")
    assert not holds(StartsWith("k", "alice!"), "alice")


@pytest.mark.parametrize(
    "value,stored,expected",
    [
        ("ALICE", "alice", True),
        ("", "", True),
        ("ß", "SS", False),
        ("ß", "ẞ", True),
        ("i̇", "İ", True),
        ("i", "İ", False),
        ("ΑΣ", "ας", True),
        ("ΑΣ", "ασ", False),
        ("Ж", "ж", True),
        ("K", "\u212a", True),
        ("\ufb01", "fi", False),
    ],
)
def test_ignoring_case_is_lower_casing_of_both_sides(value: str, stored: str, *, expected: bool) -> None:
    assert holds(EqIgnoreCase("k", value), stored) is expected


def test_contains_ignoring_case_lower_cases_both_sides() -> None:
    assert holds(ContainsIgnoreCase("k", "LIC"), "Alice")
    assert not holds(ContainsIgnoreCase("k", "bob"), "Alice")
    assert holds(ContainsIgnoreCase("k", ""), "")
    # A capital sigma alone is lower-cased to the letter within a word, which the word's last one is not.
    assert not holds(ContainsIgnoreCase("k", "Σ"), "ΑΣ")


@pytest.mark.parametrize("value", ["", 0, False, [], math.nan, timedelta(0)], ids=repr)
def test_what_is_empty_or_zero_exists(value: object) -> None:
    assert holds(Exists("k"), value)


def test_labels_are_compared_as_they_are() -> None:
    assert matches(HasAnyLabel(("Person", "Company")), {}, ["Datum", "Person"])
    assert not matches(HasAnyLabel(("person",)), {}, ["Person"])
    assert not matches(HasAnyLabel(("Person",)), {}, [])
    assert matches(HasAnyLabel(("Person",)) & Eq("k", 1), {"k": 1}, ["Person"])


def test_a_dot_is_a_letter_of_the_name_like_any_other() -> None:
    assert matches(Eq("a.b", 1), {"a.b": 1})
    assert not matches(Eq("a.b", 1), {"a": {"b": 1}})


def test_subclasses_of_text_and_numbers_are_what_they_hold() -> None:
    class Shouting(str):
        __slots__ = ()

        def __str__(self) -> str:
            return self.upper()

    class Colour(StrEnum):
        RED = "red"

    assert holds(Eq("k", "a"), Shouting("a"))
    assert holds(Eq("k", ("a", "b")), [Shouting("a"), "b"])
    assert holds(Eq("k", "red"), Colour.RED)
    assert Eq("k", Shouting("a")) == Eq("k", "a")


def test_a_class_of_somebody_elses_has_no_meaning() -> None:
    class Mine(PropertyFilter):
        pass

    with pytest.raises(UnsupportedFilterError, match="`Mine` is no node of the filter language") as caught:
        matches(Mine(), {})
    assert caught.value.node == "Mine"
    with pytest.raises(InvalidFilterError, match="a filter is wanted, and a dict is given"):
        matches({"k": 1}, {})  # type: ignore[arg-type]


def test_labels_are_seen_at_any_depth() -> None:
    person = HasAnyLabel(("Person",))
    for filter_ in (person, And((person, Ne("k", 1))), Or((Eq("k", 1), person)), Not(Not(person))):
        assert matches(filter_, {}, {"Person"}) is True
        assert matches(filter_, {}, {"Place"}) is False
        assert matches(Not(filter_), {}, {"Person"}) is False


def test_whole_numbers_are_seen_up_to_both_ends_of_64_bits() -> None:
    for number in (-(2**63), 2**63 - 1):
        assert holds(Eq("k", number), number)
    assert holds(Not(Exists("k")), -(2**63) - 1)
    assert holds(Not(Exists("k")), 2**63)
