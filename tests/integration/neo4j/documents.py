"""Small documents for the tests of the store, embedded by the test's embedder."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from graphrag.embedding.protocol import Embedder
from graphrag.ingestion.given import GivenChunk, materialize_given
from graphrag.model import Document, MaterializedDocument

SECTIONED = (
    GivenChunk("the quick brown fox", section_path=("Alpha",)),
    GivenChunk("price rose 5% in C++ shops", section_path=("Alpha",)),
    GivenChunk("see a/b testing and tb-303", section_path=("Alpha",)),
    GivenChunk("NORD EBITDA report OR summary", section_path=("Beta",)),
)
"""Document D1 of the standing fixture: chunks c1 to c4."""
SINGLE = (GivenChunk("unrelated weather note", section_path=("Gamma",)),)
"""Document D2: chunk c5."""


def make_document(
    embedder: Embedder,
    uri: str = "file:///a/report.md",
    chunks: Sequence[GivenChunk | str] = SECTIONED,
    *,
    collection: str = "default",
    metadata: Mapping[str, object] | None = None,
    title: str = "Report",
    fingerprint: str = "",
) -> MaterializedDocument:
    """Return a document with a vector for each of its chunks."""
    given = [GivenChunk(chunk) if isinstance(chunk, str) else chunk for chunk in chunks]
    root = Document(
        id="",
        uri=uri,
        title=title,
        collection=collection,
        metadata=metadata or {},
        ingested_at=datetime.now(UTC),
        fingerprint=fingerprint,
        content_type="text/markdown",
    )
    whole = materialize_given(root, given, embedding_model=embedder.model_id)
    rows = embedder.embed_documents([chunk.embeddable_value() for chunk in whole.chunks])
    vectors = {chunk.id: row for chunk, row in zip(whole.chunks, rows, strict=True)}
    return MaterializedDocument(
        whole.document, whole.sections, whole.chunks, {**vectors, **whole.vectors}, whole.embedding_model
    )


def words(count: int, prefix: str = "w") -> list[str]:
    """Return texts that differ, one a chunk."""
    return [f"{prefix}{number} stands alone" for number in range(count)]
