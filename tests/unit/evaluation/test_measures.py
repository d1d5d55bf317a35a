"""Measures of judged documents against examples that were computed by hand."""

import math
import sys

import pytest
from hypothesis import given, strategies as st

from graphrag.errors import MissingExtraError
from graphrag.evaluation.datasets import Dataset, EvaluationDocument, EvaluationQuery
from graphrag.evaluation.hits import Hit, best_documents
from graphrag.evaluation.measures import DOCUMENT_MEASURES, check_measurable, document_measures, measure


def test_a_hand_computed_example() -> None:
    """Two relevant documents at ranks 2 and 9, a third nowhere."""
    ranked = ["x0", "a", *(f"x{n}" for n in range(1, 7)), "b"]
    values = document_measures({"q": {"a": 1, "b": 1, "c": 1}}, {"q": ranked})
    gained = 1 / math.log2(3) + 1 / math.log2(10)
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert values["nDCG@10"]["q"] == pytest.approx(gained / ideal)
    assert values["recall@5"]["q"] == pytest.approx(1 / 3)
    assert values["recall@10"]["q"] == pytest.approx(2 / 3)
    assert values["recall@100"]["q"] == pytest.approx(2 / 3)
    assert values["MRR@10"]["q"] == 0.5
    assert values["all_evidence@8"]["q"] == 0.0


@pytest.mark.parametrize("rank, all_there", [(7, 1.0), (8, 1.0), (9, 0.0)])
def test_all_evidence_looks_at_the_best_eight(rank: int, all_there: float) -> None:
    ranked = ["a", *(f"x{n}" for n in range(2, rank)), "b"]
    assert document_measures({"q": {"a": 1, "b": 1}}, {"q": ranked})["all_evidence@8"] == {"q": all_there}


def test_the_reciprocal_rank_ends_at_ten() -> None:
    ranked = [f"x{n}" for n in range(20)]
    assert document_measures({"q": {"x9": 1}}, {"q": ranked})["MRR@10"] == {"q": pytest.approx(0.1)}
    assert document_measures({"q": {"x10": 1}}, {"q": ranked})["MRR@10"] == {"q": 0.0}


def test_higher_gains_count_for_more() -> None:
    better = document_measures({"q": {"a": 3, "b": 1}}, {"q": ["a", "b"]})["nDCG@10"]["q"]
    worse = document_measures({"q": {"a": 3, "b": 1}}, {"q": ["b", "a"]})["nDCG@10"]["q"]
    assert better == pytest.approx(1.0)
    assert worse == pytest.approx((1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3)))


def test_a_query_without_hits_has_zero_everywhere() -> None:
    """One that found nothing, and one that was not run at all: both count in the mean."""
    values = document_measures({"q": {"a": 1}, "r": {"a": 1}, "s": {"a": 1}}, {"q": [], "s": ["a"]})
    assert list(values) == list(DOCUMENT_MEASURES)
    for by_query in values.values():
        assert by_query == {"q": 0.0, "r": 0.0, "s": pytest.approx(1.0)}


@given(st.permutations([f"d{n}" for n in range(12)]), st.sets(st.integers(0, 11), min_size=1))
def test_recall_is_that_of_sets_and_the_order_of_ids_does_not_count(ranked: list[str], wanted: set[int]) -> None:
    relevant = {f"d{n}" for n in wanted}
    values = document_measures({"q": dict.fromkeys(relevant, 1)}, {"q": ranked})
    for cut in (5, 10, 100):
        assert values[f"recall@{cut}"]["q"] == pytest.approx(len(relevant & set(ranked[:cut])) / len(relevant))
    assert values["all_evidence@8"]["q"] == float(relevant <= set(ranked[:8]))
    first = min(ranked.index(id_) for id_ in relevant) + 1
    assert values["MRR@10"]["q"] == pytest.approx(1 / first if first <= 10 else 0)
    assert 0 <= values["nDCG@10"]["q"] <= 1 + 1e-9


def test_a_document_stands_where_its_best_chunk_stands() -> None:
    hits = [Hit("1", "b"), Hit("2", "a"), Hit("3", "b"), Hit("4", "c")]
    assert best_documents(hits) == ["b", "a", "c"]


def test_a_data_set_is_measured_over_its_own_queries() -> None:
    documents = tuple(EvaluationDocument(id_, "", "text") for id_ in "ab")
    queries = (EvaluationQuery("q", "?"),)
    dataset = Dataset("set", "judged_documents", documents, queries, relevant={"q": {"a": 1}})
    values = measure(dataset, {"q": (Hit("1", "b"), Hit("2", "b"), Hit("3", "a"))})
    assert values["MRR@10"] == {"q": 0.5}


def test_a_missing_library_is_told_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    dataset = Dataset("set", "judged_documents", (), ())
    with pytest.raises(MissingExtraError, match=r"measuring judged documents needs the extra `eval`: run `pip install"):
        check_measurable(dataset)
    check_measurable(Dataset("set", "marked_spans", (), ()))
