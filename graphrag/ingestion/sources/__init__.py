"""Sources: from what a user names to the files that are meant, and one spelling of each address."""

from graphrag.ingestion.sources.discover import SourceFailure, SourceFile, discover, read_bytes
from graphrag.ingestion.sources.uri import canonical_uri, file_uri

__all__ = ["SourceFailure", "SourceFile", "canonical_uri", "discover", "file_uri", "read_bytes"]
