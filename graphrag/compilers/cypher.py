"""Filters as predicates of Cypher 25.

The plain cases read as one would write them, `(c.owner = $_filter_0) AND (c.confidenceScore >= $_filter_1)`;
guards come only where Cypher's own answer differs from `graphrag.filters.evaluate`:

- a missing property gives null, which a WHERE takes for false; under a negation `coalesce` makes it so;
- equal instants of two zones are unequal, so date-times with a zone are compared in UTC;
- IN and a search within text know nothing of the elements of a list;
- `toLower` fails on what is no text. CASE guards it: AND promises no order of evaluation.

Every value travels as a parameter. A name that is a plain word stands in the text, any other is a parameter too,
`c[$_filter_0]` or `$_filter_0 IN labels(c)`: the text depends on the shape of a filter alone.
"""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from typing import NamedTuple, assert_never

from graphrag.compilers.base import Compiled
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
_IS_LIST = "IS :: LIST<ANY> NOT NULL"
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
                return self._compared(key, ((_OPERATORS[type(node)], value),))
            case Between(key=key, low=low, high=high):
                return self._compared(key, ((">=", low), ("<=", high)))
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
        plain = [label for label in labels if is_plain_word(label)]
        others = [label for label in labels if not is_plain_word(label)]
        tests: list[str] = []
        if plain:
            tests.append(f"{self._alias}:{'|'.join(plain)}")
        if len(others) == 1:
            tests.append(f"{self._parameter(others[0])} IN labels({self._alias})")
        elif others:
            among = f"{self._element} IN {self._parameter(others)}"
            tests.append(f"any({self._element} IN labels({self._alias}) WHERE {among})")
        if len(tests) == 1:
            return _Term(tests[0], nullable=False)
        return _Term(f"(({tests[0]}) OR ({tests[1]}))", closed=True, nullable=False)

    def _equals(self, key: str, value: Scalar | ListValue) -> _Term:
        stored, wanted = self._property(key), self._value(value)
        if not _has_zone(value):
            return _Term(f"{stored} = {wanted}")
        if isinstance(value, tuple):
            return _guarded(f"{stored} {_IS_ZONED_LIST}", f"{self._instants(stored)} = {wanted}")
        return _guarded(f"{stored} {_IS_ZONED}", f"{_instant(stored)} = {wanted}")

    def _differs(self, key: str, value: Scalar | ListValue) -> _Term:
        if _has_zone(value):
            return _negated(self._equals(key, value))
        stored, wanted = self._property(key), self._value(value)
        return _Term(f"coalesce({stored} <> {wanted}, true)", closed=True, nullable=False)

    def _compared(self, key: str, bounds: tuple[tuple[str, Scalar], ...]) -> _Term:
        stored = self._property(key)
        zoned = _has_zone(bounds[0][1])
        subject = _instant(stored) if zoned else stored
        tests = [f"{subject} {operator} {self._value(value)}" for operator, value in bounds]
        text = tests[0] if len(tests) == 1 else " AND ".join(f"({test})" for test in tests)
        return _guarded(f"{stored} {_IS_ZONED}", text) if zoned else _Term(text)

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
        # Cypher takes a single value for a list of one, so IN alone would be true of it.
        stored, wanted = self._property(key), self._value(value)
        if _has_zone(value):
            return _guarded(f"{stored} {_IS_ZONED_LIST}", f"{wanted} IN {self._instants(stored)}")
        return _Term(f"({stored} {_IS_LIST}) AND ({wanted} IN {stored})", nullable=False)

    def _is_one_of(self, key: str, values: ListValue) -> _Term:
        stored = self._property(key)
        zoned = tuple(value for value in values if _has_zone(value))
        others = tuple(value for value in values if not _has_zone(value))
        instants = self._value(zoned) if zoned else ""
        wanted = self._value(others) if others else ""
        if key in self._scalar_keys:
            return _is_one_of(stored, wanted, instants)
        of_element = _is_one_of(self._element, wanted, instants).text
        of_whole = _is_one_of(stored, wanted, instants).text
        return _Term(
            f"CASE WHEN {stored} {_IS_LIST} THEN any({self._element} IN {stored} WHERE {of_element}) "
            f"ELSE {of_whole} END",
            closed=True,
        )

    def _instants(self, stored: str) -> str:
        return f"[{self._element} IN {stored} | {_instant(self._element)}]"


def _is_one_of(single: str, wanted: str, instants: str) -> _Term:
    """Return the test of a single value against alternatives, those with a zone apart."""
    test = f"{single} IN {wanted}" if wanted else "false"
    if not instants:
        return _Term(test)
    among = f"{_instant(single)} IN {instants}"
    return _Term(f"CASE WHEN {single} {_IS_ZONED} THEN {among} ELSE {test} END", closed=True, nullable=bool(wanted))


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
