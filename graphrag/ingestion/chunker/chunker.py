"""Cuts a parsed document into chunks and gives everything its place.

Rules and their reasons: docs/chunking.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphrag.config import LIMITS, ChunkerSettings, Limits
from graphrag.embedding.protocol import Tokenizer
from graphrag.errors import ConfigurationError, InvalidRequestError
from graphrag.ingestion.chunker.assembly import Assembly
from graphrag.ingestion.chunker.cutting import CutSizes
from graphrag.ingestion.chunker.outline import MAX_TITLE_CHARS, Outline, Place, TextCleaner, shorten_title
from graphrag.ingestion.chunker.passage import Passage
from graphrag.ingestion.transformers import (
    AddSectionTitleChunkTransformer,
    ChainedChunkTransformer,
    ChunkTransformer,
)
from graphrag.model.cleaning import clean_text
from graphrag.model.content import Document
from graphrag.model.identity import check_collection, document_id
from graphrag.model.materialized import MaterializedDocument
from graphrag.model.metadata import bound_document_properties, check_metadata
from graphrag.model.parsed import Block, ParsedDocument

__all__ = ["CHUNKER_VERSION", "MAX_TITLE_CHARS", "ChunkResult", "Chunker"]

CHUNKER_VERSION = "1"
"""Goes into the fingerprint: change it whenever the same input gives other chunks."""


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """A document, ready but for its embeddings.

    Attributes:
        materialized: Document, sections, chunks.
        notes: Sentences on what was cut or replaced.
        truncated_chunks: How many have more tokens than the model takes (only with `allow_truncation`).
        nul_removed: NUL characters taken out of text and headings.
        surrogates_replaced: Lone surrogates that became U+FFFD.
    """

    materialized: MaterializedDocument
    notes: tuple[str, ...] = ()
    truncated_chunks: int = 0
    nul_removed: int = 0
    surrogates_replaced: int = 0


class Chunker:
    """Cuts documents by one set of sizes. Keeps no state between calls; may be shared by threads.

    Args:
        settings: Sizes, in characters of `urtext`.
        tokenizer: The embedding model's; None where only its endpoint counts, and sizes alone bound chunks.
        transformer: What gives chunks their `text`.
        limits: Bounds on the number of chunks, and on the size of each.

    Raises:
        ConfigurationError: `max_chunk_size` is over the limit for one chunk.
    """

    def __init__(
        self,
        settings: ChunkerSettings,
        *,
        tokenizer: Tokenizer | None,
        transformer: ChunkTransformer,
        limits: Limits = LIMITS,
    ) -> None:
        if settings.max_chunk_size > limits.max_chunk_chars:
            msg = f"`max_chunk_size` is {settings.max_chunk_size}; it must be at most {limits.max_chunk_chars}"
            raise ConfigurationError(msg)
        if settings.include_section_title_in_chunk and not transformer.adds_titles:
            transformer = ChainedChunkTransformer((AddSectionTitleChunkTransformer(), transformer))
        self._settings = settings
        self._tokenizer = tokenizer
        self._transformer = transformer
        self._limits = limits

    @property
    def settings(self) -> ChunkerSettings:
        """The sizes, for the fingerprint."""
        return self._settings

    @property
    def transformer(self) -> ChunkTransformer:
        """What gives chunks their text: the one given, after the one for section titles where settings ask for it."""
        return self._transformer

    def chunk(
        self,
        parsed: ParsedDocument,
        *,
        uri: str,
        collection: str = "default",
        metadata: Mapping[str, object] | None = None,
        fingerprint: str = "",
    ) -> ChunkResult:
        """Return the document with its sections and chunks.

        Args:
            parsed: What the reader made of the file.
            uri: Canonical URI.
            collection: The set of documents that it belongs to.
            metadata: What the application says of it; its chunks inherit it.
            fingerprint: Of this version, as text.

        Returns:
            Chunks whose [start, end), laid together without overlap, give the canonical text. A document
            without text and headings has none.

        Raises:
            InvalidRequestError: Collection, URI or metadata are not storable.
            IngestionError: More chunks than `max_document_chunks`; a transformer failed, or leaves no room
                for text within the model's limit. The stage is `chunk`.
            ModelCallError: The tokenizer cannot be loaded.
        """
        cleaner = TextCleaner()
        document = self._document(parsed, uri, collection=collection, metadata=metadata or {}, fingerprint=fingerprint)
        outline = Outline(parsed, document_id=document.id, uri=uri, cleaner=cleaner)
        assembly = self._assemble(document, outline)
        materialized = MaterializedDocument(
            document.model_copy(update={"chunk_count": len(assembly.chunks)}),
            tuple(assembly.sections),
            tuple(assembly.chunks),
        )
        return ChunkResult(
            materialized,
            tuple(_notes(cleaner, assembly.truncated_chunks, outline)),
            assembly.truncated_chunks,
            cleaner.nul_removed,
            cleaner.surrogates_replaced,
        )

    def _document(
        self, parsed: ParsedDocument, uri: str, *, collection: str, metadata: Mapping[str, object], fingerprint: str
    ) -> Document:
        if not uri or clean_text(uri).text != uri:
            msg = f"`uri` is {uri[:80]!r}; it must be text without NUL and lone surrogates"
            raise InvalidRequestError(msg)
        title = shorten_title(" ".join(clean_text(parsed.title).text.split())) or uri
        return Document(
            id=document_id(check_collection(collection), uri),
            uri=uri,
            title=shorten_title(title),
            collection=collection,
            metadata=check_metadata(metadata, limits=self._limits).values(),
            fingerprint=fingerprint,
            content_type=parsed.content_type,
            language=parsed.language,
            document_properties=bound_document_properties(parsed.document_properties, limits=self._limits),
            source_metadata=parsed.source_metadata,
        )

    def _assemble(self, document: Document, outline: Outline) -> Assembly:
        settings, tokenizer = self._settings, self._tokenizer
        max_tokens = None if tokenizer is None or settings.allow_truncation else tokenizer.max_tokens
        sizes = CutSizes(settings.max_chunk_size, settings.overlap_size, max_tokens)
        assembly = Assembly(
            document, transformer=self._transformer, tokenizer=tokenizer, sizes=sizes, limits=self._limits
        )
        places = outline.places
        if outline.headings and not any(place.blocks for place in places):
            places[0].blocks.append(Block("\n".join(outline.headings), kind="code"))
        index = 0
        while index < len(places):
            packed = self._pack(places, index, assembly) if settings.pack_small_leaves else 0
            for place in places[index : index + packed]:
                _add_section(assembly, place)
            index += packed
            if not packed:
                _add_section(assembly, places[index])
                if places[index].blocks:
                    assembly.add_text(places[index], Passage(places[index].blocks, tokenizer=tokenizer))
                index += 1
        return assembly

    def _pack(self, places: Sequence[Place], index: int, assembly: Assembly) -> int:
        """Make one chunk of as many small leaves from `index` on as fit; return how many places it took."""
        run = list(_small_leaves(places, index, self._settings.max_chunk_size))
        while sum(bool(place.blocks) for place in run) > 1:
            blocks = [block for place in run for block in place.blocks]
            titles, start = dict[int, str](), 0
            for place in run:
                if place.section and place.blocks:
                    titles[start] = place.section.title
                start += sum(len(block.text) for block in place.blocks)
            passage = Passage(blocks, tokenizer=self._tokenizer)
            if assembly.add_packed(places[run[0].parent], passage, titles=titles):
                return len(run)
            # Halving keeps the number of tries small however many leaves there are.
            run = run[: len(run) // 2]
        return 0


def _small_leaves(places: Sequence[Place], index: int, max_chars: int) -> Iterator[Place]:
    parent, chars = places[index].parent, 0
    for place in places[index:]:
        chars += sum(len(block.text) for block in place.blocks)
        if not place.is_leaf or place.section is None or place.parent != parent or chars > max_chars:
            return
        yield place


def _add_section(assembly: Assembly, place: Place) -> None:
    if place.section is not None:
        assembly.add_section(place.section)


def _notes(cleaner: TextCleaner, truncated: int, outline: Outline) -> Iterator[str]:
    if cleaner.nul_removed:
        yield f"NUL characters removed: {cleaner.nul_removed}"
    if cleaner.surrogates_replaced:
        yield f"lone surrogates replaced by U+FFFD: {cleaner.surrogates_replaced}"
    if truncated:
        yield f"chunks with more tokens than the embedding model reads: {truncated}"
    long = sum(len(heading) > MAX_TITLE_CHARS for heading in outline.headings)
    if long:
        yield f"headings of more than {MAX_TITLE_CHARS} characters, cut as titles and kept as text: {long}"
