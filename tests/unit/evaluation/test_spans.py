"""Character recall and intersection over union, against sets of offsets."""

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from graphrag.evaluation.datasets import Span
from graphrag.evaluation.hits import Hit
from graphrag.evaluation.measures import span_measures
from graphrag.evaluation.spans import character_iou, character_recall, united

spans = st.lists(
    st.builds(
        lambda document, start, length: Span(document, start, start + length),
        st.sampled_from("ab"),
        st.integers(0, 30),
        st.integers(1, 12),
    ),
    max_size=8,
)


def characters(of: list[Span]) -> set[tuple[str, int]]:
    return {(span.document_id, place) for span in of for place in range(span.start, span.end)}


@given(spans, spans)
def test_both_measures_equal_those_over_sets_of_offsets(wanted: list[Span], found: list[Span]) -> None:
    gold, given_ = characters(wanted), characters(found)
    recall = len(gold & given_) / len(gold) if gold else 1.0
    iou = len(gold & given_) / len(gold | given_) if gold | given_ else 1.0
    assert character_recall(wanted, found) == recall
    assert character_iou(wanted, found) == iou
    assert 0 <= iou <= recall <= 1


@given(spans)
def test_united_spans_cover_the_same_characters_in_order_and_with_gaps(of: list[Span]) -> None:
    ranges = united(of)
    assert characters([Span(doc, start, end) for doc, each in ranges.items() for start, end in each]) == characters(of)
    for each in ranges.values():
        assert all(left[1] < right[0] for left, right in pairwise(each))


@given(spans.filter(bool), spans)
def test_recall_never_falls_with_more_chunks(wanted: list[Span], found: list[Span]) -> None:
    recalls = [character_recall(wanted, found[:cut]) for cut in range(len(found) + 1)]
    assert recalls == sorted(recalls)


def test_chunks_that_overlap_count_once_and_other_documents_count_for_nothing() -> None:
    """Wanted 10 characters; found 4 of them twice, and 10 of another document beside 4 that nobody wants."""
    wanted = [Span("a", 0, 10)]
    found = [Span("a", 6, 12), Span("a", 6, 14), Span("b", 0, 10)]
    assert character_recall(wanted, found) == 0.4
    assert character_iou(wanted, found) == pytest.approx(4 / (10 + 8 + 10 - 4))


def test_an_empty_span_covers_nothing() -> None:
    assert united([Span("a", 3, 3)]) == {}


def test_the_measures_look_at_the_best_chunks_alone() -> None:
    """Five chunks hold half of what is wanted, the sixth the other half; one without a place covers nothing."""
    wanted = {"q": (Span("a", 0, 20),), "nothing found": (Span("a", 0, 5),)}
    first = [Hit("1", "a", Span("a", 0, 10)), *(Hit(str(n), "a", None) for n in range(2, 6))]
    run = {"q": [*first, Hit("6", "a", Span("a", 10, 20))]}
    values = span_measures(wanted, run)
    assert values["char_recall@5"] == {"q": 0.5, "nothing found": 0.0}
    assert values["char_recall@10"] == {"q": 1.0, "nothing found": 0.0}
    assert values["iou@5"] == {"q": 0.5, "nothing found": 0.0}
    assert values["iou@10"] == {"q": 1.0, "nothing found": 0.0}
