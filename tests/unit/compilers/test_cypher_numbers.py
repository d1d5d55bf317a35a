"""Numbers in the form of one type stand for the number in comparisons with stored numbers of that type."""

import math
import operator
from collections.abc import Callable

from hypothesis import given, strategies as st

from graphrag.compilers.cypher_numbers import float_form, integer_form, is_large, zero_bound

ORDER: dict[str, Callable[[float, float], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
INTEGERS = st.integers(-(2**63), 2**63 - 1)
FLOATS = st.floats(allow_nan=False)
NEAR = st.builds(
    lambda power, away, sign: sign * (2**power + away),
    st.integers(52, 62),
    st.integers(-5, 5),
    st.sampled_from([1, -1]),
)
NUMBERS = INTEGERS | FLOATS | NEAR | NEAR.map(float) | st.sampled_from([2**63 - 1, 2.0**63, -(2**63), -(2.0**63)])


@given(stored=INTEGERS | NEAR, value=NUMBERS.filter(is_large), name=st.sampled_from(list(ORDER)))
def test_stored_whole_numbers_compare_with_the_integer_form_as_with_the_number(
    stored: int, value: float, name: str
) -> None:
    assert ORDER[name](stored, integer_form(value, name)) == ORDER[name](stored, value)


@given(stored=FLOATS | NEAR.map(float), value=NUMBERS, name=st.sampled_from(list(ORDER)))
def test_stored_floats_compare_with_the_float_form_as_with_the_number(stored: float, value: float, name: str) -> None:
    form = float_form(value, name)
    assert isinstance(form, float)
    assert ORDER[name](stored, form) == ORDER[name](stored, value)


@given(value=INTEGERS | NEAR)
def test_the_integer_form_is_of_64_bits_or_safe(value: int) -> None:
    for name in ORDER:
        form = integer_form(float(value), name)
        assert not math.isfinite(form) or (isinstance(form, int) and -(2**63) <= form < 2**63)


def test_a_bound_of_zero_has_both_zeros_on_the_side_that_is_meant() -> None:
    signs = {name: math.copysign(1, zero_bound(name)) for name in ("<", "<=", ">", ">=")}
    assert signs == {"<": -1, "<=": 1, ">": 1, ">=": -1}
