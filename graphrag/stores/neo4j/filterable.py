"""Filter properties: which names can be one, and what the vector indexes of their generations are called.

A vector index filters by the properties that it was made with. Another list of them is another index, made
beside the live one: `chunk_embedding`, then `chunk_embedding_f2`, `chunk_embedding_f3`. The stamp counts the
generations. An index of the next generation may be in the making by anyone; all others but the live one are
left over, and no one can switch to them any more.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import cast

from graphrag.cypher import plain_word
from graphrag.errors import InvalidRequestError
from graphrag.model.metadata import is_reserved
from graphrag.stores.neo4j.indexes import IndexState, State
from graphrag.stores.neo4j.stamp import Stamp

__all__ = [
    "COLLECTION",
    "FILTERABLE",
    "FilterProperty",
    "adopt",
    "check_names",
    "is_filterable",
    "left_over",
    "list_names",
    "next_generation",
    "our_vector_indexes",
]

COLLECTION = "collection"
"""Always a filter property: searches take one collection or several."""
FILTERABLE = frozenset({COLLECTION, "uri", "document_title", "page", "sequence_number"})
"""Properties of our own that an index of chunks may filter by."""
_GENERATION = re.compile(r"(?P<base>.*?)(?:_f(?P<number>[1-9]\d*))?")


@dataclass(frozen=True, slots=True)
class FilterProperty:
    """How one filter property stands.

    Attributes:
        name: The property.
        range_index: How its range index stands, which counts and compares what matches.
        in_vector_index: Whether the live vector index filters by it.
        holds_lists: Whether some chunk has, or had, a list under it; None where that is not known. IN is then
            not asked of the vector index, which does not look into lists.
    """

    name: str
    range_index: State
    in_vector_index: bool
    holds_lists: bool | None


def is_filterable(name: str) -> bool:
    """Tell whether a vector index may filter by a property of this name."""
    return name in FILTERABLE or not is_reserved(name)


def check_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return names that can be declared, each once.

    Raises:
        InvalidRequestError: There is none, or no list of them; or one is no plain word, or a property of this
            package's own.
    """
    given = cast("object", names)
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        msg = f"the properties' names come as a list; this is of type {type(given).__name__}"
        raise InvalidRequestError(msg)
    wanted = tuple(names)
    if not wanted:
        msg = "no property is named; name at least one"
        raise InvalidRequestError(msg)
    for name in wanted:
        try:
            plain_word(name)
        except (TypeError, ValueError) as error:
            msg = f"a filter property is a plain word of at most 64 ASCII letters, digits and underscores; not {name!r}"
            raise InvalidRequestError(msg) from error
        if not is_filterable(name):
            msg = (
                f"`{name}` is a property of this package that a search cannot filter by; a filter property is a name "
                f"of metadata, or one of {', '.join(sorted(FILTERABLE))}"
            )
            raise InvalidRequestError(msg)
    return tuple(dict.fromkeys(wanted))


def next_generation(stamp: Stamp, names: Collection[str]) -> Stamp:
    """Return the stamp of the vector index that would follow, with other filter properties."""
    base, _ = _parts(stamp.vector_index)
    number = stamp.index_generation + 1
    return replace(
        stamp,
        filter_properties=tuple(names),
        pending_properties=tuple(name for name in stamp.pending_properties if name not in names),
        vector_index=f"{base}_f{number}",
        index_generation=number,
    )


def left_over(found: Mapping[str, IndexState], stamp: Stamp) -> list[str]:
    """Return the names of those vector indexes that no one uses or can switch to."""
    return [
        name
        for name in our_vector_indexes(found, stamp)
        if name != stamp.vector_index and _parts(name)[1] <= stamp.index_generation
    ]


def our_vector_indexes(found: Mapping[str, IndexState], stamp: Stamp) -> list[str]:
    """Return the names of all generations of the vector index that stand in the database, oldest first."""
    base = _parts(stamp.vector_index)[0]
    place = ("VECTOR", ("Chunk",), (stamp.embedding_property,))
    ours = [
        s.name for s in found.values() if (s.type, s.labels, s.properties[:1]) == place and _parts(s.name)[0] == base
    ]
    return sorted(ours, key=lambda name: _parts(name)[1])


def adopt(found: Mapping[str, IndexState], wanted: Stamp) -> Stamp:
    """Return a stamp that goes on with the newest vector index there is, where the stamp itself was lost."""
    for name in reversed(our_vector_indexes(found, wanted)):
        generation = _parts(name)[1]
        filters = found[name].properties[1:]
        if generation > 1 and filters[:1] == (COLLECTION,):
            return replace(wanted, vector_index=name, filter_properties=filters, index_generation=generation)
    return wanted


def list_names(properties: Mapping[str, object]) -> frozenset[str]:
    """Return the names under which a node's properties hold a list, and by which an index could filter."""
    return frozenset(
        name
        for name, value in properties.items()
        if isinstance(value, list | tuple) and is_filterable(name) and _is_plain(name)
    )


def _is_plain(name: str) -> bool:
    try:
        plain_word(name)
    except ValueError:
        return False
    return True


def _parts(index: str) -> tuple[str, int]:
    found = _GENERATION.fullmatch(index)
    assert found is not None  # noqa: S101 - the pattern takes any text
    return found["base"], int(found["number"] or 1)
