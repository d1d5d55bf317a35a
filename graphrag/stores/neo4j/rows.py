"""Between model objects and node properties: what is stored under which name, and how it is read back."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import cast

import neo4j.time
from neo4j.time import Date, DateTime, Duration, Time

from graphrag.errors import InvalidRequestError
from graphrag.model import Chunk, ContainerSection, Datum, Document, LeafSection, NamedEntityData, Section
from graphrag.model.metadata import CleanMetadata, check_metadata, is_reserved
from graphrag.model.tagged_json import load_tagged

__all__ = [
    "DIGEST_PREFIX",
    "chunk_properties",
    "datum_from_row",
    "digest_of",
    "document_properties",
    "json_safe",
    "metadata_hash",
    "same_text",
    "section_properties",
    "storable_metadata",
]

DIGEST_PART = 16
"""Hex digits of each of a digest's three parts: text, place, the document's metadata."""
DIGEST_PREFIX = 2 * DIGEST_PART

Row = Mapping[str, object]


def storable_metadata(metadata: Mapping[str, object]) -> dict[str, object]:
    """Return the node properties that hold this metadata.

    Raises:
        InvalidRequestError: A name or a value cannot be stored; the message names the key.
    """
    return _metadata_properties(check_metadata(metadata))


def _metadata_properties(clean: CleanMetadata) -> dict[str, object]:
    properties: dict[str, object] = dict(clean.properties)
    text = clean.metadata_json()
    return properties if text is None else {**properties, "metadata_json": text}


def document_properties(document: Document) -> dict[str, object]:
    """Return all properties of a document's node."""
    return _without_none(
        {
            **storable_metadata(document.metadata),
            **document.document_properties,
            "id": document.id,
            "collection": document.collection,
            "uri": document.uri,
            "title": document.title,
            "ingested_at": document.ingested_at,
            "fingerprint": document.fingerprint,
            "content_type": document.content_type,
            "language": document.language,
            "source_metadata": json.dumps(json_safe(document.source_metadata), ensure_ascii=False, sort_keys=True),
            "chunk_count": document.chunk_count,
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
    properties["digest"] = digest_of("", [properties, kind], "")
    return properties


def chunk_properties(chunk: Chunk, document_metadata: Mapping[str, object], metadata_hash: str) -> dict[str, object]:
    """Return all properties of a chunk's node but its vector.

    Args:
        chunk: Its own metadata come on top of the document's.
        document_metadata: What `storable_metadata` made of the document's metadata.
        metadata_hash: `digest_of` these alone; kept apart so that a change of metadata needs no other part.
    """
    own = storable_metadata(chunk.metadata) if chunk.metadata else {}
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
    extra = {name: value for name, value in own.items() if document_metadata.get(name) != value}
    return _without_none(
        {
            **document_metadata,
            **own,
            **place,
            "id": chunk.id,
            "text": chunk.text,
            "urtext": chunk.urtext,
            "digest": digest_of(chunk.text, [place, extra], metadata_hash),
        }
    )


def digest_of(text: str, place: object, metadata: object) -> str:
    """Return a node's digest: three hashes of fixed length, so that each can be compared by itself."""
    if not isinstance(metadata, str):
        metadata = _hash(json_safe(metadata))
    return _hash(text) + _hash(json_safe(place)) + (metadata or "0" * DIGEST_PART)


def metadata_hash(properties: Mapping[str, object]) -> str:
    """Return the third part of a digest."""
    return _hash(json_safe(properties))


def same_text(digest: str | None, other: str) -> bool:
    """Tell whether two digests are of nodes with the same text."""
    return digest is not None and digest[:DIGEST_PART] == other[:DIGEST_PART]


def _hash(value: object) -> str:
    raw = value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(raw.encode("utf-8", "surrogatepass"), digest_size=DIGEST_PART // 2).hexdigest()


def json_safe(value: object) -> object:
    """Return `value` with everything that JSON lacks as text (ISO form for dates and times)."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case datetime() | date() | time():
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


def datum_from_row(properties: Row, labels: Sequence[str]) -> Datum:
    """Return the model object of a node.

    Args:
        properties: The node's properties, without vectors or with None in their place.
        labels: The node's labels.

    Raises:
        InvalidRequestError: The labels are of no kind that this package writes.
    """
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
    return {name: _python_value(value) for name, value in row.items() if value is not None}


def _python_value(value: object) -> object:
    match value:
        case Date() | DateTime() | Time():
            return value.to_native()
        case Duration():
            return _timedelta(value)
        case list():
            return [_python_value(item) for item in cast("list[object]", value)]
        case _:
            return value


def _timedelta(value: neo4j.time.Duration) -> object:
    months, days, seconds, nanoseconds = value
    if months:
        # Python has no type for months; the ISO form loses nothing.
        return value.iso_format()
    return timedelta(days=days, seconds=seconds, microseconds=nanoseconds // 1000)
