"""What a reader is given and what it promises."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from graphrag.model.parsed import ParsedDocument

__all__ = ["PreparedReader", "Reader", "SourceBytes"]


@dataclass(frozen=True, slots=True)
class SourceBytes:
    """A file's bytes and what is known about them from outside.

    Attributes:
        uri: Canonical URI; stands in errors.
        data: The whole file.
        name: File name with its extension; the last resort for a title.
        content_type: Media type that the transport told, if any. A hint: the content decides.
        charset: Encoding that the transport told, if any. A byte-order mark stands over it.
    """

    uri: str
    data: bytes = field(repr=False)
    name: str
    content_type: str | None = None
    charset: str | None = None


class Reader(Protocol):
    """Turns the bytes of one file into a tree of sections. Safe to call from several threads."""

    @property
    def version(self) -> str:
        """A word that changes whenever the same bytes would give another result; part of the fingerprint."""
        ...

    def read(self, source: SourceBytes, *, password: str | None = None) -> ParsedDocument:
        """Return what the file says; a file of blanks only gives a document without blocks and sections.

        Args:
            source: The file.
            password: Opens an encrypted file; ignored where the file is not encrypted.

        Raises:
            UnreadableDocumentError: The file is damaged, or its reader failed or ran out of time.
            UnsupportedDocumentError: No reader knows the format.
            PasswordRequiredError: The file is encrypted, and the password is absent or wrong.
        """
        ...


@runtime_checkable
class PreparedReader(Protocol):
    """A reader that can show, before a batch, that it will be able to read it."""

    def prepare(self, names: Iterable[str]) -> None:
        """Start what the files will need.

        Args:
            names: File names with their extensions.

        Raises:
            GraphRagError: Something that they need is not there or does not start.
        """
        ...
