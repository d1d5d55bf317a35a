"""Filters as predicates of Cypher 25.

The plain cases read as one would write them, `(c.owner = $_filter_0) AND (c.confidenceScore >= $_filter_1)`;
guards come only where Cypher's own answer differs from `graphrag.filters.evaluate`:

- a missing property gives null, which a WHERE takes for false; under a negation `coalesce` makes it so;
- equal instants of two zones are unequal, so date-times with a zone are compared in UTC;
- IN and a search within text know nothing of the elements of a list;
- zero and large numbers are compared otherwise than as numbers (see `graphrag.compilers.cypher_numbers`);
- `toLower` fails on what is no text. CASE guards it: AND promises no order of evaluation.

Every value travels as a parameter. A name that is a plain word stands in the text, any other is a parameter too,
`c[$_filter_0]` or `$_filter_0 IN labels(c)`: the text depends on the shape of a filter alone.
"""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from typing import NamedTuple, assert_never

from graphrag.compilers.base import Compiled
from graphrag.compilers.cypher_numbers import ZEROS, float_form, integer_form, is_large, is_number, zero_bound
from graphrag.cypher import is_plain_word, plain_word
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
from graphrag.filters.simplify import FALSE, conjuncts
from graphrag.filters.values import ListValue, Scalar, kind_of

__all__ = ["CypherCompiler"]

_OPERATORS: dict[type, str] = {
    Gt: ">",
    Gte: ">=",
    Lt: "<",
    Lte: "<=",
    StartsWith: "STARTS WITH",
    EndsWith: "ENDS WITH",
}
_MAX_NAMED_LABELS = 32
_IS_LIST = "IS :: LIST<ANY> NOT NULL"
_IS_INTEGER = "IS :: INTEGER NOT NULL"
_IS_INTEGER_LIST = "IS :: LIST<INTEGER NOT NULL> NOT NULL"
_IS_TEXT = "IS :: STRING NOT NULL"
_IS_ZONED = "IS :: ZONED DATETIME NOT NULL"
_IS_ZONED_LIST = "IS :: LIST<ZONED DATETIME NOT NULL> NOT NULL"


class _Term(NamedTuple):
    """A piece of a predicate.

    Attributes:
        text: It.
        closed: Whether it keeps together beside any operator without brackets.
        nullable: Whether it can be null, which then stands for false.
    """

    text: str
    closed: bool = False
    nullable: bool = True


class CypherCompiler:
    """Compiles filters to predicates over one variable of a statement.

    Args:
        alias: The variable, a plain word.
        prefix: What the names of parameters begin with, a plain word; two predicates of one statement need two.
        scalar_keys: Properties that are known to hold no list on any node, so that `in` over them can be
            answered from an index.

    Raises:
        InvalidRequestError: `alias` or `prefix` is no plain word.
    """

    __slots__ = ("_alias", "_prefix", "_scalar_keys")

    def __init__(self, alias: str = "c", prefix: str = "_filter_", *, scalar_keys: Collection[str] = ()) -> None:
        self._alias = plain_word(alias)
        self._prefix = plain_word(prefix)
        self._scalar_keys = frozenset(scalar_keys)

    def compile(self, filters: Iterable[PropertyFilter | None], *, never_null: bool = False) -> Compiled:
        """Return the predicate that is true where all of the filters are: `true` where there is none.

        Args:
            filters: Conditions, each of them perhaps None, which is no condition.
            never_null: Whether the predicate must be false where it is not true. Else it may be null there, which
                is enough for WHERE.

        Raises:
            UnsupportedFilterError: A node that is none of this package's.
        """
        parts = conjuncts(filters)
        if not parts:
            return Compiled("true")
        first, *others = parts
        if first == FALSE:
            return Compiled("false")
        writer = _Writer(self._alias, self._prefix, self._scalar_keys)
        if others:
            term = writer.joined(" AND ", parts)
        else:
            term = writer.term(first)
            if isinstance(first, Or):
                term = term._replace(text=_operand(term), closed=True)
        return Compiled(_certain(term).text if never_null else term.text, writer.parameters)


