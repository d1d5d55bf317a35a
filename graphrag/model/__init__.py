"""The content model: what documents, sections, chunks and entities are. No I/O here."""

from graphrag.model.chunk import Chunk
from graphrag.model.content import (
    ContainerSection,
    ContentElement,
    ContentRoot,
    Document,
    LeafSection,
    NavigableDocument,
    Section,
)
from graphrag.model.datum import Datum
from graphrag.model.entity import NamedEntity, NamedEntityData
from graphrag.model.materialized import MaterializedDocument
from graphrag.model.parsed import Block, ParsedDocument, ParsedSection
from graphrag.model.result import (
    LegHit,
    ResultList,
    SearchExplanation,
    SearchPath,
    SimilarityResult,
    TextMode,
    TextSimilaritySearchRequest,
)
from graphrag.model.retrievable import Retrievable

__all__ = [
    "Block",
    "Chunk",
    "ContainerSection",
    "ContentElement",
    "ContentRoot",
    "Datum",
    "Document",
    "LeafSection",
    "LegHit",
    "MaterializedDocument",
    "NamedEntity",
    "NamedEntityData",
    "NavigableDocument",
    "ParsedDocument",
    "ParsedSection",
    "ResultList",
    "Retrievable",
    "SearchExplanation",
    "SearchPath",
    "Section",
    "SimilarityResult",
    "TextMode",
    "TextSimilaritySearchRequest",
]
