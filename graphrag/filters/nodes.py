"""The filter language: a closed set of frozen nodes, and the ways to build them in Python.

    prop("year") >= 2020
    (prop("owner") == "alice") & ~prop("status").in_("draft", "deleted")
    PropertyFilter.eq("owner", "alice").and_(EntityFilter.has_any_label("Person"))

What each node means is defined in `graphrag.filters.evaluate`; JSON and text forms are in
`graphrag.filters.forms`. A node checks its names and values when it is made, copies lists, and never changes:
a filter that exists can be evaluated and compiled.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias, cast, get_args

from graphrag.errors import InvalidFilterError, UnsupportedFilterError
from graphrag.filters.values import (
    ListValue,
    Scalar,
    check_key,
    check_labels,
    check_list,
    check_ordered,
    check_scalar,
    check_text,
    check_values,
    kind_of,
)

__all__ = [
    "MAX_DEPTH",
    "MAX_NODES",
    "And",
    "Between",
    "Comparison",
    "Contains",
    "ContainsIgnoreCase",
    "EndsWith",
    "EntityFilter",
    "Eq",
    "EqIgnoreCase",
    "Exists",
    "FilterNode",
    "Gt",
    "Gte",
    "HasAnyLabel",
    "HasElement",
    "In",
    "Lt",
    "Lte",
    "Ne",
    "Nin",
    "Not",
    "Or",
    "PropertyFilter",
    "StartsWith",
    "filter_node",
    "property_names",
]

MAX_DEPTH = 16
"""Most levels of a filter; a single test is one level."""
MAX_NODES = 256
"""Most nodes of a filter."""


class PropertyFilter:
    """A condition on a node's properties and labels: the base of all nodes, and the constructors by name.

    Filters are joined by `&`, `|` and `~`, or by `and_`, `or_` and `not_`. Python's own `and`, `or`, `not`
    and chained comparisons cannot be overloaded, so a filter has no truth value.

    All constructors raise `InvalidFilterError` for a name or value that is not accepted; its message names the key.
    """

    __slots__ = ()

    def __and__(self, other: "PropertyFilter") -> "And":
        """Return the conjunction; a chain of `&` is one node."""
        return And((*_parts(self, And), *_parts(_operand(other), And)))

    def __or__(self, other: "PropertyFilter") -> "Or":
        """Return the disjunction; a chain of `|` is one node."""
        return Or((*_parts(self, Or), *_parts(_operand(other), Or)))

    def __invert__(self) -> "Not":
        """Return the negation."""
        return Not(self)

    def __bool__(self) -> bool:
        """Refuse to be a truth value."""
        msg = (
            "a filter is neither true nor false; join filters by `&`, `|` and `~` (each comparison in brackets), "
            "use `between` for a chained comparison, and ask `is not None` for presence"
        )
        raise TypeError(msg)

    def __eq__(self, other: object) -> bool:
        """Tell whether two filters are the same, types of values included: `1`, `1.0` and `True` differ."""
        # What they are written as tells their kind, and each value with its type and its zone.
        return type(other) is type(self) and repr(self) == repr(other)

    def __hash__(self) -> int:
        """Return a hash that agrees with `==`."""
        return hash(repr(self))

    def and_(*filters: "PropertyFilter") -> "And":
        """Return the conjunction of filters: `f.and_(g)` or `PropertyFilter.and_(f, g)`. Of none it is true."""
        return And(filters)

    def or_(*filters: "PropertyFilter") -> "Or":
        """Return the disjunction of filters: `f.or_(g)` or `PropertyFilter.or_(f, g)`. Of none it is false."""
        return Or(filters)

    def not_(self) -> "Not":
        """Return the negation: `f.not_()` or `PropertyFilter.not_(f)`."""
        return Not(self)

    @staticmethod
    def eq(key: str, value: "Scalar | Iterable[Scalar]") -> "Eq":
        """Return: the property equals the value; a list is compared as a whole."""
        return Eq(key, cast("Scalar | ListValue", value))

    @staticmethod
    def ne(key: str, value: "Scalar | Iterable[Scalar]") -> "Ne":
        """Return: the property does not equal the value, or is missing."""
        return Ne(key, cast("Scalar | ListValue", value))

    @staticmethod
    def gt(key: str, value: Scalar) -> "Gt":
        """Return: the property is greater."""
        return Gt(key, value)

    @staticmethod
    def gte(key: str, value: Scalar) -> "Gte":
        """Return: the property is greater or equal."""
        return Gte(key, value)

    @staticmethod
    def lt(key: str, value: Scalar) -> "Lt":
        """Return: the property is less."""
        return Lt(key, value)

    @staticmethod
    def lte(key: str, value: Scalar) -> "Lte":
        """Return: the property is less or equal."""
        return Lte(key, value)

    @staticmethod
    def between(key: str, low: Scalar, high: Scalar) -> "Between":
        """Return: the property lies between two values of one kind, both included."""
        return Between(key, low, high)

    @staticmethod
    def in_(key: str, *values: "Scalar | Iterable[Scalar]") -> "In":
        """Return: the property, or an element of it, is one of the values; they come one by one or as one list."""
        return In(key, _alternatives(values))

    @staticmethod
    def nin(key: str, *values: "Scalar | Iterable[Scalar]") -> "Nin":
        """Return: neither the property nor an element of it is one of the values, or it is missing."""
        return Nin(key, _alternatives(values))

    @staticmethod
    def contains(key: str, value: Scalar) -> "Contains":
        """Return: the property is text that holds the value, or a list with this element."""
        return Contains(key, value)

    @staticmethod
    def starts_with(key: str, value: str) -> "StartsWith":
        """Return: the property is text that begins so."""
        return StartsWith(key, value)

    @staticmethod
    def ends_with(key: str, value: str) -> "EndsWith":
        """Return: the property is text that ends so."""
        return EndsWith(key, value)

    @staticmethod
    def eq_ignore_case(key: str, value: str) -> "EqIgnoreCase":
        """Return: the property is this text, both in lower case."""
        return EqIgnoreCase(key, value)

    @staticmethod
    def contains_ignore_case(key: str, value: str) -> "ContainsIgnoreCase":
        """Return: the property is text that holds the value, both in lower case."""
        return ContainsIgnoreCase(key, value)

    @staticmethod
    def has_element(key: str, value: Scalar) -> "HasElement":
        """Return: the property is a list with this element."""
        return HasElement(key, value)

    @staticmethod
    def exists(key: str) -> "Exists":
        """Return: the property is there."""
        return Exists(key)


class EntityFilter(PropertyFilter):
    """A condition on a node's labels. Freely combined with conditions on properties."""

    __slots__ = ()

    @staticmethod
    def has_any_label(*labels: "str | Iterable[str]") -> "HasAnyLabel":
        """Return: the node has at least one of the labels; they come one by one or as one list."""
        first = labels[0] if len(labels) == 1 and not isinstance(labels[0], str) else labels
        return HasAnyLabel(cast("tuple[str, ...]", first))


