"""Properties and labels of objects, as a filter sees them.

Of this package's own things these are what their nodes bear; of an application's objects (pydantic models, classes
of neomodel, dataclasses) their fields by name, and their classes as labels; of a mapping its items.
"""

import dataclasses
from collections.abc import Collection, Mapping
from enum import Enum
from typing import Protocol, cast, runtime_checkable

from pydantic import BaseModel

from graphrag.errors import InvalidFilterError
from graphrag.filters.evaluate import matches
from graphrag.filters.nodes import PropertyFilter
from graphrag.model.content import ContentElement, Document
from graphrag.model.datum import Datum
from graphrag.model.entity import NamedEntityData

__all__ = ["labels_of", "matches_object", "properties_of"]

_NOT_ON_NODES = frozenset({"metadata", "document_properties", "source_metadata", "properties", "entity_labels"})
_FILLED_IN = frozenset({"text", "truncated"})
"""Fields of a document or section that an expansion fills in; their nodes have none of them."""


@runtime_checkable
class _StructuredNode(Protocol):
    """A node of neomodel, told by what it offers: that package is optional."""

    @classmethod
    def defined_properties(cls, *, aliases: bool, properties: bool, rels: bool) -> Mapping[str, object]: ...

    @classmethod
    def inherited_labels(cls) -> Collection[str]: ...


def matches_object(filter_: PropertyFilter, item: object) -> bool:
    """Tell whether a filter is true of an object.

    Args:
        filter_: Any filter.
        item: See `properties_of`.

    Raises:
        InvalidFilterError: The object is of a kind that has no properties.
        UnsupportedFilterError: The filter is none of this package's nodes.
    """
    return matches(filter_, properties_of(item), labels_of(item))


def properties_of(item: object) -> dict[str, object]:
    """Return an object's properties by name.

    Args:
        item: A document, section, chunk or entity; any other pydantic model; a neomodel node (under the names that
            its properties have in the database); a dataclass; or a mapping. Members of an `Enum` count as their values.

    Raises:
        InvalidFilterError: It is something else.
    """
    match item:
        case Datum():
            return _of_datum(item)
        case BaseModel():
            values = {**dict(item), **(item.model_extra or {})}
        case Mapping():
            items = cast("Mapping[object, object]", item).items()
            values = {name: value for name, value in items if isinstance(name, str)}
        case _StructuredNode():
            values = _of_structured_node(item)
        case _ if dataclasses.is_dataclass(item) and not isinstance(item, type):
            values = {field.name: getattr(item, field.name, None) for field in dataclasses.fields(item)}
        case _:
            msg = (
                f"a {type(item).__name__} has no properties to filter on; pass a result's match, a pydantic model, a "
                "neomodel node, a dataclass or a mapping"
            )
            raise InvalidFilterError(msg)
    return {name: _plain(value) for name, value in values.items()}


def labels_of(item: object) -> tuple[str, ...]:
    """Return an object's labels: those of its node, or the names of its classes; none for a mapping."""
    match item:
        case Datum():
            return item.labels()
        case Mapping():
            return ()
        case _StructuredNode():
            return tuple(item.inherited_labels())
        case _:
            return tuple(kind.__name__ for kind in type(item).__mro__ if kind not in BaseModel.__mro__)


def _of_datum(item: Datum) -> dict[str, object]:
    left_out = _NOT_ON_NODES | _FILLED_IN if isinstance(item, ContentElement) else _NOT_ON_NODES
    own: dict[str, object] = {name: value for name, value in item if name not in left_out and value is not None}
    match item:
        case Document():
            if not item.pinned_metadata:
                del own["pinned_metadata"]
            return {**item.metadata, **item.document_properties, **own}
        case ContentElement():
            return own if "metadata" not in item.model_fields_set else {**item.metadata, **own}
        case NamedEntityData():
            return {**item.metadata, **item.properties, **own}
        case _:
            return {**item.metadata, **own}


def _of_structured_node(node: _StructuredNode) -> dict[str, object]:
    defined = node.defined_properties(aliases=False, properties=True, rels=False)
    return {
        str(getattr(definition, "db_property", None) or name): getattr(node, name, None)
        for name, definition in defined.items()
    }


def _plain(value: object) -> object:
    match value:
        case Enum():
            return cast("object", value.value)
        case list() | tuple():
            return [_plain(element) for element in cast("list[object]", value)]
        case _:
            return value
