"""The text form: what each text means, where an error is, and that what is printed is read back."""

# ruff: noqa: DTZ001 - date-times without a zone are values to test with

import math
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given, strategies as st

from graphrag.errors import InvalidFilterError
from graphrag.filters import filter_from_text, filter_to_text, parse_filter
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
from graphrag.filters.text_tokens import MAX_TEXT_CHARS, RESERVED
from graphrag.testing.filter_strategies import filters

A, B, C = Eq("a", 1), Eq("b", 2), Eq("c", 3)
WRITTEN: list[tuple[str, FilterNode]] = [
    ("owner = 'alice'", Eq("owner", "alice")),
    ("k != 1", Ne("k", 1)),
    ("k > 1", Gt("k", 1)),
    ("k >= -1", Gte("k", -1)),
    ("k < 1.0", Lt("k", 1.0)),
    ("k <= 1e+300", Lte("k", 1e300)),
    ("k = float('inf')", Eq("k", math.inf)),
    ("k > float('-inf')", Gt("k", -math.inf)),
    ("k = true", Eq("k", True)),
    ("k = false", Eq("k", False)),
    ("k = [1, 2]", Eq("k", (1, 2))),
    ("k != []", Ne("k", ())),
    ("k in ['a', 1, true]", In("k", ("a", 1, True))),
    ("k in []", In("k", ())),
    ("k not in ['a']", Nin("k", ("a",))),
    ("not k in ['a']", Not(In("k", ("a",)))),
    ("k between 1 and 2", Between("k", 1, 2)),
    ("k contains 'a'", Contains("k", "a")),
    ("k contains 1", Contains("k", 1)),
    ("k contains 'a' ignoring case", ContainsIgnoreCase("k", "a")),
    ("k = 'a' ignoring case", EqIgnoreCase("k", "a")),
    ("k starts with 'a'", StartsWith("k", "a")),
    ("k ends with 'a'", EndsWith("k", "a")),
    ("k has element 'a'", HasElement("k", "a")),
    ("k exists", Exists("k")),
    ("k is missing", Not(Exists("k"))),
    ("has label 'Person'", HasAnyLabel(("Person",))),
    ("has label ['Person', 'Odd label']", HasAnyLabel(("Person", "Odd label"))),
    ("k < date('2024-01-31')", Lt("k", date(2024, 1, 31))),
    ("k < datetime('2024-01-31T09:00:00')", Lt("k", datetime(2024, 1, 31, 9))),
    ("k < datetime('2024-01-31T09:00:00+00:00')", Lt("k", datetime(2024, 1, 31, 9, tzinfo=UTC))),
    (
        "k < datetime('2024-10-27T02:30:00+01:00[Europe/Berlin]')",
        Lt("k", datetime(2024, 10, 27, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"), fold=1)),
    ),
    ("k = time('09:00:00')", Eq("k", time(9))),
    ("k = duration('-P1DT1S')", Eq("k", -timedelta(1, 1))),
    ("true", And()),
    ("false", Or()),
    ("all(a = 1)", And((A,))),
    ("any(a = 1)", Or((A,))),
    ("not true", Not(And())),
    ("a = 1 and b = 2 and c = 3", And((A, B, C))),
    ("a = 1 or b = 2 or c = 3", Or((A, B, C))),
    ("a = 1 and b = 2 or c = 3", Or((And((A, B)), C))),
    ("a = 1 or b = 2 and c = 3", Or((A, And((B, C))))),
    ("(a = 1 or b = 2) and c = 3", And((Or((A, B)), C))),
    ("(a = 1 and b = 2) and c = 3", And((And((A, B)), C))),
    ("a = 1 or (b = 2 or c = 3)", Or((A, Or((B, C))))),
    ("not (a = 1 and b = 2)", Not(And((A, B)))),
    ("not not a = 1", Not(Not(A))),
    ("not a = 1 and b = 2", And((Not(A), B))),
    ("k between 1 and 2 and a = 1", And((Between("k", 1, 2), A))),
    ("a-b.c_1 = 1", Eq("a-b.c_1", 1)),
    ("`a b` = 1", Eq("a b", 1)),
    ("`and` = 1", Eq("and", 1)),
    ("`TRUE` = 1", Eq("TRUE", 1)),
    (r"`a\`b` = 'it\'s'", Eq("a`b", "it's")),
    (r"k = 'a\\b\n\r\t\u{7}'", Eq("k", "a\\b\n\r\t\x07")),
    ("`имя` = '😀'", Eq("имя", "😀")),
    ("date = date('2024-01-31')", Eq("date", date(2024, 1, 31))),
    ("label = 1 and all = 2 and any = 3", And((Eq("label", 1), Eq("all", 2), Eq("any", 3)))),
]


@pytest.mark.parametrize("text,node", WRITTEN)
def test_each_text_is_read_as_one_filter_and_printed_so(text: str, node: FilterNode) -> None:
    """CASES 16 and 20."""
    assert filter_from_text(text) == node
    assert filter_to_text(node) == text


@pytest.mark.parametrize(
    "text,node",
    [
        ("k == 1", Eq("k", 1)),
        ("k <> 1", Ne("k", 1)),
        ('k = "it\'s"', Eq("k", "it's")),
        ("k IN ('a', 'b')", In("k", ("a", "b"))),
        ("k in ()", In("k", ())),
        ("k NOT IN ('a')", Nin("k", ("a",))),
        ("k not exists", Not(Exists("k"))),
        ("k not contains 'a'", Not(Contains("k", "a"))),
        ("k not starts with 'a'", Not(StartsWith("k", "a"))),
        ("k not between 1 and 2", Not(Between("k", 1, 2))),
        ("k not has element 1", Not(HasElement("k", 1))),
        ("has label Person", HasAnyLabel(("Person",))),
        ("HAS LABEL [Person, 'Odd label'] AND a = 1", And((HasAnyLabel(("Person", "Odd label")), A))),
        ("((a = 1))", A),
        ("a=1 and(b=2)", And((A, B))),
        ("a=-1", Eq("a", -1)),
        ("\n a\t= 1 \r\n", A),
        ("a = 1 AND NOT b = 2 OR c = 3", Or((And((A, Not(B))), C))),
        ("k = 1E3", Eq("k", 1000.0)),
        ("k = 007", Eq("k", 7)),
        ("k = duration('PT90M')", Eq("k", timedelta(minutes=90))),
        (r"k = '\u{1F600}\"\`'", Eq("k", '😀"`')),
        ("in_stock = true", Eq("in_stock", True)),
        ("and-or = 1", Eq("and-or", 1)),
    ],
)
def test_texts_that_are_read_too(text: str, node: FilterNode) -> None:
    assert filter_from_text(text) == node
    assert parse_filter(text) == node


@given(filters(max_depth=16))
def test_every_filter_is_printed_and_read_back_the_same(filter_: FilterNode) -> None:
    text = filter_to_text(filter_)
    assume(len(text) <= MAX_TEXT_CHARS)
    assert parse_filter(text) == filter_
    assert filter_to_text(parse_filter(text)) == text
    assert text.isprintable()


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_a_property_named_like_a_word_of_the_grammar_is_quoted(word: str) -> None:
    for name in (word, word.upper()):
        assert filter_to_text(Eq(name, 1)) == f"`{name}` = 1"
        assert filter_from_text(f"`{name}` = 1") == Eq(name, 1)


@pytest.mark.parametrize(
    "text,place,message",
    [
        ("", 1, "a property's name, `not`, `has label` or a bracket is expected, and the end is found"),
        ("owner", 6, "an operator is expected after the property's name, and the end is found; known are `=`, `==`"),
        ("owner like 'x'", 7, "and `like` is found (did you mean `contains`?); known are"),
        ("owner contain 'x'", 7, "(did you mean `contains`?)"),
        ("owner startswith 'x'", 7, "(did you mean `starts with`?)"),
        ("owner starts 'x'", 7, "(did you mean `starts with`?)"),
        ("year => 2020", 7, "date('2024-01-31'), ...), and `>` is found"),
        ("year = ", 8, "a value is expected"),
        ("owner = alice", 9, "and `alice` is found; text stands in quotes: 'alice'"),
        ("owner = null", 9, "nothing equals null; ask for absence with `is missing`, for presence with `exists`"),
        ("owner in [1, NONE]", 14, "nothing equals null"),
        ("'owner' = 1", 1, "(text is a value, not a name; odd names stand in back-ticks)"),
        ("in = 1", 1, "(a property of that name is written in back-ticks: `in`)"),
        ("a = 1 b = 2", 7, "`and`, `or` or the end is expected, and `b` is found"),
        ("a = 1 and", 10, "a property's name"),
        ("(a = 1", 7, "`)` is expected to close the bracket of character 1, and the end is found"),
        ("a = 1)", 6, "`and`, `or` or the end is expected, and `)` is found"),
        ("a = 'x", 5, "the quotation that ' begins does not end"),
        ("a = \"x'", 5, 'the quotation that " begins does not end'),
        ("`a = 1", 1, "the quotation that ` begins does not end"),
        (r"a = 'x\q'", 7, r"`\q` is no escape; known are"),
        (r"a = '\u{110000}'", 6, "is no escape"),
        (r"a = '\u0041'", 6, r"`\u` is no escape"),
        ("a=1and b=2", 3, "a number runs into letters"),
        ("a = 12abc", 5, "a number runs into letters"),
        ("a = 1; drop", 6, "the character ';' has no meaning here"),
        ("имя = 1", 1, "an odd name in back-ticks"),
        ("a = 99999999999999999999999", 5, "does not fit 64 bits"),
        ("a = 9223372036854775808", 3, "`a`: the whole number does not fit 64 bits"),
        ("a = 1e999", 5, "too large for a float"),
        ("a = date('2024-13-01')", 10, "this is no date: it is written as 2024-01-31"),
        ("a = date(2024)", 10, "text in quotes is expected in `date(...)`"),
        ("a = float('nan')", 11, "`float` takes 'inf' or '-inf'"),
        ("a in 'x'", 6, "a list is expected, such as ['a', 'b']"),
        ("a in [1 2]", 9, "`]` is expected to close the list of character 6"),
        ("a = [[1]]", 6, "a value is expected"),
        ("a = [1, 'x']", 3, "the list holds number and text"),
        ("a > [1]", 3, "a list has no order"),
        ("a > duration('P1D')", 3, "a duration has no order here"),
        ("a between 1 or 2", 13, "`and` is expected between the two bounds"),
        ("a is null", 6, "`missing` is expected after `is`"),
        ("has element 1", 5, "`label` is expected after `has`"),
        ("has label", 10, "a label is expected"),
        ("has label [A", 13, "`]` is expected after the labels"),
        ("has label []", 12, "a label is expected"),
        ("has label ''", 1, "a label has 0 characters"),
        ("a starts with 1", 3, "`starts_with` compares text"),
        ("a = 1 ignoring case", 3, "`eq_ignore_case` compares text"),
        ("a contains 1 ignoring case", 3, "`contains_ignore_case` compares text"),
        ("a = 'x' ignoring", 9, "`and`, `or` or the end is expected"),
        ("embedding = 1", 11, "`embedding` cannot be filtered on"),
        ("`` = 1", 4, "has 0 characters"),
        (r"a = '\u{0}'", 3, "NUL"),
    ],
)  # fmt: skip
def test_what_is_no_filter_is_refused_with_its_place(text: str, place: int, message: str) -> None:
    with pytest.raises(InvalidFilterError) as caught:
        filter_from_text(text)
    assert message in caught.value.message
    assert caught.value.place == f"character {place}"


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "(" * (MAX_TEXT_CHARS - 1),
        "not " * 4_900 + "a = 1",
        "all(" * 4_900,
        "a = [" + "[" * 19_000,
        "a = 1 and " * 1_900 + "a = 1",
        "a in [" + "1," * 9_000 + "1]",
        "'" * 19_999,
        "'" + "\\" * 19_998,
        "`" * 19_999,
        "a = '" + "\\'" * 9_000,
        "a " * 9_999,
        "-" * 19_999,
        "9" * 19_999,
        "a = " + "9" * 19_000 + "." + "9" * 900,
        "x" * 19_999,
        "x" * 10_000 + " like 1",
    ],
    ids=lambda text: text[:12],
)
@pytest.mark.timeout(60)  # what grows with the square of the length, or worse, takes minutes
def test_long_and_deep_text_is_refused_by_no_stack(text: str) -> None:
    with pytest.raises(InvalidFilterError) as caught:
        filter_from_text(text)
    assert len(str(caught.value)) < 600


