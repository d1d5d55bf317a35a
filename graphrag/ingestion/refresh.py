"""When a known document is read again: fingerprints, and the policies that compare them."""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fnmatch import fnmatchcase
from typing import Literal, Protocol

from graphrag.config import ChunkerSettings
from graphrag.errors import InvalidRequestError
from graphrag.ingestion.chunker import CHUNKER_VERSION
from graphrag.ingestion.transformers import ChunkTransformer
from graphrag.model.metadata import CleanMetadata

__all__ = [
    "Action",
    "AlwaysRefresh",
    "Decision",
    "Fingerprint",
    "NeverRefreshExisting",
    "NeverRefreshExistingDocumentContentPolicy",
    "RefreshByAge",
    "RefreshByFingerprint",
    "RefreshByUriPattern",
    "RefreshPolicy",
    "StoredVersion",
]

Action = Literal["ingest", "skip", "metadata_only"]

_LABELS = {
    "bytes": "content",
    "meta": "metadata",
    "reader": "reader",
    "chunk": "chunker settings",
    "transform": "transformers",
    "embed": "embedding model",
}
"""Parts of a fingerprint, in order, and how a verdict names them."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A hash of all that shapes a stored document, part by part.

    Attributes:
        parts: Hash by label (`bytes`, `meta`, `reader`, `chunk`, `transform`, `embed`).
        text_reads_metadata: Whether a transformer puts metadata into texts, so that a change of metadata
            must embed again. No part of the stored form: the current transformers decide it.
    """

    parts: tuple[tuple[str, str], ...]
    text_reads_metadata: bool = field(default=False, compare=False)

    @classmethod
    def of(
        cls,
        content: bytes,
        *,
        metadata: CleanMetadata,
        reader: str,
        chunker: ChunkerSettings,
        transformer: ChunkTransformer,
        model_id: str,
    ) -> "Fingerprint":
        """Return the fingerprint of a version that would be made now.

        Args:
            content: The file's bytes.
            metadata: What the application says of the document.
            reader: Name and version of the reader.
            chunker: Sizes.
            transformer: The chain, as the chunker uses it (`Chunker.transformer`).
            model_id: Name and weights of the embedding model.
        """
        hashed = {
            "bytes": _hash(content),
            "meta": _hash(metadata.canonical().encode()),
            "reader": _hash(reader.encode()),
            "chunk": _hash(f"{CHUNKER_VERSION} {chunker.model_dump_json()}".encode()),
            "transform": _hash(f"{transformer.name} {transformer.version}".encode()),
            "embed": _hash(model_id.encode()),
        }
        return cls(tuple(hashed.items()), transformer.reads_metadata)

    @classmethod
    def parse(cls, text: str) -> "Fingerprint":
        """Return the fingerprint that `str` wrote; one without parts for any other text, which equals no real one."""
        pairs = [part.partition(":") for part in text.split(";") if part]
        if not all(separator and value for _, separator, value in pairs):
            return cls(())
        return cls(tuple((label, value) for label, _, value in pairs))

    def __str__(self) -> str:
        return ";".join(f"{label}:{value}" for label, value in self.parts)

    def changed_parts(self, stored: "Fingerprint") -> tuple[str, ...]:
        """Return the labels of the parts that differ from a stored version's, in order."""
        before, now = dict(stored.parts), dict(self.parts)
        return tuple(
            label for label in (*_LABELS, *sorted({*before, *now} - {*_LABELS})) if before.get(label) != now.get(label)
        )


