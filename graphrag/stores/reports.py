"""What stores report of themselves and of what they did: plain frozen values, the same for both faces."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import TypeAlias

__all__ = ["Deletion", "ExpandMethod", "StatementResult", "StatementValue", "StoreInfo", "WriteOutcome"]

StatementValue: TypeAlias = (
    bool
    | int
    | float
    | str
    | bytes
    | date
    | datetime
    | time
    | timedelta
    | list["StatementValue"]
    | dict[str, "StatementValue"]
    | None
)
"""A value in the answer to a statement: plain data.

A node is `{"element_id", "labels", "properties"}`, a relationship `{"element_id", "type", "start", "end",
"properties"}` with the element ids of its nodes, a path `{"nodes", "relationships"}`, a point `{"srid",
"coordinates"}`. Dates and times are Python's own, ISO text where those cannot hold them. A vector is the text `<vector
of 384 numbers>`.
"""


class ExpandMethod(StrEnum):
    """How a result is expanded to its surroundings."""

    SEQUENCE = "sequence"
    """To the chunks before and after it."""
    ZOOM_OUT = "zoom_out"
    """To the section or document around it."""


@dataclass(frozen=True, slots=True)
class WriteOutcome:
    """What the write of one document changed.

    Attributes:
        document_id: The document.
        created: Whether it was not there before.
        chunks_added: Chunks that were not there before.
        chunks_updated: Chunks that stayed, with another place, text, or metadata.
        chunks_kept: Chunks that stayed as they were.
        chunks_removed: Chunks that went.
    """

    document_id: str
    created: bool
    chunks_added: int = 0
    chunks_updated: int = 0
    chunks_kept: int = 0
    chunks_removed: int = 0

    @property
    def changed(self) -> bool:
        """Whether anything but the document's own properties changed."""
        return self.created or bool(self.chunks_added or self.chunks_updated or self.chunks_removed)


@dataclass(frozen=True, slots=True)
class Deletion:
    """How much a deletion took away.

    Attributes:
        documents: Documents that are gone.
        sections: Sections that are gone.
        chunks: Chunks that are gone.
    """

    documents: int = 0
    sections: int = 0
    chunks: int = 0

    def __add__(self, other: "Deletion") -> "Deletion":
        return Deletion(self.documents + other.documents, self.sections + other.sections, self.chunks + other.chunks)


@dataclass(frozen=True, slots=True)
class StoreInfo:
    """What a store holds and what it is.

    Attributes:
        kind: The kind of store, such as `neo4j`.
        documents: Number of documents.
        sections: Number of sections.
        chunks: Number of chunks.
        entities: Number of named entities.
        collections: Documents by collection.
        schema_version: Version of the schema; None where there is none yet.
        dimensions: Length of the stored vectors; None where there is no schema yet.
        embedding_model: Id of the model that made them.
        details: What else there is to say, by name (server version, edition, index names).
    """

    kind: str
    documents: int
    sections: int
    chunks: int
    entities: int
    collections: Mapping[str, int]
    schema_version: int | None = None
    dimensions: int | None = None
    embedding_model: str | None = None
    details: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StatementResult:
    """The answer to a statement of the caller.

    Attributes:
        columns: Names, in the statement's order.
        rows: In the statement's order, each with a value for each column.
        truncated: Whether there are rows beyond these, which a bound left out.
        notes: What was cut or left out.
    """

    columns: tuple[str, ...]
    rows: tuple[Mapping[str, StatementValue], ...]
    truncated: bool = False
    notes: tuple[str, ...] = ()
