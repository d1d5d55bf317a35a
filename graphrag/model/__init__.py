"""The content model: what documents, sections, chunks and entities are. No I/O here."""

from graphrag.model.chunk import Chunk
from graphrag.model.cluster import Cluster, ClusterRequest
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
from graphrag.model.link import Link, LinkDirection
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
from graphrag.model.sections import DocumentOutline, SectionChoice, SectionEntry, SectionReading, SectionText

__all__ = [
    "Block",
    "Chunk",
    "Cluster",
    "ClusterRequest",
    "ContainerSection",
    "ContentElement",
    "ContentRoot",
    "Datum",
    "Document",
    "DocumentOutline",
    "LeafSection",
    "LegHit",
    "Link",
    "LinkDirection",
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
    "SectionChoice",
    "SectionEntry",
    "SectionReading",
    "SectionText",
    "SimilarityResult",
    "TextMode",
    "TextSimilaritySearchRequest",
]
