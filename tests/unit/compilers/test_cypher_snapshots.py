"""The compiled text of each node and of typical trees, kept as files that are reviewed like code.

After a change that is meant, `python tests/unit/compilers/test_cypher_snapshots.py` writes them anew.
"""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta, timezone
from pathlib import Path

import pytest

from graphrag.compilers.cypher import CypherCompiler
from graphrag.filters.nodes import And, HasAnyLabel, Or, PropertyFilter
from graphrag.filters.properties import prop

FOLDER = Path(__file__).parents[2] / "snapshots" / "cypher"
ZONED = datetime(2024, 3, 1, 12, 30, tzinfo=timezone(timedelta(hours=2)))

CASES: Mapping[str, tuple[PropertyFilter, ...]] = {
    "equality": (
        prop("owner") == "alice",
        prop("year") == 2020,
        prop("at") == datetime(2024, 3, 1),  # noqa: DTZ001 - a date-time without a zone
        prop("at") == ZONED,
        PropertyFilter.eq("tags", ["a", "b"]),
        PropertyFilter.eq("tags", []),
        PropertyFilter.eq("seen", [ZONED, ZONED]),
        prop("owner") != "alice",
        prop("at") != ZONED,
        PropertyFilter.ne("tags", ["a", "b"]),
    ),
    "order": (
        prop("year") > 2020,
        prop("year") >= 2020,
        prop("day") < date(2024, 3, 1),
        prop("day") <= date(2024, 3, 1),
        prop("at") > ZONED,
        prop("year").between(2020, 2024),
        prop("at").between(ZONED, ZONED),
    ),
    "numbers": (
        prop("n") == 0,
        prop("n") != 0.0,
        prop("n") == 2**62,
        prop("n") == 2**62 + 1,
        prop("n") != 2.0**63,
        PropertyFilter.eq("n", [0, 1]),
        PropertyFilter.ne("n", [2**62 + 1]),
        prop("n") >= 0,
        prop("n") > 0,
        prop("n") <= -0.0,
        prop("n") < -0.0,
        prop("n") < 2**62 + 1,
        prop("n") >= 2.0**63,
        prop("n").between(0, 2**62 + 1),
        prop("n").in_(0, 1, "x"),
        prop("n").in_(2**62 + 1, 0.5, "x"),
        prop("collection").in_(2**62 + 1, ZONED),
        prop("n").has_element(0),
        prop("n").has_element(2**62 + 1),
    ),
    "membership": (
        prop("owner").in_("alice", "bob"),
        prop("collection").in_("one", "two"),
        prop("length").in_(1, "two", True, time(12), timedelta(days=1)),
        prop("at").in_(ZONED),
        prop("at").in_(ZONED, "yesterday"),
        prop("collection").in_(ZONED),
        prop("collection").in_(ZONED, "yesterday"),
        prop("owner").nin("alice", "bob"),
        prop("collection").nin("one", "two"),
        prop("owner").in_(),
        prop("owner").nin(),
        prop("tags").has_element("a"),
        prop("seen").has_element(ZONED),
    ),
    "text": (
        prop("name").contains("x"),
        prop("collection").contains("x"),
        prop("name").contains(1),
        prop("name").contains(ZONED),
        prop("name").starts_with("x"),
        prop("name").ends_with("x"),
        prop("name").eq_ignore_case("X"),
        prop("name").contains_ignore_case("X"),
    ),
    "names": (
        prop("a-b") == 1,
        ~prop("a`b").exists(),
        prop("a.b").in_(1, 2),
        prop("we ird").between(ZONED, ZONED),
        HasAnyLabel(("Person",)),
        HasAnyLabel(("Person", "Place")),
        HasAnyLabel(("Per son",)),
        HasAnyLabel(("Per son", "Pla ce")),
        HasAnyLabel(("Person", "Per son")),
        HasAnyLabel(("Person", "Per son", "Pla ce")),
    ),
    "combinations": (
        (prop("owner") == "alice") & (prop("confidenceScore") >= 0.5),
        (prop("owner") == "alice") | (prop("owner") == "bob"),
        ((prop("owner") == "alice") | (prop("owner") == "bob")) & (prop("year") >= 2020),
        ((prop("owner") == "alice") & (prop("year") >= 2020)) | (prop("year") < 1990),
        ~(prop("year") >= 2020),
        ~prop("owner").exists(),
        ~((prop("owner") == "alice") & prop("year").exists()),
        ~(prop("owner").exists() | prop("name").exists()),
        ~~(prop("owner") == "alice"),
        ~(prop("owner") == "alice"),
        And(()),
        Or(()),
        And((Or(()), prop("owner") == "alice")),
        (prop("owner") == "alice") & HasAnyLabel(("Person", "Place")) & ~prop("status").in_("draft", "deleted"),
        (prop("at") == ZONED) & prop("collection").in_("one"),
    ),
}


def rendered(filters: tuple[PropertyFilter, ...]) -> str:
    compiler = CypherCompiler(scalar_keys={"collection"})
    lines: list[str] = []
    for filter_ in filters:
        compiled = compiler.compile((filter_,))
        lines += [f"// {filter_!r}", compiled.text]
        exact = compiler.compile((filter_,), never_null=True).text
        if exact != compiled.text:
            lines.append(f"// never null: {exact}")
        lines += [*(f"// ${name}: {value!r}" for name, value in compiled.parameters.items()), ""]
    return "\n".join(lines)


@pytest.mark.parametrize("name", CASES)
def test_compiled_text_is_the_one_on_file(name: str) -> None:
    assert rendered(CASES[name]) == (FOLDER / f"{name}.cypher").read_text(encoding="utf-8")


def test_there_is_no_file_without_its_case() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(CASES)


if __name__ == "__main__":
    for case, filters in CASES.items():
        (FOLDER / f"{case}.cypher").write_text(rendered(filters), encoding="utf-8")
