"""From a document of a data set to chunks: one chunk a document, or as an ingestion cuts it."""

import hashlib
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from graphrag.config import LIMITS, ChunkerSettings, Limits
from graphrag.embedding.protocol import Tokenizer
from graphrag.errors import InvalidRequestError
from graphrag.evaluation.datasets import Dataset, DatasetForm, EvaluationDocument
from graphrag.ingestion.chunker import CHUNKER_VERSION, MAX_TITLE_CHARS, Chunker
from graphrag.ingestion.given import GivenChunk, materialize_given
from graphrag.ingestion.readers import MarkdownReader, PlainTextReader, Reader, SourceBytes
from graphrag.ingestion.transformers import AddTitlesChunkTransformer
from graphrag.model import Document, MaterializedDocument
from graphrag.model.cleaning import clean_text

__all__ = ["Chunking", "ChunkingPlan", "DefaultChunks", "Prepared", "WholeDocuments", "chunking_plan"]

Chunking: TypeAlias = Literal["whole", "default"]
"""One chunk a document; or as an ingestion with default settings cuts it."""

_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document, ready but for its embeddings.

    Attributes:
        materialized: With its chunks; None where it holds no text.
        truncated_chunks: How many chunks have more tokens than the model reads.
        cut: Whether its text was longer than one chunk may be.
    """

    materialized: MaterializedDocument | None
    truncated_chunks: int = 0
    cut: bool = False


class ChunkingPlan(ABC):
    """How documents of a data set become chunks."""

    @property
    @abstractmethod
    def identity(self) -> str:
        """All that shapes the chunks beside the document, as text: another one gives other chunks."""

    @abstractmethod
    def prepare(self, dataset: Dataset, document: EvaluationDocument, *, collection: str) -> Prepared:
        """Return a document as chunks, under the URI that the data set gives it."""

    def fingerprint(self, document: EvaluationDocument, *, model_id: str) -> str:
        """Return a hash of all that shapes what is stored of a document."""
        parts = (self.identity, model_id, document.title, document.text)
        digest = hashlib.sha256()
        for part in parts:
            raw = part.encode("utf-8", "surrogatepass")
            digest.update(len(raw).to_bytes(8, "big") + raw)
        return f"eval:{digest.hexdigest()[:32]}"


def chunking_plan(
    chunking: Chunking, dataset: Dataset, *, settings: ChunkerSettings, tokenizer: Tokenizer | None
) -> ChunkingPlan:
    """Return the plan of that name.

    Args:
        chunking: Which one.
        dataset: Its form tells how its documents are read.
        settings: Sizes; read by `default` alone.
        tokenizer: The embedding model's.

    Raises:
        InvalidRequestError: The answers are spans, and one chunk a document would say nothing about them.
    """
    if chunking == "default":
        return DefaultChunks(settings, tokenizer=tokenizer)
    if dataset.form == "marked_spans":
        msg = (
            f"data set `{dataset.name}` marks spans of long documents, of which whole documents say nothing; take "
            "the chunking `default`"
        )
        raise InvalidRequestError(msg)
    return WholeDocuments(tokenizer=tokenizer)


class WholeDocuments(ChunkingPlan):
    """One chunk a document: title, blank line, text; no transformer. The model reads what it can of it.

    Args:
        tokenizer: Counts what the model does not read; None where only the endpoint knows.
        limits: Longest text of a chunk; more is cut.
    """

    def __init__(self, *, tokenizer: Tokenizer | None, limits: Limits = LIMITS) -> None:
        self._tokenizer = tokenizer
        self._limits = limits

    @property
    def identity(self) -> str:
        """Name and version of the plan, and its bounds."""
        return f"whole 1 {self._limits.max_text_chars} {self._limits.max_chunk_chars}"

    def prepare(self, dataset: Dataset, document: EvaluationDocument, *, collection: str) -> Prepared:
        """Return the document as one chunk."""
        parts = (document.title, document.text)
        text = "\n\n".join(clean_text(part).text for part in parts if part.strip())
        if not text.strip():
            return Prepared(None)
        kept = text[: self._limits.max_text_chars]
        uri = dataset.uri_of(document)
        root = Document(id="", uri=uri, title=_title(document, uri), collection=collection)
        # `urtext` has a bound of its own, below that of what is indexed and embedded.
        chunk = GivenChunk(urtext=kept[: self._limits.max_chunk_chars], text=kept)
        return Prepared(
            materialize_given(root, [chunk], embedding_model=""), int(self._exceeds(kept)), len(kept) < len(text)
        )

    def _exceeds(self, text: str) -> bool:
        tokenizer = self._tokenizer
        return tokenizer is not None and len(tokenizer.token_offsets(text)) > tokenizer.max_tokens


class DefaultChunks(ChunkingPlan):
    """As an ingestion does it: the readers, the chunker and the default transformer.

    Args:
        settings: Sizes.
        tokenizer: The embedding model's; None where only the endpoint knows.
    """

    def __init__(self, settings: ChunkerSettings, *, tokenizer: Tokenizer | None) -> None:
        self._chunker = Chunker(settings, tokenizer=tokenizer, transformer=AddTitlesChunkTransformer())
        self._readers: dict[DatasetForm, Reader] = {
            "marked_spans": MarkdownReader(),
            "judged_documents": PlainTextReader(),
        }

    @property
    def identity(self) -> str:
        """Versions and sizes."""
        transformer = self._chunker.transformer
        readers = " ".join(reader.version for reader in self._readers.values())
        sizes = self._chunker.settings.model_dump_json()
        return f"default 1 {readers} {CHUNKER_VERSION} {transformer.name} {transformer.version} {sizes}"

    def prepare(self, dataset: Dataset, document: EvaluationDocument, *, collection: str) -> Prepared:
        """Return the document as the chunker cuts it; texts of a corpus are plain text, files are Markdown."""
        uri = dataset.uri_of(document)
        source = SourceBytes(
            uri, document.text.encode("utf-8", "surrogatepass"), _title(document, uri), charset="utf-8"
        )
        parsed = self._readers[dataset.form].read(source)
        if dataset.form == "judged_documents":
            parsed = replace(parsed, title=_title(document, uri))
        result = self._chunker.chunk(parsed, uri=uri, collection=collection)
        whole = result.materialized
        if document.text.startswith(_BYTE_ORDER_MARK):
            # Readers leave the mark out, and the offsets of a data set count it.
            whole = _moved(whole, by=1)
        return Prepared(whole if whole.chunks else None, result.truncated_chunks)


def _title(document: EvaluationDocument, uri: str) -> str:
    title = " ".join(clean_text(document.title).text.split())
    return (title or uri)[:MAX_TITLE_CHARS]


def _moved(whole: MaterializedDocument, *, by: int) -> MaterializedDocument:
    chunks = tuple(
        chunk.model_copy(update={"source_start": chunk.source_start + by, "source_end": chunk.source_end + by})
        if chunk.source_start is not None and chunk.source_end is not None
        else chunk
        for chunk in whole.chunks
    )
    return replace(whole, chunks=chunks)
