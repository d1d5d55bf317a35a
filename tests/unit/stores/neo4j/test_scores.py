"""The vector of a query, as a search takes it."""

from typing import Any

import numpy as np
import pytest

from graphrag.errors import InvalidRequestError
from graphrag.stores.neo4j.scores import unit_vector


@pytest.mark.parametrize("vector", ["abc", ["x", "y"], {}, [1j, 1j], [10**400, 1], [[1], [1, 2]], object()])
def test_what_holds_no_numbers_is_no_vector(vector: Any) -> None:
    with pytest.raises(InvalidRequestError, match=f"a {type(vector).__name__}, holds what is no number"):
        unit_vector(vector, 2)


@pytest.mark.parametrize("vector", [[], [1.0], [[1.0, 2.0]], 1.0])
def test_a_vector_has_the_shape_of_the_index(vector: Any) -> None:
    with pytest.raises(InvalidRequestError, match=r"has the shape .*; the index takes \(2,\)"):
        unit_vector(vector, 2)


@pytest.mark.parametrize("vector", [[0.0, 0.0], [float("nan"), 1.0], [float("inf"), 1.0]])
def test_a_vector_without_a_direction_is_refused(vector: list[float]) -> None:
    with pytest.raises(InvalidRequestError, match="cannot be compared by cosine"):
        unit_vector(vector, 2)


def test_a_vector_gets_length_1() -> None:
    assert np.allclose(unit_vector([3.0, 4.0], 2), [0.6, 0.8])
