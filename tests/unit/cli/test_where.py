"""`--where`: read in both forms, refused with the place, and given to the store as it is."""

import json
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from graphrag.cli import main
from graphrag.cli._caret import caret_lines
from graphrag.cli._session import Session
from graphrag.filters import parse_filter
from graphrag.model import Chunk, Datum, Document, NamedEntityData, ResultList, SearchExplanation, Section
from graphrag.stores.protocols import HybridSearch
from graphrag.stores.reports import Deletion

TEXT = "year >= 2020 and owner = 'ann'"
JSON = '{"year": {"$gte": 2020}, "owner": "ann"}'
COMMANDS = (["search", "fox"], ["documents", "list"], ["documents"], ["count"], ["delete", "--yes"])


class Store(HybridSearch):
    """Records what it is asked."""

    def __init__(self, documents: int = 2) -> None:
        self.documents = documents
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.kinds: list[type[Datum]] = []

    def hybrid_search(self, _request: object, _kind: object = Chunk, **given: object) -> ResultList[Any]:
        self.asked.append(("hybrid_search", given))
        legs = (
            SearchExplanation("vector", "in_index", 50, 12, 1, "c.year >= $p0", "c.year >= $p0"),
            SearchExplanation("text", "exact_scan", 1_200, None, 2),
        )
        return ResultList([], explanations=legs if given["explain"] else ())

    def list_documents(self, **given: object) -> list[Document]:
        self.asked.append(("list_documents", given))
        return []

    def count(self, kind: type[Datum], **given: object) -> int:
        self.kinds.append(kind)
        self.asked.append(("count", given))
        return self.documents

    def delete_documents(self, where: object, **given: object) -> Deletion:
        self.asked.append(("delete_documents", {"where": where, **given}))
        return Deletion(self.documents, 3, 7)

    def filters(self) -> list[object]:
        return [given["where"] for _, given in self.asked]


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    made = Store()
    for name in ("open_store", "open_store_without_model"):
        monkeypatch.setattr(Session, name, lambda *_, **__: nullcontext(made))
    return made


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@pytest.mark.parametrize("form", [TEXT, JSON])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_both_forms_reach_the_store_as_the_same_filter(store: Store, command: list[str], form: str) -> None:
    result = run(*command, "--where", form)
    assert result.exit_code == 0, result.output
    assert store.asked
    assert [filter_ == parse_filter(TEXT) for filter_ in store.filters()] == [True] * len(store.asked)


@pytest.mark.parametrize("command", [["search", "fox"], ["documents", "list"], ["count"]], ids=" ".join)
def test_without_it_there_is_no_filter(store: Store, command: list[str]) -> None:
    assert run(*command).exit_code == 0
    assert set(store.filters()) == {None}


@pytest.mark.parametrize(
    "form, message, line",
    [
        ("year >= and x = 1", "a value is expected", "          ^"),
        ("owner = 'ann", "does not end", "          ^"),
        ('{"a": }', "no JSON", "        ^"),
        ("year >=", "the end is found", "         ^"),
    ],
)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_malformed_filter_is_a_usage_error_that_shows_the_place(
    store: Store, command: list[str], form: str, message: str, line: str
) -> None:
    result = run(*command, "--where", form)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.splitlines()[-2:] == [f"  {form}", line]
    assert store.asked == []


def test_a_place_in_a_json_object_is_named_by_its_path(store: Store) -> None:
    result = run("count", "--where", '{"$and": [{"a": 1}, {"b": {"$foo": 1}}]}')
    assert (result.exit_code, store.asked) == (2, [])
    assert "at $.$and[1].b.$foo: `$foo` is no operator" in " ".join(result.stderr.split())


@pytest.mark.parametrize("blank", ["", "  "])
def test_an_empty_one_is_refused(store: Store, blank: str) -> None:
    """A variable that a script forgot to set must not delete everything."""
    result = run("delete", "--yes", "--where", blank)
    assert (result.exit_code, store.asked) == (2, [])
    assert "it is empty" in result.stderr


# -- delete


@pytest.mark.parametrize("form", ["{}", "true", "not false", '{"$and": []}', "true or year = 1"])
def test_a_filter_that_is_always_true_deletes_nothing(store: Store, form: str) -> None:
    result = run("delete", "--yes", "--where", form)
    assert (result.exit_code, store.asked) == (2, [])
    assert "true of every document; `graphrag clear`" in result.stderr


@pytest.mark.parametrize("arguments", [[], ["a.md", "--where", TEXT]])
def test_documents_and_a_filter_exclude_each_other(store: Store, arguments: list[str]) -> None:
    result = run("delete", "--yes", *arguments)
    assert (result.exit_code, store.asked) == (2, [])
    assert "DOCUMENT..., or --where FILTER" in result.stderr


