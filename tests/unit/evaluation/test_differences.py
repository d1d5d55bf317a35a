"""Paired differences and their intervals."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from graphrag.errors import InvalidRequestError
from graphrag.evaluation import differences
from graphrag.evaluation.differences import interval_of_mean, paired_difference


def test_the_mean_is_of_pairs_and_the_interval_holds_it() -> None:
    first = {"a": 1.0, "b": 0.5, "c": 0.0, "d": 1.0}
    second = {"d": 0.0, "c": 0.5, "b": 0.5, "a": 0.5}
    found = paired_difference(first, second)
    assert (found.mean, found.queries) == (0.25, 4)
    assert -0.5 <= found.low < 0.25 < found.high <= 1.0


def test_the_same_seed_gives_the_same_interval_and_another_one_nearly_the_same() -> None:
    values = np.random.Generator(np.random.PCG64(1)).normal(0.1, 0.3, size=300).tolist()
    one, again, other = (interval_of_mean(values, seed=seed) for seed in (0, 0, 1))
    assert one == again
    assert one != other
    assert (one.low, one.high) == (pytest.approx(other.low, abs=0.005), pytest.approx(other.high, abs=0.005))


def test_the_interval_is_near_that_of_the_normal_distribution_for_many_values() -> None:
    values = np.random.Generator(np.random.PCG64(2)).normal(0.0, 1.0, size=2_000)
    half = 1.96 * float(values.std()) / 2_000**0.5
    found = interval_of_mean(values.tolist())
    assert found.low == pytest.approx(float(values.mean()) - half, abs=0.004)
    assert found.high == pytest.approx(float(values.mean()) + half, abs=0.004)


def test_about_95_of_100_intervals_hold_the_true_mean() -> None:
    generator = np.random.Generator(np.random.PCG64(3))
    held = 0
    for _ in range(100):
        # As differences of such measures are: mostly 0, else of either sign.
        found = interval_of_mean(generator.choice([0.0, 0.0, 0.0, 0.5, -0.3], size=200).tolist())
        held += found.low <= 0.04 <= found.high
    assert 88 <= held <= 100


@given(st.floats(-1, 1), st.integers(1, 20))
def test_equal_differences_have_no_uncertainty(value: float, count: int) -> None:
    found = interval_of_mean([value] * count)
    assert (found.low, found.mean, found.high) == (pytest.approx(value), pytest.approx(value), pytest.approx(value))


def test_drawing_in_parts_gives_as_many_means(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many queries are drawn a part of the resamples at a time, which bounds memory."""
    values = [0.0, 1.0] * 50
    whole = interval_of_mean(values)
    monkeypatch.setattr(differences, "_DRAWN_AT_ONCE", 700)
    parts = interval_of_mean(values)
    assert (parts.low, parts.high) == (pytest.approx(whole.low, abs=0.02), pytest.approx(whole.high, abs=0.02))


@pytest.mark.parametrize("second", [{}, {"a": 1.0}, {"a": 1.0, "c": 1.0}])
def test_other_queries_on_the_other_side_are_refused(second: dict[str, float]) -> None:
    with pytest.raises(
        InvalidRequestError, match=r"of which \d are the same; paired differences need the same queries"
    ):
        paired_difference({"a": 1.0, "b": 0.0}, second)


def test_no_queries_at_all_are_refused() -> None:
    with pytest.raises(InvalidRequestError, match="at least one"):
        paired_difference({}, {})
