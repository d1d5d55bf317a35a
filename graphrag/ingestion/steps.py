"""What moves through the pipeline of an ingestion: one document, from bytes to its verdict. No I/O here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from graphrag.errors import GraphRagError
from graphrag.ingestion.readers.protocol import SourceBytes
from graphrag.ingestion.refresh import Decision, Fingerprint, RefreshPolicy
from graphrag.ingestion.sources import SourceFailure, SourceFile, SourceUrl
from graphrag.ingestion.verdicts import DocumentVerdict, Verdict, verdict_of_error
from graphrag.model import Document, MaterializedDocument
from graphrag.model.metadata import CleanMetadata
from graphrag.model.parsed import ParsedDocument
from graphrag.model.tagged_json import dump_tagged
from graphrag.stores.protocols import WriteOutcome

__all__ = [
    "Cut",
    "Group",
    "Job",
    "Known",
    "Loaded",
    "Source",
    "Step",
    "metadata_for",
    "nothing_in",
    "now",
    "pages",
    "verdict_of_write",
    "with_vectors",
]

T = TypeVar("T")

Source = SourceFile | SourceUrl | SourceFailure | SourceBytes
"""What an ingestion is given."""

_MAX_GROUP_DOCUMENTS = 64
_MAX_GROUP_CHUNKS = 1_000
"""As many as a store writes at once, in two transactions."""
_MAX_GROUP_CHARS = 4_000_000


@dataclass(frozen=True, slots=True)
class Job:
    """What holds for all documents of one call."""

    collection: str
    metadata: Mapping[str, object]
    clean: CleanMetadata
    policy: RefreshPolicy
    passwords: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """What is to be loaded, with what the store has of it."""

    item: Source
    stored: Document | None


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file's bytes, and the decision on them once it is made.

    Attributes:
        source: The bytes.
        fingerprint: Theirs.
        stored: What the store has of the document.
        decision: What is to be done with it.
        looked_up: Whether `stored` tells of it; not where a redirect gave it another URI.
    """

    source: SourceBytes
    fingerprint: Fingerprint
    stored: Document | None = None
    decision: Decision | None = None
    looked_up: bool = True


@dataclass(frozen=True, slots=True)
class Cut:
    """A document cut into chunks, with what its verdict will need.

    Attributes:
        uri: Canonical URI.
        materialized: The document with its chunks, and vectors as far as it has them.
        missing: Ids of the chunks that are to be embedded, or were.
        stored: The version in the store.
        partial: Whether its reader stopped before the end.
        reason: Of the decision; empty where no policy made one.
        notes: What was cut or replaced.
    """

    uri: str
    materialized: MaterializedDocument
    missing: frozenset[str] = frozenset()
    stored: Document | None = None
    partial: bool = False
    reason: str = ""
    notes: tuple[str, ...] = ()


Step = DocumentVerdict | Loaded | Cut
"""A document on its way, or at its end."""


@dataclass(slots=True)
class Group:
    """Documents that are embedded and written together.

    Attributes:
        wanted_chunks: How many chunks to embed make it full, at least 1.
        steps: Its documents, in order.
    """

    wanted_chunks: int
    steps: list[Step] = field(default_factory=list[Step])
    _missing: int = 0
    _chunks: int = 0
    _chars: int = 0

    def add(self, step: Step) -> None:
        """Take a document in."""
        self.steps.append(step)
        if isinstance(step, Cut):
            chunks = step.materialized.chunks
            self._missing += len(step.missing)
            self._chunks += len(chunks)
            self._chars += sum(len(chunk.text) + len(chunk.urtext) for chunk in chunks)

    @property
    def full(self) -> bool:
        """Whether to go on with it: nothing in it waits for others, or it has enough of anything."""
        return (
            not self._missing
            or self._missing >= self.wanted_chunks
            or self._chunks >= max(_MAX_GROUP_CHUNKS, self.wanted_chunks)
            or self._chars >= _MAX_GROUP_CHARS
            or len(self.steps) >= _MAX_GROUP_DOCUMENTS
        )


def pages(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield the items in slices of `size`, the last one perhaps shorter."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def metadata_for(job: Job, stored: Document | None) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return the metadata of a document's new version, and the names among it that were set by hand.

    What was set by hand stays, unless the job names it: a new version of a file must not take away what an
    administrator said of the document.
    """
    if stored is None:
        return dict(job.metadata), ()
    said = job.metadata.keys() | job.clean.absent
    kept = {name: stored.metadata[name] for name in stored.pinned_metadata if name in stored.metadata.keys() - said}
    merged = {**kept, **job.metadata}
    return merged, tuple(name for name in stored.pinned_metadata if name in merged)


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


def verdict_of_write(cut: Cut, outcome: WriteOutcome | GraphRagError) -> DocumentVerdict:
    """Return the verdict that follows from a write."""
    if isinstance(outcome, GraphRagError):
        return verdict_of_error(cut.uri, outcome, cut.notes)
    if cut.partial:
        verdict, reason = Verdict.PARTIAL, "reading stopped before the end; what could be read was stored"
    elif outcome.created:
        verdict, reason = Verdict.ADDED, cut.reason
    elif not (outcome.changed or cut.reason or _differs(cut.materialized.document, cut.stored)):
        verdict, reason = Verdict.UNCHANGED, "nothing changed"
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


def _differs(new: Document, stored: Document | None) -> bool:
    """Tell whether what is said of the document itself is another; when it was written does not count."""
    return stored is None or _said_of(new) != _said_of(stored)


def _said_of(document: Document) -> tuple[object, ...]:
    # As text, since 1, 1.0 and True are equal in Python, and are not the same in a store.
    metadata = dump_tagged({**document.metadata})
    return document.title, metadata, document.fingerprint, document.content_type, document.language


def now() -> datetime:
    """Return the present, in UTC."""
    return datetime.now(UTC)
