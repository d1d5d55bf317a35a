"""The two dialects of SQL: how each one reads a property in its stored form, and tests it.

A dialect writes text and collects parameters, and knows nothing of the nodes of the filter language. Every value
that it is given is in the form of `graphrag.compilers.sql_values`, every text that it returns keeps together beside
any operator. Tests can be null where the property is missing, if not said otherwise.
"""

import json
from collections.abc import Collection, Sequence
from typing import Protocol

from graphrag.compilers.sql_values import lowered_name, stored_name
from graphrag.cypher import is_plain_word

__all__ = ["PostgresqlDialect", "SqlDialect", "SqliteDialect"]


class SqlDialect(Protocol):
    """What a dialect can say. Lives for one compilation."""

    parameters: dict[str, object]

    def exists(self, key: str) -> str:
        """Return: the property is there. Never null."""
        ...

    def equals(self, key: str, value: str) -> str:
        """Return: the property is a single value, and this one."""
        ...

    def equals_list(self, key: str, values: list[str]) -> str:
        """Return: the property is this list."""
        ...

    def in_range(self, key: str, low: str, high: str, *, operators: tuple[str, str]) -> str:
        """Return: the property lies between two strings."""
        ...

    def is_one_of(self, key: str, values: list[str]) -> str:
        """Return: the property, or an element of it, is one of the values."""
        ...

    def has_element(self, key: str, value: str) -> str:
        """Return: the property is a list with this element."""
        ...

    def holds_text(self, key: str, part: str) -> str:
        """Return: the property is text that holds another."""
        ...

    def ends_with(self, key: str, end: str) -> str:
        """Return: the property is text that ends so."""
        ...

    def lowered_equals(self, key: str, value: str) -> str:
        """Return: the property is text, and this one in lower case."""
        ...

    def lowered_holds_text(self, key: str, part: str) -> str:
        """Return: the property is text that holds another in lower case."""
        ...

    def has_any_label(self, labels: tuple[str, ...]) -> str:
        """Return: the node has one of the labels. Never null."""
        ...


class _Dialect:
    """What the dialects share: the columns, and the parameters so far."""

    _reference: str

    def __init__(self, properties: str, labels: str, prefix: str, indexed_keys: Collection[str]) -> None:
        self._properties = properties
        self._labels = labels
        self._prefix = prefix
        self._indexed_keys = indexed_keys
        self.parameters: dict[str, object] = {}

    def _parameter(self, value: object) -> str:
        name = f"{self._prefix}{len(self.parameters)}"
        self.parameters[name] = value
        return self._reference.format(name)

    def _names_itself(self, key: str) -> bool:
        """Tell whether a key stands in the text, where an index over an expression needs it."""
        return key in self._indexed_keys and is_plain_word(key)


class SqliteDialect(_Dialect):
    """SQLite from 3.31. The columns hold JSON as text; text is compared by the collation BINARY."""

    _reference = ":{}"

    def exists(self, key: str) -> str:
        """Return: the property is there. Never null."""
        return f"({self._property(key)} IS NOT NULL)"

    def equals(self, key: str, value: str) -> str:
        """Return: the property is a single value, and this one."""
        return f"({self._property(key)} = {self._parameter(value)})"

    def equals_list(self, key: str, values: list[str]) -> str:
        """Return: the property is this list."""
        # A list is read as its JSON, which begins as no single value does.
        return f"({self._property(key)} = {self._parameter(_compact(values))})"

    def in_range(self, key: str, low: str, high: str, *, operators: tuple[str, str]) -> str:
        """Return: the property lies between two strings."""
        subject = self._property(key)
        first, second = operators
        return f"({subject} {first} {self._parameter(low)} AND {subject} {second} {self._parameter(high)})"

    def is_one_of(self, key: str, values: list[str]) -> str:
        """Return: the property, or an element of it, is one of the values."""
        path = self._path(key)
        subject = f"json_extract({self._properties}, {path})"
        test = f"IN {self._values(values)}"
        return f"({subject} {test} OR ({_is_list(subject)} AND {self._any(f'{self._properties}, {path}', test)}))"

    def has_element(self, key: str, value: str) -> str:
        """Return: the property is a list with this element."""
        path = self._path(key)
        subject = f"json_extract({self._properties}, {path})"
        test = f"= {self._parameter(value)}"
        return f"({_is_list(subject)} AND {self._any(f'{self._properties}, {path}', test)})"

    def holds_text(self, key: str, part: str) -> str:
        """Return: the property is text that holds another."""
        subject = self._property(key)
        return f"({_is_text(subject)} AND instr(substr({subject}, 2), {self._parameter(part)}) > 0)"

    def ends_with(self, key: str, end: str) -> str:
        """Return: the property is text that ends so."""
        subject = self._property(key)
        if not end:
            return f"({_is_text(subject)})"
        wanted = self._parameter(end)
        return f"({_is_text(subject)} AND substr(substr({subject}, 2), -length({wanted})) = {wanted})"

    def lowered_equals(self, key: str, value: str) -> str:
        """Return: the property is text, and this one in lower case."""
        return f"({self._lowered(key)} = {self._parameter(value)})"

    def lowered_holds_text(self, key: str, part: str) -> str:
        """Return: the property is text that holds another in lower case."""
        subject = self._lowered(key)
        return f"({_is_text(subject)} AND instr(substr({subject}, 2), {self._parameter(part)}) > 0)"

    def has_any_label(self, labels: tuple[str, ...]) -> str:
        """Return: the node has one of the labels. Never null."""
        return self._any(self._labels, f"IN {self._values(labels)}")

    def _property(self, key: str) -> str:
        return f"json_extract({self._properties}, {self._path(key)})"

    def _path(self, key: str) -> str:
        return f"'$.\"{key}\"'" if self._names_itself(key) else self._parameter(f'$."{stored_name(key)}"')

    def _lowered(self, key: str) -> str:
        lowered = self._parameter(f'$."{lowered_name(key)}"')
        return f"coalesce(json_extract({self._properties}, {lowered}), {self._property(key)})"

    def _any(self, source: str, test: str) -> str:
        """Return: one of the elements of some JSON passes a test."""
        element = f"{self._prefix}element"
        # Columns and prefix are plain words, and all else is the text of this class.
        return f"EXISTS (SELECT 1 FROM json_each({source}) AS {element} WHERE {element}.value {test})"  # noqa: S608

    def _values(self, values: Sequence[str]) -> str:
        return f"(SELECT value FROM json_each({self._parameter(_compact(values))}))"  # noqa: S608 - a parameter's name


