"""Maximal marginal relevance, compared with its definition."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray

from graphrag.errors import InvalidRequestError
from graphrag.query.mmr import choose_diverse

Vectors = Mapping[str, NDArray[np.float32]]
IDS = [f"c{number:02d}" for number in range(12)]
AXES = [(0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 0, -1), (0, -2, 0), (4, 0, 0), (0, 0, 0)]
"""Their cosines are exactly -1, 0 or 1, so ties are ties; the last one has no direction."""

relevances = st.dictionaries(st.sampled_from(IDS), st.sampled_from([0.0, 0.25, 0.5, 0.5, 1.0]), max_size=10)
exact_vectors = st.dictionaries(
    st.sampled_from(IDS), st.sampled_from(AXES).map(lambda axis: np.array(axis, dtype=np.float32))
)
any_vectors = st.dictionaries(
    st.sampled_from(IDS),
    st.lists(st.floats(-1, 1, width=32), min_size=4, max_size=4).map(lambda row: np.array(row, dtype=np.float32)),
)
diversities = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])


def similarity(one: str, other: str, vectors: Vectors) -> float:
    """Of two candidates, in 0..1, as the docstring says."""
    pair = [vectors.get(one), vectors.get(other)]
    if any(vector is None or not np.any(vector) for vector in pair):
        return 0.5
    a, b = ([float(number) for number in vector] for vector in pair if vector is not None)
    return (1 + math.fsum(x * y for x, y in zip(a, b, strict=True)) / math.hypot(*a) / math.hypot(*b)) / 2


def value(id_: str, chosen: Sequence[str], relevance: Mapping[str, float], vectors: Vectors, diversity: float) -> float:
    nearest = max((similarity(id_, other, vectors) for other in chosen), default=0.0)
    return (1 - diversity) * relevance[id_] - diversity * nearest


def by_definition(relevance: Mapping[str, float], vectors: Vectors, diversity: float, count: int) -> list[str]:
    chosen: list[str] = []
    while len(chosen) < min(count, len(relevance)):
        left = [id_ for id_ in relevance if id_ not in chosen]
        chosen.append(
            min(left, key=lambda id_: (-value(id_, chosen, relevance, vectors, diversity), -relevance[id_], id_))
        )
    return chosen


@given(relevance=relevances, vectors=exact_vectors, diversity=diversities, count=st.integers(0, 12))
def test_the_choice_is_that_of_the_definition_ties_by_relevance_then_id(
    relevance: dict[str, float], vectors: dict[str, NDArray[np.float32]], diversity: float, count: int
) -> None:
    chosen = choose_diverse(relevance, vectors, diversity=diversity, count=count)
    assert [pick.id for pick in chosen] == by_definition(relevance, vectors, diversity, count)


@given(relevance=relevances, vectors=any_vectors, diversity=st.floats(0, 1), count=st.integers(0, 12))
def test_each_step_takes_the_best_value_whatever_the_vectors(
    relevance: dict[str, float], vectors: dict[str, NDArray[np.float32]], diversity: float, count: int
) -> None:
    chosen = choose_diverse(relevance, vectors, diversity=diversity, count=count)
    ids = [pick.id for pick in chosen]
    assert len(set(ids)) == len(ids) == min(count, len(relevance))
    for step, pick in enumerate(chosen):
        before = ids[:step]
        best = max(value(id_, before, relevance, vectors, diversity) for id_ in relevance if id_ not in before)
        assert pick.value == pytest.approx(best, abs=1e-6)
        assert value(pick.id, before, relevance, vectors, diversity) == pytest.approx(best, abs=1e-6)


@given(relevance=relevances, vectors=any_vectors, diversity=diversities, seed=st.randoms(use_true_random=False))
def test_the_order_in_which_candidates_come_does_not_matter(
    relevance: dict[str, float], vectors: dict[str, NDArray[np.float32]], diversity: float, seed: object
) -> None:
    ids = list(relevance)
    seed.shuffle(ids)  # type: ignore[attr-defined]
    shuffled = {id_: relevance[id_] for id_ in ids}
    around = dict(reversed(vectors.items()))
    assert choose_diverse(shuffled, around, diversity=diversity, count=9) == choose_diverse(
        relevance, vectors, diversity=diversity, count=9
    )


def test_equal_vectors_are_equally_far_from_a_third_to_the_last_bit() -> None:
    """So that copies of one text come by their ids, however many there are and wherever they stand."""
    random = np.random.default_rng(3)
    text, other = (random.standard_normal(384).astype(np.float32) for _ in range(2))
    vectors = {f"c{number:03d}": text for number in range(99)} | {"first": other}
    relevance = dict.fromkeys(vectors, 0.5) | {"first": 0.9}
    chosen = choose_diverse(relevance, vectors, diversity=0.4, count=100)
    assert [pick.id for pick in chosen] == ["first", *(f"c{number:03d}" for number in range(99))]


def test_a_copy_of_a_better_result_gives_way_to_something_else() -> None:
    vectors = {name: np.array(row, dtype=np.float32) for name, row in {"a": (1, 0), "b": (1, 0), "c": (0, 1)}.items()}
    relevance = {"a": 0.9, "b": 0.89, "c": 0.7}
    assert [pick.id for pick in choose_diverse(relevance, vectors, diversity=0.0, count=2)] == ["a", "b"]
    assert [pick.id for pick in choose_diverse(relevance, vectors, diversity=0.4, count=2)] == ["a", "c"]


@pytest.mark.parametrize("wrong", [-0.1, 1.1, math.nan])
def test_the_weight_is_in_0_to_1(wrong: float) -> None:
    with pytest.raises(InvalidRequestError, match="`diversity` is .*; it must be a number from 0 to 1"):
        choose_diverse({}, {}, diversity=wrong, count=1)
