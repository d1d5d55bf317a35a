"""Every format that Apache Tika knows, read in worker processes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar, Final, Protocol, cast

from graphrag.errors import PasswordRequiredError, UnreadableDocumentError, UnsupportedDocumentError
from graphrag.ingestion.readers.charset import is_binary
from graphrag.ingestion.readers.cleaning import cleaning_notes, word_set
from graphrag.ingestion.readers.dom import MAX_DEPTH, estimated_depth
from graphrag.ingestion.readers.properties import choose_title, map_properties
from graphrag.ingestion.readers.protocol import SourceBytes
from graphrag.ingestion.readers.tika_pool import TikaAnswer, WorkerEndedError, WorkerTimeoutError
from graphrag.ingestion.readers.tika_tree import TikaTree, build_tree
from graphrag.model.cleaning import clean_text
from graphrag.model.parsed import ParsedDocument

__all__ = ["TikaReader", "TikaService"]

_NOT_DOCUMENTS = word_set(
    "application/x-sharedlib application/x-executable application/x-elf application/x-object application/x-mach-o "
    "application/x-msdownload application/x-dosexec application/java-vm application/octet-stream "
    "application/x-sqlite3 application/x-font-ttf application/x-font-otf"
)
_TIKA_NAMES = (
    "X-TIKA:",
    "Content-Type",
    "resourceName",
    "access_permission:",
    "Multipart-",
    "pdf:unmapped",
    "pdf:chars",
)
"""Beginnings of names under which Tika tells how it read the file."""
_PDF: Final = "application/pdf"
_PDF_TAIL_BYTES: Final = 2_048
"""The end of a PDF, in which its last mark stands; as much is searched by PDFBox."""


class TikaService(Protocol):
    """What runs Tika: a pool of workers, or in a test what stands for one."""

    def prepare(self) -> None:
        """Make ready; raise what keeps Tika from running."""
        ...

    def parse(self, data: bytes, *, name: str, password: str | None = None) -> TikaAnswer:
        """Return what Tika makes of a file."""
        ...


class TikaReader:
    """Reads files through Tika.

    Args:
        service: Runs Tika; a `TikaPool`.
    """

    version = "tika-3.3.1-2"
    refusals: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            "corrupt": "is damaged",
            "bomb": "was refused: it unpacks to far more than its size allows",
            "memory": "needs more memory than a worker has; raise `tika.heap_mb`",
        }
    )
    """What is told of a file by the kind of its failure."""

    def __init__(self, service: TikaService) -> None:
        self._service = service

    def prepare(self) -> None:
        """Make sure that Tika runs, before any file is read.

        Raises:
            ConfigurationError: The worker does not start.
            LocalServerError: Tika's jars are not in place and cannot be fetched.
            MissingExtraError: The extra `tika` is not installed.
        """
        self._service.prepare()

    def read(self, source: SourceBytes, *, password: str | None = None) -> ParsedDocument:
        """Return the file's text with the structure that its format has.

        Raises:
            UnreadableDocumentError: The file is damaged or too big for a worker, or took too long.
            UnsupportedDocumentError: Tika does not know the format, or it is none of text.
            PasswordRequiredError: The file is encrypted, and the password is absent or wrong.
            ConfigurationError: No worker starts.
            LocalServerError: Tika's jars are not in place and cannot be fetched.
            MissingExtraError: The extra `tika` is not installed.
        """
        try:
            answer = self._service.parse(source.data, name=source.name, password=password)
        except WorkerTimeoutError as error:
            msg = f"`{source.uri}` took too long to parse; `tika.timeout_s` raises the limit"
            raise UnreadableDocumentError(msg, uri=source.uri) from error
        except WorkerEndedError as error:
            msg = f"`{source.uri}` ended the Tika worker: the file is damaged, or `tika.heap_mb` is too small"
            raise UnreadableDocumentError(msg, uri=source.uri) from error
        if answer.header.get("status") != "ok":
            return self._failed(answer.header, source, password)
        return _document(answer, source)

    def _failed(self, header: Mapping[str, object], source: SourceBytes, password: str | None) -> ParsedDocument:
        """Raise the error that a worker's refusal means; a file that Tika finds empty is no error."""
        kind = str(header.get("kind"))
        if kind == "empty":
            return ParsedDocument(title=choose_title((source.name,)), content_type="application/octet-stream")
        if kind == "encrypted":
            which = "no password was given" if password is None else "the password does not open it"
            msg = f"`{source.uri}` is encrypted, and {which}"
            raise PasswordRequiredError(msg, uri=source.uri)
        if kind == "unsupported":
            raise _unsupported(source, str(header.get("message")))
        msg = f"`{source.uri}` {self.refusals.get(kind, self.refusals['corrupt'])} ({header.get('message')})"
        raise UnreadableDocumentError(msg, uri=source.uri)


