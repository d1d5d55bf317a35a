"""`graphrag search`: what reaches the search, and how results are told."""

import json
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from graphrag.cli import main
from graphrag.cli._session import Session
from graphrag.errors import InvalidPatternError
from graphrag.model import ResultList, SearchExplanation
from graphrag.stores.protocols import HybridSearch, RegexSearchOperations, TextSearch
from tests.unit.search.doubles import FixedReranker, MemoryStore, make_chunks


class RecordingStore(TextSearch, HybridSearch, RegexSearchOperations):
    """Finds nothing; `calls` has what each search was asked."""

    def __init__(self, documents: Mapping[str, int] | None = None, *, notes: tuple[str, ...] = ()) -> None:
        self._documents = documents
        self._notes = notes
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []

    lucene_syntax_notes = ""

    def count(self, _kind: object, *, collections: list[str]) -> int:
        return 1 if self._documents is None else sum(self._documents.get(name, 0) for name in collections)

    def text_search(self, *arguments: Any, **options: Any) -> Any:
        self.calls.append(("text", arguments, options))
        return ResultList()

    def hybrid_search(self, *arguments: Any, **options: Any) -> Any:
        self.calls.append(("hybrid", arguments, options))
        return ResultList()

    def regex_search(self, *arguments: Any, **options: Any) -> Any:
        self.calls.append(("regex", arguments, options))
        if arguments[0] == "(":
            raise InvalidPatternError("missing )", position=0)
        return ResultList(notes=self._notes)


def run(monkeypatch: pytest.MonkeyPatch, store: object, *arguments: str) -> Result:
    monkeypatch.setattr(Session, "open_store", lambda *_: nullcontext(store))
    return CliRunner().invoke(main, ["search", *arguments])


