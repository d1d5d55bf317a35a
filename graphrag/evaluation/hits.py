"""What a search gave, in the ids of a data set."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from graphrag.evaluation.datasets import Span
from graphrag.model import Chunk, SimilarityResult

__all__ = ["Hit", "best_documents", "hits_of"]


@dataclass(frozen=True, slots=True)
class Hit:
    """One chunk that a search gave.

    Attributes:
        chunk_id: The store's id of it.
        document_id: The data set's id of its document.
        place: Which characters of the document it covers, where that is known.
    """

    chunk_id: str
    document_id: str
    place: Span | None = None


def hits_of(results: Iterable[SimilarityResult[Chunk]], documents: Mapping[str, str]) -> tuple[Hit, ...]:
    """Return results as hits, in their order.

    Args:
        results: Chunks of the data set's documents alone.
        documents: The data set's id of each document, by the store's.
    """
    return tuple(_hit(result.match, documents[result.match.document_id]) for result in results)


def best_documents(hits: Iterable[Hit]) -> list[str]:
    """Return document ids, best first: a document stands where its best chunk stands."""
    return list(dict.fromkeys(hit.document_id for hit in hits))


def _hit(chunk: Chunk, document_id: str) -> Hit:
    start, end = chunk.source_start, chunk.source_end
    place = Span(document_id, start, end) if start is not None and end is not None else None
    return Hit(chunk.id, document_id, place)
