"""Numbers as the server must be given them to compare as numbers do.

Measured on 2026.08: -0.0 lies below 0 in every order and in an index, and IN tells the two apart, though `=` finds
them equal; an index that is asked for both in one list looks for one alone. A
whole number and a float from 2^54 up are compared by the float's shortest decimal form, which is another number,
and 2^63 - 1 equals 2.0^63 at times. So zero is asked for in the form that lies on the right side, and large numbers
of the two types are compared each with a number of its own type.
"""

import math
from typing import TypeGuard

__all__ = ["ZEROS", "float_form", "integer_form", "is_large", "is_number", "zero_bound"]

_EXACT_IN_FLOAT = 2**53
_MAX_INTEGER = 2**63

ZEROS = (-0.0, 0.0)
"""The least and the greatest number that equals zero, as the server orders them."""


def is_number(value: object) -> TypeGuard[int | float]:
    """Tell whether a value is a number; a boolean is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_large(value: object) -> bool:
    """Tell whether a value is a number from 2^53 up, either sign, where the types part. Infinity is safe."""
    return is_number(value) and abs(value) >= _EXACT_IN_FLOAT and not math.isinf(value)


def zero_bound(operator: str) -> float:
    """Return the zero that has both zeros on one side: the one that `operator` asks for."""
    return -0.0 if operator in {">=", "<"} else 0.0


def integer_form(value: float, operator: str) -> float:
    """Return a whole number that stored whole numbers can be compared with in place of a large number.

    Infinity where all of them lie on one side; NaN, which equals none, where none can be equal.
    """
    if float(value).is_integer():
        whole = int(value)
        if -_MAX_INTEGER <= whole < _MAX_INTEGER:
            return whole
    if operator == "=":
        return math.nan
    return math.copysign(math.inf, value) if abs(value) >= _EXACT_IN_FLOAT else value


def float_form(value: float, operator: str) -> float:
    """Return a float that stored floats can be compared with in place of a number.

    Where none is exactly the number, it is the next one on the side that keeps the order; NaN for equality.
    """
    nearest = float(value)
    if nearest == value:
        return nearest
    if operator == "=":
        return math.nan
    if operator in {"<", ">="}:
        return nearest if nearest > value else math.nextafter(nearest, math.inf)
    return nearest if nearest < value else math.nextafter(nearest, -math.inf)