def _operand(value: object) -> PropertyFilter:
    if not isinstance(value, PropertyFilter):
        msg = f"a filter is joined with a {type(value).__name__}; put each comparison in brackets: (a == 1) & (b == 2)"
        raise TypeError(msg)
    return value


def _parts(filter_: PropertyFilter, kind: "type[And | Or]") -> tuple[PropertyFilter, ...]:
    return filter_.filters if isinstance(filter_, kind) else (filter_,)


def _alternatives(values: tuple[object, ...]) -> ListValue:
    only = values[0] if len(values) == 1 else None
    many = isinstance(only, Iterable) and not isinstance(only, str | bytes)
    return cast("ListValue", tuple(cast("Iterable[object]", only)) if many else values)


def _set(node: PropertyFilter, **values: object) -> None:
    """Set the fields of a frozen node, which only its own making may do."""
    for name, value in values.items():
        object.__setattr__(node, name, value)


@dataclass(frozen=True, slots=True, eq=False)
class _Keyed(PropertyFilter):
    key: str

    def __post_init__(self) -> None:
        _set(self, key=check_key(self.key))


@dataclass(frozen=True, slots=True, eq=False)
class _Equality(_Keyed):
    value: Scalar | ListValue

    def __post_init__(self) -> None:
        key, value = check_key(self.key), cast("object", self.value)
        if isinstance(value, list | tuple):
            _set(self, key=key, value=check_list(cast("list[object]", value), key))
        else:
            _set(self, key=key, value=check_scalar(value, key))


