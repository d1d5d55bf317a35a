"""Building filters in Python: what is accepted, what is refused, and that a filter never changes."""

# ruff: noqa: DTZ001 - date-times without a zone are values to test with

import copy
import dataclasses
import math
import pickle
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import IntEnum, StrEnum
from itertools import count
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given

from graphrag.errors import InvalidFilterError
from graphrag.filters.nodes import (
    MAX_DEPTH,
    MAX_NODES,
    And,
    Between,
    Contains,
    ContainsIgnoreCase,
    EndsWith,
    EntityFilter,
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
from graphrag.filters.properties import prop
from graphrag.testing.filter_strategies import filters

BERLIN = ZoneInfo("Europe/Berlin")


class Colour(StrEnum):
    RED = "red"


class Level(IntEnum):
    LOW = 1


class PreciseMoment(datetime):
    """Stands for pandas' Timestamp, which holds nanoseconds besides."""


def refused(build: Callable[[], object], message: str, *, place: str | None = None) -> None:
    with pytest.raises(InvalidFilterError, match=message) as caught:
        build()
    assert isinstance(caught.value, ValueError)
    if place is not None:
        assert caught.value.place == place


BUILT_IN_THREE_WAYS: list[tuple[FilterNode, FilterNode, FilterNode]] = [
    (prop("k") == 1, PropertyFilter.eq("k", 1), Eq("k", 1)),
    (prop("k") != 1, PropertyFilter.ne("k", 1), Ne("k", 1)),
    (prop("k") > 1, PropertyFilter.gt("k", 1), Gt("k", 1)),
    (prop("k") >= 1, PropertyFilter.gte("k", 1), Gte("k", 1)),
    (prop("k") < 1, PropertyFilter.lt("k", 1), Lt("k", 1)),
    (prop("k") <= 1, PropertyFilter.lte("k", 1), Lte("k", 1)),
    (prop("k").between(1, 2), PropertyFilter.between("k", 1, 2), Between("k", 1, 2)),
    (prop("k").in_("a", "b"), PropertyFilter.in_("k", ["a", "b"]), In("k", ("a", "b"))),
    (prop("k").nin("a", "b"), PropertyFilter.nin("k", iter(["a", "b"])), Nin("k", ("a", "b"))),
    (prop("k").in_("ab"), PropertyFilter.in_("k", "ab"), In("k", ("ab",))),
    (prop("k").in_(), PropertyFilter.in_("k", []), In("k", ())),
    (prop("k").contains("a"), PropertyFilter.contains("k", "a"), Contains("k", "a")),
    (prop("k").starts_with("a"), PropertyFilter.starts_with("k", "a"), StartsWith("k", "a")),
    (prop("k").ends_with("a"), PropertyFilter.ends_with("k", "a"), EndsWith("k", "a")),
    (prop("k").eq_ignore_case("a"), PropertyFilter.eq_ignore_case("k", "a"), EqIgnoreCase("k", "a")),
    (
        prop("k").contains_ignore_case("a"),
        PropertyFilter.contains_ignore_case("k", "a"),
        ContainsIgnoreCase("k", "a"),
    ),
    (prop("k").has_element(1), PropertyFilter.has_element("k", 1), HasElement("k", 1)),
    (prop("k").exists(), PropertyFilter.exists("k"), Exists("k")),
    (
        EntityFilter.has_any_label("A", "B"),
        EntityFilter.has_any_label(["A", "B"]),
        HasAnyLabel(("A", "B")),
    ),
    (~Exists("k"), Exists("k").not_(), Not(Exists("k"))),
    (Exists("a") & Exists("b"), Exists("a").and_(Exists("b")), And((Exists("a"), Exists("b")))),
    (Exists("a") | Exists("b"), Exists("a").or_(Exists("b")), Or((Exists("a"), Exists("b")))),
    (PropertyFilter.and_(), PropertyFilter.and_(), And(())),
    (PropertyFilter.or_(), PropertyFilter.or_(), Or()),
]


@pytest.mark.parametrize("by_operator,by_constructor,node", BUILT_IN_THREE_WAYS)
def test_operators_constructors_and_nodes_build_the_same(
    by_operator: FilterNode, by_constructor: FilterNode, node: FilterNode
) -> None:
    assert by_operator == by_constructor == node
    assert hash(by_operator) == hash(by_constructor) == hash(node)


def test_a_chain_is_one_node_and_brackets_of_another_kind_stay() -> None:
    a, b, c = Exists("a"), Exists("b"), Exists("c")
    assert a & b & c == And((a, b, c))
    assert a & (b & c) == And((a, b, c))
    assert a | b | c == Or((a, b, c))
    assert (a | b) & c == And((Or((a, b)), c))


def test_equality_of_filters_tells_the_types_of_values_apart() -> None:
    ones: list[Any] = [1, 1.0, True, "1"]
    assert len({Eq("k", one) for one in ones}) == 4
    assert Eq("k", 0.0) != Eq("k", -0.0)
    assert Eq("k", 1) != Ne("k", 1)
    assert Eq("k", "a") != EqIgnoreCase("k", "a")
    assert And((Exists("k"),)) != Exists("k")
    assert Eq("k", date(2024, 1, 1)) != Eq("k", datetime(2024, 1, 1))
    assert Eq("k", (1,)) != Eq("k", 1)
    assert Eq("k", 1) != "something else"


def test_a_filter_has_no_truth_value_so_python_s_own_operators_are_refused() -> None:
    a, b = prop("a") == 1, prop("b") == 2
    for wrong in (lambda: a and b, lambda: a or b, lambda: not a, lambda: 1 if a else 2, lambda: bool(And())):
        with pytest.raises(TypeError, match="a filter is neither true nor false; join filters by `&`, `\\|` and `~`"):
            wrong()


def test_a_chained_comparison_is_refused_and_points_to_between() -> None:
    with pytest.raises(TypeError, match="use `between` for a chained comparison"):
        assert 1 < prop("k") < 3  # type: ignore[operator]


def test_a_comparison_without_brackets_is_refused() -> None:
    with pytest.raises(TypeError, match="joined with a int; put each comparison in brackets"):
        (prop("a") == 1) & 1  # type: ignore[operator]
    with pytest.raises(TypeError, match="unsupported operand"):
        prop("a") == 1 & prop("b") == 2  # type: ignore[operator]  # noqa: B015


def test_a_property_is_no_key_of_a_dictionary() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(prop("k"))
    assert repr(prop("k")) == "prop('k')"


@pytest.mark.parametrize(
    "key,message",
    [
        ("", "has 0 characters; it must have 1 to 256"),
        ("k" * 257, "has 257 characters"),
        ("a\0b", "without NUL and lone surrogates"),
        ("\ud800", "without NUL and lone surrogates"),
        (1, "a property's name is of type int; it must be text"),
        (None, "a property's name is of type NoneType"),
        (Colour.RED, "a property's name is of type Colour"),
        *((name, f"`{name}` cannot be filtered on") for name in (
            "text", "urtext", "embedding", "embedding_2", "metadata_json", "source_metadata", "own_metadata", "digest",
            "title_key", "run_id", "staged_at", "write_lock",
        )),
    ],
)  # fmt: skip
def test_a_name_that_cannot_be_filtered_on_is_refused_everywhere(key: Any, message: str) -> None:
    for build in (
        lambda: prop(key), lambda: Eq(key, 1), lambda: Gt(key, 1), lambda: Between(key, 1, 2), lambda: In(key, (1,)),
        lambda: Contains(key, 1), lambda: StartsWith(key, "a"), lambda: Exists(key),
    ):  # fmt: skip
        refused(build, message)


@pytest.mark.parametrize("key", ["uri", "collection", "document_title", "section_path", "doc_author", "k" * 256, "a.b"])
def test_every_other_name_is_accepted(key: str) -> None:
    assert Eq(key, "a").key == key


@pytest.mark.parametrize(
    "value,message",
    [
        (None, "the value is null; ask for presence with `exists`, for absence with its negation"),
        (math.nan, "NaN equals nothing and has no order"),
        (2**63, "the whole number does not fit 64 bits; pass it as a float"),
        (-(2**63) - 1, "the whole number does not fit 64 bits"),
        ("a\0", "the text holds NUL or a lone surrogate"),
        ("\udc00", "the text holds NUL or a lone surrogate"),
        ("x" * 8_001, "over 8000 bytes"),
        ("é" * 4_001, "over 8000 bytes"),
        (Colour.RED, "the value is a Colour; pass its `.value` or `.name`"),
        (Level.LOW, "the value is a Level; pass its `.value` or `.name`"),
        (b"a", "the value is of type bytes; it must be str, bool, int"),
        (Decimal(1), "the value is of type Decimal"),
        ({"a": 1}, "the value is of type dict"),
        (PreciseMoment(2024, 1, 1), "the value is a PreciseMoment; convert it to a type of the module `datetime`"),
        (time(9, tzinfo=BERLIN), "the time's zone has no offset without a date"),
        (time(9, tzinfo=timezone(timedelta(seconds=90))), "offsets of whole minutes are stored"),
        (datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=1))), "outside the years 1 to 9999 in UTC"),
    ],
)
def test_a_value_that_nothing_stored_can_equal_is_refused_by_key(value: Any, message: str) -> None:
    refused(lambda: Eq("k", value), message, place="k")
    refused(lambda: Contains("k", value), message, place="k")
    refused(lambda: HasElement("k", value), message, place="k")
    refused(lambda: In("k", (1, value)), message, place="k[1]")
    refused(lambda: Eq("k", (value,)), message, place="k[0]")
    refused(lambda: Gt("k", value), message, place="k")


