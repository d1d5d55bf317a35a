"""Filters as predicates of SQL, for SQLite and PostgreSQL.

A predicate reads two columns of JSON, which a store fills by `graphrag.compilers.sql_values`. In that form values are
equal where their strings are and sort as these do, so few guards are needed beside the two that every SQL needs:

- a missing property gives null, which a WHERE takes for false; under a negation `coalesce` makes it so;
- a range is closed by the end of the values of its kind, so that kinds never mix.

Every name and value travels as a parameter: the text depends on the shape of a filter alone.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias, assert_never

from graphrag.compilers.base import Compiled
from graphrag.compilers.sql_dialects import PostgresqlDialect, SqlDialect, SqliteDialect
from graphrag.compilers.sql_values import after_kind, after_prefix, stored_list, stored_value
from graphrag.cypher import plain_word
from graphrag.errors import ConfigurationError
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
from graphrag.filters.values import ListValue, Scalar

__all__ = ["DialectName", "SqlCompiler"]

DialectName: TypeAlias = Literal["sqlite", "postgresql"]

_DIALECTS: Final[Mapping[str, type[SqliteDialect | PostgresqlDialect]]] = {
    "sqlite": SqliteDialect,
    "postgresql": PostgresqlDialect,
}

_CHAIN: Final = 50
"""Most terms in a chain; it and the levels of the language keep far from the 1,000 levels that SQLite takes."""


class _Term(NamedTuple):
    """A piece of a predicate that keeps together beside any operator, and whether it can be null for false."""

    text: str
    nullable: bool = True


class SqlCompiler:
    """Compiles filters to predicates over two columns of JSON.

    Parameters are named: `:filter_0` for `sqlite3`, `%(filter_0)s` for psycopg 3. No function or extension is
    needed on the connection.

    Args:
        dialect: `sqlite` (from 3.31) or `postgresql` (from 14).
        properties: The column of properties, never null, as `properties_to_json` writes it: a plain word, or two
            with a dot between. Text of JSON in SQLite, `jsonb` in PostgreSQL.
        labels: The column of labels, never null, as `labels_to_json` writes it.
        prefix: What the names of parameters begin with, a plain word; two predicates of one statement need two.
        indexed_keys: Properties that an index over an expression exists for. Their names, plain words, stand in the
            text, as such an index asks for: `json_extract(properties, '$."owner"')` in SQLite,
            `((properties ->> 'owner') COLLATE "C")` in PostgreSQL. Other names are left parameters.

    Raises:
        ConfigurationError: There is no such dialect.
        InvalidRequestError: A column or the prefix is no plain word.
    """

    __slots__ = ("_dialect", "_indexed_keys", "_labels", "_prefix", "_properties")

    def __init__(
        self,
        dialect: DialectName,
        properties: str = "properties",
        *,
        labels: str = "labels",
        prefix: str = "filter_",
        indexed_keys: Collection[str] = (),
    ) -> None:
        if dialect not in _DIALECTS:
            msg = f"there is no SQL dialect {dialect!r}; it is one of {', '.join(_DIALECTS)}"
            raise ConfigurationError(msg)
        self._dialect = _DIALECTS[dialect]
        self._properties = _column(properties)
        self._labels = _column(labels)
        self._prefix = plain_word(prefix)
        self._indexed_keys = frozenset(indexed_keys)

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
        if parts[0] == FALSE:
            return Compiled("false")
        dialect = self._dialect(self._properties, self._labels, self._prefix, self._indexed_keys)
        terms = [_term(part, dialect) for part in parts]
        text = _text(" AND ", terms)
        if never_null and any(term.nullable for term in terms):
            text = f"coalesce({text}, false)"
        return Compiled(text, dialect.parameters)


def _column(name: str) -> str:
    return ".".join(plain_word(part) for part in name.split(".", 1))


def _term(node: FilterNode, dialect: SqlDialect) -> _Term:  # noqa: C901, PLR0911, PLR0912 - one line a node
    match node:
        case And(filters=filters):
            return _joined(" AND ", filters, dialect)
        case Or(filters=filters):
            return _joined(" OR ", filters, dialect)
        case Not(filter=part):
            return _negated(_term(filter_node(part), dialect))
        case HasAnyLabel(labels=labels):
            return _Term(dialect.has_any_label(labels), nullable=False)
        case Exists(key=key):
            return _Term(dialect.exists(key), nullable=False)
        case Eq(key=key, value=value):
            return _equals(key, value, dialect)
        case Ne(key=key, value=value):
            return _negated(_equals(key, value, dialect))
        case Gt() | Gte() | Lt() | Lte() | Between():
            return _Term(_in_range(node, dialect))
        case In(key=key, values=values):
            return _is_one_of(key, values, dialect)
        case Nin(key=key, values=values):
            return _negated(_is_one_of(key, values, dialect))
        case Contains(key=key, value=value):
            return _contains(key, value, dialect)
        case HasElement(key=key, value=value):
            return _Term(dialect.has_element(key, stored_value(value)))
        case StartsWith(key=key, value=value):
            start = stored_value(value)
            return _Term(dialect.in_range(key, start, after_prefix(start), operators=(">=", "<")))
        case EndsWith(key=key, value=value):
            return _Term(dialect.ends_with(key, value))
        case EqIgnoreCase(key=key, value=value):
            return _Term(dialect.lowered_equals(key, stored_value(value.lower())))
        case ContainsIgnoreCase(key=key, value=value):
            return _Term(dialect.lowered_holds_text(key, value.lower()))
        case _:
            assert_never(node)


def _joined(operator: str, filters: Iterable[PropertyFilter], dialect: SqlDialect) -> _Term:
    terms = [_term(filter_node(part), dialect) for part in filters]
    return _Term(f"({_text(operator, terms)})", nullable=any(term.nullable for term in terms))


def _text(operator: str, terms: Sequence[_Term]) -> str:
    """Join terms, many of them by groups: SQLite takes a chain for a tree as deep as the chain is long."""
    texts = [term.text for term in terms]
    while len(texts) > _CHAIN:
        groups = [texts[start : start + _CHAIN] for start in range(0, len(texts), _CHAIN)]
        texts = [f"({operator.join(group)})" for group in groups]
    return operator.join(texts)


def _negated(term: _Term) -> _Term:
    certain = f"coalesce({term.text}, false)" if term.nullable else term.text
    return _Term(f"(NOT {certain})", nullable=False)


def _equals(key: str, value: Scalar | ListValue, dialect: SqlDialect) -> _Term:
    if isinstance(value, tuple):
        return _Term(dialect.equals_list(key, stored_list(value)))
    return _Term(dialect.equals(key, stored_value(value)))


def _in_range(node: Gt | Gte | Lt | Lte | Between, dialect: SqlDialect) -> str:
    if isinstance(node, Between):
        low, high = stored_value(node.low), stored_value(node.high)
        return dialect.in_range(node.key, low, high, operators=(">=", "<="))
    value = stored_value(node.value)
    kind = value[0]
    match node:
        case Gt():
            return dialect.in_range(node.key, value, after_kind(value), operators=(">", "<"))
        case Gte():
            return dialect.in_range(node.key, value, after_kind(value), operators=(">=", "<"))
        case Lt():
            return dialect.in_range(node.key, kind, value, operators=(">=", "<"))
        case Lte():
            return dialect.in_range(node.key, kind, value, operators=(">=", "<="))
        case _:
            assert_never(node)


def _is_one_of(key: str, values: ListValue, dialect: SqlDialect) -> _Term:
    return _Term(dialect.is_one_of(key, list(dict.fromkeys(stored_list(values)))))


def _contains(key: str, value: Scalar, dialect: SqlDialect) -> _Term:
    has_element = dialect.has_element(key, stored_value(value))
    if not isinstance(value, str):
        return _Term(has_element)
    return _Term(f"({dialect.holds_text(key, value)} OR {has_element})")
