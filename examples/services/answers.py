"""What the services answer: typed, so that the schema at /docs is complete. Only what a client may know stands here."""

from collections.abc import Iterable
from typing import Self

from pydantic import BaseModel

from graphrag import Chunk, Document, ResultList, SimilarityResult

__all__ = ["ChunkAnswer", "DocumentAnswer", "ErrorAnswer", "HealthAnswer", "HitAnswer", "SearchAnswer"]


class ChunkAnswer(BaseModel):
    """A piece of a document."""

    id: str
    document_id: str
    document_title: str
    section_path: tuple[str, ...]
    sequence_number: int
    page: int | None
    text: str

    @classmethod
    def of(cls, chunk: Chunk) -> Self:
        """Return the answer for a chunk."""
        return cls(
            id=chunk.id,
            document_id=chunk.document_id,
            document_title=chunk.document_title,
            section_path=chunk.section_path,
            sequence_number=chunk.sequence_number,
            page=chunk.page,
            text=chunk.urtext,
        )


class HitAnswer(ChunkAnswer):
    """A piece of a document that a search found, with what stands around it where that was asked for."""

    score: float
    context: list[ChunkAnswer]


class SearchAnswer(BaseModel):
    """What a search found, best first, and what it has to say."""

    results: list[HitAnswer]
    notes: list[str]

    @classmethod
    def of(cls, found: ResultList[SimilarityResult[Chunk]]) -> Self:
        """Return the answer for the results of a search."""
        return cls(results=[_hit(result) for result in found], notes=list(found.notes))


def _hit(result: SimilarityResult[Chunk]) -> HitAnswer:
    own = ChunkAnswer.of(result.match).model_dump()
    return HitAnswer(**own, score=result.score, context=[ChunkAnswer.of(chunk) for chunk in result.context])


class DocumentAnswer(BaseModel):
    """A document, as far as the client may see it."""

    id: str
    title: str
    uri: str | None
    collection: str
    chunk_count: int

    @classmethod
    def of(cls, document: Document) -> Self:
        """Return the answer for a document."""
        return cls(
            id=document.id,
            title=document.title,
            uri=document.uri,
            collection=document.collection,
            chunk_count=document.chunk_count,
        )

    @classmethod
    def of_all(cls, documents: Iterable[Document]) -> list[Self]:
        """Return the answers for documents."""
        return [cls.of(document) for document in documents]


class ErrorAnswer(BaseModel):
    """Why there is no other answer: a stable code, and a sentence."""

    error: str
    message: str


class HealthAnswer(BaseModel):
    """Whether the service can answer."""

    status: str
