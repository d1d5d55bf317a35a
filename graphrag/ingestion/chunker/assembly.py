"""Puts sections and chunks together as they come, in document order."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from graphrag.config import Limits
from graphrag.embedding.protocol import Tokenizer
from graphrag.errors import GraphRagError, IngestionError
from graphrag.ingestion.chunker.cutting import CutSizes, NoRoomError, cut
from graphrag.ingestion.chunker.outline import Place
from graphrag.ingestion.chunker.passage import Passage, PlacedBlock
from graphrag.ingestion.transformers import ChunkTransformationContext, ChunkTransformer, LineBudget
from graphrag.model.chunk import Chunk
from graphrag.model.cleaning import clean_text
from graphrag.model.content import Document, Section
from graphrag.model.identity import chunk_id
from graphrag.model.metadata import check_metadata

__all__ = ["Assembly", "Draft"]

_HEADER_STEPS = (400, 200, 100, 50)


@dataclass(frozen=True, slots=True)
class Draft:
    """A chunk that may still prove too long, and the tokens of its text (0 where nobody counts)."""

    chunk: Chunk
    tokens: int


class Assembly:
    """The sections and chunks of one document so far.

    Attributes:
        sections: With their positions.
        chunks: In order of `sequence_number`.
        truncated_chunks: How many have more tokens than the model takes.
    """

    def __init__(
        self,
        document: Document,
        *,
        transformer: ChunkTransformer,
        tokenizer: Tokenizer | None,
        sizes: CutSizes,
        limits: Limits,
    ) -> None:
        self.sections: list[Section] = []
        self.chunks: list[Chunk] = []
        self.truncated_chunks: int = 0
        self._document = document
        self._transformer = transformer
        self._tokenizer = tokenizer
        self._sizes = sizes
        self._limits = limits
        self._budget = LineBudget(tokenizer, max_tokens=tokenizer.max_tokens // 3) if tokenizer else LineBudget()
        self._positions: Counter[str] = Counter()
        self._occurrences: Counter[str] = Counter()
        self._offset = 0
        """Length of the canonical text so far."""

    def add_section(self, section: Section) -> None:
        """Add a section as the next child of its parent."""
        self.sections.append(section.model_copy(update={"position": self._next_position(section.parent_id)}))

    def add_text(self, place: Place, passage: Passage) -> None:
        """Cut a place's own text and hang the chunks on it.

        Raises:
            IngestionError: Nothing fits beside what the transformer adds, it failed, or there are too many chunks.
        """
        render = _Renderer(self, place, passage)
        try:
            for piece in cut(passage, self._sizes, render=render):
                self._append(piece.draft)
        except NoRoomError as error:
            raise self._no_room(error) from None
        self._offset += len(passage.text)

    def add_packed(self, place: Place, passage: Passage, *, titles: Mapping[int, str]) -> bool:
        """Hang one chunk with the text of several small leaves on their parent; False where it has too many tokens.

        Args:
            place: The parent of the leaves.
            passage: Their texts, joined.
            titles: The leaves' titles, by where each one's text begins in the passage.
        """
        draft = _Renderer(self, place, passage, titles=titles)(0, len(passage.text))
        if self._sizes.max_tokens is not None and draft.tokens > self._sizes.max_tokens:
            return False
        self._append(draft)
        self._offset += len(passage.text)
        return True

    def draft(
        self, place: Place, passage: Passage, *, start: int, end: int, text: str, context: ChunkTransformationContext
    ) -> Draft:
        """Return the chunk of a span of the passage, transformed and measured."""
        urtext = passage.text[start:end]
        document, first = self._document, passage.block_at(start)
        chunk = Chunk(
            id=chunk_id(document.id, urtext, self._occurrences[urtext]),
            uri=document.uri,
            metadata=document.metadata,
            document_id=document.id,
            parent_id=place.section.id if place.section else document.id,
            section_ids=place.section_ids,
            section_path=place.section_path,
            collection=document.collection,
            document_title=document.title,
            sequence_number=len(self.chunks),
            position=self._positions[place.section.id if place.section else document.id],
            text=text,
            urtext=urtext,
            start=self._offset + start,
            end=self._offset + end,
            page=first.block.page,
            source_start=_source_place(first, start),
            source_end=_source_place(passage.block_at(end - 1), end),
        )
        chunk = self._transformed(chunk, context)
        return Draft(chunk, len(self._tokenizer.token_offsets(chunk.text)) if self._tokenizer else 0)

    def table_header(self, placed: PlacedBlock) -> str:
        """Return the header to repeat over further rows, within the budget of added lines."""
        header = placed.block.table_header
        if self._budget.fits(header):
            return header if header.endswith("\n") else header + "\n"
        shorter = (header[:chars].rstrip() + "…\n" for chars in _HEADER_STEPS if chars < len(header))
        return next((text for text in shorter if self._budget.fits(text)), "")

    def context(self, place: Place) -> ChunkTransformationContext:
        """Return what the transformer may know of a place."""
        return ChunkTransformationContext(place.section, self._document, self._budget)

    def _transformed(self, chunk: Chunk, context: ChunkTransformationContext) -> Chunk:
        name = self._transformer.name
        try:
            result = self._transformer.transform(chunk, context)
        except GraphRagError:
            raise
        except Exception as error:
            msg = f"chunk transformer `{name}` failed on chunk {chunk.sequence_number}: {type(error).__name__}"
            raise self._failure(msg) from error
        if len(result.text) > self._limits.max_text_chars:
            msg = (
                f"chunk transformer `{name}` made a text of {len(result.text)} characters; "
                f"at most {self._limits.max_text_chars} are stored"
            )
            raise self._failure(msg)
        update: dict[str, object] = {"text": clean_text(result.text).text}
        if result.metadata is not chunk.metadata:
            update["metadata"] = self._more_metadata(chunk, result, name)
        # Whatever else the transformer changed is not its to change.
        return chunk.model_copy(update=update)

    def _more_metadata(self, chunk: Chunk, result: Chunk, name: str) -> dict[str, object]:
        absent = object()
        for key, value in chunk.metadata.items():
            other = result.metadata.get(key, absent)
            if other is not value and other != value:
                msg = f"chunk transformer `{name}` changed `{key}`, which is metadata of the document; use another name"
                raise self._failure(msg)
        more = {key: value for key, value in result.metadata.items() if key not in chunk.metadata}
        return {**chunk.metadata, **check_metadata(more, limits=self._limits).values()}

    def _append(self, draft: Draft) -> None:
        if len(self.chunks) >= self._limits.max_document_chunks:
            msg = (
                f"the document has more than {self._limits.max_document_chunks} chunks; split it into several "
                "documents, or take larger chunks (`max_chunk_size`)"
            )
            raise self._failure(msg)
        self.chunks.append(draft.chunk)
        self._occurrences[draft.chunk.urtext] += 1
        self._next_position(draft.chunk.parent_id)
        if self._tokenizer is not None and draft.tokens > self._tokenizer.max_tokens:
            self.truncated_chunks += 1

    def _next_position(self, parent_id: str) -> int:
        self._positions[parent_id] += 1
        return self._positions[parent_id] - 1

    def _no_room(self, error: NoRoomError) -> IngestionError:
        return self._failure(
            f"one character of text with what `{self._transformer.name}` adds has {error.tokens} tokens, and the model "
            f"takes {self._sizes.max_tokens}: let the transformer add less, or allow truncation"
        )

    def _failure(self, message: str) -> IngestionError:
        return IngestionError(message, uri=self._document.uri, stage="chunk")


class _Renderer:
    """Makes drafts of the chunks of one passage."""

    def __init__(
        self, assembly: Assembly, place: Place, passage: Passage, *, titles: Mapping[int, str] | None = None
    ) -> None:
        self._assembly = assembly
        self._place = place
        self._passage = passage
        self._titles = titles
        self._context = assembly.context(place)
        self._headers: dict[int, str] = {}

    def __call__(self, start: int, end: int) -> Draft:
        text = self._with_titles(self._titles) if self._titles else self._with_header(start, end)
        return self._assembly.draft(self._place, self._passage, start=start, end=end, text=text, context=self._context)

    def _with_header(self, start: int, end: int) -> str:
        text = self._passage.text[start:end]
        placed = self._passage.block_at(start)
        if placed.block.kind != "table" or start == placed.start or not placed.block.table_header:
            return text
        if placed.start not in self._headers:
            self._headers[placed.start] = self._assembly.table_header(placed)
        return self._headers[placed.start] + text

    def _with_titles(self, titles: Mapping[int, str]) -> str:
        starts = sorted(titles)
        parts = zip(starts, [*starts[1:], len(self._passage.text)], strict=True)
        return "".join(f"{titles[low]}\n\n{self._passage.text[low:high]}" for low, high in parts)


def _source_place(placed: PlacedBlock, place: int) -> int | None:
    """Return where a place of the passage stands in the source file, if the block knows."""
    if placed.block.source_start is None:
        return None
    # The line ends after a block's text need not stand in the source.
    return placed.block.source_start + min(place, placed.content_end) - placed.start
