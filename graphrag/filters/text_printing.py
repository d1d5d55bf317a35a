"""Filters as text: what `graphrag.filters.text_form` reads back as the same filter."""

import math
from datetime import date, time, timedelta
from typing import TypeAlias, assert_never

from graphrag.filters.moments import moment_text
from graphrag.filters.nodes import (
    And,
    Between,
    Comparison,
    Contains,
    ContainsIgnoreCase,
    EndsWith,
    Eq,
    EqIgnoreCase,
    Exists,
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
from graphrag.filters.text_tokens import quoted, written_name
from graphrag.filters.values import ListValue, Scalar

__all__ = ["filter_to_text"]

_OneValue: TypeAlias = (
    Eq | Ne | Gt | Gte | Lt | Lte | Contains | HasElement | StartsWith | EndsWith | EqIgnoreCase | ContainsIgnoreCase
)

_SIGNS: dict[type[_OneValue], str] = {
    Eq: "=",
    Ne: "!=",
    Gt: ">",
    Gte: ">=",
    Lt: "<",
    Lte: "<=",
    Contains: "contains",
    HasElement: "has element",
    StartsWith: "starts with",
    EndsWith: "ends with",
    EqIgnoreCase: "=",
    ContainsIgnoreCase: "contains",
}


def filter_to_text(filter_: PropertyFilter) -> str:  # noqa: PLR0911 - one line a node
    """Return a filter as text on one line.

    `parse_filter` reads it back as the same filter if it keeps within 20,000 characters.

    Raises:
        UnsupportedFilterError: The filter is none of this package's nodes.
    """
    node = filter_node(filter_)
    match node:
        case And(filters=filters):
            return _joined("and", filters)
        case Or(filters=filters):
            return _joined("or", filters)
        case Not(filter=Exists(key=key)):
            return f"{written_name(key)} is missing"
        case Not(filter=part):
            return f"not {_bracketed(part, (And, Or))}"
        case HasAnyLabel(labels=(label,)):
            return f"has label {quoted(label)}"
        case HasAnyLabel(labels=labels):
            return f"has label [{', '.join(quoted(label) for label in labels)}]"
        case _:
            return f"{written_name(node.key)} {_test(node)}"


def _joined(word: str, filters: tuple[PropertyFilter, ...]) -> str:
    if not filters:
        return "true" if word == "and" else "false"
    if len(filters) == 1:
        return f"{'all' if word == 'and' else 'any'}({filter_to_text(filters[0])})"
    loose = (And, Or) if word == "and" else (Or,)
    return f" {word} ".join(_bracketed(part, loose) for part in filters)


def _bracketed(part: PropertyFilter, loose: tuple[type[PropertyFilter], ...]) -> str:
    """Return a part in brackets where it would be read apart without them."""
    text = filter_to_text(part)
    return f"({text})" if isinstance(part, loose) and len(getattr(part, "filters", ())) > 1 else text


def _test(node: Comparison) -> str:
    match node:
        case Exists():
            return "exists"
        case In(values=values):
            return f"in {_value(values)}"
        case Nin(values=values):
            return f"not in {_value(values)}"
        case Between(low=low, high=high):
            return f"between {_value(low)} and {_value(high)}"
        case (
            Eq() | Ne() | Gt() | Gte() | Lt() | Lte() | Contains() | HasElement() | StartsWith() | EndsWith()
            | EqIgnoreCase() | ContainsIgnoreCase()
        ):  # fmt: skip
            ending = " ignoring case" if isinstance(node, EqIgnoreCase | ContainsIgnoreCase) else ""
            return f"{_SIGNS[type(node)]} {_value(node.value)}{ending}"
        case _:
            assert_never(node)


def _value(value: Scalar | ListValue) -> str:
    match value:
        case tuple():
            return f"[{', '.join(_value(item) for item in value)}]"
        case str():
            return quoted(value)
        case bool():
            return "true" if value else "false"
        case float() if math.isinf(value):
            return f"float('{'inf' if value > 0 else '-inf'}')"
        case int() | float():
            return repr(value)
        case date() | time() | timedelta():
            kind, text = moment_text(value)
            return f"{kind}('{text}')"
