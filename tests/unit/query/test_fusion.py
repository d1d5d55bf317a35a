"""Fusion: degenerate legs, scales, ties."""

import math

import pytest
from hypothesis import given, strategies as st

from graphrag.errors import InvalidRequestError
from graphrag.query.fusion import Fusion, Leg, fuse

STRATEGIES: list[Fusion] = ["z_score", "reciprocal_rank"]
scores = st.dictionaries(
    st.sampled_from("abcdefgh"), st.floats(0, 100, allow_nan=False), max_size=8
).map(lambda leg: dict(sorted(leg.items(), key=lambda item: (-item[1], item[0]))))  # fmt: skip


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_legs_candidates_give_nothing(strategy: Fusion) -> None:
    assert fuse([Leg(0.5, {}), Leg(0.5, {})], strategy) == []


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_an_empty_leg_says_nothing_for_or_against(strategy: Fusion) -> None:
    fused = fuse([Leg(0.5, {}), Leg(0.5, {"a": 9.0, "b": 1.0})], strategy)
    assert [id_ for id_, _ in fused] == ["a", "b"]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_one_candidate_or_equal_ones_do_not_divide_by_zero(strategy: Fusion) -> None:
    assert [id_ for id_, _ in fuse([Leg(1, {"a": 3.0})], strategy)] == ["a"]
    fused = fuse([Leg(1, {"b": 1.0, "a": 1.0})], "z_score")
    assert fused == [("a", 0.5), ("b", 0.5)]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_leg_without_weight_brings_no_candidate(strategy: Fusion) -> None:
    assert [id_ for id_, _ in fuse([Leg(0, {"x": 1.0}), Leg(1, {"a": 1.0})], strategy)] == ["a"]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("weights", [(0, 0), (-1, 2), (0.5, -0.1)])
def test_weights_are_not_negative_and_not_all_nothing(strategy: Fusion, weights: tuple[float, float]) -> None:
    with pytest.raises(InvalidRequestError, match="must be at least 0, and one of them above 0"):
        fuse([Leg(weight, {"a": 1.0}) for weight in weights], strategy)


def test_what_both_legs_find_comes_before_what_one_finds() -> None:
    legs = [Leg(0.5, {"both": 0.9, "one": 0.8}), Leg(0.5, {"both": 5.0, "other": 4.0})]
    for strategy in STRATEGIES:
        assert fuse(legs, strategy)[0][0] == "both"


def test_a_missing_candidate_counts_as_the_legs_lowest() -> None:
    fused = dict(fuse([Leg(1, {"a": 1.0, "b": 0.0}), Leg(1, {"c": 1.0, "d": 0.0})], "z_score"))
    assert fused["a"] == fused["c"] == 0.5
    assert fused["b"] == fused["d"] == pytest.approx(1 / (1 + math.e))


def test_reciprocal_rank_is_one_for_the_first_of_all_legs() -> None:
    fused = fuse([Leg(0.3, {"a": 9.0, "b": 8.0}), Leg(0.7, {"a": 2.0, "b": 1.0})], "reciprocal_rank")
    assert fused[0] == ("a", pytest.approx(1))
    assert fused[1] == ("b", pytest.approx(61 / 62))


@pytest.mark.parametrize("strategy", STRATEGIES)
@given(one=scores, two=scores, weight=st.floats(0.1, 0.9))
def test_scores_are_in_bounds_in_order_and_every_candidate_comes_once(
    strategy: Fusion, one: dict[str, float], two: dict[str, float], weight: float
) -> None:
    fused = fuse([Leg(weight, one), Leg(1 - weight, two)], strategy)
    assert sorted(id_ for id_, _ in fused) == sorted({*one, *two})
    assert all(0 <= score <= 1 + 1e-9 for _, score in fused)
    assert fused == sorted(fused, key=lambda item: (-item[1], item[0]))