@dataclass(frozen=True, slots=True, eq=False)
class _Ordering(_Keyed):
    value: Scalar

    def __post_init__(self) -> None:
        key = check_key(self.key)
        _set(self, key=key, value=check_ordered(self.value, key))


@dataclass(frozen=True, slots=True, eq=False)
class _Membership(_Keyed):
    values: ListValue

    def __post_init__(self) -> None:
        key, values = check_key(self.key), cast("object", self.values)
        if isinstance(values, str | bytes) or not isinstance(values, Iterable):
            msg = "the alternatives come as a list"
            raise InvalidFilterError(msg, place=key)
        _set(self, key=key, values=check_values(cast("Iterable[object]", values), key))


@dataclass(frozen=True, slots=True, eq=False)
class _Element(_Keyed):
    value: Scalar

    def __post_init__(self) -> None:
        key = check_key(self.key)
        _set(self, key=key, value=check_scalar(self.value, key))


@dataclass(frozen=True, slots=True, eq=False)
class _TextTest(_Keyed):
    value: str

    def __post_init__(self) -> None:
        key = check_key(self.key)
        _set(self, key=key, value=check_text(self.value, key, _snake(type(self).__name__)))


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


class Eq(_Equality):
    """The property equals the value. Lists are compared as wholes, numbers as numbers."""

    __slots__ = ()


class Ne(_Equality):
    """The negation of `Eq`: true where the property is missing, or of another kind."""

    __slots__ = ()


class Gt(_Ordering):
    """The property is greater than a value of its kind."""

    __slots__ = ()


class Gte(_Ordering):
    """The property is greater than a value of its kind, or equal."""

    __slots__ = ()


class Lt(_Ordering):
    """The property is less than a value of its kind."""

    __slots__ = ()


class Lte(_Ordering):
    """The property is less than a value of its kind, or equal."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Between(_Keyed):
    """The property lies between two values of one kind, both included."""

    low: Scalar
    high: Scalar

    def __post_init__(self) -> None:
        """Check and copy."""
        key = check_key(self.key)
        low, high = check_ordered(self.low, key), check_ordered(self.high, key)
        if kind_of(low) != kind_of(high):
            msg = f"the bounds are a {kind_of(low)} and a {kind_of(high)}; both must be of one kind"
            raise InvalidFilterError(msg, place=key)
        _set(self, key=key, low=low, high=high)


class In(_Membership):
    """The property equals one of the values; of a list, any element does. Of no values it is false."""

    __slots__ = ()


class Nin(_Membership):
    """The negation of `In`: true where the property is missing. Of no values it is true."""

    __slots__ = ()


class Contains(_Element):
    """The property is text that holds the value, or a list that has it as an element."""

    __slots__ = ()


class StartsWith(_TextTest):
    """The property is text that begins with the value."""

    __slots__ = ()


class EndsWith(_TextTest):
    """The property is text that ends with the value."""

    __slots__ = ()


class EqIgnoreCase(_TextTest):
    """The property is text that equals the value, both in lower case."""

    __slots__ = ()


class ContainsIgnoreCase(_TextTest):
    """The property is text that holds the value, both in lower case."""

    __slots__ = ()


class HasElement(_Element):
    """The property is a list that has the value as an element. False for a scalar."""

    __slots__ = ()


class Exists(_Keyed):
    """The property is there."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Combination(PropertyFilter):
    filters: tuple[PropertyFilter, ...] = ()
    depth: int = field(init=False, repr=False, default=1)
    size: int = field(init=False, repr=False, default=1)

    def __post_init__(self) -> None:
        name = _snake(type(self).__name__)
        filters = cast("object", self.filters)
        if isinstance(filters, PropertyFilter | str) or not isinstance(filters, Iterable):
            msg = "the filters to join come as a tuple or list"
            raise InvalidFilterError(msg, place=name)
        parts = tuple(filter_node(part) for part in cast("Iterable[object]", filters))
        depth, size = _measure(parts, name)
        _set(self, filters=parts, depth=depth, size=size)


