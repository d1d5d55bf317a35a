"""The SQL compiler: texts on file, one text a shape, bounds of its arguments."""

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import cast, get_args

import pytest
from hypothesis import given, settings, strategies as st

from graphrag.compilers.base import FilterCompiler
from graphrag.compilers.sql import DialectName, SqlCompiler
from graphrag.compilers.sql_values import labels_to_json, properties_to_json
from graphrag.errors import ConfigurationError, InvalidFilterError, InvalidRequestError, UnsupportedFilterError
from graphrag.filters.nodes import And, HasAnyLabel, Not, Or, PropertyFilter
from graphrag.filters.properties import prop
from graphrag.filters.values import check_key

FOLDER = Path(__file__).parents[2] / "snapshots" / "sql"
DIALECTS: tuple[DialectName, ...] = get_args(DialectName)
ZONED = datetime(2024, 3, 1, 12, 30, tzinfo=timezone(timedelta(hours=2)))


def is_filterable(name: str) -> bool:
    try:
        check_key(name)
    except InvalidFilterError:
        return False
    return True


NAMES = st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1, max_size=64)

CASES: Mapping[str, tuple[PropertyFilter, ...]] = {
    "equality": (
        prop("owner") == "alice",
        prop("year") == 2020,
        prop("at") == ZONED,
        PropertyFilter.eq("tags", ["a", "b"]),
        PropertyFilter.eq("tags", []),
        prop("owner") != "alice",
        PropertyFilter.ne("tags", ["a", "b"]),
        prop("indexed") == "alice",
        prop("indexed") != "alice",
    ),
    "order": (
        prop("year") > 2020,
        prop("year") >= -2.5,
        prop("day") < date(2024, 3, 1),
        prop("name") <= "m",
        prop("at") > ZONED,
        prop("live") >= True,
        prop("year").between(2020, 2024),
        prop("indexed") > 2020,
    ),
    "membership": (
        prop("owner").in_("alice"),
        prop("owner").in_("alice", 1, 1.0, True),
        prop("owner").nin("alice", "bob"),
        prop("owner").in_(),
        prop("owner").nin(),
        prop("tags").has_element("a"),
        prop("indexed").in_("alice", "bob"),
        prop("indexed").has_element("a"),
        HasAnyLabel(("Person",)),
        HasAnyLabel(("Person", "Per son")),
    ),
    "text": (
        prop("name").contains("x%_"),
        prop("name").contains(1),
        prop("name").starts_with("x"),
        prop("name").ends_with("x"),
        prop("name").ends_with(""),
        prop("name").eq_ignore_case("X"),
        prop("name").contains_ignore_case("X"),
        prop("indexed").contains("x"),
        prop("indexed").starts_with("x"),
        prop("indexed").eq_ignore_case("X"),
    ),
    "combinations": (
        (prop("owner") == "alice") & (prop("confidenceScore") >= 0.5),
        (prop("owner") == "alice") | (prop("owner") == "bob"),
        ((prop("owner") == "alice") | (prop("owner") == "bob")) & prop('a"b%').exists(),
        ~(prop("year") >= 2020),
        ~prop("owner").exists(),
        ~((prop("owner") == "alice") & prop("year").exists()),
        And(()),
        Or(()),
        (prop("owner") == "alice") & HasAnyLabel(("Person", "Place")) & ~prop("status").in_("draft", "deleted"),
    ),
}

