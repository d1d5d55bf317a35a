"""What moves through the pipeline of an ingestion: one document, from bytes to its verdict. No I/O here."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from graphrag.errors import GraphRagError
from graphrag.ingestion.readers.protocol import SourceBytes
from graphrag.ingestion.refresh import Decision, Fingerprint, RefreshPolicy
from graphrag.ingestion.verdicts import DocumentVerdict, Verdict, verdict_of_error
from graphrag.model import Document, MaterializedDocument
from graphrag.model.metadata import CleanMetadata
from graphrag.model.parsed import ParsedDocument
from graphrag.stores.protocols import WriteOutcome

__all__ = ["Cut", "Job", "Loaded", "Step", "nothing_in", "now", "verdict_of_write", "with_vectors"]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file's bytes with the decision on them; or a verdict, where there is nothing more to do."""

    source: SourceBytes
    fingerprint: Fingerprint
    stored: Document | None = None
    decision: Decision | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """A document cut into chunks, with what its verdict will need."""

    uri: str
    materialized: MaterializedDocument
    missing: frozenset[str]
    stored: Document | None
    partial: bool
    reason: str
    notes: tuple[str, ...]


Step = DocumentVerdict | Loaded | Cut
"""A document on its way, or at its end."""


@dataclass(frozen=True, slots=True)
class Job:
    """What holds for all documents of one call."""

    collection: str
    metadata: Mapping[str, object]
    clean: CleanMetadata
    policy: RefreshPolicy
    passwords: tuple[str, ...]


def nothing_in(uri: str, parsed: ParsedDocument) -> DocumentVerdict | None:
    """Return the verdict of a document without text, or None."""
    if parsed.no_text_layer:
        reason = "it has pages or pictures, but no text layer; run it through OCR first"
        return DocumentVerdict(uri, Verdict.NO_TEXT_LAYER, reason, notes=parsed.notes)
    if parsed.sections or any(not block.text.isspace() for block in parsed.blocks if block.text):
        return None
    return DocumentVerdict(uri, Verdict.EMPTY, "it holds no text", notes=parsed.notes)


def with_vectors(cut: Cut, vectors: Mapping[str, NDArray[np.float32]]) -> Cut:
    """Return the document with those of the vectors that are its own."""
    own = {id_: vectors[id_] for id_ in cut.missing if id_ in vectors}
    return replace(cut, materialized=replace(cut.materialized, vectors={**cut.materialized.vectors, **own}))


def verdict_of_write(cut: Cut, outcome: WriteOutcome | Exception) -> DocumentVerdict:
    """Return the verdict that follows from a write; an error that is none of ours is raised."""
    if isinstance(outcome, GraphRagError):
        return verdict_of_error(cut.uri, outcome, cut.notes)
    if isinstance(outcome, Exception):
        raise outcome
    if cut.partial:
        verdict, reason = Verdict.PARTIAL, "reading stopped before the end; what could be read was stored"
    elif outcome.created:
        verdict, reason = Verdict.ADDED, cut.reason
    else:
        verdict, reason = Verdict.UPDATED, cut.reason
    return DocumentVerdict(
        cut.uri,
        verdict,
        reason,
        chunks=len(cut.materialized.chunks),
        embedded=len(cut.missing),
        notes=cut.notes,
        document_id=outcome.document_id,
    )


def now() -> datetime:
    """Return the present, in UTC."""
    return datetime.now(UTC)