class _Writer:
    """The state of one compilation: the parameters so far."""

    __slots__ = ("_alias", "_element", "_prefix", "_scalar_keys", "parameters")

    def __init__(self, alias: str, prefix: str, scalar_keys: Collection[str]) -> None:
        self._alias = alias
        self._prefix = prefix
        self._element = f"{prefix}element"
        self._scalar_keys = scalar_keys
        self.parameters: dict[str, object] = {}

    def term(self, node: FilterNode) -> _Term:  # noqa: C901, PLR0911, PLR0912 - one line a node
        match node:
            case And(filters=filters):
                return self.joined(" AND ", filters)
            case Or(filters=filters):
                return self.joined(" OR ", filters)
            case Not(filter=part):
                return _negated(self.term(filter_node(part)))
            case HasAnyLabel(labels=labels):
                return self._has_any_label(labels)
            case Exists(key=key):
                return _Term(f"{self._property(key)} IS NOT NULL", nullable=False)
            case Eq(key=key, value=value):
                return self._equals(key, value)
            case Ne(key=key, value=value):
                return self._differs(key, value)
            case (
                Gt(key=key, value=value)
                | Gte(key=key, value=value)
                | Lt(key=key, value=value)
                | Lte(key=key, value=value)
            ):
                return self._compared(key, (_OPERATORS[type(node)], value))
            case Between(key=key, low=low, high=high):
                return self._compared(key, (">=", low), ("<=", high))
            case In(key=key, values=values):
                return self._is_one_of(key, values)
            case Nin(key=key, values=values):
                return _negated(self._is_one_of(key, values))
            case StartsWith(key=key, value=value) | EndsWith(key=key, value=value):
                return _Term(f"{self._property(key)} {_OPERATORS[type(node)]} {self._value(value)}")
            case EqIgnoreCase(key=key, value=value):
                return self._lowered(key, "=", value)
            case ContainsIgnoreCase(key=key, value=value):
                return self._lowered(key, "CONTAINS", value)
            case Contains(key=key, value=value):
                return self._contains(key, value)
            case HasElement(key=key, value=value):
                return self._has_element(key, value)
            case _:
                assert_never(node)

    def joined(self, operator: str, filters: Iterable[PropertyFilter]) -> _Term:
        """Return two filters or more, joined by an operator."""
        terms = [self.term(filter_node(part)) for part in filters]
        return _Term(operator.join(map(_operand, terms)), nullable=any(term.nullable for term in terms))

    def _parameter(self, value: object) -> str:
        name = f"{self._prefix}{len(self.parameters)}"
        self.parameters[name] = value
        return f"${name}"

    def _value(self, value: Scalar | ListValue) -> str:
        """Return the reference to a value. Date-times with a zone go in UTC, as what they are compared with."""
        if isinstance(value, tuple):
            return self._parameter([_in_utc(item) for item in value])
        return self._parameter(_in_utc(value))

    def _property(self, key: str) -> str:
        if is_plain_word(key):
            return f"{self._alias}.{key}"
        return f"{self._alias}[{self._parameter(key)}]"

    def _has_any_label(self, labels: tuple[str, ...]) -> _Term:
        # Each set of labels in the text is another statement to plan, so a long one travels as data.
        named = len(labels) <= _MAX_NAMED_LABELS
        plain = [label for label in labels if named and is_plain_word(label)]
        others = [label for label in labels if not (named and is_plain_word(label))]
        tests: list[str] = []
        if plain:
            # The brackets keep `|` from ending the variable of a list comprehension that this may stand in.
            tests.append(f"({self._alias}:{'|'.join(plain)})")
        if len(others) == 1:
            tests.append(f"{self._parameter(others[0])} IN labels({self._alias})")
        elif others:
            among = f"{self._element} IN {self._parameter(others)}"
            tests.append(f"any({self._element} IN labels({self._alias}) WHERE {among})")
        if len(tests) == 1:
            return _Term(tests[0], closed=bool(plain), nullable=False)
        return _Term(f"({tests[0]} OR ({tests[1]}))", closed=True, nullable=False)

    def _equals(self, key: str, value: Scalar | ListValue) -> _Term:
        stored = self._property(key)
        if isinstance(value, tuple):
            return self._equals_list(stored, value)
        if _has_zone(value):
            return _guarded(f"{stored} {_IS_ZONED}", f"{_instant(stored)} = {self._value(value)}")
        if _is_delicate(value):
            return self._alternatives((value,)).of(stored)
        return _Term(f"{stored} = {self._value(value)}")

    def _equals_list(self, stored: str, values: ListValue) -> _Term:
        if _has_zone(values):
            return _guarded(f"{stored} {_IS_ZONED_LIST}", f"{self._instants(stored)} = {self._value(values)}")
        if any(map(_is_delicate, values)):
            numbers = [value for value in values if is_number(value)]
            integers = self._parameter([integer_form(number, "=") for number in numbers])
            floats = self._parameter([float_form(number, "=") for number in numbers])
            return _guarded(
                f"{stored} {_IS_INTEGER_LIST} THEN {stored} = {integers} WHEN {stored} {_IS_LIST}",
                f"{stored} = {floats}",
            )
        return _Term(f"{stored} = {self._value(values)}")

    def _differs(self, key: str, value: Scalar | ListValue) -> _Term:
        if _has_zone(value) or any(map(_is_delicate, value if isinstance(value, tuple) else (value,))):
            return _negated(self._equals(key, value))
        stored, wanted = self._property(key), self._value(value)
        return _Term(f"coalesce({stored} <> {wanted}, true)", closed=True, nullable=False)

    def _compared(self, key: str, *bounds: tuple[str, Scalar]) -> _Term:
        stored = self._property(key)
        if _has_zone(bounds[0][1]):
            return _guarded(f"{stored} {_IS_ZONED}", self._bounded(_instant(stored), bounds))
        if any(is_large(value) for _, value in bounds):
            numbers = [(operator, value) for operator, value in bounds if is_number(value)]
            integers = self._bounded(stored, [(name, integer_form(number, name)) for name, number in numbers])
            floats = self._bounded(stored, [(name, float_form(number, name)) for name, number in numbers])
            return _Term(f"CASE WHEN {stored} {_IS_INTEGER} THEN {integers} ELSE {floats} END", closed=True)
        return _Term(self._bounded(stored, bounds))

    def _bounded(self, subject: str, bounds: Iterable[tuple[str, Scalar]]) -> str:
        tests = [
            f"{subject} {operator} {self._value(zero_bound(operator) if _is_zero(value) else value)}"
            for operator, value in bounds
        ]
        return tests[0] if len(tests) == 1 else " AND ".join(f"({test})" for test in tests)

    def _lowered(self, key: str, operator: str, value: str) -> _Term:
        stored, wanted = self._property(key), self._value(value)
        return _guarded(f"{stored} {_IS_TEXT}", f"toLower({stored}) {operator} toLower({wanted})")

    def _contains(self, key: str, value: Scalar) -> _Term:
        if not isinstance(value, str):
            return self._has_element(key, value)
        stored, wanted = self._property(key), self._value(value)
        inside = f"{stored} CONTAINS {wanted}"
        if key in self._scalar_keys:
            return _Term(inside)
        return _Term(f"CASE WHEN {stored} {_IS_LIST} THEN {wanted} IN {stored} ELSE {inside} END", closed=True)

    def _has_element(self, key: str, value: Scalar) -> _Term:
        stored = self._property(key)
        if _has_zone(value):
            return _guarded(f"{stored} {_IS_ZONED_LIST}", f"{self._value(value)} IN {self._instants(stored)}")
        if _is_delicate(value):
            # Zero's range is null for elements of other kinds.
            test = _guarded(f"{stored} {_IS_LIST}", self._any(stored, self._alternatives((value,))))
            return test._replace(nullable=True)
        # Cypher takes a single value for a list of one, so IN alone would be true of it.
        return _Term(f"({stored} {_IS_LIST}) AND ({self._value(value)} IN {stored})", nullable=False)

    def _is_one_of(self, key: str, values: ListValue) -> _Term:
        stored, wanted = self._property(key), self._alternatives(values)
        if key in self._scalar_keys:
            return wanted.of(stored)
        test = f"CASE WHEN {stored} {_IS_LIST} THEN {self._any(stored, wanted)} ELSE {wanted.of(stored).text} END"
        return _Term(test, closed=True)

    def _any(self, stored: str, wanted: "_Alternatives") -> str:
        return f"any({self._element} IN {stored} WHERE {wanted.of(self._element).text})"

    def _alternatives(self, values: ListValue) -> "_Alternatives":
        """Return alternatives as parameters, those apart that the server would compare otherwise."""
        instants = tuple(value for value in values if _has_zone(value))
        integers: list[object] = []
        others: list[object] = []
        apart = any(map(is_large, values))
        for value in values:
            if not is_number(value):
                if not _has_zone(value):
                    others.append(value)
                continue
            if apart:
                integers.append(integer_form(value, "="))
            if value != 0:
                others.append(float_form(value, "=") if apart else value)
        return _Alternatives(
            self._value(instants) if instants else "",
            self._parameter(integers) if apart else "",
            self._parameter(others) if others else "",
            tuple(self._parameter(zero) for zero in ZEROS) if any(map(_is_zero, values)) else (),
        )

    def _instants(self, stored: str) -> str:
        return f"[{self._element} IN {stored} | {_instant(self._element)}]"


