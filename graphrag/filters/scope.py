"""What a caller may see: one piece, set by the application, that every path of every store goes through.

The rules, over and above what a call itself asks for:

- A chunk is visible if all metadata filters are true of it.
- A document or section is visible if one of its chunks is. Its text and its counts are those of visible chunks.
- An entity is visible if all entity filters are true of it and, where there are metadata filters, a visible
  chunk mentions it, or it is the application's own (not extracted) and the metadata filters are true of it.
- What is hidden and what is missing cannot be told apart.

This module is the definition, over plain properties; a store compiles the same rules.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Self, TypeAlias, cast

from graphrag.errors import InvalidFilterError, InvalidRequestError
from graphrag.filters.evaluate import matches
from graphrag.filters.nodes import In, PropertyFilter, filter_node, property_names
from graphrag.model.identity import check_collection

__all__ = ["EVERYTHING", "Node", "Scope", "check_counted", "check_scope", "check_scope_filter", "in_collections"]

Node: TypeAlias = tuple[Mapping[str, object], Collection[str]]
"""A node's properties by name, and its labels."""

_FILE_SET = frozenset({"document_title", "section_path", "title"})
_FILE_SET_PREFIX = "doc_"
_CHUNK_LABELS = ("Datum", "Retrievable", "Chunk")
_NEVER_ASKED = "\ue000"
_BARE: dict[str, object] = {
    "id": _NEVER_ASKED,
    "collection": _NEVER_ASKED,
    "uri": _NEVER_ASKED,
    "document_id": _NEVER_ASKED,
    "parent_id": _NEVER_ASKED,
}
"""What every chunk has, with values that no filter of an application asks for."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a caller may see. Immutable; narrowing gives a new one, and nothing can widen it.

    Attributes:
        metadata: Filters that must all be true of a chunk for it to be visible.
        entity: Filters that must all be true of an entity for it to be visible.
    """

    metadata: tuple[PropertyFilter, ...] = ()
    entity: tuple[PropertyFilter, ...] = ()

    def __post_init__(self) -> None:
        """Copy the filters: what a caller changes later, or gives as None, opens no scope.

        Raises:
            InvalidFilterError: They are no tuple of filters, or one of them is none.
        """
        for name in ("metadata", "entity"):
            filters: object = getattr(self, name)
            if not isinstance(filters, tuple | list):
                msg = f"a scope's filters come as a tuple; this is of type {type(filters).__name__}"
                raise InvalidFilterError(msg, place=name)
            object.__setattr__(self, name, tuple(map(filter_node, cast("Iterable[object]", filters))))

    def with_metadata_filter(self, filter_: PropertyFilter, *, allow_missing: bool = False) -> Self:
        """Return a scope that sees only those of the chunks that this one sees of which the filter is true too.

        Args:
            filter_: A filter on properties that the application sets.
            allow_missing: Take a filter that is true of a chunk without any metadata.

        Raises:
            InvalidFilterError: The filter is true of a node without properties and labels, or of every chunk
                (`collection exists`, `has label Chunk`); or it reads a property that a file sets of itself (`doc_…`,
                `document_title`, `title`, `section_path`).
        """
        check_scope_filter(filter_, allow_missing=allow_missing)
        return type(self)((*self.metadata, filter_node(filter_)), self.entity)

    def with_entity_filter(self, filter_: PropertyFilter) -> Self:
        """Return a scope that sees only those of the entities that this one sees of which the filter is true too.

        Raises:
            InvalidFilterError: It is no filter.
        """
        return type(self)(self.metadata, (*self.entity, filter_node(filter_)))

    def within(self, collections: Collection[str] | None) -> Self:
        """Return a scope that sees only what is in these collections; None changes nothing.

        Raises:
            InvalidRequestError: A name is no collection's, or the names do not come as a list.
        """
        inside = in_collections(collections)
        return self if inside is None else type(self)((*self.metadata, inside), self.entity)

    def sees_chunk(self, chunk: Node) -> bool:
        """Tell whether a chunk is visible."""
        return _all(self.metadata, chunk)

    def sees_element(self, chunks: Iterable[Node]) -> bool:
        """Tell whether a document or section is visible that has these chunks, at any depth below it."""
        return not self.metadata or any(self.sees_chunk(chunk) for chunk in chunks)

    def sees_entity(self, entity: Node, mentions: Iterable[Node]) -> bool:
        """Tell whether an entity is visible that these chunks mention."""
        if not _all(self.entity, entity):
            return False
        if not self.metadata or any(self.sees_chunk(chunk) for chunk in mentions):
            return True
        return entity[0].get("origin") == "application" and _all(self.metadata, entity)


EVERYTHING = Scope()
"""The scope of the application itself."""


def check_scope(scope: object) -> Scope:
    """Return what a caller may see; None is everything.

    Raises:
        InvalidRequestError: It is no scope. An empty mapping, say, must not pass for the scope that sees everything.
    """
    if scope is None:
        return EVERYTHING
    if not isinstance(scope, Scope):
        msg = (
            f"`scope` is of type {type(scope).__name__}; it must be a `Scope` (such as "
            "`Scope().with_metadata_filter(...)`), or None for everything"
        )
        raise InvalidRequestError(msg)
    return scope


def in_collections(collections: Collection[str] | None) -> In | None:
    """Return the filter of these collections; None for all of them.

    Raises:
        InvalidRequestError: A name is no collection's, or the names do not come as a list.
    """
    if collections is None:
        return None
    names = cast("object", collections)
    if isinstance(names, str | bytes) or not isinstance(names, Iterable):
        msg = f"`collections` is of type {type(names).__name__}; it must be a list of names"
        raise InvalidRequestError(msg)
    return In("collection", tuple(sorted({check_collection(name) for name in collections})))


def check_counted(where: PropertyFilter | None, scope: Scope) -> None:
    """Refuse to compare the stored number of a document's chunks within a scope that hides some of them.

    Raises:
        InvalidFilterError: The filter reads `chunk_count`, which would tell of hidden chunks.
    """
    if where is not None and scope.metadata and "chunk_count" in property_names(where):
        msg = "within a scope, `chunk_count` cannot be filtered on: what is stored counts chunks that are not visible"
        raise InvalidFilterError(msg, place="chunk_count")


def check_scope_filter(filter_: PropertyFilter, *, allow_missing: bool = False) -> None:
    """Refuse a filter that would not keep anything out, or that a file could make true of itself.

    Raises:
        InvalidFilterError: See `Scope.with_metadata_filter`.
    """
    for key in sorted(property_names(filter_)):
        if key in _FILE_SET or key.startswith(_FILE_SET_PREFIX):
            msg = (
                "a file sets this property of itself, so it cannot decide what a caller may see; give documents "
                "metadata of your own at ingestion, and filter on that"
            )
            raise InvalidFilterError(msg, place=key)
    if not allow_missing and (matches(filter_, {}, ()) or matches(filter_, _BARE, _CHUNK_LABELS)):
        msg = (
            "this filter is true of a chunk without any metadata, so documents that were ingested without it would be "
            "visible to everybody; join it with a positive condition (such as `tenant = 'a'`), or allow that "
            "explicitly (`allow_missing=True`)"
        )
        raise InvalidFilterError(msg, place="scope")


def _all(filters: Iterable[PropertyFilter], node: Node) -> bool:
    return all(matches(filter_, *node) for filter_ in filters)
