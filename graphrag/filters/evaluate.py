"""What each filter means: the definition that every compiler and every store agrees with.

A filter is true or false of a node's properties and labels; there is no third value. A property that is
missing, None, or kept as JSON (a map, a list of several kinds) fails every test but `ne`, `nin` and `not`.
Values of two kinds are never equal and never in order.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import TypeAlias, assert_never, cast

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
from graphrag.filters.values import Kind, ListValue, Scalar, kind_of
from graphrag.model.metadata import property_form

__all__ = ["matches"]

_Key: TypeAlias = tuple[Kind, object]
"""A value as what decides whether two are equal: its kind, and a form in which Python's `==` is right."""
_Stored: TypeAlias = Scalar | ListValue
_MAX_INTEGER = 2**63


def matches(filter_: PropertyFilter, properties: Mapping[str, object], labels: Collection[str] = ()) -> bool:
    """Tell whether a filter is true of a node.

    Args:
        filter_: Any filter.
        properties: The node's properties by name, as Python values; None counts as missing.
        labels: The node's labels.

    Raises:
        UnsupportedFilterError: The filter is none of this package's nodes.
    """
    node = filter_node(filter_)
    match node:
        case And(filters=filters):
            return all(matches(part, properties, labels) for part in filters)
        case Or(filters=filters):
            return any(matches(part, properties, labels) for part in filters)
        case Not(filter=part):
            return not matches(part, properties, labels)
        case HasAnyLabel(labels=wanted):
            return any(label in labels for label in wanted)
        case _:
            return _compares(node, _stored(properties.get(node.key)))


def _compares(node: Comparison, stored: _Stored | None) -> bool:  # noqa: C901, PLR0911, PLR0912 - one line a node
    match node:
        case Exists():
            return stored is not None
        case Eq(value=value):
            return _equal(stored, value)
        case Ne(value=value):
            return not _equal(stored, value)
        case In(values=values):
            return _is_one_of(stored, values)
        case Nin(values=values):
            return not _is_one_of(stored, values)
        case Gt(value=value):
            return _in_order(value, stored, lambda one, other: one < other)
        case Gte(value=value):
            return _in_order(value, stored, lambda one, other: one <= other)
        case Lt(value=value):
            return _in_order(stored, value, lambda one, other: one < other)
        case Lte(value=value):
            return _in_order(stored, value, lambda one, other: one <= other)
        case Between(low=low, high=high):
            return _in_order(low, stored, lambda one, other: one <= other) and _in_order(
                stored, high, lambda one, other: one <= other
            )
        case HasElement(value=value):
            return isinstance(stored, tuple) and _holds(stored, value)
        case Contains(value=value):
            if isinstance(stored, tuple):
                return _holds(stored, value)
            return isinstance(stored, str) and isinstance(value, str) and value in stored
        case StartsWith(value=value):
            return isinstance(stored, str) and stored.startswith(value)
        case EndsWith(value=value):
            return isinstance(stored, str) and stored.endswith(value)
        case EqIgnoreCase(value=value):
            return isinstance(stored, str) and stored.lower() == value.lower()
        case ContainsIgnoreCase(value=value):
            return isinstance(stored, str) and value.lower() in stored.lower()
        case _:
            assert_never(node)


def _stored(value: object) -> _Stored | None:
    """Return a property as what a filter sees of it; None where it sees nothing."""
    if not isinstance(value, list | tuple):
        return _scalar(value)
    items = [_scalar(item) for item in cast("Sequence[object]", value)]
    form = property_form(items)
    return tuple(cast("list[Scalar]", form)) if form is not None else None


def _scalar(value: object) -> Scalar | None:
    """Return a single value of a type that stores hold, subclasses as what they hold; None for any other."""
    match value:
        case bool() | date() | time() | timedelta():
            return value if not _lacks_offset(value) else None
        case str():
            return str.__str__(value)
        case float():
            return float(value)
        case int() if -_MAX_INTEGER <= value < _MAX_INTEGER:
            return int(value)
        case _:
            return None


def _lacks_offset(value: object) -> bool:
    """Tell whether a value has a zone that does not say its offset from UTC: stores hold none such."""
    return isinstance(value, datetime | time) and value.tzinfo is not None and value.utcoffset() is None


def _equal(stored: _Stored | None, value: _Stored) -> bool:
    if stored is None:
        return False
    if isinstance(stored, tuple):
        return isinstance(value, tuple) and len(stored) == len(value) and all(map(_same, stored, value))
    return not isinstance(value, tuple) and _same(stored, value)


def _same(one: Scalar, other: Scalar) -> bool:
    return _key(one) == _key(other) and not _is_nan(one)


def _is_nan(value: Scalar) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _key(value: Scalar) -> _Key:
    kind = kind_of(value)
    match value:
        case datetime() if kind == "zoned date-time":
            # Python never finds date-times of two zones equal within an hour that a clock repeats.
            return kind, _instant(value)
        case time() if kind == "zoned time":
            return kind, (value.replace(tzinfo=None), value.utcoffset())
        case _:
            return kind, value


def _instant(value: datetime) -> timedelta:
    """Return the time in UTC since the year 1; unlike a date-time it may lie before or after all years."""
    return value.replace(tzinfo=None) - datetime.min - (value.utcoffset() or timedelta(0))  # noqa: DTZ901 - an origin


def _is_one_of(stored: _Stored | None, values: ListValue) -> bool:
    if stored is None:
        return False
    elements = stored if isinstance(stored, tuple) else (stored,)
    return any(_same(element, value) for element in elements for value in values)


def _holds(elements: ListValue, value: Scalar) -> bool:
    return any(_same(element, value) for element in elements)


def _in_order(one: _Stored | None, other: _Stored | None, in_order: Callable[[float, float], bool]) -> bool:
    """Compare two values of one kind that has an order."""
    if one is None or other is None or isinstance(one, tuple) or isinstance(other, tuple):
        return False
    (kind, first), (other_kind, second) = _key(one), _key(other)
    # Python's order of every kind is the one that is meant: text by code points, False before True.
    return kind == other_kind and in_order(cast("float", first), cast("float", second))
