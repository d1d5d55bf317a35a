"""Filters in their simplest form mean the same."""

from collections.abc import Iterator

import pytest
from hypothesis import given

from graphrag.filters.evaluate import matches
from graphrag.filters.nodes import (
    And,
    Between,
    Contains,
    ContainsIgnoreCase,
    EndsWith,
    Eq,
    EqIgnoreCase,
    Exists,
    FilterNode,
    Gt,
    Gte,
    HasAnyLabel,
    HasElement,
    In,
    Lt,
    Lte,
    Ne,
    Nin,
    Not,
    Or,
    StartsWith,
    filter_node,
)
from graphrag.filters.simplify import FALSE, TRUE, conjuncts, simplify
from graphrag.testing.filter_strategies import filters, property_maps

A, B, C = Eq("a", 1), Gt("b", 2), Exists("c")


def parts(node: FilterNode) -> Iterator[FilterNode]:
    yield node
    match node:
        case And(filters=inner) | Or(filters=inner):
            for part in inner:
                yield from parts(filter_node(part))
        case Not(filter=part):
            yield from parts(filter_node(part))
        case _:
            pass


@given(filters(max_depth=8), property_maps())
def test_the_meaning_is_kept(filter_: FilterNode, properties: dict[str, object]) -> None:
    simple = simplify(filter_)
    for labels in ((), ("Person",)):
        assert matches(simple, properties, labels) is matches(filter_, properties, labels)


@given(filters(max_depth=8))
def test_constants_nested_joins_and_double_negations_are_gone(filter_: FilterNode) -> None:
    simple = simplify(filter_)
    assert simplify(simple) == simple
    for node in parts(simple):
        match node:
            case And(filters=inner) | Or(filters=inner):
                assert node is simple or inner
                assert len(inner) != 1
                assert not any(type(part) is type(node) for part in inner)
            case Not(filter=part):
                assert not isinstance(part, Not | Eq | Ne | In | Nin)
            case In(values=values) | Nin(values=values):
                assert values
            case _:
                pass


@pytest.mark.parametrize(
    "filter_,expected",
    [
        (And(()), TRUE),
        (Or(()), FALSE),
        (In("a", ()), FALSE),
        (Nin("a", ()), TRUE),
        (Not(In("a", ())), TRUE),
        (And((A,)), A),
        (And((A, And((B, C)))), And((A, B, C))),
        (Or((A, Or((B,)))), Or((A, B))),
        (And((A, A)), A),
        (And((A, TRUE)), A),
        (And((A, FALSE)), FALSE),
        (Or((A, TRUE)), TRUE),
        (Or((A, FALSE)), A),
        (Not(Not(A)), A),
        (Not(A), Ne("a", 1)),
        (Not(Ne("a", 1)), A),
        (Not(In("a", (1,))), Nin("a", (1,))),
        (Not(B), Not(B)),
        (And((Eq("a", 1), Eq("a", 1.0))), And((Eq("a", 1), Eq("a", 1.0)))),
        (HasAnyLabel(("Person",)), HasAnyLabel(("Person",))),
    ],
)
def test_the_simplest_form(filter_: FilterNode, expected: FilterNode) -> None:
    assert simplify(filter_) == expected


def test_conjuncts_of_several_filters() -> None:
    assert conjuncts([None, And((A, B)), A, C]) == (A, B, C)
    assert conjuncts([A, FALSE, B]) == (FALSE,)
    assert conjuncts([None, TRUE]) == ()


@pytest.mark.parametrize(
    "test",
    [
        Eq("a", 1), Ne("a", 1), Gt("a", 1), Gte("a", 1), Lt("a", 1), Lte("a", 1), Between("a", 1, 2), In("a", (1,)),
        Nin("a", (1,)), Contains("a", "x"), StartsWith("a", "x"), EndsWith("a", "x"), EqIgnoreCase("a", "x"),
        ContainsIgnoreCase("a", "x"), HasElement("a", 1), Exists("a"), HasAnyLabel(("A",)),
    ],
    ids=repr,
)  # fmt: skip
def test_a_single_test_is_its_own_simplest_form(test: FilterNode) -> None:
    assert simplify(test) is test
