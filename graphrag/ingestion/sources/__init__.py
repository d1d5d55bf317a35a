"""Sources: from what a user names to the files and pages that are meant, and one spelling of each address."""

from graphrag.ingestion.sources.discover import SourceFailure, SourceFile, check_texts, discover, read_bytes
from graphrag.ingestion.sources.uri import canonical_uri, file_uri
from graphrag.ingestion.sources.vanished import SyncedFolder, is_gone, synced_folders
from graphrag.ingestion.sources.web_sources import FoundUrls, SourceUrl, UrlKind, WebSources
from graphrag.ingestion.sources.web_url import is_web_url

__all__ = [
    "FoundUrls",
    "SourceFailure",
    "SourceFile",
    "SourceUrl",
    "SyncedFolder",
    "UrlKind",
    "WebSources",
    "canonical_uri",
    "check_texts",
    "discover",
    "file_uri",
    "is_gone",
    "is_web_url",
    "read_bytes",
    "synced_folders",
]
