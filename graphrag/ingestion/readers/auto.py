"""The reader of all formats: looks at the file and hands it to the reader that knows it."""

from collections.abc import Iterable
from dataclasses import replace

from graphrag.ingestion.readers.delimited import DelimitedTextReader
from graphrag.ingestion.readers.detect import detect, named_for_tika
from graphrag.ingestion.readers.html import HtmlReader
from graphrag.ingestion.readers.markdown import MarkdownReader
from graphrag.ingestion.readers.properties import choose_title
from graphrag.ingestion.readers.protocol import Reader, SourceBytes
from graphrag.ingestion.readers.text import PlainTextReader
from graphrag.ingestion.readers.tika import TikaReader
from graphrag.model.parsed import ParsedDocument

__all__ = ["AutoReader"]


class AutoReader:
    """Reads Markdown, HTML, plain text and tables of text itself, and hands the rest to Tika.

    Args:
        tika: Reads every other format; a `TikaReader`, a `TikaServerReader`, or what stands for it. It is asked
            only for files that need it.
    """

    def __init__(self, tika: Reader) -> None:
        self._tika = tika
        self._readers: dict[str, Reader] = {
            "markdown": MarkdownReader(),
            "html": HtmlReader(),
            "text": PlainTextReader(),
            "delimited": DelimitedTextReader(),
            "tika": tika,
        }

    @property
    def version(self) -> str:
        """The versions of all readers: a new one of any gives a new fingerprint."""
        return " ".join(self._readers[name].version for name in sorted(self._readers))

    def prepare(self, names: Iterable[str]) -> None:
        """Start Tika, or see that its server answers, if one of the files is named like one that needs it.

        Called before a batch, this shows what keeps Tika from running before anything is written.

        Args:
            names: File names with their extensions.

        Raises:
            ConfigurationError: The worker does not start, or the Tika server cannot be used.
            LocalServerError: Tika's jars are not in place and cannot be fetched.
            MissingExtraError: The extra `tika` is not installed.
        """
        if isinstance(self._tika, TikaReader) and any(map(named_for_tika, names)):
            self._tika.prepare()

    def read(self, source: SourceBytes, *, password: str | None = None) -> ParsedDocument:
        """Return what the file says, by the reader that its content asks for.

        Raises:
            UnreadableDocumentError: The file is damaged, or its reader failed or ran out of time.
            UnsupportedDocumentError: No reader knows the format.
            PasswordRequiredError: The file is encrypted, and the password is absent or wrong.
        """
        found = detect(source)
        if found.format == "empty":
            return ParsedDocument(title=choose_title((source.name,)), content_type="text/plain")
        document = self._readers[found.format].read(source, password=password)
        return replace(document, notes=(found.note, *document.notes)) if found.note else document
