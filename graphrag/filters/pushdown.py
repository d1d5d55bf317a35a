"""Splitting a filter into what an index can take and what is left.

A filter is a conjunction of parts. A store says of each single test whether its index answers exactly that, or
at least lets nothing through its fingers; those tests go inside. The whole filter is evaluated once more over what
the index gives, so what goes inside may say less than the filter, but never more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from graphrag.filters.nodes import (
    And,
    Between,
    Comparison,
    FilterNode,
    Gt,
    Gte,
    HasAnyLabel,
    Lt,
    Lte,
    Not,
    Or,
)

__all__ = ["Split", "split"]

Takes: TypeAlias = Callable[[Comparison], bool]


@dataclass(frozen=True, slots=True)
class Split:
    """A filter in two.

    Attributes:
        inside: Single tests that the index takes, no two of them on the same bound of one property.
        remainder: The other parts; empty where the index answers the whole filter.
    """

    inside: tuple[Comparison, ...] = ()
    remainder: tuple[FilterNode, ...] = ()


def split(conjuncts: Sequence[FilterNode], takes: Takes) -> Split:
    """Return the parts of a filter that an index takes, and the others.

    Args:
        conjuncts: What must all hold (see `graphrag.filters.simplify.conjuncts`).
        takes: Whether the index can be asked this test, and then misses no node of which it is true.
    """
    inside: list[Comparison] = []
    remainder: list[FilterNode] = []
    taken: set[tuple[str, str]] = set()
    for node in conjuncts:
        if isinstance(node, And | Or | Not | HasAnyLabel):
            remainder.append(node)
            continue
        tests = _single_bounds(node)
        places = {(test.key, _side(test)) for test in tests}
        if all(takes(test) for test in tests) and not _clash(places, taken):
            inside.extend(tests)
            taken |= places
        else:
            remainder.append(node)
    return Split(tuple(inside), tuple(remainder))


def _single_bounds(node: Comparison) -> tuple[Comparison, ...]:
    """Return a test as tests of one bound each."""
    return (Gte(node.key, node.low), Lte(node.key, node.high)) if isinstance(node, Between) else (node,)


def _side(test: Comparison) -> str:
    """Return which side of a property's values a test bounds; an index takes one test a side."""
    match test:
        case Gt() | Gte():
            return "low"
        case Lt() | Lte():
            return "high"
        case _:
            return "both"


def _clash(places: set[tuple[str, str]], taken: set[tuple[str, str]]) -> bool:
    for key, side in places:
        sides = {other for name, other in taken if name == key}
        if side in sides or (sides and (side == "both" or "both" in sides)):
            return True
    return False
