"""Chunks of the caller's own making, cleaned and checked before anything is embedded or written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from graphrag.config import LIMITS, Limits
from graphrag.errors import InvalidRequestError
from graphrag.ingestion.chunker import MAX_TITLE_CHARS
from graphrag.ingestion.given import GivenChunk
from graphrag.model.cleaning import clean_text
from graphrag.model.metadata import check_metadata

__all__ = ["CheckedChunks", "check_given"]


@dataclass(frozen=True, slots=True)
class CheckedChunks:
    """A title and chunks that any store can hold.

    Attributes:
        title: The document's.
        chunks: In their order; vectors are float32 arrays.
        notes: What was cleaned away.
    """

    title: str
    chunks: tuple[GivenChunk, ...]
    notes: tuple[str, ...] = ()


def check_given(
    title: str, chunks: Sequence[GivenChunk], *, uri: str, dimensions: int | None = None, limits: Limits = LIMITS
) -> CheckedChunks:
    """Return title and chunks without NUL and lone surrogates, once everything about them was checked.

    Args:
        title: The document's.
        chunks: At least one.
        uri: The document's, for messages.
        dimensions: Length that each given vector must have; None where no chunk has one.
        limits: Bounds on the number of chunks, and on the size of each.

    Raises:
        InvalidRequestError: Something cannot be stored; a chunk is named by its number, from 0.
    """
    if not chunks:
        msg = f"`{uri}` has no chunks; give at least one, or delete the document"
        raise InvalidRequestError(msg)
    if len(chunks) > limits.max_document_chunks:
        msg = (
            f"`{uri}` has {len(chunks)} chunks; a document may have at most {limits.max_document_chunks}: split it, or "
            "raise `limits.max_document_chunks`"
        )
        raise InvalidRequestError(msg)
    checker = _Checker(limits, dimensions)
    try:
        clean_title = checker.title(title, "title")
    except InvalidRequestError as error:
        msg = f"`{uri}`: {error}"
        raise InvalidRequestError(msg) from error
    checked: list[GivenChunk] = []
    for number, given in enumerate(chunks):
        try:
            checked.append(checker.chunk(given))
        except InvalidRequestError as error:
            msg = f"chunk {number} of `{uri}`: {error}"
            raise InvalidRequestError(msg) from error
    return CheckedChunks(clean_title, tuple(checked), tuple(checker.notes()))


class _Checker:
    """Checks the parts of chunks, and counts what it cleans."""

    def __init__(self, limits: Limits, dimensions: int | None) -> None:
        self._limits = limits
        self._dimensions = dimensions
        self._nul = 0
        self._surrogates = 0

    def notes(self) -> list[str]:
        counts = {"NUL characters removed": self._nul, "lone surrogates replaced by U+FFFD": self._surrogates}
        return [f"{what}: {count}" for what, count in counts.items() if count]

    def chunk(self, given: object) -> GivenChunk:
        if not isinstance(given, GivenChunk):
            msg = f"it is of type {type(given).__name__}; it must be a `GivenChunk`"
            raise InvalidRequestError(msg)
        return replace(
            given,
            urtext=self._text(given.urtext, "urtext", self._limits.max_chunk_chars),
            text=None if given.text is None else self._text(given.text, "text", self._limits.max_text_chars),
            section_path=self._path(given.section_path),
            embedding=None if given.embedding is None else self._vector(given.embedding),
            metadata=self._metadata(given.metadata),
            page=_page(given.page),
        )

    def title(self, value: object, name: str) -> str:
        text = self._clean(value, name)
        if len(text) > MAX_TITLE_CHARS:
            msg = f"`{name}` has {len(text)} characters; at most {MAX_TITLE_CHARS} are stored"
            raise InvalidRequestError(msg)
        return text

    def _clean(self, value: object, name: str) -> str:
        if not isinstance(value, str):
            msg = f"`{name}` is of type {type(value).__name__}; it must be text"
            raise InvalidRequestError(msg)
        cleaned = clean_text(value)
        self._nul += cleaned.nul_removed
        self._surrogates += cleaned.surrogates_replaced
        return cleaned.text

    def _text(self, value: object, name: str, limit: int) -> str:
        text = self._clean(value, name)
        if not text:
            msg = f"`{name}` has no text; it must have at least one character"
            raise InvalidRequestError(msg)
        if len(text) > limit:
            msg = f"`{name}` has {len(text)} characters; at most {limit} are stored: cut it into several chunks"
            raise InvalidRequestError(msg)
        return text

    def _path(self, path: object) -> tuple[str, ...]:
        if not isinstance(path, tuple | list):
            msg = f"`section_path` is of type {type(path).__name__}; it must be a tuple of titles"
            raise InvalidRequestError(msg)
        return tuple(self.title(title, "section_path") for title in path)

    def _metadata(self, metadata: object) -> dict[str, object]:
        if not isinstance(metadata, Mapping):
            msg = f"`metadata` is of type {type(metadata).__name__}; it must be a mapping"
            raise InvalidRequestError(msg)
        clean = check_metadata(metadata, limits=self._limits)
        self._nul += clean.nul_removed
        self._surrogates += clean.surrogates_replaced
        return clean.values()

    def _vector(self, embedding: object) -> NDArray[np.float32]:
        try:
            with np.errstate(over="ignore"):  # what float32 cannot hold becomes infinity, and is refused below
                vector = np.asarray(embedding, dtype=np.float32)
        except (TypeError, ValueError, OverflowError) as error:
            msg = "`embedding` is no list of numbers"
            raise InvalidRequestError(msg) from error
        if vector.ndim != 1 or vector.shape != (self._dimensions or len(vector),):
            wanted = "" if self._dimensions is None else f"; the model's have {self._dimensions} numbers"
            msg = f"`embedding` has the shape {vector.shape}{wanted}"
            raise InvalidRequestError(msg)
        if not np.isfinite(vector).all() or not vector.any():
            msg = "`embedding` is all zeros, or holds NaN or infinity; such a vector cannot be searched"
            raise InvalidRequestError(msg)
        return vector


def _page(page: object) -> int | None:
    if page is None or (isinstance(page, int) and not isinstance(page, bool) and page >= 1):
        return page
    msg = f"`page` is {page!r:.40}; it must be a whole number of at least 1, or None"
    raise InvalidRequestError(msg)