@dataclass(frozen=True, slots=True)
class StoredVersion:
    """What a store knows of a document.

    Attributes:
        uri: Canonical URI.
        fingerprint: As it was stored.
        ingested_at: When it was written, with a time zone; None where that is not known.
    """

    uri: str
    fingerprint: str = ""
    ingested_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do with a document.

    Attributes:
        action: `ingest` it, `skip` it, or write its metadata anew without embedding (`metadata_only`).
        reason: A phrase for the verdict.
        changed: Labels of the parts of the fingerprint that changed, where a policy compared them.
    """

    action: Action
    reason: str
    changed: tuple[str, ...] = ()


class RefreshPolicy(Protocol):
    """Decides if a document is ingested again."""

    @property
    def compares_content(self) -> bool:
        """Whether `decide` reads `current`; if not, a known document need not be fetched to be skipped."""
        ...

    def decide(self, stored: StoredVersion | None, current: Fingerprint, *, now: datetime) -> Decision:
        """Return what to do.

        Args:
            stored: The version in the store; None for a document that is new to it.
            current: Fingerprint of what would be written now.
            now: The present, with a time zone.
        """
        ...


_NEW = Decision("ingest", "new document")


class _ComparesNothing:
    """What policies share that do not look at the fingerprint."""

    __slots__ = ()

    @property
    def compares_content(self) -> bool:
        """Whether `decide` reads `current`: no."""
        return False


@dataclass(frozen=True, slots=True)
class NeverRefreshExisting(_ComparesNothing):
    """Leaves every known document as it is."""

    def decide(self, stored: StoredVersion | None, current: Fingerprint, *, now: datetime) -> Decision:  # noqa: ARG002
        """Ingest a new document, skip a known one."""
        return _NEW if stored is None else Decision("skip", "known documents are not refreshed")


NeverRefreshExistingDocumentContentPolicy = NeverRefreshExisting
"""The name that the reference gives it."""


@dataclass(frozen=True, slots=True)
class AlwaysRefresh(_ComparesNothing):
    """Ingests every document, known or not."""

    def decide(self, stored: StoredVersion | None, current: Fingerprint, *, now: datetime) -> Decision:  # noqa: ARG002
        """Ingest it."""
        return _NEW if stored is None else Decision("ingest", "every document is refreshed")


@dataclass(frozen=True, slots=True)
class RefreshByFingerprint:
    """Ingests what differs in content, metadata or any setting from the stored version; the default of the CLI."""

    @property
    def compares_content(self) -> bool:
        """Whether `decide` reads `current`: yes."""
        return True

    def decide(self, stored: StoredVersion | None, current: Fingerprint, *, now: datetime) -> Decision:  # noqa: ARG002
        """Compare the parts; a change of metadata alone embeds nothing, unless a transformer reads metadata."""
        if stored is None:
            return _NEW
        changed = current.changed_parts(Fingerprint.parse(stored.fingerprint))
        if not changed:
            return Decision("skip", "nothing changed")
        reason = "changed: " + ", ".join(_LABELS.get(label, label) for label in changed)
        if changed == ("meta",) and not current.text_reads_metadata:
            return Decision("metadata_only", reason, changed)
        return Decision("ingest", reason, changed)


@dataclass(frozen=True, slots=True)
class RefreshByAge(_ComparesNothing):
    """Ingests a known document when its version is older than `max_age`.

    Raises:
        InvalidRequestError: `max_age` is negative.
    """

    max_age: timedelta

    def __post_init__(self) -> None:
        if self.max_age < timedelta(0):
            msg = f"`max_age` is {self.max_age}; it must not be negative"
            raise InvalidRequestError(msg)

    def decide(self, stored: StoredVersion | None, current: Fingerprint, *, now: datetime) -> Decision:  # noqa: ARG002
        """Compare the age; a version of unknown age counts as old.

        Raises:
            InvalidRequestError: `now` or the stored time has no time zone.
        """
        if stored is None:
            return _NEW
        if stored.ingested_at is None:
            return Decision("ingest", "age of the stored version is not known")
        for name, moment in (("now", now), ("ingested_at", stored.ingested_at)):
            if moment.utcoffset() is None:
                msg = f"`{name}` is {moment.isoformat()}, without a time zone; pass one with a zone, such as UTC"
                raise InvalidRequestError(msg)
        if now - stored.ingested_at > self.max_age:
            return Decision("ingest", f"older than {self.max_age}")
        return Decision("skip", f"not older than {self.max_age}")


@dataclass(frozen=True, slots=True)
class RefreshByUriPattern:
    """Applies one policy to URIs that match a pattern, and another to the rest.

    Args:
        patterns: Globs over the whole URI, case-sensitive: `*` is any text (with slashes), `?` one
            character, `[ab]` one of these. They never blow up, as regular expressions may.
        matching: For documents that match one of them; by default they are always refreshed.
        other: For all others; by default known ones are left as they are.

    Raises:
        InvalidRequestError: There is no pattern, or an empty one.
    """

    patterns: tuple[str, ...]
    matching: RefreshPolicy
    other: RefreshPolicy

    def __init__(
        self, patterns: Sequence[str], *, matching: RefreshPolicy | None = None, other: RefreshPolicy | None = None
    ) -> None:
        if isinstance(patterns, str) or not patterns or not all(patterns):
            msg = "`patterns` must be a list of one or more globs that are not empty, such as `https://docs.example.com/*`"
            raise InvalidRequestError(msg)
        object.__setattr__(self, "patterns", tuple(patterns))
        object.__setattr__(self, "matching", matching or AlwaysRefresh())
        object.__setattr__(self, "other", other or NeverRefreshExisting())

    @property
    def compares_content(self) -> bool:
        """Whether one of the two policies does."""
        return self.matching.compares_content or self.other.compares_content

    def decide(self, stored: StoredVersion | None, current: Fingerprint, *, now: datetime) -> Decision:
        """Apply the policy that the URI calls for."""
        if stored is None:
            return _NEW
        matches = any(fnmatchcase(stored.uri, pattern) for pattern in self.patterns)
        return (self.matching if matches else self.other).decide(stored, current, now=now)


def _hash(content: bytes) -> str:
    return base64.b32encode(hashlib.blake2b(content, digest_size=15).digest()).decode().lower()
