"""`graphrag search` says where a collection that was named holds nothing."""

import json
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from graphrag.cli import main
from graphrag.cli._session import Session
from graphrag.errors import InvalidPatternError
from graphrag.model import ResultList


@pytest.mark.parametrize(
    "documents, notes",
    [({"here": 2}, ["collection `nothere` holds no documents"]), ({"here": 2, "nothere": 1}, [])],
)
def test_a_collection_without_documents_is_told(
    documents: dict[str, int], notes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SimpleNamespace(
        text_search=lambda *_, **__: ResultList([]),
        count=lambda _kind, *, collections: sum(documents.get(name, 0) for name in collections),
    )
    monkeypatch.setattr(Session, "open_store", lambda *_: nullcontext(store))
    arguments = ["search", "mill", "--mode", "text", "--collection", "here", "--collection", "nothere"]
    assert json.loads(CliRunner().invoke(main, [*arguments, "--json"]).stdout)["notes"] == notes
    plain = CliRunner().invoke(main, arguments).stderr
    assert plain == ("".join(f"Note: {note}\n" for note in notes) or "Nothing was found.\n")


def test_a_pattern_goes_to_the_search_by_regular_expression(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pattern as it stands, with the options that go with it; a refused one is a line that tells the place."""
    calls: list[tuple[tuple[object, ...], dict[str, object]]] = []

    def regex_search(*arguments: object, **more: object) -> ResultList[object]:
        calls.append((arguments, more))
        if arguments[0] == "(":
            raise InvalidPatternError("missing )", position=0)
        return ResultList([], notes=["no chunk holds a match of the pattern"])

    store = SimpleNamespace(regex_search=regex_search, count=lambda *_, **__: 1)
    monkeypatch.setattr(Session, "open_store", lambda *_: nullcontext(store))
    arguments = ["search", "--mode", "regex", "-k", "3", "--collection", "here"]
    result = CliRunner().invoke(main, [*arguments, r"a\d+"])
    assert (result.exit_code, result.stderr) == (0, "Note: no chunk holds a match of the pattern\n")
    assert calls == [((r"a\d+", 3), {"where": None, "collections": ("here",), "explain": False})]
    refused = CliRunner().invoke(main, [*arguments, "("])
    assert (refused.exit_code, refused.stderr) == (1, "Error: at character 1 of the pattern: missing )\n")


@pytest.mark.parametrize("options, expected", [([], "literal"), (["--syntax", "lucene"], "lucene")])
def test_the_syntax_goes_to_the_searches_by_words(
    options: list[str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def text_search(*_: object, mode: str, **__: object) -> ResultList[object]:
        asked.append(("text", mode))
        return ResultList([])

    def hybrid_search(*_: object, text_mode: str, **__: object) -> ResultList[object]:
        asked.append(("hybrid", text_mode))
        return ResultList([])

    store = SimpleNamespace(text_search=text_search, hybrid_search=hybrid_search)
    monkeypatch.setattr(Session, "open_store", lambda *_: nullcontext(store))
    for mode in ("text", "hybrid"):
        assert CliRunner().invoke(main, ["search", "+mill -wind", "--mode", mode, *options]).exit_code == 0
    assert asked == [("text", expected), ("hybrid", expected)]