@pytest.mark.parametrize(
    "documents, notes",
    [({"here": 2}, ["collection `nothere` holds no documents"]), ({"here": 2, "nothere": 1}, [])],
)
def test_a_collection_without_documents_is_told(
    documents: dict[str, int], notes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = RecordingStore(documents)
    arguments = ["mill", "--mode", "text", "--collection", "here", "--collection", "nothere"]
    assert json.loads(run(monkeypatch, store, *arguments, "--json").stdout)["notes"] == notes
    plain = run(monkeypatch, store, *arguments).stderr
    assert plain == ("".join(f"Note: {note}\n" for note in notes) or "Nothing was found.\n")


def test_a_pattern_goes_to_the_search_by_regular_expression(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pattern as it stands, with the options that go with it; a refused one is a line that tells the place."""
    store = RecordingStore(notes=("no chunk holds a match of the pattern",))
    arguments = ["--mode", "regex", "-k", "3", "--collection", "here"]
    result = run(monkeypatch, store, *arguments, r"a\d+")
    assert (result.exit_code, result.stderr) == (0, "Note: no chunk holds a match of the pattern\n")
    [(_, asked, options)] = store.calls
    assert asked[:2] == (r"a\d+", 3)
    assert (options["where"], options["collections"], options["explain"]) == (None, ("here",), False)
    refused = run(monkeypatch, store, *arguments, "(")
    assert (refused.exit_code, refused.stderr) == (1, "Error: at character 1 of the pattern: missing )\n")


@pytest.mark.parametrize("options, expected", [([], "literal"), (["--syntax", "lucene"], "lucene")])
def test_the_syntax_goes_to_the_searches_by_words(
    options: list[str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = RecordingStore()
    for mode in ("text", "hybrid"):
        assert run(monkeypatch, store, "+mill -wind", "--mode", mode, *options).exit_code == 0
    told = [(mode, asked.get("mode") or asked.get("text_mode")) for mode, _, asked in store.calls]
    assert told == [("text", expected), ("hybrid", expected)]


def test_a_mode_that_the_store_lacks_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    result = run(monkeypatch, RecordingStore(), "mill", "--mode", "vector")
    assert result.exit_code == 1
    assert result.stderr == "Error: this store has no vector search; it has hybrid, text, regex\n"


@pytest.mark.parametrize(
    "options, message",
    [
        (["--syntax", "lucene", "--mode", "vector"], "--syntax lucene does not go with --mode vector"),
        (["--threshold", "0.5", "--mode", "regex"], "--threshold does not go with --mode regex"),
        (["--rerank", ".", "--mode", "regex"], "--rerank does not go with --mode regex"),
        (["--rerank-candidates", "9"], "--rerank-candidates goes with --rerank"),
        (["--neighbours", "21"], "'--neighbours': 21 is not in the range 0<=x<=20"),
        (["--per-document", "0"], "'--per-document': 0 is not in the range"),
        (["--diversity", "1.5"], "'--diversity': 1.5 is not in the range"),
        (["--rerank", "nowhere"], "'--rerank': Directory 'nowhere' does not exist"),
    ],
)
def test_options_that_do_not_go_together_are_usage_errors(
    options: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run(monkeypatch, RecordingStore(), "mill", *options)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


class CountedStore(MemoryStore):
    """A store in memory that says of each collection that it holds something."""

    def count(self, *_: object, **__: object) -> int:
        return 1


@pytest.fixture
def library() -> CountedStore:
    chunks = make_chunks({"a": ["The gate opens. ", "The mill turns. ", "The tide falls."], "b": ["A mill alone."]})
    return CountedStore(chunks)


def test_results_come_with_their_neighbours_as_text_and_as_data(
    library: CountedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["mill", "--mode", "text", "--neighbours", "1"]
    told = run(monkeypatch, library, *arguments).stdout
    assert "chunks 1 to 3 of the document" in told
    assert "The gate opens. The mill turns. The tide falls." in told
    assert "chunk 1 of the document" in told
    first, second = json.loads(run(monkeypatch, library, *arguments, "--json").stdout)["results"]
    assert [chunk["id"] for chunk in first["context"]] == ["a-000", "a-001", "a-002"]
    assert [chunk["text"] for chunk in second["context"]] == ["A mill alone."]
    plain = json.loads(run(monkeypatch, library, "mill", "--json").stdout)["results"]
    assert all("context" not in result for result in plain)


def test_a_cap_and_a_diverse_choice_reach_the_search(library: CountedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["mill", "--mode", "vector", "--per-document", "1", "--diversity", "0.4", "--json"]
    results = json.loads(run(monkeypatch, library, *arguments).stdout)["results"]
    assert sorted(result["document_id"] for result in results) == ["a", "b"]
    assert all("mmr" in result["breakdown"] for result in results)


@pytest.mark.parametrize("options, candidates", [([], 50), (["--rerank-candidates", "60"], 60)])
def test_the_folder_of_a_cross_encoder_makes_a_reranker(
    options: list[str], candidates: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[Path] = []
    reranker = FixedReranker()

    def open_reranker(folder: Path) -> FixedReranker:
        opened.append(folder)
        return reranker

    monkeypatch.setattr("graphrag.search.CrossEncoderReranker", open_reranker)
    store = CountedStore(make_chunks({"a": [f"mill score {n / 100}" for n in range(80)]}))
    result = run(monkeypatch, store, "mill", "--rerank", str(tmp_path), "--json", *options)
    results = json.loads(result.stdout)["results"]
    assert opened == [tmp_path]
    assert [len(texts) for _, texts in reranker.calls] == [candidates]
    assert np.all(np.diff([result["score"] for result in results]) < 0)
    assert all("before_rerank" in result["breakdown"] for result in results)


def test_a_folder_that_holds_no_model_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    store = CountedStore(make_chunks({"a": ["mill"]}))
    result = run(monkeypatch, store, "mill", "--rerank", str(tmp_path))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: model folder `{tmp_path}` has no `config.json`")


def test_explaining_shows_the_best_of_each_leg_and_json_shows_more(monkeypatch: pytest.MonkeyPatch) -> None:
    legs = (
        SearchExplanation("vector", "index", 50).with_hits({f"v{n}": 1 - n / 100 for n in range(8)}),
        SearchExplanation("text", "index", 2).with_hits({"t0": 0.5, "t1": 0.25}),
    )

    class Explaining(CountedStore):
        def hybrid_search(self, *arguments: Any, **options: Any) -> Any:
            return ResultList(explanations=legs if options["explain"] else ())

    told = run(monkeypatch, Explaining([]), "mill", "--explain").stderr
    assert "    found: v0 1.00, v1 0.99, v2 0.98, v3 0.97, v4 0.96 and 3 more\n" in told
    assert "    found: t0 0.50, t1 0.25\n" in told
    vector, text = json.loads(run(monkeypatch, Explaining([]), "mill", "--explain", "--json").stdout)["explanations"]
    assert vector["found"] == len(vector["hits"]) == 8
    assert text["hits"] == [{"id": "t0", "score": 0.5}, {"id": "t1", "score": 0.25}]
    assert "explanations" not in json.loads(run(monkeypatch, Explaining([]), "mill", "--json").stdout)