SHAPES: Mapping[str, Callable[[str, str], PropertyFilter]] = {
    "eq": lambda name, text: prop(name) == text,
    "eq list": lambda name, text: PropertyFilter.eq(name, [text]),
    "ne": lambda name, text: prop(name) != text,
    "in": lambda name, text: prop(name).in_(text, "b"),
    "contains": lambda name, text: prop(name).contains(text),
    "starts_with": lambda name, text: prop(name).starts_with(text),
    "ends_with": lambda name, text: prop(name).ends_with(text),
    "eq_ignore_case": lambda name, text: prop(name).eq_ignore_case(text),
    "contains_ignore_case": lambda name, text: prop(name).contains_ignore_case(text),
    "has_element": lambda name, text: prop(name).has_element(text),
    "exists": lambda name, text: prop(name).exists(),
    "order": lambda name, text: prop(name) > 1,
    "label": lambda name, text: HasAnyLabel((name, text[:64])),
    "not": lambda name, text: ~((prop(name) == text) & prop(name).exists()),
}


def rendered(dialect: DialectName, filters: tuple[PropertyFilter, ...]) -> str:
    compiler = SqlCompiler(dialect, indexed_keys={"indexed"})
    lines: list[str] = []
    for filter_ in filters:
        compiled = compiler.compile((filter_,))
        lines += [f"-- {filter_!r}", compiled.text]
        exact = compiler.compile((filter_,), never_null=True).text
        if exact != compiled.text:
            lines.append(f"-- never null: {exact}")
        lines += [*(f"-- {name}: {value!r}" for name, value in compiled.parameters.items()), ""]
    return "\n".join(lines)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", CASES)
def test_compiled_text_is_the_one_on_file(name: str, dialect: DialectName) -> None:
    assert rendered(dialect, CASES[name]) == (FOLDER / dialect / f"{name}.sql").read_text(encoding="utf-8")


def test_there_is_no_file_without_its_case() -> None:
    assert {path.stem for path in FOLDER.rglob("*.sql")} == set(CASES)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=25)  # of each shape in each dialect
@given(name=NAMES.filter(is_filterable), text=NAMES)
def test_the_text_is_the_same_whatever_key_label_and_value(
    dialect: DialectName, shape: str, name: str, text: str
) -> None:
    compiler = SqlCompiler(dialect)
    made = SHAPES[shape]
    assert compiler.compile((made(name, text),)).text == compiler.compile((made("k", "v"),)).text


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_declared_key_that_is_no_plain_word_stays_a_parameter(dialect: DialectName) -> None:
    hostile = "a' OR 1=1 --"
    compiled = SqlCompiler(dialect, indexed_keys={hostile}).compile((prop(hostile).exists(),))
    assert "OR 1=1" not in compiled.text
    assert any(hostile in str(value) for value in compiled.parameters.values())


@pytest.mark.parametrize("dialect", DIALECTS)
def test_none_is_no_condition_and_none_at_all_is_true(dialect: DialectName) -> None:
    compiler: FilterCompiler = SqlCompiler(dialect)
    assert compiler.compile([]).text == compiler.compile([None]).text == "true"
    assert compiler.compile([None, prop("a").exists()]) == compiler.compile([prop("a").exists()])


@pytest.mark.parametrize("dialect", DIALECTS)
def test_one_filter_that_is_never_true_is_all_of_the_text(dialect: DialectName) -> None:
    compiled = SqlCompiler(dialect).compile((prop("a") == 1, prop("b").in_()))
    assert (compiled.text, compiled.parameters) == ("false", {})


@pytest.mark.parametrize("dialect", DIALECTS)
def test_columns_may_be_of_a_table_and_names_of_parameters_begin_as_told(dialect: DialectName) -> None:
    compiler = SqlCompiler(dialect, "chunk.props", labels="chunk.marks", prefix="scope_")
    compiled = compiler.compile((prop("a") == 1, HasAnyLabel(("A",))))
    assert "chunk.props" in compiled.text
    assert "chunk.marks" in compiled.text
    assert list(compiled.parameters) == [f"scope_{number}" for number in range(len(compiled.parameters))]


@pytest.mark.parametrize("column", ["", "a b", "a;", "a.b.c", "a.", ".a", 'a"', "ä"])
def test_a_column_that_is_no_plain_word_is_refused(column: str) -> None:
    with pytest.raises(InvalidRequestError, match="must be a plain word"):
        SqlCompiler("sqlite", column)
    with pytest.raises(InvalidRequestError, match="must be a plain word"):
        SqlCompiler("sqlite", labels=column)


