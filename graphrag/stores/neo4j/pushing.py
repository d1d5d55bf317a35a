"""Which tests the vector index of this server answers inside a search, without missing a node.

`SEARCH … WHERE` takes a conjunction of equality, ranges, IN and IS NOT NULL over declared properties. Not
asked of it, each measured on 2026.08: date-times with a zone (equal instants in two zones are unequal there),
lists (an error), numbers from 2^53 up (a range loses neighbours), and IN over a property that holds a list on
some chunk (elements are not seen).
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime

from graphrag.cypher import is_plain_word
from graphrag.filters.nodes import Comparison, Eq, Exists, Gt, Gte, In, Lt, Lte
from graphrag.filters.values import ListValue, Scalar
from graphrag.model.metadata import is_reserved
from graphrag.stores.neo4j.stamp import MAX_LIST_NAMES

__all__ = ["OWN_SCALARS", "IndexedProperties"]

OWN_SCALARS = frozenset({
    "id", "collection", "uri", "document_id", "parent_id", "document_title", "title", "sequence_number", "position",
    "start", "end", "page", "source_start", "source_end", "level", "chunk_count", "content_type", "language",
    "fingerprint", "ingested_at", "name", "description", "origin",
})  # fmt: skip
"""Properties of ours that are never lists."""
_EXACT_NUMBERS = 2**53


@dataclass(frozen=True, slots=True)
class IndexedProperties:
    """What a vector index filters by, and where lists are.

    Attributes:
        declared: The properties that the index was made with.
        listed: Metadata names under which some chunk may have a list; None where that is not known.
    """

    declared: frozenset[str]
    listed: frozenset[str] | None

    @classmethod
    def of(cls, declared: Collection[str], listed: Collection[str] | None) -> "IndexedProperties":
        """Return it for what the schema's stamp says."""
        return cls(frozenset(declared), None if listed is None else frozenset(listed))

    def is_listless(self, name: str) -> bool:
        """Tell whether no chunk has a list under a name."""
        if name in OWN_SCALARS:
            return True
        if self.listed is None or name in self.listed or is_reserved(name) or not is_plain_word(name):
            return False
        return len(self.listed) < MAX_LIST_NAMES or name in self.declared

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
                return self.is_listless(test.key) and all(
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