def test_the_message_names_the_key_and_not_the_text() -> None:
    with pytest.raises(InvalidFilterError) as caught:
        Eq("owner", "secret\0")
    assert str(caught.value) == "at owner: the text holds NUL or a lone surrogate, which no stored text does"


@pytest.mark.parametrize("kind", [Gt, Gte, Lt, Lte, lambda key, value: Between(key, value, value)])
@pytest.mark.parametrize(
    "value,message",
    [
        (timedelta(1), "a duration has no order here; compare it with `eq`, `ne`, `in` or `nin`"),
        (time(9), "a time has no order here"),
        (time(9, tzinfo=UTC), "a zoned time has no order here"),
        ([1, 2], "a list has no order"),
        ("a\ue000", "text with a character from U\\+E000 up has no single order"),
        ("😀", "text with a character from U\\+E000 up has no single order"),
    ],
)
def test_what_has_no_order_is_refused_in_orderings(
    kind: Callable[[str, Any], object], value: Any, message: str
) -> None:
    refused(lambda: kind("k", value), message, place="k")


def test_the_bounds_of_between_are_of_one_kind() -> None:
    refused(lambda: Between("k", 1, "2"), "the bounds are a number and a text; both must be of one kind", place="k")
    refused(lambda: Between("k", date(2024, 1, 1), datetime(2024, 1, 2)), "a date and a date-time", place="k")
    assert Between("k", 1, 2.5).high == 2.5


