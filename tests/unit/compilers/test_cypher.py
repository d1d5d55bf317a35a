"""The compiler of Cypher: what its texts hold and never hold. That they mean the right thing is shown on a server.

After a change that is meant, `python -m tests.unit.compilers.test_cypher` writes the record of texts anew.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphrag.compilers.cypher import CypherCompiler
from graphrag.errors import InvalidFilterError, InvalidRequestError, UnsupportedFilterError
from graphrag.filters.nodes import And, Eq, HasAnyLabel, In, Ne, Not, Or, PropertyFilter
from graphrag.filters.properties import prop
from graphrag.testing.filter_worlds import FilterWorld
from tests.hostile import NEVER_IN_TEXT, hostile_strings

SEED = 20_240_301
RECORD = Path(__file__).parents[2] / "snapshots" / "hostile_strings.txt"
NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)

OF_KEY: dict[str, Callable[[str], PropertyFilter]] = {
    "eq": lambda key: prop(key) == "x",
    "eq zoned": lambda key: prop(key) == NOON,
    "eq zero": lambda key: prop(key) == 0,
    "eq list": lambda key: PropertyFilter.eq(key, ["x"]),
    "ne": lambda key: prop(key) != "x",
    "gt": lambda key: prop(key) > 1,
    "gte": lambda key: prop(key) >= 1,
    "lt": lambda key: prop(key) < 1,
    "lte": lambda key: prop(key) <= 1,
    "lte large": lambda key: prop(key) <= 2**60,
    "between": lambda key: prop(key).between(NOON, NOON),
    "in": lambda key: prop(key).in_("x", NOON),
    "nin": lambda key: prop(key).nin("x"),
    "contains": lambda key: prop(key).contains("x"),
    "starts_with": lambda key: prop(key).starts_with("x"),
    "ends_with": lambda key: prop(key).ends_with("x"),
    "eq_ignore_case": lambda key: prop(key).eq_ignore_case("x"),
    "contains_ignore_case": lambda key: prop(key).contains_ignore_case("x"),
    "has_element": lambda key: prop(key).has_element("x"),
    "exists": lambda key: prop(key).exists(),
    "not": lambda key: ~(prop(key) > 1),
    "and": lambda key: (prop(key) == "x") & (prop("y") == 1),
    "or": lambda key: (prop(key) == "x") | (prop("y") == 1),
}
OF_LABEL: dict[str, Callable[[str], PropertyFilter]] = {
    "label": lambda label: HasAnyLabel((label,)),
    "label beside a plain one": lambda label: HasAnyLabel(("Person", label)),
    "labels": lambda label: HasAnyLabel((label, "Per son")),
    "not label": lambda label: ~HasAnyLabel((label,)),
}
OF_VALUE: dict[str, Callable[[str], PropertyFilter]] = {
    "eq": lambda value: prop("k") == value,
    "eq list": lambda value: PropertyFilter.eq("k", [value, "x"]),
    "ne": lambda value: prop("k") != value,
    "in": lambda value: prop("k").in_(value, "x"),
    "nin": lambda value: prop("k").nin(value),
    "contains": lambda value: prop("k").contains(value),
    "starts_with": lambda value: prop("k").starts_with(value),
    "ends_with": lambda value: prop("k").ends_with(value),
    "eq_ignore_case": lambda value: prop("k").eq_ignore_case(value),
    "contains_ignore_case": lambda value: prop("k").contains_ignore_case(value),
    "has_element": lambda value: prop("k").has_element(value),
    "eq under a hostile key": lambda value: prop("k`") == value,
}
ORDERED: dict[str, Callable[[str], PropertyFilter]] = {
    "gt": lambda value: prop("k") > value,
    "gte": lambda value: prop("k") >= value,
    "lt": lambda value: prop("k") < value,
    "lte": lambda value: prop("k") <= value,
    "between": lambda value: prop("k").between(value, value),
}


def compiled(*filters: PropertyFilter | None) -> str:
    return CypherCompiler().compile(filters).text


PLACES = {
    **{f"key of {name}": shape for name, shape in OF_KEY.items()},
    **OF_LABEL,
    **{f"value of {name}": shape for name, shape in OF_VALUE.items()},
    **{f"value of {name}": shape for name, shape in ORDERED.items()},
}


def texts_of(place: str, strings: list[str]) -> set[str]:
    """Return the texts of filters with these strings in a place, after a look that each travels as a parameter."""
    compiler, texts = CypherCompiler(), set[str]()
    for string in strings:
        result = compiler.compile((PLACES[place](string),))
        texts.add(result.text)
        assert any(
            string == value or (isinstance(value, list) and string in value) for value in result.parameters.values()
        )
    return texts


def fitting(place: str, strings: list[str]) -> list[str]:
    """Return those that may stand in a place: an order takes no text with a character from U+E000 up."""
    ordered = place.removeprefix("value of ") in ORDERED
    return [string for string in strings if not ordered or max(string) < "\ue000"]


@pytest.mark.parametrize("place", PLACES)
def test_hostile_strings_give_one_text(place: str) -> None:
    """THREATS 1, 2, 3, 13: a hostile key, label or value is data; the text is the one of any other."""
    strings = fitting(place, hostile_strings(300, seed=SEED))
    (text,) = texts_of(place, strings)
    assert len(strings) > 200
    assert not [piece for piece in NEVER_IN_TEXT if piece in text]


@pytest.mark.slow
def test_10_000_hostile_strings_give_the_texts_on_file() -> None:
    """THREATS 1, 2, 3, 13, and the record of the texts: one for each place."""
    assert recorded() == RECORD.read_text(encoding="utf-8")


def recorded() -> str:
    strings = hostile_strings(10_000, seed=SEED)
    lines: list[str] = []
    for place in PLACES:
        fit = fitting(place, strings)
        texts = texts_of(place, fit)
        lines += [f"{place}: {len(fit):,} strings, {len(texts)} text", *(f"    {text}" for text in sorted(texts))]
    return "\n".join([*lines, ""])


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 70_000, "x" * 257, "a\ud800"])
@pytest.mark.parametrize("shape", OF_KEY.values(), ids=OF_KEY)
def test_a_malformed_key_is_a_typed_error(shape: Callable[[str], PropertyFilter], name: str) -> None:
    """THREATS 15."""
    with pytest.raises(InvalidFilterError, match="it must have 1 to 256"):
        shape(name)


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 70_000, "x" * 65, "a\ud800"])
@pytest.mark.parametrize("shape", OF_LABEL.values(), ids=OF_LABEL)
def test_a_malformed_label_is_a_typed_error(shape: Callable[[str], PropertyFilter], name: str) -> None:
    """THREATS 15."""
    with pytest.raises(InvalidFilterError, match="it must have 1 to 64, without NUL"):
        shape(name)


@pytest.mark.parametrize("value", ["a\0b", "x" * 70_000, "a\ud800"])
@pytest.mark.parametrize("shape", OF_VALUE.values(), ids=OF_VALUE)
def test_a_malformed_value_is_a_typed_error(shape: Callable[[str], PropertyFilter], value: str) -> None:
    with pytest.raises(InvalidFilterError, match="holds NUL or a lone surrogate|more than any stored value"):
        shape(value)


@pytest.mark.parametrize("name", ["c`", "c d", "", "ç", "c\n", "x" * 65, "\\u0060"])
def test_alias_and_prefix_are_plain_words(name: str) -> None:
    with pytest.raises(InvalidRequestError, match="must be a plain word"):
        CypherCompiler(name)
    with pytest.raises(InvalidRequestError, match="must be a plain word"):
        CypherCompiler("c", name)


def test_the_plain_cases_read_as_one_would_write_them() -> None:
    filters = (prop("owner") == "x", prop("confidenceScore") >= 0.5)
    result = CypherCompiler("e").compile(filters)
    assert result.text == "(e.owner = $_filter_0) AND (e.confidenceScore >= $_filter_1)"
    assert result.parameters == {"_filter_0": "x", "_filter_1": 0.5}
    assert CypherCompiler("e").compile((HasAnyLabel(("A", "B")),)).text == "(e:A|B)"


def test_parameters_are_numbered_over_all_filters_under_the_prefix() -> None:
    result = CypherCompiler("d", "_own_").compile((prop("a") == 1, None, prop("b c") == 2, HasAnyLabel(("x y",))))
    assert result.text == "(d.a = $_own_0) AND (d[$_own_1] = $_own_2) AND ($_own_3 IN labels(d))"
    assert result.parameters == {"_own_0": 1, "_own_1": "b c", "_own_2": 2, "_own_3": "x y"}


def test_every_parameter_is_used_and_every_use_has_its_parameter() -> None:
    world = FilterWorld(SEED, size=5)
    for filter_ in world.filters(2_000):
        result = CypherCompiler().compile((filter_,))
        assert set(re.findall(r"\$(\w+)", result.text)) == set(result.parameters)
        assert list(result.parameters) == [f"_filter_{number}" for number in range(len(result.parameters))]


def test_lists_are_sent_as_lists_and_zoned_times_in_utc() -> None:
    there = NOON.astimezone(datetime.now().astimezone().tzinfo)
    assert CypherCompiler().compile((prop("k").in_("a", "b"),)).parameters == {"_filter_0": ["a", "b"]}
    sent = CypherCompiler().compile((prop("k") == there,)).parameters["_filter_0"]
    assert isinstance(sent, datetime)
    assert (sent, sent.tzinfo) == (NOON, UTC)


@pytest.mark.parametrize(
    "filters, text",
    [
        ((), "true"),
        ((None,), "true"),
        ((And(()),), "true"),
        ((PropertyFilter.nin("k"),), "true"),
        ((Or(()),), "false"),
        ((In("k", ()), prop("a") == 1), "false"),
        ((Not(And(())),), "false"),
        ((And((And(()), prop("a") == 1)),), "c.a = $_filter_0"),
        ((prop("a") == 1, prop("a") == 1), "c.a = $_filter_0"),
        ((~~(prop("a") > 1),), "c.a > $_filter_0"),
    ],
)
def test_constants_and_what_is_said_twice_are_gone(filters: tuple[PropertyFilter | None, ...], text: str) -> None:
    """THREATS 11: or and in of nothing are false, and of nothing is true; neither removes another filter."""
    assert compiled(*filters) == text


def test_a_text_can_be_joined_by_and_without_brackets() -> None:
    """No operator that binds less than AND stands outside of brackets and CASE."""
    for filter_ in FilterWorld(SEED + 1, size=5).filters(3_000):
        outside, before = compiled(filter_), ""
        while outside != before:
            outside, before = re.sub(r"\([^()]*\)|\[[^\[\]]*\]|CASE(?:(?!CASE|END).)*END", "_", outside), outside
        assert " OR " not in outside, filter_


def test_what_may_be_null_is_made_false_where_that_is_asked_for() -> None:
    compiler = CypherCompiler()
    assert compiler.compile((prop("a") == 1,), never_null=True).text == "coalesce(c.a = $_filter_0, false)"
    assert compiler.compile((prop("a").exists(),), never_null=True).text == "c.a IS NOT NULL"
    assert compiler.compile((), never_null=True).text == "true"


def test_a_node_of_somebody_else_is_refused() -> None:
    """A compiler skips nothing silently."""

    @dataclass(frozen=True)
    class Near(PropertyFilter):
        key: str

    with pytest.raises(UnsupportedFilterError, match="`Near` is no node of the filter language"):
        compiled(Near("k"))


def test_a_compiler_keeps_nothing_between_calls() -> None:
    compiler = CypherCompiler()
    first = compiler.compile((Eq("a", 1),))
    assert compiler.compile((Eq("a", 1),)) == first


if __name__ == "__main__":
    RECORD.write_text(recorded(), encoding="utf-8")


def test_a_long_list_of_labels_travels_as_data() -> None:
    """Each set of labels in a text is another statement to plan."""
    few = CypherCompiler().compile([HasAnyLabel(tuple(f"L{number}" for number in range(32)))])
    assert few.parameters == {}
    labels = tuple(f"L{number}" for number in range(33))
    many = CypherCompiler().compile([HasAnyLabel(labels)])
    assert many.text == "any(_filter_element IN labels(c) WHERE _filter_element IN $_filter_0)"
    assert many.parameters == {"_filter_0": list(labels)}


def test_false_is_no_zero() -> None:
    """Zero is asked for by a range, since a server tells its two forms apart; a boolean is asked for as it is."""
    compiler = CypherCompiler(scalar_keys=["x"])
    assert compiler.compile([Eq("x", False)]).text == "c.x = $_filter_0"
    assert compiler.compile([In("x", (False, True))]).text == "c.x IN $_filter_0"
    assert compiler.compile([Eq("x", 0)]).text == "(c.x >= $_filter_0) AND (c.x <= $_filter_1)"


def test_a_list_with_one_delicate_number_is_compared_as_delicate_as_a_whole() -> None:
    """From 2^53 up, whole and floating numbers are compared with values of their own type."""
    for other in (1, 2**62 + 1):
        text = CypherCompiler().compile([Ne("n", (other, 2**62 + 1))]).text
        assert text.startswith("NOT CASE WHEN c.n IS :: LIST<INTEGER")
    assert CypherCompiler().compile([Ne("n", (1, 2))]).text == "coalesce(c.n <> $_filter_0, true)"
