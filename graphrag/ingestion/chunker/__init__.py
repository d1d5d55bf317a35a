"""From a parsed document to one that can be stored: sections with ids, and chunks."""

from graphrag.ingestion.chunker.chunker import CHUNKER_VERSION, MAX_TITLE_CHARS, Chunker, ChunkResult

__all__ = ["CHUNKER_VERSION", "MAX_TITLE_CHARS", "ChunkResult", "Chunker"]
