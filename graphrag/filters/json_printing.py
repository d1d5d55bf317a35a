"""Filters as JSON: what `graphrag.filters.json_form` reads back as the same filter."""

import json
import math
from collections.abc import Mapping
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
from graphrag.filters.values import Scalar

__all__ = ["OPERATOR_OF", "OneValue", "filter_to_json", "filter_to_json_text"]

OneValue: TypeAlias = (
    Eq | Ne | Gt | Gte | Lt | Lte | Contains | StartsWith | EndsWith | EqIgnoreCase | ContainsIgnoreCase | HasElement
)
"""The tests that compare a property with one value."""

OPERATOR_OF: Mapping[type[OneValue], str] = {
    Eq: "$eq",
    Ne: "$ne",
    Gt: "$gt",
    Gte: "$gte",
    Lt: "$lt",
    Lte: "$lte",
    Contains: "$contains",
    StartsWith: "$starts_with",
    EndsWith: "$ends_with",
    EqIgnoreCase: "$eq_ignore_case",
    ContainsIgnoreCase: "$contains_ignore_case",
    HasElement: "$has_element",
}
"""How these are called in JSON, for both directions."""


def filter_to_json(filter_: PropertyFilter) -> dict[str, object]:  # noqa: PLR0911 - one line a node
    """Return a filter as an object of JSON's types alone, which `filter_from_json` reads back as the same.

    Raises:
        UnsupportedFilterError: The filter is none of this package's nodes.
    """
    node = filter_node(filter_)
    match node:
        case And(filters=()):
            return {}
        case And(filters=filters):
            return {"$and": [filter_to_json(part) for part in filters]}
        case Or(filters=filters):
            return {"$or": [filter_to_json(part) for part in filters]}
        case Not(filter=part):
            return {"$not": filter_to_json(part)}
        case HasAnyLabel(labels=labels):
            return {"$labels": list(labels)}
        case _:
            operator, value = _condition(node)
            if node.key.startswith("$"):
                return {"$property": {"key": node.key, operator: value}}
            if operator == "$eq" and not isinstance(value, dict):
                return {node.key: value}
            return {node.key: {operator: value}}


def filter_to_json_text(filter_: PropertyFilter) -> str:
    """Return a filter as JSON text on one line.

    Raises:
        UnsupportedFilterError: The filter is none of this package's nodes.
    """
    return json.dumps(filter_to_json(filter_), ensure_ascii=False, allow_nan=False)


def _condition(node: Comparison) -> tuple[str, object]:
    match node:
        case Exists():
            return "$exists", True
        case In(values=values):
            return "$in", [_written(value) for value in values]
        case Nin(values=values):
            return "$nin", [_written(value) for value in values]
        case Between(low=low, high=high):
            return "$between", [_written(low), _written(high)]
        case (
            Eq() | Ne() | Gt() | Gte() | Lt() | Lte() | Contains() | StartsWith() | EndsWith() | EqIgnoreCase()
            | ContainsIgnoreCase() | HasElement()
        ):  # fmt: skip
            value = node.value
            written = [_written(item) for item in value] if isinstance(value, tuple) else _written(value)
            return OPERATOR_OF[type(node)], written
        case _:
            assert_never(node)


def _written(value: Scalar) -> object:
    match value:
        case date() | time() | timedelta():
            kind, text = moment_text(value)
            return {f"${kind}": text}
        case float() if math.isinf(value):
            return {"$float": "inf" if value > 0 else "-inf"}
        case _:
            return value