class PostgresqlDialect(_Dialect):
    """PostgreSQL from 14, database in UTF-8. The columns are of type `jsonb`; text is compared by the collation "C"."""

    _reference = "%({})s"

    def exists(self, key: str) -> str:
        """Return: the property is there. Never null."""
        return f"({self._properties} ? {self._name(key)})"

    def equals(self, key: str, value: str) -> str:
        """Return: the property is a single value, and this one."""
        # Below the top level a list contains no single value, so this is equality. An index can answer it.
        return self._contains({stored_name(key): value})

    def equals_list(self, key: str, values: list[str]) -> str:
        """Return: the property is this list."""
        return f"({self._properties} -> {self._name(key)} = {self._parameter(_compact(values))}::jsonb)"

    def in_range(self, key: str, low: str, high: str, *, operators: tuple[str, str]) -> str:
        """Return: the property lies between two strings."""
        subject = self._property(key)
        first, second = operators
        return f"({subject} {first} {self._text(low)} AND {subject} {second} {self._text(high)})"

    def is_one_of(self, key: str, values: list[str]) -> str:
        """Return: the property, or an element of it, is one of the values."""
        return f"({self._properties} -> {self._name(key)} ?| {self._parameter(values)}::text[])"

    def has_element(self, key: str, value: str) -> str:
        """Return: the property is a list with this element."""
        return self._contains({stored_name(key): [value]})

    def holds_text(self, key: str, part: str) -> str:
        """Return: the property is text that holds another."""
        subject = self._property(key)
        return f"({_is_text(subject)} AND strpos(substr({subject}, 2), {self._text(part)}) > 0)"

    def ends_with(self, key: str, end: str) -> str:
        """Return: the property is text that ends so."""
        subject = self._property(key)
        if not end:
            return f"({_is_text(subject)})"
        wanted = self._text(end)
        return f"({_is_text(subject)} AND right(substr({subject}, 2), length({wanted})) = {wanted})"

    def lowered_equals(self, key: str, value: str) -> str:
        """Return: the property is text, and this one in lower case."""
        return f"({self._lowered(key)} = {self._text(value)})"

    def lowered_holds_text(self, key: str, part: str) -> str:
        """Return: the property is text that holds another in lower case."""
        subject = self._lowered(key)
        return f"({_is_text(subject)} AND strpos(substr({subject}, 2), {self._text(part)}) > 0)"

    def has_any_label(self, labels: tuple[str, ...]) -> str:
        """Return: the node has one of the labels. Never null."""
        return f"({self._labels} ?| {self._parameter(list(labels))}::text[])"

    def _property(self, key: str) -> str:
        return f'(({self._properties} ->> {self._name(key)}) COLLATE "C")'

    def _lowered(self, key: str) -> str:
        lowered = f"{self._properties} ->> {self._text(lowered_name(key))}"
        return f'(coalesce({lowered}, {self._properties} ->> {self._name(key)}) COLLATE "C")'

    def _name(self, key: str) -> str:
        return f"'{key}'" if self._names_itself(key) else self._text(stored_name(key))

    def _text(self, value: str) -> str:
        return f"{self._parameter(value)}::text"

    def _contains(self, part: dict[str, str] | dict[str, list[str]]) -> str:
        return f"({self._properties} @> {self._parameter(_compact(part))}::jsonb)"


def _is_text(subject: str) -> str:
    return f"{subject} >= 't' AND {subject} < 'u'"


def _is_list(subject: str) -> str:
    # What begins with a bracket, as a range that an index can answer.
    return f"{subject} >= '[' AND {subject} < '\\'"


def _compact(value: object) -> str:
    """Return JSON in the very bytes in which a stored list is read."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