def test_a_list_to_compare_with_is_of_one_kind_as_stored_lists_are() -> None:
    refused(lambda: Eq("k", cast("Any", [1, True])), "the list holds boolean and number; no property holds", place="k")
    refused(lambda: Ne("k", cast("Any", ["a", 1])), "the list holds number and text", place="k")
    assert Eq("k", cast("Any", [1, 2.5])).value == (1, 2.5)
    assert In("k", (1, True, "a")).values == (1, True, "a")


@pytest.mark.parametrize("kind", [StartsWith, EndsWith, EqIgnoreCase, ContainsIgnoreCase])
def test_text_tests_take_text(kind: Callable[[str, Any], object]) -> None:
    refused(lambda: kind("k", 1), "compares text; the value is of type int", place="k")
    refused(lambda: kind("k", Colour.RED), "compares text; the value is of type Colour", place="k")
    refused(lambda: kind("k", "\0"), "NUL", place="k")


def test_alternatives_come_as_a_list() -> None:
    refused(lambda: In("k", cast("Any", "ab")), "the alternatives come as a list", place="k")
    refused(lambda: Nin("k", cast("Any", 1)), "the alternatives come as a list", place="k")


def test_lists_are_bounded_even_where_they_do_not_end() -> None:
    assert len(In("k", range(1_000)).values) == 1_000  # type: ignore[arg-type]
    refused(lambda: In("k", cast("Any", count())), "the list has over 1000 values", place="k")
    refused(lambda: Eq("k", cast("Any", ["a"] * 1_001)), "the list has over 1000 values", place="k")
    refused(
        lambda: EntityFilter.has_any_label("L" for _ in count()), "over 1000 labels are given; it must be 1 to 1000"
    )


@pytest.mark.parametrize(
    "labels,message",
    [
        ([], "no labels are given"),
        ([""], "a label has 0 characters; it must have 1 to 64"),
        (["a\0b"], "without NUL and lone surrogates"),
        (["x" * 70_000], "a label has 70000 characters"),
        ([1], "a label is text; one is of type int"),
        (1, "labels come as a list of text; this is of type int"),
        (None, "labels come as a list of text; this is of type NoneType"),
        ([Colour.RED], "a label is text; one is of type Colour"),
    ],
)
def test_labels_that_no_node_has_are_refused(labels: Any, message: str) -> None:
    """THREATS 15."""
    refused(lambda: EntityFilter.has_any_label(labels), message, place="has_any_label")
    assert len("x" * 70_000) > 64


