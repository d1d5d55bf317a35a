"""Which tests the vector index of this server answers inside a search, without missing a node.

`SEARCH … WHERE` takes a conjunction of equality, ranges, IN and IS NOT NULL over declared properties. Not
asked of it, each measured on 2026.08: date-times with a zone (equal instants in two zones are unequal there),
lists (an error), numbers from 2^53 up (a range loses neighbours), and IN over a property that holds a list on
some chunk (elements are not seen).
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime

from graphrag.filters.nodes import Comparison, Eq, Exists, Gt, Gte, In, Lt, Lte
from graphrag.filters.values import ListValue, Scalar

__all__ = ["IndexedProperties"]

_EXACT_NUMBERS = 2**53


@dataclass(frozen=True, slots=True)
class IndexedProperties:
    """What a vector index filters by.

    Attributes:
        declared: The properties it was made with.
        scalar: Those of them that no chunk has as a list.
    """

    declared: frozenset[str]
    scalar: frozenset[str]

    @classmethod
    def of(cls, declared: Collection[str], listed: Collection[str] | None) -> "IndexedProperties":
        """Return it for declared properties of which `listed` may hold lists; None where that is not known."""
        names = frozenset(declared)
        known = frozenset({"collection"}) if listed is None else names - frozenset(listed)
        return cls(names, names & known)

    def takes(self, test: Comparison) -> bool:
        """Tell whether the index can be asked this test, and then misses no node of which it is true."""
        if test.key not in self.declared:
            return False
        match test:
            case Exists():
                return True
            case Eq(value=value) | Gt(value=value) | Gte(value=value) | Lt(value=value) | Lte(value=value):
                return _is_indexed_exactly(value)
            case In(values=values):
                # Zero is asked for by a range, and so joined to the others by OR, which is an error inside a search.
                return test.key in self.scalar and all(
                    _is_indexed_exactly(value) and (isinstance(value, bool) or value != 0) for value in values
                )
            case _:
                return False


def _is_indexed_exactly(value: Scalar | ListValue) -> bool:
    match value:
        case str() | bool():
            return True
        case int() | float():
            return -_EXACT_NUMBERS < value < _EXACT_NUMBERS
        case datetime():
            return value.tzinfo is None
        case date():
            return True
        case _:
            return False
