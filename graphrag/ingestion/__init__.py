"""Ingestion: from files, bytes, texts and ready chunks to documents in a store."""

from graphrag.ingestion._async.ingestor import AsyncIngestor
from graphrag.ingestion._sync.ingestor import Ingestor
from graphrag.ingestion.given import GivenChunk
from graphrag.ingestion.verdicts import DocumentVerdict, IngestionProgress, IngestionReport, Verdict

__all__ = [
    "AsyncIngestor",
    "DocumentVerdict",
    "GivenChunk",
    "IngestionProgress",
    "IngestionReport",
    "Ingestor",
    "Verdict",
]
