"""Chunks that stand together, as text: overlaps taken out, gaps marked."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from graphrag.errors import InvalidRequestError
from graphrag.model import Chunk, SimilarityResult

__all__ = ["Passage", "joined_text", "passages"]

_Brought: TypeAlias = tuple[int, Chunk]
"""A chunk, and the rank of the best result that brought it."""

GAP = "\n[…]\n"
"""What stands where text between two chunks is left out."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of one document that one or more results stand in.

    Attributes:
        chunks: Chunks that follow each other, in document order.
        hit_ids: Ids of the results among them, best first.
        rank: Place of the best of these in the list of results, from 1.
    """

    chunks: tuple[Chunk, ...]
    hit_ids: tuple[str, ...]
    rank: int

    @property
    def text(self) -> str:
        """The passage's text, each character once."""
        return joined_text(self.chunks)


def joined_text(chunks: Iterable[Chunk], *, gap: str = GAP) -> str:
    """Return the text of chunks of one document, in document order and each character once.

    What two neighbours share is left out of the second by their places (`start`, `end`) in the document's text. Chunks
    whose places do not fit their text (made by hand, without offsets) are put on lines of their own.

    Args:
        chunks: In any order; one that comes twice counts once.
        gap: Stands where text between two chunks is missing.

    Raises:
        InvalidRequestError: They are of more than one document.
    """
    ordered = sorted({chunk.id: chunk for chunk in chunks}.values(), key=lambda chunk: chunk.sequence_number)
    if len({chunk.document_id for chunk in ordered}) > 1:
        msg = "these chunks are of more than one document; join those of one document at a time (see `passages`)"
        raise InvalidRequestError(msg)
    parts: list[str] = []
    read_up_to: int | None = None
    for chunk in ordered:
        placed = chunk.end - chunk.start == len(chunk.urtext)
        if not placed or read_up_to is None:
            parts += ["\n", chunk.urtext] if parts else [chunk.urtext]
        elif chunk.start > read_up_to:
            parts += [gap, chunk.urtext]
        else:
            parts.append(chunk.urtext[read_up_to - chunk.start :])
        read_up_to = max(read_up_to or 0, chunk.end) if placed else None
    return "".join(parts)


def passages(results: Sequence[SimilarityResult[Chunk]]) -> list[Passage]:
    """Return the contexts of results as passages in which no chunk comes twice, best first.

    Contexts that share chunks, or follow each other without a gap, become one passage; its place is that of its best
    result. For prompts: results themselves each keep their whole context.

    Args:
        results: Best first; one without a context stands for itself.
    """
    around: dict[str, dict[int, _Brought]] = {}
    ranks: dict[str, int] = {}
    for rank, result in enumerate(results, 1):
        ranks.setdefault(result.match.id, rank)
        for chunk in result.context or (result.match,):
            around.setdefault(chunk.document_id, {}).setdefault(chunk.sequence_number, (rank, chunk))
    found = [_passage(run, ranks) for chunks in around.values() for run in _runs(chunks)]
    return sorted(found, key=lambda passage: passage.rank)


def _runs(chunks: Mapping[int, _Brought]) -> Iterator[list[_Brought]]:
    run: list[_Brought] = []
    for number in sorted(chunks):
        if number - 1 not in chunks and run:
            yield run
            run = []
        run.append(chunks[number])
    yield run


def _passage(run: Sequence[_Brought], ranks: Mapping[str, int]) -> Passage:
    hits = sorted((ranks[chunk.id], chunk.id) for _, chunk in run if chunk.id in ranks)
    return Passage(tuple(chunk for _, chunk in run), tuple(id_ for _, id_ in hits), min(rank for rank, _ in run))
