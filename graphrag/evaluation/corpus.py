"""A data set's documents in a collection of their own: brought there, and taken away again.

No other collection is touched: a collection of that name which holds documents of another origin is refused.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from graphrag.embedding.protocol import Embedder
from graphrag.errors import InvalidRequestError
from graphrag.evaluation.chunking import Chunking, ChunkingPlan
from graphrag.evaluation.datasets import Dataset, EvaluationDocument
from graphrag.model import Document, MaterializedDocument
from graphrag.model.identity import document_id
from graphrag.stores.protocols import ChunkingContentElementRepository

__all__ = ["Corpus", "Progress", "bring_corpus", "collection_name", "remove_corpus"]

Progress = Callable[[str, int, int], None]
"""Is told what is done, how many of it are done, and how many there are."""

_PAGE = 5_000
_GROUP_CHUNKS = 256
_GROUP_DOCUMENTS = 256


@dataclass(frozen=True, slots=True)
class Corpus:
    """The documents of a data set as a store has them.

    Attributes:
        collection: Where they are.
        documents: The data set's id of each document, by the store's.
        stood_there: Whether the collection held documents before.
        written: How many documents were written.
        unchanged: How many stood there as they are.
        removed: How many stood there that the data set does not hold any more, or without text.
        chunks: How many chunks the collection holds.
        notes: Sentences on what was left out or cut.
    """

    collection: str
    documents: Mapping[str, str]
    stood_there: bool
    written: int
    unchanged: int
    removed: int
    chunks: int
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Counts:
    written: int = 0
    unchanged: int = 0
    chunks: int = 0
    empty: int = 0
    cut: int = 0
    truncated: int = 0
    emptied: set[str] = field(default_factory=set[str])

    def notes(self) -> Iterator[str]:
        told = {
            "documents without text, left out": self.empty,
            "documents longer than one chunk may be, cut": self.cut,
            "chunks of which the model reads only the beginning": self.truncated,
        }
        yield from (f"{what}: {count}" for what, count in told.items() if count)


def collection_name(dataset: Dataset, chunking: Chunking) -> str:
    """Return the collection for a data set, such as `eval-scifact-whole`."""
    return f"eval-{dataset.slug}-{chunking}"


def bring_corpus(
    store: ChunkingContentElementRepository,
    dataset: Dataset,
    embedder: Embedder,
    *,
    collection: str,
    plan: ChunkingPlan,
    progress: Progress | None = None,
) -> Corpus:
    """Write the documents of a data set that the collection does not hold as they are.

    Args:
        store: Takes them.
        dataset: Has them.
        embedder: Of the store's model.
        collection: Where they go.
        plan: How they become chunks.
        progress: Is told how far it is.

    Raises:
        InvalidRequestError: The collection holds documents of another origin; nothing is written.
        SchemaError, StoreError: The store's schema does not fit, or the store failed.
        ModelCallError: The embedder failed.
    """
    store.prepare()
    stored = {document.uri: document for document in _all_documents(store, collection)}
    _refuse_foreign(stored, dataset, collection)
    uris = {dataset.uri_of(document): document for document in dataset.documents}
    removed = 0
    counts = _Counts()
    pending = _pending(dataset, stored, plan, counts, collection=collection, model_id=embedder.model_id)
    for group in _groups(pending):
        _write(store, group, embedder)
        counts.written += len(group)
        if progress is not None:
            progress("documents written", counts.written, len(uris) - counts.unchanged - counts.empty)
    for uri in (stored.keys() - uris.keys()) | counts.emptied:
        removed += store.delete_document(uri, collection=collection).documents
    return Corpus(
        collection,
        {document_id(collection, uri): document.id for uri, document in uris.items()},
        bool(stored),
        counts.written,
        counts.unchanged,
        removed,
        counts.chunks,
        tuple(counts.notes()),
    )


def remove_corpus(store: ChunkingContentElementRepository, collection: str) -> int:
    """Delete the documents of the collection; return how many there were.

    Raises:
        StoreError: The store failed.
    """
    return store.clear(collections=[collection]).documents


def _all_documents(store: ChunkingContentElementRepository, collection: str) -> Iterator[Document]:
    offset = 0
    while page := store.list_documents(collections=[collection], limit=_PAGE, offset=offset):
        yield from page
        offset += len(page)


def _refuse_foreign(stored: Mapping[str, Document], dataset: Dataset, collection: str) -> None:
    foreign = sum(not uri.startswith(dataset.uri_prefix) for uri in stored)
    if foreign:
        msg = (
            f"collection `{collection}` holds {foreign} documents that no evaluation of `{dataset.name}` wrote, so "
            "nothing is written there; rename the data set's folder, or move these documents to another collection"
        )
        raise InvalidRequestError(msg)


def _pending(
    dataset: Dataset,
    stored: Mapping[str, Document],
    plan: ChunkingPlan,
    counts: _Counts,
    *,
    collection: str,
    model_id: str,
) -> Iterator[MaterializedDocument]:
    """Yield what is to be written, without vectors; count the rest."""
    for document in dataset.documents:
        known = stored.get(dataset.uri_of(document))
        fingerprint = plan.fingerprint(document, model_id=model_id)
        if known is not None and known.fingerprint == fingerprint:
            counts.unchanged += 1
            counts.chunks += known.chunk_count
            continue
        whole = _prepared(dataset, document, plan, counts, collection=collection)
        if whole is None:
            if known is not None:
                counts.emptied.add(known.uri)
            continue
        counts.chunks += len(whole.chunks)
        root = whole.document.model_copy(update={"fingerprint": fingerprint, "ingested_at": datetime.now(UTC)})
        yield replace(whole, document=root, embedding_model=model_id)


def _prepared(
    dataset: Dataset, document: EvaluationDocument, plan: ChunkingPlan, counts: _Counts, *, collection: str
) -> MaterializedDocument | None:
    prepared = plan.prepare(dataset, document, collection=collection)
    counts.truncated += prepared.truncated_chunks
    counts.cut += prepared.cut
    counts.empty += prepared.materialized is None
    return prepared.materialized


def _groups(documents: Iterator[MaterializedDocument]) -> Iterator[list[MaterializedDocument]]:
    """Yield documents that are embedded and written together."""
    group: list[MaterializedDocument] = []
    for document in documents:
        group.append(document)
        if len(group) >= _GROUP_DOCUMENTS or sum(len(each.chunks) for each in group) >= _GROUP_CHUNKS:
            yield group
            group = []
    if group:
        yield group


def _write(store: ChunkingContentElementRepository, group: Sequence[MaterializedDocument], embedder: Embedder) -> None:
    chunks = [chunk for document in group for chunk in document.chunks]
    rows = embedder.embed_documents([chunk.embeddable_value() for chunk in chunks])
    vectors = {chunk.id: row for chunk, row in zip(chunks, rows, strict=True)}
    ready = [
        replace(document, vectors={chunk.id: vectors[chunk.id] for chunk in document.chunks}) for document in group
    ]
    for outcome in store.write_documents(ready):
        if isinstance(outcome, Exception):
            raise outcome
