"""A document cut into chunks: what ingestion hands to a store."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from graphrag.model.chunk import Chunk
from graphrag.model.content import Document, Section

__all__ = ["MaterializedDocument"]


@dataclass(frozen=True, slots=True)
class MaterializedDocument:
    """A whole document, ready to be written.

    Attributes:
        document: The root; `chunk_count` is the number of chunks.
        sections: In document order, parents before their children.
        chunks: In order of `sequence_number`, which counts from 0 without gaps.
        vectors: The embedding of each chunk that the store lacks, by chunk id: float32, shape (dimensions,).
        embedding_model: Id of the model that made them.
    """

    document: Document
    sections: tuple[Section, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    vectors: Mapping[str, NDArray[np.float32]] = field(default_factory=dict[str, NDArray[np.float32]])
    embedding_model: str = ""
