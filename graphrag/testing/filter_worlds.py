"""Generated nodes, and generated filters over them: what shows that two systems give filters one meaning.

    world = FilterWorld(seed=7)
    for filter_ in world.filters(1_000):
        wanted = [matches(filter_, node.properties, node.labels) for node in world.nodes]

The values are those over which systems part: neighbours of 2^53, NaN and infinities, equal instants in several zones,
hours that a clock repeats, texts that differ by case, by accents or only to people, names that are no plain words.
One seed gives the same world and the same filters on every machine.
"""

import math
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Final, cast
from zoneinfo import ZoneInfo

from graphrag.filters.nodes import (
    And,
    Between,
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
)
from graphrag.filters.values import Kind, Scalar, kind_of

__all__ = ["KEYS", "KINDS", "LABELS", "FilterWorld", "WorldNode"]

_BERLIN, _NEW_YORK, _KOLKATA = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York"), ZoneInfo("Asia/Kolkata")
_NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)
_REPEATED = datetime(2024, 10, 27, 2, 30, tzinfo=_BERLIN)
"""Half past two on the night when Berlin's clocks go back: it comes twice, an hour apart."""

_POOLS: Final[dict[Kind, tuple[Scalar, ...]]] = {
    "text": (
        "", " ", "a", "A", "ab", "aB", "abc", "b", "ba", "x\n", "\t", "1", "1.0", "true", "NaN", "null", "2024-03-01",
        "a%b", "a_b", "a\\b", "'", '"', "`", "\\u0060", "//", "/*", "$_filter_0", "é", "e\u0301", "É", "ß", "SS", "ẞ",
        "\u03c3", "ς", "Σ", "ΑΣ", "ας", "ΑΣΑ", "I", "i", "İ", "\u0131", "i\u0307", "K", "\u212a", "Ω", "\u2126",
        "ǆ", "ǅ", "Ǆ",
        "\ufb03", "\uff21", "\uff41", "\U00010400", "\U00010428", "😀", "日本", "\ud7ff", "\ue000", "a" * 300,
    ),
    "boolean": (False, True),
    "number": (
        0, -0.0, 1, 1.0, -1, 2, 2.5, 3, 0.1, 10, 100, -1.5, 2**53 - 1, 2**53, float(2**53), 2**53 + 1, 2**53 + 2,
        -(2**53) - 1, -float(2**53), 2**62, float(2**62), 2**62 + 1, 2**63 - 1, 2.0**63, -(2**63), -(2.0**63), 1e308,
        5e-324, float("inf"), float("-inf"),
    ),
    "date": (
        date(2024, 3, 1), date(2024, 3, 2), date(2024, 2, 29), date(1, 1, 1), date(9999, 12, 31), date(1970, 1, 1),
    ),
    "date-time": tuple(
        moment.replace(tzinfo=None)
        for moment in (
            datetime(2024, 3, 1, tzinfo=UTC), _NOON, _NOON.replace(microsecond=1), _NOON.replace(hour=13), _REPEATED,
            _REPEATED.replace(fold=1), datetime(1, 1, 1, tzinfo=UTC),
            datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        )
    ),
    "zoned date-time": (
        _NOON, _NOON.astimezone(_BERLIN), _NOON.astimezone(_NEW_YORK), _NOON.astimezone(_KOLKATA),
        _NOON.astimezone(timezone(timedelta(hours=1))), _NOON + timedelta(microseconds=1),
        (_NOON - timedelta(microseconds=1)).astimezone(_KOLKATA), _NOON.replace(tzinfo=_BERLIN),
        _REPEATED, _REPEATED.replace(fold=1), _REPEATED.astimezone(UTC), _REPEATED.replace(fold=1).astimezone(UTC),
        _REPEATED.astimezone(_NEW_YORK), datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC),
        datetime(1900, 1, 1, tzinfo=timezone(timedelta(hours=-12))),
    ),
    "time": (time(0), time(12), time(12, 0, 0, 1), time(13), time(23, 59, 59, 999_999)),
    "zoned time": (
        time(12, tzinfo=UTC), time(13, tzinfo=timezone(timedelta(hours=1))),
        time(12, tzinfo=timezone(timedelta(hours=1))),
        time(17, 30, tzinfo=timezone(timedelta(hours=5, minutes=30))), time(12, 0, 0, 1, tzinfo=UTC),
    ),
    "duration": (
        timedelta(0), timedelta(seconds=1), timedelta(seconds=-1), timedelta(hours=24), timedelta(days=1, hours=1),
        timedelta(minutes=90), timedelta(microseconds=1), timedelta(days=400), timedelta(days=-2, hours=1),
    ),
}  # fmt: skip

KINDS: Final[tuple[Kind, ...]] = tuple(_POOLS)
"""All kinds of values."""
KEYS: Final = (
    "owner", "year", "at", "day", "k", "null", "a-b", "we ird", "a.b", "ключ", "x`]", "line\n", "\\u0060", "İ",
)  # fmt: skip
"""Names of properties: plain words, one of them a word of query languages, and others."""
LABELS: Final = ("Person", "Place", "Per son", "Or`t", "Слово", "a\\u0060b")
"""Labels: plain words and others."""

