"""What became of each document of an ingestion, and of the whole."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from graphrag.errors import (
    GraphRagError,
    PasswordRequiredError,
    UnsupportedDocumentError,
)

__all__ = ["DocumentVerdict", "IngestionProgress", "IngestionReport", "SilentProgress", "Verdict", "verdict_of_error"]

EXIT_OK = 0
EXIT_ALL_BAD = 1
EXIT_SOME_BAD = 3


class Verdict(StrEnum):
    """What became of one document."""

    ADDED = "added"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    REMOVED = "removed"
    """Its file is gone from its folder, and so it is from the store: where a synchronisation is asked for."""
    PARTIAL = "partial"
    """Reading stopped before the end; stored only where there was no version before."""
    NO_TEXT_LAYER = "no_text_layer"
    """There are pages or pictures, but no text in them; nothing is stored."""
    EMPTY = "empty"
    NEEDS_PASSWORD = "needs_password"  # noqa: S105 - a verdict
    UNSUPPORTED = "unsupported"
    FAILED = "failed"

    @property
    def bad(self) -> bool:
        """Whether the exit code tells of it."""
        return self in _BAD


_BAD = frozenset({Verdict.FAILED, Verdict.PARTIAL, Verdict.NEEDS_PASSWORD, Verdict.UNSUPPORTED})


@dataclass(frozen=True, slots=True)
class DocumentVerdict:
    """What became of one document.

    Attributes:
        uri: Canonical URI.
        verdict: In one word.
        reason: In a phrase: what changed, or what failed and what to do next.
        chunks: How many it has in the store now, as far as this run wrote it.
        embedded: How many chunks were embedded for it.
        notes: What was cut, skipped or replaced on the way.
        document_id: Its id, where it is in the store.
    """

    uri: str
    verdict: Verdict
    reason: str = ""
    chunks: int = 0
    embedded: int = 0
    notes: tuple[str, ...] = ()
    document_id: str | None = None


@dataclass(frozen=True, slots=True)
class IngestionReport:
    """The verdicts of one run, in the order in which the documents were named.

    Attributes:
        verdicts: One a document.
        nothing_found: Folders and patterns in which there was no file; not an error.
        skipped: Paths of what stood in folders but is no file to read (links out of the folder or to nothing, pipes,
            sockets, devices); the first 100.
        notes: What was not done, and why.
    """

    verdicts: tuple[DocumentVerdict, ...] = ()
    nothing_found: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def counts(self) -> Mapping[Verdict, int]:
        """How often each verdict was given."""
        return Counter(item.verdict for item in self.verdicts)

    @property
    def embedded(self) -> int:
        """How many chunks were embedded."""
        return sum(item.embedded for item in self.verdicts)

    @property
    def exit_code(self) -> int:
        """0 where all is well, 3 where some documents are bad, 1 where all of them are."""
        bad = sum(item.verdict.bad for item in self.verdicts)
        if not bad:
            return EXIT_OK
        return EXIT_ALL_BAD if bad == len(self.verdicts) else EXIT_SOME_BAD


class IngestionProgress(Protocol):
    """Is told how far an ingestion is. Called from one thread at a time."""

    def found(self, documents: int) -> None:
        """All documents are known now."""
        ...

    def embedded(self, chunks: int) -> None:
        """So many chunks more were embedded."""
        ...

    def finished(self, verdict: DocumentVerdict) -> None:
        """One document more has its verdict."""
        ...


class SilentProgress:
    """Tells nobody."""

    def found(self, documents: int) -> None:
        """Do nothing."""

    def embedded(self, chunks: int) -> None:
        """Do nothing."""

    def finished(self, verdict: DocumentVerdict) -> None:
        """Do nothing."""


def verdict_of_error(uri: str, error: GraphRagError, notes: Iterable[str] = ()) -> DocumentVerdict:
    """Return the verdict of a document that an error stopped."""
    match error:
        case PasswordRequiredError():
            verdict = Verdict.NEEDS_PASSWORD
        case UnsupportedDocumentError():
            verdict = Verdict.UNSUPPORTED
        case _:
            verdict = Verdict.FAILED
    return DocumentVerdict(uri, verdict, str(error), notes=tuple(notes))
