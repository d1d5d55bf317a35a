"""Choosing a setting of fusion on one half of the queries, and judging it on the other."""

import pytest
from hypothesis import given, strategies as st

from graphrag.errors import InvalidRequestError
from graphrag.evaluation import Dataset, EvaluationDocument, EvaluationQuery
from graphrag.evaluation.choosing import Scored, Target, choose, cross_fit, halves, score_settings
from graphrag.evaluation.hits import Hit
from graphrag.evaluation.legs import FusionSetting, QueryLegs, fused_hits
from graphrag.evaluation.searching import DEPTH

WORDS = FusionSetting("z_score", 0.9)
EQUAL = FusionSetting("z_score", 0.5)
MEANING = FusionSetting("z_score", 0.1)


def scored(name: str, least: float, differences: dict[FusionSetting, dict[str, float]]) -> Scored:
    return Scored(name, Target("recall@10", least), {"text": 0.5, "vector": 0.5}, "text", differences)


def legs(vector: dict[str, float], text: dict[str, float]) -> QueryLegs:
    return QueryLegs(vector, text, {id_: Hit(id_, id_.upper()) for id_ in vector | text})


def test_a_weight_of_one_leg_alone_gives_the_order_of_that_leg() -> None:
    found = legs({"a": 0.9, "b": 0.8}, {"c": 7.0, "a": 2.0})
    assert [hit.chunk_id for hit in fused_hits(found, FusionSetting("z_score", 0.0))] == ["a", "b"]
    assert [hit.chunk_id for hit in fused_hits(found, FusionSetting("reciprocal_rank", 1.0))] == ["c", "a"]
    assert {hit.chunk_id for hit in fused_hits(found, EQUAL)} == {"a", "b", "c"}


def test_a_text_search_that_came_to_its_end_says_that_the_rest_scores_nothing() -> None:
    """A sole hit by words would have no weight at all if the others could be as good."""
    near = {f"v{number:03}": 0.9 - number / 1_000 for number in range(DEPTH)}
    first = fused_hits(legs(near, {"v099": 5.0}), EQUAL)[0]
    assert first.chunk_id == "v099"


def test_at_most_as_many_hits_as_the_store_gives_are_kept() -> None:
    found = legs({f"v{n:03}": 1 - n / 200 for n in range(DEPTH)}, {f"t{n:03}": 9 - n / 200 for n in range(DEPTH)})
    assert len(fused_hits(found, EQUAL)) == DEPTH


def test_the_setting_with_the_highest_least_margin_is_chosen() -> None:
    """One that is best for one data set and fails the other loses to one that holds for both."""
    sets = [
        scored("one", 0.02, {WORDS: {"a": 0.30}, EQUAL: {"a": 0.05}, MEANING: {"a": 0.01}}),
        scored("two", -0.01, {WORDS: {"b": -0.20}, EQUAL: {"b": 0.00}, MEANING: {"b": 0.10}}),
    ]
    assert choose(sets, {"one": ["a"], "two": ["b"]}) == EQUAL


def test_each_query_is_judged_by_the_setting_that_has_not_seen_it() -> None:
    """Each half would choose what is best on itself; pooled, both get what the other half has chosen."""
    queries = [f"q{number}" for number in range(10)]
    first, second = halves(queries, seed=0)
    differences = {
        WORDS: dict.fromkeys(first, 0.4) | dict.fromkeys(second, -0.2),
        MEANING: dict.fromkeys(first, -0.1) | dict.fromkeys(second, 0.3),
    }
    found = cross_fit([scored("one", 0.0, differences)], seed=0)
    assert found.chosen == (WORDS, MEANING)
    assert found.pooled["one"].mean == pytest.approx((5 * -0.1 + 5 * -0.2) / 10)
    assert found.pooled["one"].queries == 10


@given(st.sets(st.text(max_size=4), min_size=1), st.integers(0, 5))
def test_halves_are_a_split_that_a_seed_repeats(queries: set[str], seed: int) -> None:
    first, second = halves(list(queries), seed=seed)
    assert sorted([*first, *second]) == sorted(queries)
    assert len(second) - len(first) in {0, 1}
    assert halves(sorted(queries, reverse=True), seed=seed) == (first, second)


@pytest.mark.parametrize("sets", [[], [scored("one", 0.0, {EQUAL: {"a": 0.0}})]])
def test_a_single_query_cannot_be_split(sets: list[Scored]) -> None:
    with pytest.raises(InvalidRequestError, match="at least one data set, and two queries in each"):
        cross_fit(sets)


def test_settings_are_compared_with_the_better_leg() -> None:
    """Words find the answer of both queries at ranks 1 and 2, meaning at rank 2 of one: words are better."""
    documents = tuple(EvaluationDocument(id_, "", "text") for id_ in "ABCD")
    dataset = Dataset(
        "set",
        "judged_documents",
        documents,
        (EvaluationQuery("q", "?"), EvaluationQuery("r", "?")),
        relevant={"q": {"A": 1}, "r": {"B": 1}},
    )
    run = {
        "q": legs({"b": 0.9, "a": 0.8}, {"a": 5.0, "d": 1.0}),
        "r": legs({"c": 0.9, "d": 0.8}, {"c": 5.0, "b": 4.0}),
    }
    only_words, only_meaning = FusionSetting("z_score", 1.0), FusionSetting("z_score", 0.0)
    found = score_settings(dataset, run, Target("MRR@10", 0.0), settings=[only_words, only_meaning])
    assert (found.better, found.means) == ("text", {"text": 0.75, "vector": 0.25})
    assert found.differences == {only_words: {"q": 0.0, "r": 0.0}, only_meaning: {"q": -0.5, "r": -0.5}}
    assert found.margin(only_meaning, ["q", "r"]) == -0.5
    with pytest.raises(InvalidRequestError, match="`set` has no measure `char_recall@5`; it has nDCG@10, recall@5"):
        score_settings(dataset, run, Target("char_recall@5", 0.0), settings=[EQUAL])


def test_a_setting_tells_itself() -> None:
    assert str(FusionSetting("reciprocal_rank", 0.35)) == "reciprocal_rank, weight of text 0.35"