_ORDERED: Final[frozenset[Kind]] = frozenset({"text", "boolean", "number", "date", "date-time", "zoned date-time"})
_FIRST_UNORDERED = "\ue000"
_NAN: Final = float("nan")
_LARGEST_PORTABLE: Final = 1e308


@dataclass(frozen=True, slots=True)
class WorldNode:
    """One node.

    Attributes:
        properties: Name to value, as a store keeps it: no None, lists of one type.
        labels: Its labels.
    """

    properties: Mapping[str, object]
    labels: frozenset[str]


class FilterWorld:
    """Nodes, and an endless source of filters that are true of some of them.

    Args:
        seed: What everything is generated from.
        size: Number of nodes.
        kinds: Kinds of values, for a store that cannot keep all of them.
        keys: Names of properties.
        labels: Labels of the nodes, and of filters.
        special_numbers: Whether NaN is stored, and infinities are stored and asked for.

    Attributes:
        nodes: The nodes.
        listless: Keys that hold a list on none of them.
    """

    def __init__(
        self,
        seed: int,
        *,
        size: int = 50,
        kinds: Collection[Kind] = KINDS,
        keys: Sequence[str] = KEYS,
        labels: Sequence[str] = LABELS,
        special_numbers: bool = True,
    ) -> None:
        self._seed = seed
        # Cryptography is not what these numbers are for.
        self._random = self._shape = random.Random(seed)  # noqa: S311
        self._keys, self._labels = tuple(keys), tuple(labels)
        self._special_numbers = special_numbers
        self._pools: dict[Kind, tuple[Scalar, ...]] = {
            kind: self._allowed(pool) for kind, pool in _POOLS.items() if kind in kinds
        }
        self._kinds = tuple(self._pools)
        # Most properties have one main kind, so that comparisons hit; a few hold anything.
        self._main: dict[str, Kind | None] = {
            key: self._random.choice(self._kinds) if self._random.random() < 0.8 else None for key in self._keys
        }
        self.listless: frozenset[str] = frozenset(key for key in self._keys if self._random.random() < 0.25)
        self.nodes: tuple[WorldNode, ...] = tuple(self._node() for _ in range(size))
        self._stored = self._by_kind()

    def filters(self, count: int, *, trees: int | None = None) -> Iterator[PropertyFilter]:
        """Yield so many filters, half of them single tests.

        Args:
            count: How many.
            trees: How many different trees of tests, keys and kinds of values they have; None lets all differ. Filters
                of one tree differ in their values, and mostly compile to one text, which a server plans once.
        """
        for _ in range(count):
            if trees is not None:
                self._shape = random.Random(f"{self._seed} {self._random.randrange(trees)}")  # noqa: S311 - as above
            yield self._filter(0 if self._shape.random() < 0.5 else self._shape.choice((1, 1, 2, 3)))

    def _by_kind(self) -> dict[tuple[str, Kind], list[Scalar]]:
        """Return what the nodes hold, elements of lists too, by key and kind."""
        found: dict[tuple[str, Kind], list[Scalar]] = {}
        for node in self.nodes:
            for key, value in node.properties.items():
                for item in cast("list[Scalar]", value if isinstance(value, list) else [value]):
                    if not _is_nan(item):
                        found.setdefault((key, kind_of(item)), []).append(item)
        return found

    def _allowed(self, pool: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
        if self._special_numbers:
            return pool
        return tuple(value for value in pool if not isinstance(value, float) or abs(value) <= _LARGEST_PORTABLE)

    def _node(self) -> WorldNode:
        properties = {key: self._property(key) for key in self._keys if self._random.random() < 0.7}
        count = self._random.choice((0, 1, 1, 2))
        return WorldNode(properties, frozenset(self._random.sample(self._labels, min(count, len(self._labels)))))

    def _property(self, key: str) -> object:
        kind = self._kind(key)
        if key in self.listless or self._random.random() < 0.75:
            if kind == "number" and self._special_numbers and self._random.random() < 0.08:
                return _NAN
            return self._value(kind)
        items = [self._value(kind) for _ in range(self._random.choice((0, 1, 1, 2, 3)))]
        if kind == "number":
            # A property holds numbers of one type.
            type_ = type(items[0]) if items else int
            items = [item for item in items if type(item) is type_]
            if type_ is float and self._special_numbers and self._random.random() < 0.1:
                items.append(_NAN)
        return items

    def _kind(self, key: str) -> Kind:
        main = self._main[key]
        return main if main is not None and self._shape.random() < 0.85 else self._shape.choice(self._kinds)

    def _value(self, kind: Kind) -> Scalar:
        return self._random.choice(self._pools[kind])

    def _filter(self, levels: int) -> PropertyFilter:
        choice = self._shape.random()
        if levels <= 0:
            if choice < 0.08:
                count = self._shape.randint(1, min(3, len(self._labels)))
                return HasAnyLabel(tuple(self._shape.sample(self._labels, count)))
            return self._shape.choice(_TESTS)(self, self._shape.choice(self._keys))
        if choice < 0.25:
            return Not(self._filter(levels - 1))
        parts = [
            self._filter(self._shape.randint(0, levels - 1))
            for _ in range(self._shape.choice((0, 1, 2, 2, 2, 3, 3, 4)))
        ]
        return And(tuple(parts)) if choice < 0.6 else Or(tuple(parts))

    def wanted(self, key: str, kind: Kind | None = None) -> Scalar:
        """Return a value to ask for: mostly one that a node has."""
        kind = kind or self._kind(key)
        stored = self._stored.get((key, kind))
        return self._random.choice(stored) if stored and self._random.random() < 0.75 else self._value(kind)

    def ordered(self, key: str, kind: Kind) -> Scalar:
        """Return a value of a kind that has an order."""
        value = self.wanted(key, kind)
        if isinstance(value, str) and any(letter >= _FIRST_UNORDERED for letter in value):
            return "a"
        return value

    def ordered_kind(self, key: str) -> Kind:
        """Return a kind that has an order: mostly that of the property."""
        kind = self._kind(key)
        return kind if kind in _ORDERED else self._shape.choice([kind for kind in self._kinds if kind in _ORDERED])

    def text(self, key: str) -> str:
        """Return a text to look for: often a part of one that a node has, or it in another case."""
        text = cast("str", self.wanted(key, "text"))
        start, end = sorted((self._random.randint(0, len(text)), self._random.randint(0, len(text))))
        return self._random.choice((text, text, text.upper(), text.lower(), text[:end], text[start:], text[start:end]))

    def bound(self, key: str) -> Scalar:
        """Return the bound of a range."""
        return self.ordered(key, self.ordered_kind(key))

    def between(self, key: str) -> Between:
        """Return a range, now and then an empty one."""
        kind = self.ordered_kind(key)
        low, high = self.ordered(key, kind), self.ordered(key, kind)
        if self._random.random() < 0.8 and _after(low, high):
            low, high = high, low
        return Between(key, low, high)

    def some(self, key: str) -> tuple[Scalar, ...]:
        """Return alternatives, of several kinds at times."""
        return tuple(self.wanted(key) for _ in range(self._shape.choice((0, 1, 1, 2, 2, 3, 6))))

    def whole(self, key: str) -> tuple[Scalar, ...]:
        """Return a list to compare with: mostly one that a node has, its elements perhaps written otherwise."""
        kind = self._kind(key)
        lists = [items for items in self._lists(key) if items and kind_of(items[0]) == kind]
        items = self._random.choice(lists) if lists and self._random.random() < 0.8 else [self._value(kind)]
        if self._shape.random() < 0.1:
            items = []
        if self._random.random() < 0.3:
            items = [_otherwise(item) for item in items]
        if self._random.random() < 0.2:
            items = items[::-1]
        return tuple(items)

    def _lists(self, key: str) -> Iterator[list[Scalar]]:
        for node in self.nodes:
            value = node.properties.get(key)
            if isinstance(value, list):
                yield [item for item in cast("list[Scalar]", value) if not _is_nan(item)]


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _after(one: Scalar, other: Scalar) -> bool:
    if isinstance(one, datetime) and isinstance(other, datetime) and one.tzinfo and other.tzinfo:
        return one.astimezone(UTC) > other.astimezone(UTC)
    return cast("float", one) > cast("float", other)


def _otherwise(value: Scalar) -> Scalar:
    """Return an equal value in another form."""
    match value:
        case bool():
            return value
        case int() if abs(value) < 2**53:
            return float(value)
        case float() if value.is_integer() and abs(value) < 2**53:
            return int(value)
        case datetime() if value.tzinfo is not None:
            return value.astimezone(_KOLKATA if value.year < 9999 else UTC)
        case _:
            return value


_TESTS: Final[tuple[Callable[[FilterWorld, str], PropertyFilter], ...]] = (
    lambda world, key: Eq(key, world.wanted(key)),
    lambda world, key: Eq(key, world.wanted(key)),
    lambda world, key: Eq(key, world.whole(key)),
    lambda world, key: Ne(key, world.wanted(key)),
    lambda world, key: Ne(key, world.whole(key)),
    lambda world, key: Gt(key, world.bound(key)),
    lambda world, key: Gte(key, world.bound(key)),
    lambda world, key: Lt(key, world.bound(key)),
    lambda world, key: Lte(key, world.bound(key)),
    lambda world, key: world.between(key),
    lambda world, key: In(key, world.some(key)),
    lambda world, key: In(key, world.some(key)),
    lambda world, key: Nin(key, world.some(key)),
    lambda world, key: Contains(key, world.wanted(key)),
    lambda world, key: Contains(key, world.text(key)),
    lambda world, key: StartsWith(key, world.text(key)),
    lambda world, key: EndsWith(key, world.text(key)),
    lambda world, key: EqIgnoreCase(key, world.text(key)),
    lambda world, key: ContainsIgnoreCase(key, world.text(key)),
    lambda world, key: HasElement(key, world.wanted(key)),
    lambda _, key: Exists(key),
)
