"""Bounds of what can be asked of a search's hits."""

import math

import pytest

from graphrag.errors import InvalidRequestError
from graphrag.search import Refinement


@pytest.mark.parametrize("name, highest", [("rerank", 1_000), ("per_document", 1_000)])
def test_numbers_of_hits_are_whole_and_bounded(name: str, highest: int) -> None:
    for fine in (None, 1, highest):
        assert getattr(Refinement(**{name: fine}), name) == fine  # type: ignore[arg-type]
    for wrong in (0, -1, highest + 1, 2.0, True, "1"):
        with pytest.raises(InvalidRequestError, match=f"`{name}` is .*; it must be a whole number from 1 to {highest}"):
            Refinement(**{name: wrong})  # type: ignore[arg-type]


def test_neighbours_are_at_most_twenty_on_each_side() -> None:
    """THREATS 6."""
    assert Refinement(neighbours=0) == Refinement()
    assert Refinement(neighbours=20).neighbours == 20
    for wrong in (-1, 21, 1.0, True, None):
        with pytest.raises(InvalidRequestError, match="`neighbours` is .*; it must be a whole number from 0 to 20"):
            Refinement(neighbours=wrong)  # type: ignore[arg-type]


def test_diversity_is_a_share() -> None:
    for fine in (None, 0, 0.0, 1, 0.3):
        assert Refinement(diversity=fine).diversity == fine
    for wrong in (-0.1, 1.1, math.nan, math.inf, True, "0.3", 10**400):
        with pytest.raises(InvalidRequestError, match="`diversity` is .*; it must be a number from 0 to 1"):
            Refinement(diversity=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "refine, needed",
    [
        (Refinement(), False),
        (Refinement(rerank=5), False),
        (Refinement(per_document=5), True),
        (Refinement(diversity=0.0), True),
        (Refinement(neighbours=1), True),
    ],
)
def test_what_only_chunks_have_is_known(refine: Refinement, *, needed: bool) -> None:
    assert refine.needs_chunks == needed