@given(st.text(st.sampled_from("ab'\"`\\()[],=<>!-.1 and or not in has label is missing\n\0"), max_size=60))
def test_any_text_is_a_filter_or_refused_with_a_place(text: str) -> None:
    try:
        filter_ = filter_from_text(text)
    except InvalidFilterError as error:
        place = error.place
    else:
        place = "character 1"
        assert filter_from_text(filter_to_text(filter_)) == filter_
    assert place.startswith("character ")


def test_json_text_is_told_by_its_first_bracket() -> None:
    assert parse_filter(' {"a": 1}') == A
    assert parse_filter({"a": 1}) == A
    assert parse_filter("a = 1") == A


@pytest.mark.parametrize("form", [None, 1, ["a"], b"a = 1"])
def test_other_forms_are_unknown(form: Any) -> None:
    with pytest.raises(InvalidFilterError, match="a filter is read from text or from a mapping; this is a"):
        parse_filter(form)


@pytest.mark.parametrize("text", ["'\ud800' = 1", "k = `\ud800`", "k in `\ud800`", "\ud800 = 1"])
def test_a_message_about_a_lone_surrogate_can_be_printed(text: str) -> None:
    with pytest.raises(InvalidFilterError, match=r"\\ud800") as caught:
        filter_from_text(text)
    assert str(caught.value).encode()
