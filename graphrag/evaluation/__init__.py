"""How well searches find what is relevant: data sets, measures, and the run that joins them to a store."""

from graphrag.evaluation.caching import CachingEmbedder, open_cache
from graphrag.evaluation.datasets import Dataset, EvaluationDocument, EvaluationQuery, Span
from graphrag.evaluation.loading import load_dataset
from graphrag.evaluation.report import EvaluationReport, markdown_table
from graphrag.evaluation.running import evaluate

__all__ = [
    "CachingEmbedder",
    "Dataset",
    "EvaluationDocument",
    "EvaluationQuery",
    "EvaluationReport",
    "Span",
    "evaluate",
    "load_dataset",
    "markdown_table",
    "open_cache",
]