class _Alternatives(NamedTuple):
    """References to the values of a membership test, empty where there are none.

    Attributes:
        instants: Date-times with a zone.
        integers: What stored whole numbers are compared with, where that differs from `others`.
        others: The rest.
        zeros: The least and the greatest zero. A range has both; an index that is asked for a list drops one.
    """

    instants: str
    integers: str
    others: str
    zeros: tuple[str, ...]

    def of(self, single: str) -> _Term:
        """Return the test of a single value."""
        tests = [f"{single} IN {self.others}"] if self.others else []
        if self.zeros:
            least, greatest = self.zeros
            tests.append(f"({single} >= {least}) AND ({single} <= {greatest})")
        test = f"(({tests[0]}) OR ({tests[1]}))" if len(tests) > 1 else "".join(tests) or "false"
        if not self.instants and not self.integers:
            return _Term(test, closed=len(tests) > 1)
        cases = [f"WHEN {single} {_IS_ZONED} THEN {_instant(single)} IN {self.instants}"] if self.instants else []
        if self.integers:
            cases.append(f"WHEN {single} {_IS_INTEGER} THEN {single} IN {self.integers}")
        return _Term(f"CASE {' '.join(cases)} ELSE {test} END", closed=True, nullable=bool(tests))


def _guarded(condition: str, test: str) -> _Term:
    """Return a test that is evaluated only where a condition is true, and false elsewhere."""
    return _Term(f"CASE WHEN {condition} THEN {test} ELSE false END", closed=True, nullable=False)


def _operand(term: _Term) -> str:
    return term.text if term.closed else f"({term.text})"


def _certain(term: _Term) -> _Term:
    """Return a term that is false where the given one is null."""
    return _Term(f"coalesce({term.text}, false)", closed=True, nullable=False) if term.nullable else term


def _negated(term: _Term) -> _Term:
    return _Term(f"NOT {_operand(_certain(term))}", nullable=False)


def _instant(zoned: str) -> str:
    return f"datetime({{datetime: {zoned}, timezone: 'Z'}})"


def _has_zone(value: Scalar | ListValue) -> bool:
    if isinstance(value, tuple):
        # The elements of a list are all of one kind.
        return bool(value) and _has_zone(value[0])
    return kind_of(value) == "zoned date-time"


def _in_utc(value: Scalar) -> Scalar:
    return value.astimezone(UTC) if isinstance(value, datetime) and value.tzinfo is not None else value


def _is_zero(value: object) -> bool:
    return is_number(value) and value == 0


def _is_delicate(value: object) -> bool:
    """Tell whether a plain `=`, or an index that answers it, would be wrong."""
    return is_large(value) or _is_zero(value)
