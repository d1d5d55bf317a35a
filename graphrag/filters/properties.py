"""Comparisons in Python's own operators: `prop("year") >= 2020`."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import ClassVar, cast

from graphrag.filters.nodes import (
    Between,
    Contains,
    ContainsIgnoreCase,
    EndsWith,
    Eq,
    EqIgnoreCase,
    Exists,
    Gt,
    Gte,
    HasElement,
    In,
    Lt,
    Lte,
    Ne,
    Nin,
    PropertyFilter,
    StartsWith,
)
from graphrag.filters.values import Scalar, check_key

__all__ = ["Property", "prop"]


class Property:
    """A property's name, to compare with values: `prop("year") >= 2020`.

    Raises:
        InvalidFilterError: As the constructors of `PropertyFilter`.
    """

    __slots__ = ("_key",)
    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # `==` makes a filter, so a property is no key of a dictionary

    def __init__(self, key: str) -> None:
        self._key = check_key(key)

    def __repr__(self) -> str:
        """Return what makes it."""
        return f"prop({self._key!r})"

    def __eq__(self, value: object) -> Eq:  # type: ignore[override]  # a filter, not a truth value
        """Return: equals."""
        return Eq(self._key, cast("Scalar", value))

    def __ne__(self, value: object) -> Ne:  # type: ignore[override]  # a filter, not a truth value
        """Return: does not equal, or is missing."""
        return Ne(self._key, cast("Scalar", value))

    def __gt__(self, value: str | float | date | datetime) -> Gt:
        """Return: is greater."""
        return Gt(self._key, value)

    def __ge__(self, value: str | float | date | datetime) -> Gte:
        """Return: is greater or equal."""
        return Gte(self._key, value)

    def __lt__(self, value: str | float | date | datetime) -> Lt:
        """Return: is less."""
        return Lt(self._key, value)

    def __le__(self, value: str | float | date | datetime) -> Lte:
        """Return: is less or equal."""
        return Lte(self._key, value)

    def between(self, low: Scalar, high: Scalar) -> Between:
        """Return: lies between two values, both included."""
        return Between(self._key, low, high)

    def in_(self, *values: Scalar | Iterable[Scalar]) -> In:
        """Return: it, or an element of it, is one of the values."""
        return PropertyFilter.in_(self._key, *values)

    def nin(self, *values: Scalar | Iterable[Scalar]) -> Nin:
        """Return: neither it nor an element of it is one of the values, or it is missing."""
        return PropertyFilter.nin(self._key, *values)

    def contains(self, value: Scalar) -> Contains:
        """Return: is text that holds the value, or a list with this element."""
        return Contains(self._key, value)

    def starts_with(self, value: str) -> StartsWith:
        """Return: is text that begins so."""
        return StartsWith(self._key, value)

    def ends_with(self, value: str) -> EndsWith:
        """Return: is text that ends so."""
        return EndsWith(self._key, value)

    def eq_ignore_case(self, value: str) -> EqIgnoreCase:
        """Return: is this text, both in lower case."""
        return EqIgnoreCase(self._key, value)

    def contains_ignore_case(self, value: str) -> ContainsIgnoreCase:
        """Return: is text that holds the value, both in lower case."""
        return ContainsIgnoreCase(self._key, value)

    def has_element(self, value: Scalar) -> HasElement:
        """Return: is a list with this element."""
        return HasElement(self._key, value)

    def exists(self) -> Exists:
        """Return: is there."""
        return Exists(self._key)


def prop(key: str) -> Property:
    """Return a property to compare with values.

    Args:
        key: Its name, 1 to 256 characters. A dot is a character like any other.

    Raises:
        InvalidFilterError: The name is malformed, or of a property that cannot be filtered on.
    """
    return Property(key)
