"""Generated filters, and generated properties to try them on, for property tests with Hypothesis.

    @given(filters(), property_maps())
    def test_my_store_agrees(filter_, properties):
        assert my_store(filter_, properties) == matches(filter_, properties)

The default values come from small pools, so that filters and properties often meet: the edges of the language
(missing, NaN, zeros, zones, repeated hours, letters with odd lower cases) come up all the time.
"""

# ruff: noqa: DTZ001, DTZ901, RUF001 - date-times without a zone and look-alike letters are values to test with

import math
from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

from graphrag.errors import InvalidFilterError, MissingExtraError
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
    StartsWith,
)
from graphrag.filters.values import ListValue, Scalar, check_key, check_ordered, kind_of
from graphrag.model.metadata import is_reserved

try:
    from hypothesis import strategies as st
except ImportError as _error:
    _needs = "the generation of filters"
    raise MissingExtraError(_needs, extra="testing") from _error

__all__ = ["filter_keys", "filter_values", "filters", "label_names", "property_maps", "property_values"]

_BERLIN = ZoneInfo("Europe/Berlin")
_KEYS = ("owner", "year", "tags", "a-b", "a.b", "a`b", 'a"b', "$odd", "and", "has label", "ключ", " ", "k" * 256)
_LABELS = ("Person", "Company", "Odd label", "`", "Ж", "L" * 64)
_TEXTS = (
    "", "alice", "Alice", "ALICE", "ali", "2024-01-01", "true", "1", "it's", 'say "x"', "back\\slash", "line\nend",
    "İ", "i̇", "ß", "ẞ", "ΑΣ", "ας", "ασ", "😀", "\ue000", "𝒳",
)  # fmt: skip
_NUMBERS = (0, 1, -1, 2020, 2**53, 2**53 + 1, 2**63 - 1, -(2**63))
_FLOATS = (0.0, -0.0, 1.0, 1.5, 2020.0, float(2**53), 1e308, 5e-324, math.inf, -math.inf)
_DATES = (date(2024, 1, 1), date(2024, 1, 31), date.min, date.max)
_DATE_TIMES = (datetime(2024, 1, 1), datetime(2024, 1, 1, 9, 30, 0, 1), datetime(1, 1, 1), datetime.max)
_ZONED = (
    datetime(2024, 1, 1, tzinfo=UTC),
    datetime(2024, 1, 1, 1, tzinfo=timezone(timedelta(hours=1))),
    datetime(2024, 1, 1, 1, tzinfo=_BERLIN),
    datetime(2023, 12, 31, 19, tzinfo=ZoneInfo("America/New_York")),
    datetime(2024, 10, 27, 2, 30, tzinfo=_BERLIN),
    datetime(2024, 10, 27, 2, 30, tzinfo=_BERLIN, fold=1),
    datetime(2024, 10, 27, 1, 30, tzinfo=UTC),
)
_TIMES = (time(9), time(9, 0, 0, 1), time(9, tzinfo=UTC), time(10, tzinfo=timezone(timedelta(hours=1))))
_DURATIONS = (timedelta(0), timedelta(1), timedelta(hours=24, seconds=1), timedelta(microseconds=-1), timedelta(-3, 7))
_LETTERS = st.characters(exclude_categories=("Cs", "Cn"), exclude_characters="\0")
"""Without letters that Unicode 14 does not know: their lower case depends on the age of the software."""


def filter_keys() -> st.SearchStrategy[str]:
    """Return names of properties that may be filtered on and that an application may set: plain, odd, and any."""
    return st.sampled_from(_KEYS) | st.text(_LETTERS, min_size=1, max_size=8).filter(_is_free_key)


def label_names() -> st.SearchStrategy[str]:
    """Return labels, plain words and others."""
    return st.sampled_from(_LABELS) | st.text(_LETTERS, min_size=1, max_size=8)


def _is_free_key(key: str) -> bool:
    try:
        check_key(key)
    except InvalidFilterError:
        return False
    return not is_reserved(key)


def _texts() -> st.SearchStrategy[str]:
    return st.sampled_from(_TEXTS) | st.text(_LETTERS, max_size=6)


def _by_kind() -> tuple[st.SearchStrategy[Scalar], ...]:
    zones = st.sampled_from((UTC, _BERLIN, ZoneInfo("Asia/Kathmandu"), timezone(timedelta(hours=-9, minutes=-30))))
    since, until = datetime(1970, 1, 2), datetime(2037, 1, 1)
    return (
        _texts(),
        st.booleans(),
        st.sampled_from(_NUMBERS) | st.integers(-(2**63), 2**63 - 1),
        st.sampled_from(_FLOATS) | st.floats(allow_nan=False),
        st.sampled_from(_DATES) | st.dates(),
        st.sampled_from(_DATE_TIMES) | st.datetimes(),
        st.sampled_from(_ZONED) | st.datetimes(since, until, timezones=zones),
        st.sampled_from(_TIMES) | st.times(),
        st.sampled_from(_DURATIONS) | st.timedeltas(timedelta(-99_999), timedelta(99_999)),
    )


