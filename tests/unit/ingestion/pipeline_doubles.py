"""A store in memory with both faces, and readers that fail as a test asks."""

import threading
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from graphrag.errors import MissingEmbeddingError
from graphrag.ingestion.readers.markdown import MarkdownReader
from graphrag.ingestion.readers.protocol import SourceBytes
from graphrag.model import Chunk, Document, MaterializedDocument
from graphrag.model.identity import document_id
from graphrag.model.parsed import ParsedDocument
from graphrag.stores.protocols import Deletion, WriteOutcome


class MemoryStore:
    """Keeps whole documents; does what the protocol says, and counts what it is asked.

    Attributes:
        asked: How many ids each call of `find_documents` asked for.
        written: How many documents each call of `write_documents` had.
        before_write: Called with the store before each write; another writer.
    """

    def __init__(self) -> None:
        self.documents: dict[str, Document] = {}
        self.chunks: dict[str, Chunk] = {}
        self.vectors: dict[str, NDArray[np.float32]] = {}
        self.asked: list[int] = []
        self.written: list[int] = []
        self.before_write: Callable[[MemoryStore], None] = lambda _: None

    def prepare(self, *, dry_run: bool = False) -> None:
        pass

    def find_documents(self, ids: Sequence[str]) -> Mapping[str, Document]:
        self.asked.append(len(ids))
        return {id_: self.documents[id_] for id_ in ids if id_ in self.documents}

    def find(self, uri: str, collection: str = "default") -> Document:
        return self.documents[document_id(collection, uri)]

    def chunks_to_embed(self, document: MaterializedDocument) -> frozenset[str]:
        return frozenset(
            chunk.id
            for chunk in document.chunks
            if chunk.id not in self.vectors or self.chunks[chunk.id].text != chunk.text
        )

    def write_document(self, document: MaterializedDocument) -> WriteOutcome:
        self.before_write(self)
        lacking = self.chunks_to_embed(document) - document.vectors.keys()
        if lacking:
            msg = f"{len(lacking)} chunks of `{document.document.uri}` have no embedding"
            raise MissingEmbeddingError(msg, chunk_ids=lacking)
        return self._keep(document)

    def write_documents(self, documents: Sequence[MaterializedDocument]) -> list[WriteOutcome | Exception]:
        self.written.append(len(documents))
        outcomes: list[WriteOutcome | Exception] = []
        for document in documents:
            try:
                outcomes.append(self.write_document(document))
            except Exception as error:  # noqa: BLE001 - an error a document, as the protocol says
                outcomes.append(error)
        return outcomes

    def _keep(self, whole: MaterializedDocument) -> WriteOutcome:
        root = whole.document
        before = {id_ for id_, chunk in self.chunks.items() if chunk.document_id == root.id}
        now = {chunk.id for chunk in whole.chunks}
        changed = {
            chunk.id
            for chunk in whole.chunks
            if chunk.id in before
            and (
                self.chunks[chunk.id] != chunk
                or not np.array_equal(self.vectors[chunk.id], whole.vectors.get(chunk.id, self.vectors[chunk.id]))
            )
        }
        created = root.id not in self.documents
        self.remove_chunks(before - now)
        self.documents[root.id] = root
        self.chunks.update({chunk.id: chunk for chunk in whole.chunks})
        self.vectors.update(whole.vectors)
        return WriteOutcome(
            root.id,
            created,
            chunks_added=len(now - before),
            chunks_updated=len(changed),
            chunks_kept=len(now & before) - len(changed),
            chunks_removed=len(before - now),
        )

    def remove_chunks(self, ids: set[str]) -> None:
        for id_ in ids:
            del self.chunks[id_], self.vectors[id_]

    def set_metadata(
        self, uri: str, changes: Mapping[str, object], *, collection: str, replace: bool = False, fingerprint: str = ""
    ) -> Document | None:
        stored = self.documents.get(document_id(collection, uri))
        if stored is None:
            return None
        metadata = dict(changes) if replace else {**stored.metadata, **changes}
        pinned = set(stored.pinned_metadata) & metadata.keys() if replace else {*stored.pinned_metadata, *changes}
        update = {
            "metadata": metadata,
            "pinned_metadata": tuple(sorted(pinned)),
            "fingerprint": fingerprint or stored.fingerprint,
        }
        self.documents[stored.id] = stored.model_copy(update=update)
        return self.documents[stored.id]

    def delete_document(self, uri: str, *, collection: str) -> Deletion:
        gone = self.documents.pop(document_id(collection, uri), None)
        return Deletion() if gone is None else Deletion(documents=1)


class AsyncMemoryStore:
    """The asynchronous face of a `MemoryStore`."""

    def __init__(self, plain: MemoryStore) -> None:
        self.plain = plain

    def __getattr__(self, name: str) -> Callable[..., object]:
        method = getattr(self.plain, name)

        async def call(*args: object, **kwargs: object) -> object:
            return method(*args, **kwargs)

        return call


class BrokenReader(MarkdownReader):
    """Reads Markdown, but raises what it was given on each URI that ends so.

    Args:
        errors: By the end of the URI.
    """

    def __init__(self, errors: Mapping[str, BaseException] | None = None) -> None:
        super().__init__()
        self.errors = dict(errors or {})
        self.read_uris: list[str] = []

    def read(self, source: SourceBytes, *, password: str | None = None) -> ParsedDocument:
        self.read_uris.append(source.uri)
        for ending, error in self.errors.items():
            if source.uri.endswith(ending):
                raise error
        return super().read(source, password=password)


def map_threads() -> list[str]:
    """Return the names of the pipeline's threads that live."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("graphrag-map")]