class And(_Combination):
    """All of the filters are true. Of none it is true."""

    __slots__ = ()


class Or(_Combination):
    """At least one of the filters is true. Of none it is false."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Not(PropertyFilter):
    """The filter is not true. There is no third value: not(x) is true wherever x is not."""

    filter: PropertyFilter
    depth: int = field(init=False, repr=False, default=1)
    size: int = field(init=False, repr=False, default=1)

    def __post_init__(self) -> None:
        """Check."""
        part = filter_node(self.filter)
        depth, size = _measure((part,), "not")
        _set(self, filter=part, depth=depth, size=size)


@dataclass(frozen=True, slots=True, eq=False)
class HasAnyLabel(EntityFilter):
    """The node has at least one of the labels."""

    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        """Check and copy."""
        _set(self, labels=check_labels(self.labels))


Comparison: TypeAlias = (
    Eq
    | Ne
    | Gt
    | Gte
    | Lt
    | Lte
    | Between
    | In
    | Nin
    | Contains
    | StartsWith
    | EndsWith
    | EqIgnoreCase
    | ContainsIgnoreCase
    | HasElement
    | Exists
)
"""The tests of one property."""

FilterNode: TypeAlias = Comparison | HasAnyLabel | And | Or | Not
"""Every node there is: a `match` over it ends with `assert_never`."""

_NODES: frozenset[type] = frozenset(get_args(FilterNode))


def filter_node(filter_: object) -> FilterNode:
    """Return a filter as one of the closed set of nodes.

    Raises:
        InvalidFilterError: It is no filter at all.
        UnsupportedFilterError: It is a class of somebody else's that inherits `PropertyFilter`.
    """
    if type(filter_) in _NODES:
        return cast("FilterNode", filter_)
    name = type(filter_).__name__
    if isinstance(filter_, PropertyFilter):
        msg = f"`{name}` is no node of the filter language; combine those of `graphrag.filters`"
        raise UnsupportedFilterError(msg, node=name, store="graphrag")
    msg = f"a filter is wanted, and a {name} is given; build one with `prop`, or read one with `parse_filter`"
    raise InvalidFilterError(msg)


def property_names(filter_: PropertyFilter) -> frozenset[str]:
    """Return the names of all properties that a filter reads.

    Raises:
        UnsupportedFilterError: The filter is none of this package's nodes.
    """
    node = filter_node(filter_)
    match node:
        case And(filters=filters) | Or(filters=filters):
            return frozenset().union(*map(property_names, filters))
        case Not(filter=part):
            return property_names(part)
        case HasAnyLabel():
            return frozenset()
        case _:
            return frozenset({node.key})


def _measure(parts: tuple[FilterNode, ...], name: str) -> tuple[int, int]:
    """Return levels and nodes of a combination of these parts."""
    nested = [part for part in parts if isinstance(part, And | Or | Not)]
    depth = 1 + max((part.depth for part in nested), default=1 if parts else 0)
    size = 1 + len(parts) - len(nested) + sum(part.size for part in nested)
    if depth > MAX_DEPTH:
        msg = f"the filter has {depth} levels; at most {MAX_DEPTH} are taken"
        raise InvalidFilterError(msg, place=name)
    if size > MAX_NODES:
        msg = f"the filter has {size} nodes; at most {MAX_NODES} are taken (use `in` for many values of one property)"
        raise InvalidFilterError(msg, place=name)
    return depth, size
