"""How an evaluation is told."""

import json

import pytest

from graphrag.evaluation import EvaluationReport, markdown_table
from graphrag.evaluation.corpus import Corpus
from graphrag.evaluation.report import compared
from graphrag.evaluation.searching import SearchMode

VALUES: dict[SearchMode, dict[str, dict[str, float]]] = {
    "text": {name: {"q": 0.5, "r": 0.0} for name in ("char_recall@5", "char_recall@10", "iou@5", "iou@10")},
    "hybrid": {name: {"q": 1.0, "r": 0.5} for name in ("char_recall@5", "char_recall@10", "iou@5", "iou@10")},
}


@pytest.fixture
def report() -> EvaluationReport:
    return EvaluationReport(
        dataset="set",
        form="marked_spans",
        chunking="default",
        corpus=Corpus("eval-set-default", {"d": "a"}, stood_there=False, written=1, unchanged=0, removed=0, chunks=3),
        documents=1,
        queries=2,
        embedding_model="model@1",
        values=VALUES,
        comparisons=tuple(compared(VALUES, seed=4)),
        seconds={"text": 0.1, "hybrid": 0.2},
        seed=4,
        notes=("a note",),
    )


def test_the_table_has_a_line_a_measure_and_a_column_a_mode_and_pair(report: EvaluationReport) -> None:
    assert markdown_table(report).splitlines() == [
        "| measure | text | hybrid | hybrid - text |",
        "| --- | ---: | ---: | ---: |",
        *(
            f"| {name} | 0.250 | 0.750 | +0.500 [+0.500, +0.500] |"
            for name in ("char_recall@5", "char_recall@10", "iou@5", "iou@10")
        ),
    ]


def test_as_json_it_has_means_differences_and_the_value_of_each_query(report: EvaluationReport) -> None:
    told = json.loads(json.dumps(report.as_mapping()))
    assert told["means"]["hybrid"]["iou@5"] == 0.75
    assert told["differences"][0] == {
        "measure": "char_recall@5",
        "first": "hybrid",
        "second": "text",
        "mean": 0.5,
        "low": 0.5,
        "high": 0.5,
    }
    assert told["interval"] == {
        "method": "paired bootstrap, percentiles",
        "confidence": 0.95,
        "resamples": 10_000,
        "seed": 4,
    }
    assert told["by_query"]["text"]["iou@10"] == {"q": 0.5, "r": 0.0}
    assert (told["collection"], told["chunks"], told["notes"]) == ("eval-set-default", 3, ["a note"])


def test_each_two_modes_are_compared_hybrid_first() -> None:
    values: dict[SearchMode, dict[str, dict[str, float]]] = {
        "text": {"m": {"q": 0.1}},
        "vector": {"m": {"q": 0.4}},
        "hybrid": {"m": {"q": 0.6}},
    }
    found = [(each.first, each.second, round(each.difference.mean, 9)) for each in compared(values, seed=0)]
    assert found == [("hybrid", "vector", 0.2), ("hybrid", "text", 0.5), ("vector", "text", 0.3)]
    assert list(compared({"text": values["text"]}, seed=0)) == []
