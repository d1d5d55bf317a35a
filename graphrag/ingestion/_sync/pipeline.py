# Generated from graphrag/ingestion/_async/pipeline.py by tools/generate_sync.py; do not edit.
"""The stages of an ingestion: load, decide, read, cut, embed, write.

They overlap: while one document is written, the next ones are embedded, parsed and loaded. Each stage
holds a bounded number of documents, so memory does not grow with the number of files. A document that
fails gets its verdict, and the others go on. Only a store that cannot be reached any more fails the rest
too: each of them would wait as long as the first one did.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from graphrag.concurrency._sync import map_ahead
from graphrag.config import IngestionSettings
from graphrag.embedding.protocol import Embedder
from graphrag.errors import GraphRagError, ModelCallError, StoreUnavailableError, UnreadableDocumentError
from graphrag.ingestion.chunker import Chunker, ChunkResult
from graphrag.ingestion.readers.protocol import Reader, SourceBytes
from graphrag.ingestion.refresh import Fingerprint, StoredVersion
from graphrag.ingestion.sources import SourceFailure, SourceFile, read_bytes
from graphrag.ingestion.steps import Cut, Job, Loaded, Step, nothing_in, now, verdict_of_write, with_vectors
from graphrag.ingestion.verdicts import (
    DocumentVerdict,
    IngestionProgress,
    IngestionReport,
    SilentProgress,
    Verdict,
    verdict_of_error,
)
from graphrag.model import Document, MaterializedDocument
from graphrag.model.identity import document_id
from graphrag.model.parsed import ParsedDocument
from graphrag.stores.protocols import ChunkingContentElementRepository, WriteOutcome

__all__ = ["Pipeline"]

log = logging.getLogger("graphrag.ingestion")


class Pipeline:
    """Brings the documents of one call into a store.

    Args:
        store: Takes the documents; prepared.
        embedder: Of the store's model.
        reader: Reads files.
        chunker: Cuts them.
        job: What holds for all of them.
        settings: How many documents are under way at once.
        progress: Is told how far it is.
    """

    def __init__(
        self,
        store: ChunkingContentElementRepository,
        embedder: Embedder,
        *,
        reader: Reader,
        chunker: Chunker,
        job: Job,
        settings: IngestionSettings,
        progress: IngestionProgress | None = None,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._reader = reader
        self._chunker = chunker
        self._job = job
        self._settings = settings
        self._progress = progress or SilentProgress()
        self._store_lost: StoreUnavailableError | None = None

    def run(self, items: Sequence[SourceFile | SourceFailure | SourceBytes]) -> IngestionReport:
        """Return a verdict a document, in their order."""
        self._progress.found(len(items))
        ahead = self._settings.read_ahead
        loaded = map_ahead(self._load, items, workers=1, ahead=ahead)
        decided = self._decided(loaded)
        cut = map_ahead(self._read_and_cut, decided, workers=ahead, ahead=ahead)
        grouped = self._grouped(cut)
        embedded = map_ahead(self.embed, grouped, workers=1, ahead=2)
        verdicts: list[DocumentVerdict] = []
        with closing(embedded) as groups:
            for group in groups:
                for verdict in self._write(group):
                    verdicts.append(verdict)
                    self._progress.finished(verdict)
        return IngestionReport(tuple(verdicts))

    def _load(self, item: SourceFile | SourceFailure | SourceBytes) -> Step:
        try:
            self._check_store()
            if isinstance(item, SourceFailure):
                raise item.error
            if isinstance(item, SourceFile):
                source = read_bytes(item, max_file_bytes=self._settings.max_file_bytes)
            else:
                source = item
            return Loaded(source, self._fingerprint(source))
        except GraphRagError as error:
            return verdict_of_error(item.uri, error)

    def _fingerprint(self, source: SourceBytes) -> Fingerprint:
        chunker = self._chunker
        return Fingerprint.of(
            source.data,
            metadata=self._job.clean,
            reader=self._reader.version,
            chunker=chunker.settings,
            transformer=chunker.transformer,
            model_id=self._embedder.model_id,
        )

    def _decided(self, steps: Iterator[Step]) -> Iterator[Step]:
        """Compare each document with the stored version; what is to be skipped has its verdict here."""
        for step in steps:
            yield self._decide(step) if isinstance(step, Loaded) else step

    def _decide(self, loaded: Loaded) -> Step:
        uri = loaded.source.uri
        id_ = document_id(self._job.collection, uri)
        try:
            self._check_store()
            stored = (self._store.find_documents([id_])).get(id_)
            version = None if stored is None else StoredVersion(uri, stored.fingerprint, stored.ingested_at)
            decision = self._job.policy.decide(version, loaded.fingerprint, now=now())
            if decision.action == "skip" and stored is not None:
                return DocumentVerdict(
                    uri, Verdict.UNCHANGED, decision.reason, chunks=stored.chunk_count, document_id=id_
                )
            if decision.action == "metadata_only" and stored is not None:
                self._store.set_metadata(
                    uri,
                    self._job.metadata,
                    collection=self._job.collection,
                    replace=True,
                    fingerprint=str(loaded.fingerprint),
                )
                return DocumentVerdict(
                    uri, Verdict.UPDATED, decision.reason, chunks=stored.chunk_count, document_id=id_
                )
        except GraphRagError as error:
            return self._failed(uri, error)
        return replace(loaded, stored=stored, decision=decision)

    def _read_and_cut(self, step: Step) -> Step:
        if not isinstance(step, Loaded):
            return step
        uri = step.source.uri
        try:
            self._check_store()
            parsed = self._read(step.source, self._job.passwords)
            nothing = nothing_in(uri, parsed)
            if nothing is not None:
                return nothing
            result = self._chunker.chunk(
                parsed,
                uri=uri,
                collection=self._job.collection,
                metadata=self._job.metadata,
                # A partial document is read again next time, whatever its bytes.
                fingerprint="" if parsed.partial else str(step.fingerprint),
            )
        except GraphRagError as error:
            return verdict_of_error(uri, error)
        except Exception as error:
            # A reader or transformer of the application's, or a fault of ours: the other documents go on.
            log.exception("reading or cutting one document failed")
            msg = f"`{uri}` could not be read: {type(error).__name__} in the reader or chunker; the log has the details"
            return verdict_of_error(uri, UnreadableDocumentError(msg, uri=uri))
        return self._cut(step, parsed, result)

    def _cut(self, step: Loaded, parsed: ParsedDocument, result: ChunkResult) -> Cut:
        materialized = replace(
            result.materialized,
            document=result.materialized.document.model_copy(update={"ingested_at": now()}),
            embedding_model=self._embedder.model_id,
        )
        return Cut(
            uri=step.source.uri,
            materialized=materialized,
            missing=frozenset(chunk.id for chunk in materialized.chunks),
            stored=step.stored,
            partial=parsed.partial,
            reason=step.decision.reason if step.decision else "",
            notes=(*parsed.notes, *result.notes),
        )

    def _read(self, source: SourceBytes, passwords: Sequence[str]) -> ParsedDocument:
        for password in passwords[:-1]:
            try:
                return self._reader.read(source, password=password)
            except GraphRagError as error:
                if error.code != "needs_password":
                    raise
        return self._reader.read(source, password=passwords[-1] if passwords else None)

    def _grouped(self, steps: Iterator[Step]) -> Iterator[list[Step]]:
        """Collect documents until they have chunks enough to be embedded together."""
        group: list[Step] = []
        waiting = 0
        for step in steps:
            current = self._with_missing(step) if isinstance(step, Cut) else step
            group.append(current)
            waiting += len(current.missing) if isinstance(current, Cut) else 0
            if waiting >= self._settings.embed_group_chunks or not waiting:
                yield group
                group, waiting = [], 0
        if group:
            yield group

    def _with_missing(self, cut: Cut) -> Step:
        if cut.partial and cut.stored is not None:
            return DocumentVerdict(
                cut.uri,
                Verdict.PARTIAL,
                "reading stopped before the end; the version in the store was kept",
                chunks=cut.stored.chunk_count,
                notes=cut.notes,
                document_id=cut.stored.id,
            )
        try:
            self._check_store()
            return replace(cut, missing=self.missing(cut.materialized, cut.stored))
        except GraphRagError as error:
            return self._failed(cut.uri, error, cut.notes)

    def _check_store(self) -> None:
        if self._store_lost is not None:
            raise self._store_lost

    def _failed(self, uri: str, error: GraphRagError, notes: Sequence[str] = ()) -> DocumentVerdict:
        if isinstance(error, StoreUnavailableError):
            self._store_lost = error
        return verdict_of_error(uri, error, notes)

    def missing(self, whole: MaterializedDocument, stored: Document | None) -> frozenset[str]:
        if stored is None:
            return frozenset(chunk.id for chunk in whole.chunks)
        return self._store.chunks_to_embed(whole)

    def embed(self, group: Sequence[Step]) -> list[Step]:
        """Embed the chunks of a group together; where that fails, each document by itself."""
        cuts = [step for step in group if isinstance(step, Cut)]
        wanted = [(cut, chunk) for cut in cuts for chunk in cut.materialized.chunks if chunk.id in cut.missing]
        if not wanted:
            return list(group)
        try:
            rows = self._embed_texts([chunk.embeddable_value() for _, chunk in wanted])
        except GraphRagError as error:
            if len(cuts) == 1:
                return [verdict_of_error(s.uri, error, s.notes) if isinstance(s, Cut) else s for s in group]
            return [step for item in group for step in self.embed([item])]
        vectors: dict[str, NDArray[np.float32]] = {chunk.id: row for (_, chunk), row in zip(wanted, rows, strict=True)}
        self._progress.embedded(len(wanted))
        return [with_vectors(step, vectors) if isinstance(step, Cut) else step for step in group]

    def _embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a text; what the store checks of a vector is not checked here."""
        try:
            rows = self._embedder.embed_documents(texts)
            count = len(rows)
        except GraphRagError:
            raise
        except Exception as error:  # an embedder of the application's may raise anything
            msg = f"the embedding model `{self._embedder.model_name}` failed: {type(error).__name__}"
            raise ModelCallError(msg) from error
        if count != len(texts):
            msg = f"the embedding model `{self._embedder.model_name}` gave {count} vectors for {len(texts)} texts"
            raise ModelCallError(msg)
        return rows

    def _write(self, group: Sequence[Step]) -> list[DocumentVerdict]:
        outcomes = iter(self._outcomes([step for step in group if isinstance(step, Cut)]))
        verdicts: list[DocumentVerdict] = []
        for step in group:
            if isinstance(step, Cut):
                outcome = next(outcomes)
                if isinstance(outcome, StoreUnavailableError):
                    self._store_lost = outcome
                verdicts.append(verdict_of_write(step, outcome))
            elif isinstance(step, DocumentVerdict):
                verdicts.append(self._settle(step))
        return verdicts

    def _outcomes(self, cuts: Sequence[Cut]) -> Sequence[WriteOutcome | Exception]:
        if not cuts:
            return ()
        try:
            self._check_store()
            return self._store.write_documents([cut.materialized for cut in cuts])
        except GraphRagError as error:
            return [error] * len(cuts)

    def _settle(self, verdict: DocumentVerdict) -> DocumentVerdict:
        """Take away the old version of a document that has no text any more."""
        if verdict.verdict not in {Verdict.EMPTY, Verdict.NO_TEXT_LAYER}:
            return verdict
        try:
            self._check_store()
            gone = self._store.delete_document(verdict.uri, collection=self._job.collection)
        except GraphRagError as error:
            return self._failed(verdict.uri, error, verdict.notes)
        if not gone.documents:
            return verdict
        return replace(verdict, reason=f"{verdict.reason}; the version in the store was removed")
