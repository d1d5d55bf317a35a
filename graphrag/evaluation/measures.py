"""Measures of ranked results, one value a query."""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING

from graphrag.errors import MissingExtraError
from graphrag.evaluation.datasets import Dataset, Span
from graphrag.evaluation.hits import Hit, best_documents
from graphrag.evaluation.spans import character_iou, character_recall

if TYPE_CHECKING:
    from ir_measures import Measure

__all__ = [
    "DOCUMENT_MEASURES",
    "SPAN_MEASURES",
    "ByQuery",
    "check_measurable",
    "document_measures",
    "measure",
    "span_measures",
]

ByQuery = Mapping[str, float]
"""Query id to the value of a measure, in 0..1."""

DOCUMENT_MEASURES = ("nDCG@10", "recall@5", "recall@10", "recall@100", "MRR@10", "all_evidence@8")
"""Of judged documents; the number is how many of the best documents are looked at."""
SPAN_MEASURES = ("char_recall@5", "char_recall@10", "iou@5", "iou@10")
"""Of marked spans; the number is how many of the best chunks are looked at."""

_EVIDENCE_CUT = 8
_ALL = 1 - 1e-9


def check_measurable(dataset: Dataset) -> None:
    """Do nothing where everything is there that the measures of a data set need.

    Raises:
        MissingExtraError: It judges documents, and `ir-measures` is not installed.
    """
    if dataset.form == "judged_documents":
        _ir_measures()


def measure(dataset: Dataset, run: Mapping[str, Sequence[Hit]]) -> dict[str, dict[str, float]]:
    """Return the values of all measures that fit the data set: by measure, then by query.

    Args:
        dataset: Tells the answers.
        run: Query id to hits, best first. A query without hits, or that is not in it, has 0 everywhere.

    Raises:
        MissingExtraError: The data set judges documents, and `ir-measures` is not installed.
    """
    if dataset.form == "marked_spans":
        return span_measures(dataset.spans, run)
    ranked = {query.id: best_documents(run.get(query.id, ())) for query in dataset.queries}
    return document_measures(dataset.relevant, ranked)


def document_measures(
    relevant: Mapping[str, Mapping[str, int]], ranked: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, float]]:
    """Return `DOCUMENT_MEASURES` by query, as `ir-measures` has them.

    `nDCG@10` has the gains of the judgements and the logarithmic discount; `MRR@10` is the reciprocal rank of the
    first relevant document among the best 10, else 0; `all_evidence@8` is 1 where all relevant documents are among
    the best 8, else 0.

    Args:
        relevant: Query id to document id to gain, at least 1.
        ranked: Query id to document ids, best first.

    Raises:
        MissingExtraError: `ir-measures` is not installed.
    """
    ir = _ir_measures()
    names: dict[Measure, str] = {
        ir.nDCG @ 10: "nDCG@10",
        ir.R @ 5: "recall@5",
        ir.R @ 10: "recall@10",
        ir.R @ 100: "recall@100",
        ir.RR @ 10: "MRR@10",
        ir.R @ _EVIDENCE_CUT: "all_evidence@8",
    }
    judged = [ir.Qrel(query, doc, gain) for query, gains in relevant.items() for doc, gain in gains.items()]
    # Scores that fall with the rank: the library orders equal scores by a rule of its own.
    scored = [ir.ScoredDoc(query, doc, -float(rank)) for query, docs in ranked.items() for rank, doc in enumerate(docs)]
    values = {name: dict.fromkeys(relevant, 0.0) for name in DOCUMENT_MEASURES}
    for found in ir.iter_calc(list(names), judged, scored):
        name, value = names[found.measure], float(found.value)
        values[name][str(found.query_id)] = float(value >= _ALL) if name == "all_evidence@8" else value
    return values


def span_measures(spans: Mapping[str, Sequence[Span]], run: Mapping[str, Sequence[Hit]]) -> dict[str, dict[str, float]]:
    """Return `SPAN_MEASURES` by query: character recall and intersection over union of the best 5 and 10 chunks."""
    values: dict[str, dict[str, float]] = {name: {} for name in SPAN_MEASURES}
    for query_id, wanted in spans.items():
        places = [hit.place for hit in run.get(query_id, ())]
        for cut in (5, 10):
            found = [place for place in places[:cut] if place is not None]
            values[f"char_recall@{cut}"][query_id] = character_recall(wanted, found)
            values[f"iou@{cut}"][query_id] = character_iou(wanted, found)
    return values


def _ir_measures() -> ModuleType:
    try:
        import ir_measures
    except ImportError as error:
        feature = "measuring judged documents"
        raise MissingExtraError(feature, extra="eval") from error
    return ir_measures
