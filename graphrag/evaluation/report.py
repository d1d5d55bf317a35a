"""What an evaluation found: values a mode, differences between modes, and how it came about."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from graphrag.evaluation.chunking import Chunking
from graphrag.evaluation.corpus import Corpus
from graphrag.evaluation.datasets import DatasetForm
from graphrag.evaluation.differences import CONFIDENCE, RESAMPLES, Difference, paired_difference
from graphrag.evaluation.measures import DOCUMENT_MEASURES, SPAN_MEASURES, ByQuery
from graphrag.evaluation.searching import SearchMode

__all__ = ["Comparison", "EvaluationReport", "compared", "markdown_table"]

_BETTER_FIRST: Sequence[SearchMode] = ("hybrid", "vector", "text")


@dataclass(frozen=True, slots=True)
class Comparison:
    """How much better one mode is than another by one measure.

    Attributes:
        measure: Its name.
        first: The mode that is looked at.
        second: The mode that it is compared with.
        difference: First less second, query by query.
    """

    measure: str
    first: SearchMode
    second: SearchMode
    difference: Difference


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """What one run found.

    Attributes:
        dataset: The data set's name.
        form: What answers its queries.
        chunking: How documents became chunks.
        corpus: Where they are, and how many.
        documents: How many the data set holds.
        queries: How many were run.
        embedding_model: Id of the model.
        values: Mode to measure to query id to value.
        comparisons: Of each two modes by each measure.
        seconds: How long the searches of each mode took.
        seed: Of the intervals.
        notes: Sentences on what was left out, cut or noted, and on what may have a bearing on the values.
    """

    dataset: str
    form: DatasetForm
    chunking: Chunking
    corpus: Corpus
    documents: int
    queries: int
    embedding_model: str
    values: Mapping[SearchMode, Mapping[str, ByQuery]] = field(repr=False)
    comparisons: tuple[Comparison, ...] = field(repr=False)
    seconds: Mapping[SearchMode, float]
    seed: int
    notes: tuple[str, ...] = ()

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of the measures, in the order in which they are told."""
        return SPAN_MEASURES if self.form == "marked_spans" else DOCUMENT_MEASURES

    def mean(self, mode: SearchMode, measure: str) -> float:
        """Return the mean of a measure over all queries."""
        values = self.values[mode][measure]
        return sum(values.values()) / len(values)

    def as_mapping(self) -> dict[str, object]:
        """Return all of it under stable names, as JSON has it; values of single queries too."""
        return {
            "dataset": self.dataset,
            "form": self.form,
            "chunking": self.chunking,
            "collection": self.corpus.collection,
            "documents": self.documents,
            "chunks": self.corpus.chunks,
            "written": self.corpus.written,
            "unchanged": self.corpus.unchanged,
            "removed": self.corpus.removed,
            "queries": self.queries,
            "embedding_model": self.embedding_model,
            "means": {mode: {name: self.mean(mode, name) for name in self.measures} for mode in self.values},
            "differences": [
                {
                    "measure": each.measure,
                    "first": each.first,
                    "second": each.second,
                    "mean": each.difference.mean,
                    "low": each.difference.low,
                    "high": each.difference.high,
                }
                for each in self.comparisons
            ],
            "interval": {
                "method": "paired bootstrap, percentiles",
                "confidence": CONFIDENCE,
                "resamples": RESAMPLES,
                "seed": self.seed,
            },
            "seconds": self.seconds,
            "by_query": self.values,
            "notes": self.notes,
        }


def compared(values: Mapping[SearchMode, Mapping[str, ByQuery]], *, seed: int) -> Iterator[Comparison]:
    """Yield the differences of each two modes by each measure."""
    modes: list[SearchMode] = [mode for mode in _BETTER_FIRST if mode in values]
    for first, second in combinations(modes, 2):
        for measure, by_query in values[first].items():
            yield Comparison(measure, first, second, paired_difference(by_query, values[second][measure], seed=seed))


def markdown_table(report: EvaluationReport) -> str:
    """Return the values and the differences as one Markdown table, a line a measure."""
    modes = list(report.values)
    pairs = list(dict.fromkeys((each.first, each.second) for each in report.comparisons))
    heads = ["measure", *modes, *(f"{first} - {second}" for first, second in pairs)]
    by_place = {(each.measure, each.first, each.second): each.difference for each in report.comparisons}
    lines = [_row(heads), _row(["---", *["---:"] * (len(heads) - 1)])]
    for measure in report.measures:
        means = [f"{report.mean(mode, measure):.3f}" for mode in modes]
        lines.append(_row([measure, *means, *(_told(by_place[measure, *pair]) for pair in pairs)]))
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _told(difference: Difference) -> str:
    return f"{difference.mean:+.3f} [{difference.low:+.3f}, {difference.high:+.3f}]"