def test_delete_tells_how_many_before_it_asks(store: Store) -> None:
    refused = run("delete", "--where", TEXT, "--collection", "here")
    assert refused.exit_code == 1
    assert "In `here`: 2 documents" in refused.stderr
    assert "nobody can be asked" in refused.stderr
    assert [name for name, _ in store.asked] == ["count", "list_documents"]
    done = run("delete", "--where", TEXT, "--collection", "here", "--yes", "--json")
    assert json.loads(done.stdout) == {"documents": 2, "sections": 3, "chunks": 7, "unknown": []}
    assert store.asked[-1] == ("delete_documents", {"where": parse_filter(TEXT), "collections": ("here",)})


def test_where_nothing_matches_nothing_is_asked(store: Store) -> None:
    store.documents = 0
    result = run("delete", "--where", TEXT)
    assert (result.exit_code, result.stderr) == (
        0,
        "In all collections: 0 documents\nDeleted 0 documents, 0 sections, 0 chunks.\n",
    )


# -- count and explain


@pytest.mark.parametrize(
    "arguments, kind",
    [([], Document), (["documents"], Document), (["sections"], Section), (["chunks"], Chunk),
     (["entities"], NamedEntityData)],
)  # fmt: skip
def test_each_kind_is_counted(store: Store, arguments: list[str], kind: type[Datum]) -> None:
    assert run("count", *arguments).stdout == "2\n"
    told = json.loads(run("count", *arguments, "--json", "--collection", "a", "--collection", "b").stdout)
    assert told == {"kind": (arguments or ["documents"])[0], "count": 2}
    assert store.kinds == [kind, kind]
    assert [given["collections"] for _, given in store.asked] == [None, ("a", "b")]


def test_explain_tells_the_way_of_each_leg(store: Store) -> None:
    assert run("search", "fox", "--where", TEXT, "--explain").stderr.splitlines() == [
        "vector: the index, with the whole filter inside; 50 candidates, 12 of them match",
        "    filter: c.year >= $p0",
        "    in the index: c.year >= $p0",
        "text: all that match, compared exactly; 1,200 candidates in 2 statements",
        "Nothing was found.",
    ]
    told = json.loads(run("search", "fox", "--explain", "--json").stdout)["explanations"]
    assert [(leg["leg"], leg["path"], leg["candidates"], leg["matched"]) for leg in told] == [
        ("vector", "in_index", 50, 12),
        ("text", "exact_scan", 1_200, None),
    ]
    assert "explanations" not in json.loads(run("search", "fox", "--json").stdout)


# -- the caret


@pytest.mark.parametrize(
    "text, place, expected",
    [
        ("abc", "character 1", ["  abc", "  ^"]),
        ("abc", "character 4", ["  abc", "     ^"]),
        ("a\nb\tc", "character 5", ["  a b c", "      ^"]),
        ("東京 = x", "character 4", ["  東京 = x", "       ^"]),
        ("e\u0301 = x", "character 4", ["  e\u0301 = x", "    ^"]),
        ("\x1b[2J x", "character 6", ["  \N{REPLACEMENT CHARACTER}[2J x", "       ^"]),
        ("abc", "$.a", []),
        ("abc", "", []),
    ],
)
def test_the_caret_stands_below_the_place(text: str, place: str, expected: list[str]) -> None:
    assert list(caret_lines(text, place)) == expected


def test_of_a_long_text_the_part_around_the_place_is_shown() -> None:
    text, caret = caret_lines("a" * 500 + "!" + "b" * 500, "character 501")
    assert len(text) < 80
    assert text[caret.index("^")] == "!"
    assert text.startswith("  …a")
    assert text.endswith("b…")


# -- schema filters


def test_filter_properties_are_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    from graphrag.stores.neo4j.filterable import FilterProperty

    properties = [
        FilterProperty("collection", "ok", in_vector_index=True, holds_lists=False),
        FilterProperty("tags", "populating", in_vector_index=False, holds_lists=True),
        FilterProperty("year", "ok", in_vector_index=True, holds_lists=None),
    ]
    store = SimpleNamespace(filter_properties=lambda: properties)
    monkeypatch.setattr(Session, "open_store_without_model", lambda *_: nullcontext(store))
    assert run("schema", "filters", "list").stdout.splitlines() == [
        "collection  range index ok, in the vector index",
        "tags  range index populating, not in the vector index; holds lists",
        "year  range index ok, in the vector index; may hold lists",
    ]
    told = json.loads(run("schema", "filters", "list", "--json").stdout)
    assert told["filter_properties"][1] == {
        "name": "tags", "range_index": "populating", "in_vector_index": False, "holds_lists": True,
    }  # fmt: skip