def test_a_prefix_that_is_no_plain_word_is_refused() -> None:
    with pytest.raises(InvalidRequestError, match="must be a plain word"):
        SqlCompiler("sqlite", prefix="a b")


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="no SQL dialect 'mysql'; it is one of sqlite, postgresql"):
        SqlCompiler(cast("DialectName", "mysql"))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_node_of_somebody_elses_is_refused(dialect: DialectName) -> None:
    class Foreign(PropertyFilter):
        __slots__ = ()

    with pytest.raises(UnsupportedFilterError, match="`Foreign` is no node of the filter language"):
        SqlCompiler(dialect).compile((Foreign(),))


@pytest.mark.parametrize(
    "filter_",
    [prop("owner") == "alice", prop("owner") >= "alice", prop("owner").starts_with("al"), prop("owner").in_("alice")],
    ids=["eq", "range", "starts_with", "in"],
)
def test_an_index_over_the_expression_answers_a_declared_key(filter_: PropertyFilter) -> None:
    compiled = SqlCompiler("sqlite", indexed_keys={"owner"}).compile((filter_,))
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE node (properties TEXT NOT NULL)")
        connection.execute("""CREATE INDEX by_owner ON node (json_extract(properties, '$."owner"'))""")
        plan = connection.execute(
            f"EXPLAIN QUERY PLAN SELECT * FROM node WHERE {compiled.text}",  # noqa: S608 - the compiler's own text
            dict(compiled.parameters),
        ).fetchall()
    steps = " / ".join(step for *_, step in plan)
    assert "USING INDEX by_owner" in steps
    assert "SCAN node" not in steps


def test_the_largest_filters_that_the_language_takes_run() -> None:
    wide = Or(tuple(prop(f"k{number}").contains("x") for number in range(255)))
    deep: PropertyFilter = prop("a").in_(*range(1_000))
    for number in range(7):
        deep = Not(deep & (prop(f"k{number}") != "x"))
    many = [prop(f"k{number}") != number for number in range(1_000)]
    compiled = SqlCompiler("sqlite").compile((wide, deep, *many))
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE node (properties TEXT NOT NULL, labels TEXT NOT NULL)")
        connection.execute(
            "INSERT INTO node VALUES (?, ?)",
            (properties_to_json({"k3": "axb", "at": datetime(2024, 3, 1, tzinfo=UTC)}), labels_to_json([])),
        )
        text = f"SELECT count(*) FROM node WHERE {compiled.text}"  # noqa: S608 - the compiler's own text
        assert connection.execute(text, dict(compiled.parameters)).fetchone() in {(0,), (1,)}


if __name__ == "__main__":
    for dialect in DIALECTS:
        (FOLDER / dialect).mkdir(exist_ok=True)
        for case, filters in CASES.items():
            (FOLDER / dialect / f"{case}.sql").write_text(rendered(dialect, filters), encoding="utf-8")


@pytest.mark.parametrize("dialect", get_args(DialectName))
def test_a_long_chain_is_grouped_and_loses_no_part(dialect: DialectName) -> None:
    parts = tuple(prop(f"k{number}") == number for number in range(1, 121))
    compiled = SqlCompiler(dialect).compile([Or(parts)])
    assert compiled.text.count(" OR ") == 119
    assert all(name in compiled.text for name in compiled.parameters)


@pytest.mark.parametrize("dialect", get_args(DialectName))
def test_a_list_is_asked_for_in_the_letters_in_which_it_is_stored(dialect: DialectName) -> None:
    compiled = SqlCompiler(dialect).compile([prop("k") == ["ключ"]])
    told = "".join(map(str, compiled.parameters.values()))
    assert "ключ" in told
    assert "\\u" not in told
