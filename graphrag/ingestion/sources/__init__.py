"""Sources: from what a user names to the files that are meant, and one spelling of each address."""

from graphrag.ingestion.sources.discover import SourceFailure, SourceFile, check_texts, discover, read_bytes
from graphrag.ingestion.sources.uri import canonical_uri, file_uri
from graphrag.ingestion.sources.vanished import SyncedFolder, is_gone, synced_folders

__all__ = [
    "SourceFailure",
    "SourceFile",
    "SyncedFolder",
    "canonical_uri",
    "check_texts",
    "discover",
    "file_uri",
    "is_gone",
    "read_bytes",
    "synced_folders",
]