def test_one_text_is_one_label_and_the_node_takes_a_list() -> None:
    assert EntityFilter.has_any_label("Person").labels == ("Person",)
    refused(lambda: HasAnyLabel(cast("Any", "Person")), "labels come one by one or as a list")


def test_combinations_take_filters_alone() -> None:
    refused(lambda: And(cast("Any", [{"k": 1}])), "a filter is wanted, and a dict is given; build one with `prop`")
    refused(lambda: Or(cast("Any", "ab")), "the filters to join come as a tuple or list", place="or")
    refused(lambda: And(cast("Any", Exists("k"))), "the filters to join come as a tuple or list", place="and")
    refused(lambda: Not(cast("Any", None)), "a filter is wanted, and a NoneType is given")


def test_depth_and_size_are_bounded() -> None:
    deepest: FilterNode = Exists("k")
    for _ in range(MAX_DEPTH - 1):
        deepest = Not(deepest)
    refused(lambda: Not(deepest), "the filter has 17 levels; at most 16 are taken", place="not")
    refused(lambda: deepest & Exists("k"), "the filter has 17 levels", place="and")
    widest = And(tuple(Exists("k") for _ in range(MAX_NODES - 1)))
    assert widest.size == 256
    refused(lambda: widest & Exists("k"), "257 nodes; at most 256 are taken .use `in` for many values", place="and")
    refused(lambda: Not(widest), "257 nodes", place="not")


def test_a_filter_cannot_be_changed() -> None:
    for node, name in (
        (Eq("k", 1), "value"),
        (And(), "filters"),
        (Not(And()), "filter"),
        (HasAnyLabel(("A",)), "labels"),
    ):
        with pytest.raises((dataclasses.FrozenInstanceError, AttributeError, TypeError)):
            setattr(node, name, None)
        with pytest.raises((AttributeError, TypeError)):
            node.note = "x"  # type: ignore[union-attr]


def test_what_a_caller_changes_later_changes_no_filter() -> None:
    """THREATS 16."""
    values, labels, parts = ["a"], ["A"], [Exists("a")]
    whole = PropertyFilter.eq("k", values)
    some = PropertyFilter.in_("k", values)
    entity = EntityFilter.has_any_label(labels)
    both = And(cast("Any", parts))
    for changed in (values, labels, parts):
        cast("list[object]", changed).append("b")
    assert whole == Eq("k", ("a",))
    assert some == In("k", ("a",))
    assert entity == HasAnyLabel(("A",))
    assert both == And((Exists("a"),))


@given(filters())
def test_a_filter_survives_copying_and_pickling(filter_: FilterNode) -> None:
    assert copy.deepcopy(filter_) == filter_
    assert pickle.loads(pickle.dumps(filter_)) == filter_  # noqa: S301 - our own bytes


def test_the_zone_is_kept_as_utc_an_offset_or_a_named_zone() -> None:
    named = timezone(timedelta(hours=1), "somewhere")
    assert Eq("k", datetime(2024, 1, 1, tzinfo=named)) == Eq(
        "k", datetime(2024, 1, 1, tzinfo=timezone(timedelta(hours=1)))
    )
    assert Eq("k", datetime(2024, 1, 1, tzinfo=timezone(timedelta(0)))) == Eq("k", datetime(2024, 1, 1, tzinfo=UTC))
    assert Eq("k", datetime(2024, 1, 1, tzinfo=BERLIN)) != Eq("k", datetime(2024, 1, 1, tzinfo=named))
    assert Eq("k", datetime(2024, 6, 1, tzinfo=BERLIN, fold=1)) == Eq("k", datetime(2024, 6, 1, tzinfo=BERLIN))
    twice = datetime(2024, 10, 27, 2, 30, tzinfo=BERLIN)
    assert Eq("k", twice) != Eq("k", twice.replace(fold=1))


def test_a_filter_shows_what_builds_it() -> None:
    assert re.fullmatch(r"And\(filters=\(Eq\(key='k', value=1\), Exists\(key='b'\)\)\)", repr(Eq("k", 1) & Exists("b")))
