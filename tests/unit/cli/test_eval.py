"""`graphrag eval` hands its options on; what is not possible is a usage error."""

import json
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from graphrag.cli import main
from graphrag.cli._session import Session
from graphrag.config import Settings
from graphrag.evaluation import Dataset, EvaluationReport
from graphrag.evaluation.corpus import Corpus
from graphrag.evaluation.datasets import DatasetForm
from graphrag.evaluation.report import compared
from graphrag.evaluation.searching import SearchMode
from graphrag.testing.embedder import DeterministicEmbedder


class Evaluations:
    """Stands for the library: notes what is asked of it, and gives made-up values."""

    def __init__(self, form: DatasetForm) -> None:
        self.dataset = Dataset("set", form, (), ())
        self.calls: list[Mapping[str, Any]] = []
        self.settings: list[Settings] = []

    def evaluate(self, _store: object, dataset: Dataset, _embedder: object, **options: Any) -> EvaluationReport:
        self.calls.append({name: value for name, value in options.items() if name != "progress"})
        options["progress"]("documents written", 1, 2)
        measures = ("char_recall@5", "char_recall@10", "iou@5", "iou@10")
        values: dict[SearchMode, dict[str, dict[str, float]]] = {
            mode: {name: {"q": 0.5} for name in measures} for mode in options["modes"]
        }
        corpus = Corpus(f"eval-set-{options['chunking']}", {}, False, 1, 0, 0, 1)
        return EvaluationReport(
            dataset=dataset.name,
            form="marked_spans",
            chunking=options["chunking"],
            corpus=corpus,
            documents=1,
            queries=1,
            embedding_model="m",
            values=values,
            comparisons=tuple(compared(values, seed=options["seed"])),
            seconds=dict.fromkeys(options["modes"], 0.5),
            seed=options["seed"],
            notes=("a\x1b[31m note",),
        )

    def open_store(self, settings: Settings, *, embedder: object) -> object:
        assert embedder is not None
        self.settings.append(settings)
        return nullcontext(SimpleNamespace())


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Evaluations:
    return prepared("judged_documents", monkeypatch)


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> Evaluations:
    return prepared("marked_spans", monkeypatch)


def prepared(form: DatasetForm, monkeypatch: pytest.MonkeyPatch) -> Evaluations:
    evaluations = Evaluations(form)
    monkeypatch.setattr("graphrag.evaluation.load_dataset", lambda _folder: evaluations.dataset)
    monkeypatch.setattr("graphrag.evaluation.evaluate", evaluations.evaluate)
    monkeypatch.setattr("graphrag.evaluation.caching.open_embedder", lambda _settings: DeterministicEmbedder())
    monkeypatch.setattr(Session, "open_store", evaluations.open_store)
    return evaluations


def test_without_options_a_data_set_is_run_in_all_ways_that_it_allows(
    judged: Evaluations, marked: Evaluations, tmp_path: Path
) -> None:
    """The last fixture stands: spans allow no whole documents."""
    assert CliRunner().invoke(main, ["eval", str(tmp_path)]).exit_code == 0
    (call,) = marked.calls
    assert (call["chunking"], call["modes"], call["keep"], call["seed"]) == (
        "default",
        ("text", "vector", "hybrid"),
        False,
        0,
    )
    assert judged.calls == []


def test_judged_documents_are_run_whole_and_cut(judged: Evaluations, tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["eval", str(tmp_path)]).exit_code == 0
    assert [call["chunking"] for call in judged.calls] == ["whole", "default"]


def test_options_reach_the_library_and_the_settings(judged: Evaluations, tmp_path: Path) -> None:
    options = ["--mode", "text", "--chunking", "default", "--chunking", "default", "--max-chunk-size", "900"]
    options += ["--overlap-size", "50", "--allow-truncation", "--fusion", "reciprocal_rank", "--text-weight", "0.7"]
    options += ["--seed", "9", "--keep", "--cache", str(tmp_path / "cache"), "--json"]
    result = CliRunner().invoke(main, ["eval", str(tmp_path), *options])
    (call,), (settings,) = judged.calls, judged.settings
    assert (call["modes"], call["chunking"], call["seed"], call["keep"]) == (("text",), "default", 9, True)
    assert (call["chunker"].max_chunk_size, call["chunker"].overlap_size, call["chunker"].allow_truncation) == (
        900,
        50,
        True,
    )
    assert (settings.search.fusion, settings.search.text_weight) == ("reciprocal_rank", 0.7)
    told = json.loads(result.stdout)
    assert told["search"] == {"fusion": "reciprocal_rank", "text_weight": 0.7}
    assert told["cache"]["folder"].startswith(str(tmp_path / "cache"))
    assert told["runs"][0]["means"] == {
        "text": dict.fromkeys(("char_recall@5", "char_recall@10", "iou@5", "iou@10"), 0.5)
    }


def test_notes_are_one_plain_line_each(judged: Evaluations, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["eval", str(tmp_path), "--chunking", "whole", "--mode", "vector"])
    assert "\x1b" not in result.output
    assert [line for line in result.stderr.splitlines() if line.startswith("Note: ")] != []
    assert "Time a search, four at once: vector 500.0 ms." in result.stderr
    assert "hybrid" not in result.stdout


@pytest.mark.parametrize(
    "options, told",
    [
        (["--text-weight", "1.5"], "--text-weight"),
        (["--chunking", "other"], "--chunking"),
        (["--mode", "regex"], "--mode"),
        (["--seed", "-1"], "--seed"),
        (["--max-chunk-size", "0"], "--max-chunk-size"),
        (["--cache", ""], "--cache"),
    ],
)
def test_options_out_of_their_bounds_are_usage_errors(tmp_path: Path, options: list[str], told: str) -> None:
    result = CliRunner().invoke(main, ["eval", str(tmp_path), *options])
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr


def test_a_folder_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["eval", str(tmp_path / "nothing")])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "does not exist" in result.stderr
