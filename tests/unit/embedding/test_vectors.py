import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from graphrag.embedding.vectors import lowest_cosine, unit_rows
from graphrag.errors import ModelCallError

GOOD = [[3.0, 4.0], [0.0, -2.0], [1.0, 0.0], [5.0, 5.0], [1.0, 1.0]]


def test_rows_come_back_as_float32_of_unit_length_in_their_direction() -> None:
    rows = unit_rows(GOOD, count=5, dimensions=2, model="m")
    assert rows.dtype == np.float32
    assert rows[:2] == pytest.approx(np.array([[0.6, 0.8], [0.0, -1.0]]))


@given(arrays(np.float64, (3, 5), elements=st.floats(-1e150, 1e150).filter(lambda number: abs(number) > 1e-9)))
def test_any_finite_rows_become_unit_length(raw: np.ndarray) -> None:
    rows = unit_rows(raw, count=3, dimensions=5, model="m")
    assert np.linalg.norm(rows.astype(np.float64), axis=1) == pytest.approx(np.ones(3), abs=1e-6)


def test_numbers_too_large_for_a_length_are_refused() -> None:
    with pytest.raises(ModelCallError, match="without direction"):
        unit_rows([[1e300, 1e300]], count=1, dimensions=2, model="m")


@pytest.mark.parametrize(
    "bad, message",
    [
        ([np.nan, 1.0], "not finite for text 3"),
        ([np.inf, 1.0], "not finite for text 3"),
        ([0.0, 0.0], "without direction .* for text 3"),
        ([1.0], "something else than 5 vectors of 2 numbers"),
        ([], "something else than 5 vectors of 2 numbers"),
        (None, "something else than 5 vectors of 2 numbers"),
        (["x", "y"], "something else than 5 vectors of 2 numbers"),
        ([10**400, 1], "something else than 5 vectors of 2 numbers"),
    ],
)
def test_one_bad_vector_of_five_is_refused_by_name(bad: object, message: str) -> None:
    """CASES 39: a vector that is not finite, zero, empty, None or of another length, for one text out of five."""
    raw = [*GOOD[:3], bad, GOOD[4]]
    with pytest.raises(ModelCallError, match=message):
        unit_rows(raw, count=5, dimensions=2, model="m")  # type: ignore[arg-type]


def test_one_vector_too_few_is_refused() -> None:
    """CASES 39, fault 23."""
    with pytest.raises(ModelCallError, match="model `m` gave 4 vectors for 5 texts; it must give one for each"):
        unit_rows(GOOD[:4], count=5, dimensions=2, model="m")


@pytest.mark.parametrize("raw", [np.float32(1.0), np.ones((5, 3)), np.ones(5), np.ones((5, 2, 2))])
def test_another_shape_is_refused(raw: np.ndarray) -> None:
    """CASES 38, fault 23: another length is refused, never cut or padded."""
    with pytest.raises(ModelCallError, match="gave"):
        unit_rows(raw, count=5, dimensions=2, model="m")


def test_the_index_counts_from_the_first_text_of_a_batch() -> None:
    with pytest.raises(ModelCallError, match="not finite for text 33$"):
        unit_rows([[1.0, 0.0], [np.nan, 0.0]], count=2, dimensions=2, model="m", first=32)


def test_no_texts_give_no_rows_of_the_right_length() -> None:
    assert unit_rows([], count=0, dimensions=3, model="m").shape == (0, 3)


def test_lowest_cosine_is_that_of_the_worst_pair() -> None:
    left = unit_rows([[1.0, 0.0], [1.0, 0.0]], count=2, dimensions=2, model="m")
    right = unit_rows([[1.0, 0.0], [3.0, 4.0]], count=2, dimensions=2, model="m")
    assert lowest_cosine(left, right) == pytest.approx(0.6)
