"""Filters in their simplest form: what compilers and the push-down start from.

Constants (`And()`, `Or()`, an `in` of nothing) are folded away, nested conjunctions and disjunctions are made
flat, and double negations go. The result means the same, is `And()` or `Or()` where it is always true or
always false, and holds neither anywhere else.
"""

from collections.abc import Iterable
from typing import assert_never

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
    PropertyFilter,
    StartsWith,
    filter_node,
)

__all__ = ["FALSE", "TRUE", "conjuncts", "simplify"]

TRUE = And(())
FALSE = Or(())


def simplify(filter_: PropertyFilter) -> FilterNode:
    """Return a filter of the same meaning in its simplest form.

    Raises:
        UnsupportedFilterError: The filter is none of this package's nodes.
    """
    node = filter_node(filter_)
    match node:
        case And(filters=filters):
            return _joined(And, filters)
        case Or(filters=filters):
            return _joined(Or, filters)
        case Not(filter=part):
            return _negated(simplify(part))
        case In(values=()):
            return FALSE
        case Nin(values=()):
            return TRUE
        case (
            Eq() | Ne() | Gt() | Gte() | Lt() | Lte() | Between() | In() | Nin() | Contains() | StartsWith()
            | EndsWith() | EqIgnoreCase() | ContainsIgnoreCase() | HasElement() | Exists() | HasAnyLabel()
        ):  # fmt: skip
            return node
        case _:
            assert_never(node)


def conjuncts(filters: Iterable[PropertyFilter | None]) -> tuple[FilterNode, ...]:
    """Return what must all hold where all of these filters do: none for always, `FALSE` alone for never.

    Each of the filters keeps within the bounds of the language by itself; so does each of the parts.
    """
    found: dict[FilterNode, None] = {}
    for filter_ in filters:
        if filter_ is None:
            continue
        node = simplify(filter_)
        if node == FALSE:
            return (FALSE,)
        found.update(dict.fromkeys(_parts(node, And)))
    return tuple(found)


def _parts(node: FilterNode, kind: type[And] | type[Or]) -> tuple[FilterNode, ...]:
    return tuple(filter_node(part) for part in node.filters) if isinstance(node, kind) else (node,)


def _joined(kind: type[And] | type[Or], filters: Iterable[PropertyFilter]) -> FilterNode:
    neutral, absorbing = (TRUE, FALSE) if kind is And else (FALSE, TRUE)
    parts: dict[FilterNode, None] = {}
    for filter_ in filters:
        node = simplify(filter_)
        if node == absorbing:
            return absorbing
        if node != neutral:
            parts.update(dict.fromkeys(_parts(node, kind)))
    if not parts:
        return neutral
    return next(iter(parts)) if len(parts) == 1 else kind(tuple(parts))


def _negated(node: FilterNode) -> FilterNode:  # noqa: PLR0911 - one line a node
    match node:
        case Not(filter=part):
            return filter_node(part)
        case Eq(key=key, value=value):
            return Ne(key, value)
        case Ne(key=key, value=value):
            return Eq(key, value)
        case In(key=key, values=values):
            return Nin(key, values)
        case Nin(key=key, values=values):
            return In(key, values)
        case _:
            if node == TRUE:
                return FALSE
            return TRUE if node == FALSE else Not(node)