def filter_values() -> st.SearchStrategy[Scalar]:
    """Return values of every kind that a filter compares with."""
    return st.one_of(*_by_kind())


def filters(
    keys: st.SearchStrategy[str] | None = None,
    values: st.SearchStrategy[Scalar] | None = None,
    *,
    labels: st.SearchStrategy[str] | None = None,
    max_depth: int = 4,
) -> st.SearchStrategy[FilterNode]:
    """Return filters of every node, constants and needless nesting included.

    Args:
        keys: Names of properties; `filter_keys()` by default.
        values: Single values; `filter_values()` by default. Those that have no order go into no ordering.
        labels: Labels; `label_names()` by default.
        max_depth: Most levels, 1..16.
    """
    level = st.one_of(
        _tests(
            filter_keys() if keys is None else keys,
            filter_values() if values is None else values,
        ),
        _label_tests(label_names() if labels is None else labels),
    )
    levels = [level]
    for _ in range(max_depth - 1):
        levels.append(level | _combined(levels[-1], levels[min(len(levels), 2) - 1]))
    return levels[-1]


def _combined(
    deep: st.SearchStrategy[FilterNode], flat: st.SearchStrategy[FilterNode]
) -> st.SearchStrategy[FilterNode]:
    # One part as deep as it may be, and two flat ones: so the deepest filters keep within the number of nodes.
    parts = st.tuples(st.lists(deep, max_size=1), st.lists(flat, max_size=2)).map(lambda both: (*both[0], *both[1]))
    return st.one_of(parts.map(And), parts.map(Or), deep.map(Not))


def _tests(keys: st.SearchStrategy[str], values: st.SearchStrategy[Scalar]) -> st.SearchStrategy[FilterNode]:
    texts = st.one_of(values.filter(lambda value: isinstance(value, str)).map(str), _texts())
    ordered = values.filter(_has_order)
    several = st.lists(values, max_size=3).map(tuple)
    whole = values | _lists(values)
    return st.one_of(
        *(st.builds(kind, keys, whole) for kind in (Eq, Ne)),
        *(st.builds(kind, keys, ordered) for kind in (Gt, Gte, Lt, Lte)),
        *(st.builds(kind, keys, several) for kind in (In, Nin)),
        *(st.builds(kind, keys, values) for kind in (Contains, HasElement)),
        *(st.builds(kind, keys, texts) for kind in (StartsWith, EndsWith, EqIgnoreCase, ContainsIgnoreCase)),
        st.builds(_between, keys, ordered, ordered),
        st.builds(Exists, keys),
    )


def _between(key: str, low: Scalar, high: Scalar) -> Between:
    return Between(key, low, high) if kind_of(low) == kind_of(high) else Between(key, low, low)


def _label_tests(labels: st.SearchStrategy[str]) -> st.SearchStrategy[FilterNode]:
    return st.lists(labels, min_size=1, max_size=3).map(tuple).map(HasAnyLabel)


def _has_order(value: Scalar) -> bool:
    try:
        check_ordered(value, "key")
    except InvalidFilterError:
        return False
    return True


def _lists(values: st.SearchStrategy[Scalar]) -> st.SearchStrategy[ListValue]:
    """Return lists of one kind, empty ones included."""
    return st.lists(values, max_size=3).map(lambda items: tuple(item for item in items if _alike(item, items[0])))


def _alike(one: Scalar, other: Scalar) -> bool:
    return kind_of(one) == kind_of(other)


def property_values(values: st.SearchStrategy[Scalar] | None = None) -> st.SearchStrategy[object]:
    """Return values of properties: scalars, NaN, lists, and what is kept as JSON (maps, lists of several kinds).

    Args:
        values: The single values; `filter_values()` by default.
    """
    single = filter_values() if values is None else values
    return st.one_of(
        single,
        single,
        _lists(single).map(list),
        st.just(math.nan),
        st.just([math.nan, 1.0]),
        st.lists(single, min_size=1, max_size=3),
        st.dictionaries(st.sampled_from(("a", "b")), single, min_size=1, max_size=2),
    )


def property_maps(
    keys: st.SearchStrategy[str] | Collection[str] | None = None, values: st.SearchStrategy[object] | None = None
) -> st.SearchStrategy[dict[str, object]]:
    """Return properties of a node, by name, as an application may give them as metadata.

    Args:
        keys: Their names: any of a strategy, or of a collection; `filter_keys()` by default.
        values: Their values; `property_values()` by default.
    """
    if keys is None:
        names = filter_keys()
    else:
        names = keys if isinstance(keys, st.SearchStrategy) else st.sampled_from(sorted(keys))
    return st.dictionaries(names, property_values() if values is None else values, max_size=5)
