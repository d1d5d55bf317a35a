"""Generated filters and properties: they reach every node, and often meet."""

import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given, settings, strategies as st

from graphrag.filters import matches
from graphrag.filters.nodes import And, FilterNode, Not, Or
from graphrag.model.metadata import check_metadata
from graphrag.testing.filter_strategies import filters, property_maps


def depth(filter_: FilterNode) -> int:
    return filter_.depth if isinstance(filter_, And | Or | Not) else 1


@given(property_maps())
def test_generated_properties_are_metadata_that_can_be_stored(properties: dict[str, object]) -> None:
    check_metadata(properties)


@given(filters(max_depth=1))
def test_one_level_is_a_single_test(filter_: FilterNode) -> None:
    assert depth(filter_) == 1


def test_deep_filters_are_generated_and_none_beyond_the_bounds() -> None:
    depths: list[int] = []

    @given(filters(max_depth=16))
    @settings(max_examples=100, database=None)
    def collect(filter_: FilterNode) -> None:
        depths.append(depth(filter_))

    collect()
    assert 10 <= max(depths) <= 16


def test_names_values_and_labels_can_be_chosen() -> None:
    made = filters(st.just("k"), st.integers(1, 3), labels=st.just("L"), max_depth=2)

    @given(made, property_maps(["k"], st.integers(1, 3)))
    @settings(max_examples=300, database=None)
    def check(filter_: FilterNode, properties: dict[str, object]) -> None:
        text = repr(filter_)
        assert "key=" not in text.replace("key='k'", "")
        assert set(properties) <= {"k"}
        outcomes[matches(filter_, properties, ("L",))] += 1

    outcomes: Counter[bool] = Counter()
    check()
    assert min(outcomes.values()) >= 30


@pytest.mark.parametrize("module", ["graphrag.testing.filter_strategies", "graphrag.testing.conformance"])
def test_without_hypothesis_the_error_says_what_to_install(module: str) -> None:
    program = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "from graphrag.errors import MissingExtraError\n"
        f"try: import {module}\n"
        "except MissingExtraError as error: print(error)\n"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "needs the extra `testing`: run `pip install 'graphrag-service[testing]'`" in told
