"""Between model objects and node properties: what is stored under which name, and how it is read back."""

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import cast

from pydantic import ValidationError

from graphrag.errors import InvalidRequestError, StoreError
from graphrag.model import Chunk, ContainerSection, Datum, Document, LeafSection, NamedEntityData, Section
from graphrag.model.metadata import is_reserved
from graphrag.model.tagged_json import load_tagged
from graphrag.stores.neo4j.digests import digest
from graphrag.stores.neo4j.inheritance import DocumentMetadata
from graphrag.stores.neo4j.temporal import driver_value, python_value
from graphrag.stores.neo4j.titles import title_key

__all__ = [
    "chunk_from_row",
    "chunk_properties",
    "datum_from_row",
    "document_properties",
    "json_safe",
    "section_properties",
    "visible_datum",
]

Row = Mapping[str, object]


def document_properties(document: Document, metadata: DocumentMetadata) -> dict[str, object]:
    """Return all properties of a document's node."""
    return _without_none(
        {
            **metadata.properties,
            **{name: driver_value(value) for name, value in document.document_properties.items()},
            "id": document.id,
            "collection": document.collection,
            "uri": document.uri,
            "title": document.title,
            "ingested_at": driver_value(document.ingested_at),
            "fingerprint": document.fingerprint,
            "content_type": document.content_type,
            "language": document.language,
            "source_metadata": json.dumps(json_safe(document.source_metadata), ensure_ascii=False, sort_keys=True),
            "chunk_count": document.chunk_count,
            "pinned_metadata": list(document.pinned_metadata) or None,
        }
    )


def section_properties(section: Section) -> dict[str, object]:
    """Return all properties of a section's node."""
    properties: dict[str, object] = {
        "id": section.id,
        "document_id": section.document_id,
        "parent_id": section.parent_id,
        "position": section.position,
        "title": section.title,
        "level": section.level,
        "section_path": list(section.section_path),
    }
    kind = isinstance(section, ContainerSection)
    properties["digest"] = digest("", [properties, kind])
    # Behind the digest: it follows from the title, and sections of older packages get it without a new version.
    properties["title_key"] = title_key(section.title)
    return properties


def chunk_properties(chunk: Chunk, metadata: DocumentMetadata) -> dict[str, object]:
    """Return all properties of a chunk's node but its vector."""
    inherited, own_hash = metadata.inherited(chunk.metadata)
    place: dict[str, object] = {
        "document_id": chunk.document_id,
        "parent_id": chunk.parent_id,
        "section_ids": list(chunk.section_ids),
        "section_path": list(chunk.section_path),
        "collection": chunk.collection,
        "uri": chunk.uri,
        "document_title": chunk.document_title,
        "sequence_number": chunk.sequence_number,
        "position": chunk.position,
        "start": chunk.start,
        "end": chunk.end,
        "page": chunk.page,
        "source_start": chunk.source_start,
        "source_end": chunk.source_end,
    }
    return _without_none(
        {
            **inherited,
            **place,
            "id": chunk.id,
            "text": chunk.text,
            "urtext": chunk.urtext,
            "digest": digest(chunk.text, [place, own_hash], metadata.hash),
        }
    )


def json_safe(value: object) -> object:  # noqa: PLR0911 - one line a kind
    """Return `value` with everything that JSON lacks as text (ISO form for dates and times)."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case datetime():
            zone: object = getattr(value.tzinfo, "zone", None)
            return f"{value.isoformat()}[{zone}]" if isinstance(zone, str) else value.isoformat()
        case date() | time():
            return value.isoformat()
        case timedelta():
            return f"P{value.days}DT{value.seconds}.{value.microseconds:06d}S"
        case Mapping():
            return {str(key): json_safe(item) for key, item in cast("Mapping[object, object]", value).items()}
        case list() | tuple() | set() | frozenset():
            return [json_safe(item) for item in cast("Sequence[object]", value)]
        case _:
            return str(value)


def _without_none(properties: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in properties.items() if value is not None}


def chunk_from_row(properties: object) -> Chunk:
    """Return the chunk of a node (see `datum_from_row`)."""
    return cast("Chunk", datum_from_row(properties, Chunk.own_labels))


def datum_from_row(properties: object, labels: object) -> Datum:
    """Return the model object of a node.

    Args:
        properties: The node's properties as a row has them, a map without vectors or with None in their place.
        labels: The node's labels as a row has them, a list.

    Raises:
        InvalidRequestError: The labels are of no kind that this package writes.
        StoreError: Properties are missing: the node was deleted while it was read (a statement is no snapshot),
            or something else than this package has written it.
    """
    incomplete = StoreError(
        "a node lacks labels or properties that this package writes: it was deleted while it was read, or changed by "
        "another program; try again",
        retryable=True,
    )
    if not labels:
        raise incomplete
    try:
        return _datum_from_row(cast("Row", properties), cast("Sequence[str]", labels))
    except ValidationError:
        raise incomplete from None


def visible_datum(row: Row) -> Datum:
    """Return the model object of a row with `properties`, `labels` and, of a document in a scope, `visible_chunks`.

    Raises:
        InvalidRequestError: As `datum_from_row`.
        StoreError: As `datum_from_row`.
    """
    datum = datum_from_row(row["properties"], row["labels"])
    visible = row.get("visible_chunks")
    return datum if visible is None else datum.model_copy(update={"chunk_count": visible})


def _datum_from_row(properties: Row, labels: Sequence[str]) -> Datum:
    kinds = set(labels)
    if "Chunk" in kinds:
        return _chunk(properties)
    if "Document" in kinds:
        return _document(properties)
    if "Section" in kinds:
        return _section(properties, container="ContainerSection" in kinds)
    if "NamedEntity" in kinds:
        return _entity(properties, labels)
    msg = f"a node with the labels {sorted(kinds)} is no document, section, chunk or entity"
    raise InvalidRequestError(msg)


def _chunk(row: Row) -> Chunk:
    values = _python_values(row)
    return Chunk.model_validate(_fields(Chunk, values) | {"metadata": _metadata(values)})


def _document(row: Row) -> Document:
    values = _python_values(row)
    source = values.pop("source_metadata", None)
    further = {
        "document_properties": {name: value for name, value in values.items() if name.startswith("doc_")},
        "source_metadata": json.loads(source) if isinstance(source, str) else {},
        "metadata": _metadata(values),
    }
    return Document.model_validate(_fields(Document, values) | further)


def _section(row: Row, *, container: bool) -> Section:
    kind = ContainerSection if container else LeafSection
    return kind.model_validate(_fields(kind, _python_values(row)))


def _entity(row: Row, labels: Sequence[str]) -> NamedEntityData:
    values = _python_values(row)
    own = NamedEntityData.own_labels
    further = {
        "entity_labels": tuple(sorted(label for label in labels if label not in own)),
        "properties": _metadata(values),
    }
    return NamedEntityData.model_validate(_fields(NamedEntityData, values, without=("properties",)) | further)


def _fields(kind: type[Datum], values: Row, *, without: tuple[str, ...] = ()) -> dict[str, object]:
    skipped = {*without, "metadata", "document_properties", "source_metadata"}
    return {name: values[name] for name in kind.model_fields if name in values and name not in skipped}


def _metadata(values: Row) -> dict[str, object]:
    metadata = {name: value for name, value in values.items() if not is_reserved(name)}
    text = values.get("metadata_json")
    if isinstance(text, str):
        metadata.update(cast("Mapping[str, object]", load_tagged(text)))
    return metadata


def _python_values(row: Row) -> dict[str, object]:
    return {name: python_value(value) for name, value in row.items() if value is not None}