def _unsupported(source: SourceBytes, content_type: str) -> UnsupportedDocumentError:
    msg = f"`{source.uri}` is of type `{content_type}`, which holds no text that can be read"
    return UnsupportedDocumentError(msg, uri=source.uri)


def _document(answer: TikaAnswer, source: SourceBytes) -> ParsedDocument:
    result = _Result.of(answer.header)
    if result.content_type.startswith("text/") and is_binary(source.data):
        # Where the content says nothing, Tika goes by the file's name, and finds characters in any bytes.
        msg = f"`{source.uri}` is binary data of an unknown kind, not the text that its name promises"
        raise UnsupportedDocumentError(msg, uri=source.uri)
    cleaned = clean_text(answer.xhtml.decode("utf-8", "replace"))
    if (depth := estimated_depth(cleaned.text)) > MAX_DEPTH:
        msg = f"`{source.uri}` nests elements {depth} levels deep; at most {MAX_DEPTH} are read"
        raise UnreadableDocumentError(msg, uri=source.uri)
    properties = map_properties(_told(result.metadata), content_type=result.content_type)
    tree = build_tree(
        cleaned.text,
        content_type=result.content_type,
        told_title=properties.title or "",
        slide_titles=result.slide_titles,
    )
    if result.content_type == _PDF and not result.damaged:
        result = replace(result, damaged=_damage_of_pdf(source.data, tree, result))
    empty = not tree.outline.has_text and not tree.outline.headings and not tree.has_title
    if empty and result.damaged:
        msg = f"`{source.uri}` is damaged ({result.damaged}): no text of it can be read"
        raise UnreadableDocumentError(msg, uri=source.uri)
    if empty and _holds_no_text(result.content_type):
        raise _unsupported(source, result.content_type)
    blocks, sections = tree.outline.finish()
    return ParsedDocument(
        title=choose_title((properties.title, tree.visible_title, source.name)),
        content_type=result.content_type,
        blocks=blocks,
        sections=sections,
        language=properties.language,
        document_properties=properties.properties,
        source_metadata=properties.rest,
        partial=bool(result.notes),
        no_text_layer=not tree.outline.has_text and _has_pictures(tree, result),
        notes=(*cleaning_notes(cleaned), *result.notes, *properties.notes),
    )


@dataclass(frozen=True, slots=True)
class _Result:
    """The header of a worker's answer, typed."""

    metadata: Mapping[str, Sequence[str]]
    truncated: bool
    damaged: str
    embedded_media: int
    embedded_left_out: int
    slide_titles: Sequence[str]

    @classmethod
    def of(cls, header: Mapping[str, object]) -> "_Result":
        return cls(
            metadata=cast("Mapping[str, Sequence[str]]", header["metadata"]),
            truncated=bool(header["truncated"]),
            damaged=str(header["damaged"]),
            embedded_media=cast("int", header["embedded_media"]),
            embedded_left_out=cast("int", header["embedded_left_out"]),
            slide_titles=cast("Sequence[str]", header["slide_titles"]),
        )

    @property
    def content_type(self) -> str:
        told = next(iter(self.metadata.get("Content-Type", ())), "application/octet-stream")
        return told.split(";")[0].strip()

    @property
    def notes(self) -> list[str]:
        """Sentences on what of the file is missing; empty where it was read to its end."""
        notes: list[str] = []
        if self.damaged:
            notes.append(f"the file is damaged ({self.damaged}); what stands before the damage was read")
        if self.truncated:
            notes.append("the text is longer than `tika.max_output_chars`; its end was cut")
        if self.embedded_left_out:
            notes.append(f"embedded files left out, for their number or depth: {self.embedded_left_out}")
        return notes


def _holds_no_text(content_type: str) -> bool:
    return content_type in _NOT_DOCUMENTS or content_type.startswith(("audio/", "video/", "font/"))


def _told(metadata: Mapping[str, Sequence[str]]) -> dict[str, object]:
    """Return what the file tells of itself, without what Tika notes for itself."""
    return {
        name: values[0] if len(values) == 1 else list(values)
        for name, values in metadata.items()
        if values and not name.startswith(_TIKA_NAMES)
    }


def _damage_of_pdf(data: bytes, tree: TikaTree, result: _Result) -> str:
    """Return what is broken about a PDF that was opened by searching it for objects; empty where nothing is.

    Pages whose content lies behind a cut have no text, as those of a picture-only file have none.
    """
    if not tree.pages and not tree.outline.has_text:
        return "it has no pages"
    if "0" in result.metadata.get("pdf:charsPerPage", ()) and b"%%EOF" not in data[-_PDF_TAIL_BYTES:]:
        return "its end is missing"
    return ""


def _has_pictures(tree: TikaTree, result: _Result) -> bool:
    return result.content_type.startswith("image/") or tree.pages > 0 or result.embedded_media > 0
