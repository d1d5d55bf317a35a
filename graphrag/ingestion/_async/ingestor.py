"""The way of documents into a store: load, decide, read, cut, embed, write.

The stages overlap: while one document is written, the next ones are embedded, parsed and loaded. Each
stage holds a bounded number of documents, so memory does not grow with the number of files. A document
that fails gets its verdict, and the others go on.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

import numpy as np
from numpy.typing import NDArray

from graphrag.concurrency._async import map_ahead, run_blocking
from graphrag.config import LIMITS, ChunkerSettings, IngestionSettings, Limits
from graphrag.embedding.protocol import Embedder
from graphrag.errors import GraphRagError, InvalidRequestError
from graphrag.ingestion.chunker import Chunker, ChunkResult
from graphrag.ingestion.given import GivenChunk, materialize_given
from graphrag.ingestion.readers.protocol import Reader, SourceBytes
from graphrag.ingestion.refresh import Decision, Fingerprint, RefreshByFingerprint, RefreshPolicy, StoredVersion
from graphrag.ingestion.sources import SourceFailure, SourceFile, canonical_uri, discover, read_bytes
from graphrag.ingestion.transformers import AddTitlesChunkTransformer, ChunkTransformer
from graphrag.ingestion.verdicts import (
    DocumentVerdict,
    IngestionProgress,
    IngestionReport,
    SilentProgress,
    Verdict,
    verdict_of_error,
)
from graphrag.model import Document, MaterializedDocument
from graphrag.model.identity import check_collection, document_id
from graphrag.model.metadata import CleanMetadata, check_metadata
from graphrag.model.parsed import ParsedDocument
from graphrag.stores.protocols import AsyncChunkingContentElementRepository, WriteOutcome

__all__ = ["AsyncIngestor"]


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A file's bytes with the decision on them; or a verdict, where there is nothing more to do."""

    source: SourceBytes
    fingerprint: Fingerprint
    stored: Document | None = None
    decision: Decision | None = None


@dataclass(frozen=True, slots=True)
class _Cut:
    """A document cut into chunks, with what its verdict will need."""

    uri: str
    materialized: MaterializedDocument
    missing: frozenset[str]
    stored: Document | None
    partial: bool
    reason: str
    notes: tuple[str, ...]


_Step = DocumentVerdict | _Loaded | _Cut


@dataclass(frozen=True, slots=True)
class _Job:
    """What holds for all documents of one call."""

    collection: str
    metadata: Mapping[str, object]
    clean: CleanMetadata
    policy: RefreshPolicy
    passwords: tuple[str, ...]


class AsyncIngestor:
    """Brings documents into a store.

    Args:
        store: Takes the documents.
        embedder: Of the store's model.
        reader: Reads files; `graphrag.ingestion.readers.AutoReader` for all formats.
        transformer: Gives chunks their indexed text.
        chunker: Sizes of chunks.
        settings: How many documents are in the pipeline at once.
        limits: Bounds on the number of chunks, and on the size of each.
    """

    def __init__(
        self,
        store: AsyncChunkingContentElementRepository,
        embedder: Embedder,
        *,
        reader: Reader,
        transformer: ChunkTransformer | None = None,
        chunker: ChunkerSettings | None = None,
        settings: IngestionSettings | None = None,
        limits: Limits = LIMITS,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._reader = reader
        self._transformer = transformer or AddTitlesChunkTransformer()
        self._chunker_settings = chunker or ChunkerSettings()
        self._settings = settings or IngestionSettings()
        self._limits = limits
        self._chunker: Chunker | None = None

    async def ingest(
        self,
        paths: Sequence[str],
        *,
        collection: str = "default",
        metadata: Mapping[str, object] | None = None,
        policy: RefreshPolicy | None = None,
        passwords: Sequence[str] = (),
        recursive: bool = True,
        progress: IngestionProgress | None = None,
    ) -> IngestionReport:
        """Ingest files, folders and patterns; return a verdict a file.

        Args:
            paths: Files, folders, and patterns with `*`, `?`, `[…]` and `**`.
            collection: Where they go.
            metadata: What is said of each; chunks inherit it.
            policy: When a known document is read again; by default when anything of it changed.
            passwords: Tried, in this order, on encrypted files.
            recursive: Whether folders are searched below their own files.
            progress: Is told how far it is.

        Raises:
            InvalidRequestError: The collection's name or the metadata cannot be stored.
            SchemaError: The store's schema does not fit; nothing is written.
            StoreError: The store cannot be reached; nothing is written.
            ModelCallError: The embedding model is missing; nothing is written.
        """
        job = self._job(collection, metadata, policy, passwords)
        await self._begin()
        found = list(await run_blocking(lambda: list(discover(paths, recursive=recursive))))
        files = [item for item in found if isinstance(item, SourceFile) or not item.nothing_found]
        nothing = tuple(item.root for item in found if isinstance(item, SourceFailure) and item.nothing_found)
        report = await self._run(files, job, progress or SilentProgress())
        return replace(report, nothing_found=nothing)

    async def ingest_bytes(
        self,
        data: bytes,
        uri: str,
        *,
        name: str | None = None,
        content_type: str | None = None,
        collection: str = "default",
        metadata: Mapping[str, object] | None = None,
        policy: RefreshPolicy | None = None,
        passwords: Sequence[str] = (),
    ) -> DocumentVerdict:
        """Ingest one document from memory.

        Args:
            data: The file.
            uri: Its address; it is brought to canonical form.
            name: File name with its extension; by default the last part of `uri`.
            content_type: Media type, if known; the content decides.
            collection: Where it goes.
            metadata: What is said of it.
            policy: When a known document is read again; by default when anything of it changed.
            passwords: Tried, in this order, if it is encrypted.

        Raises:
            InvalidRequestError: URI, collection or metadata cannot be stored, or `data` is over the limit.
            SchemaError: The store's schema does not fit.
            StoreError: The store cannot be reached.
            ModelCallError: The embedding model is missing.
        """
        if len(data) > self._settings.max_file_bytes:
            msg = f"`data` has {len(data)} bytes; at most {self._settings.max_file_bytes} are read"
            raise InvalidRequestError(msg)
        canonical = canonical_uri(uri)
        last = PurePosixPath(unquote(urlsplit(canonical).path)).name
        source = SourceBytes(canonical, data, name or last or canonical, content_type=content_type)
        job = self._job(collection, metadata, policy, passwords)
        await self._begin()
        return (await self._run([source], job, SilentProgress())).verdicts[0]

    async def ingest_text(
        self,
        text: str,
        uri: str,
        *,
        content_type: str = "text/markdown",
        collection: str = "default",
        metadata: Mapping[str, object] | None = None,
        policy: RefreshPolicy | None = None,
    ) -> DocumentVerdict:
        """Ingest one document from a string: Markdown, or `text/plain`, or `text/html`.

        Raises:
            InvalidRequestError: As for `ingest_bytes`, or `content_type` is none of these.
        """
        endings = {"text/markdown": ".md", "text/plain": ".txt", "text/html": ".html"}
        if content_type not in endings:
            msg = f"`content_type` is {content_type!r}; it must be one of {', '.join(endings)}"
            raise InvalidRequestError(msg)
        data = text.encode("utf-8", "surrogatepass") if content_type != "text/html" else text.encode("utf-8", "replace")
        return await self.ingest_bytes(
            data,
            uri,
            name=f"text{endings[content_type]}",
            content_type=f"{content_type}; charset=utf-8",
            collection=collection,
            metadata=metadata,
            policy=policy,
        )

    async def ingest_chunks(
        self,
        uri: str,
        chunks: Sequence[GivenChunk],
        *,
        title: str,
        collection: str = "default",
        metadata: Mapping[str, object] | None = None,
    ) -> DocumentVerdict:
        """Ingest a document whose chunks, and perhaps their vectors, the caller has made.

        Args:
            uri: Its address; it is brought to canonical form.
            chunks: In document order; those without a vector are embedded.
            title: The document's.
            collection: Where it goes.
            metadata: What is said of it; its chunks inherit it.

        Raises:
            InvalidRequestError: Something cannot be stored; a chunk is named by its number.
            StoreError: The store failed; nothing is half-written.
            ModelCallError: The embedder failed.
        """
        canonical = canonical_uri(uri)
        job = self._job(collection, metadata, None, ())
        await self._begin()
        root = Document(
            id="", uri=canonical, title=title, collection=job.collection, metadata=job.metadata, ingested_at=_now()
        )
        model = await run_blocking(lambda: self._embedder.model_id)
        whole = await run_blocking(materialize_given, root, chunks, embedding_model=model)
        stored = (await self._store.find_documents([whole.document.id])).get(whole.document.id)
        missing = await self._missing(whole, stored) - whole.vectors.keys()
        cut = _Cut(canonical, whole, missing, stored, partial=False, reason="", notes=())
        embedded = await run_blocking(self._embed, [cut])
        return await self._written(embedded[0])

    # -- the pipeline

    def _job(
        self,
        collection: str,
        metadata: Mapping[str, object] | None,
        policy: RefreshPolicy | None,
        passwords: Sequence[str],
    ) -> _Job:
        clean = check_metadata(metadata or {}, limits=self._limits)
        return _Job(
            check_collection(collection), clean.values(), clean, policy or RefreshByFingerprint(), tuple(passwords)
        )

    async def _begin(self) -> None:
        """Check everything that every document needs, before the first write."""
        await self._store.prepare()
        if self._chunker is None:
            self._chunker = await run_blocking(
                lambda: Chunker(
                    self._chunker_settings,
                    tokenizer=self._embedder.tokenizer,
                    transformer=self._transformer,
                    limits=self._limits,
                )
            )

    async def _run(
        self, items: Sequence[SourceFile | SourceFailure | SourceBytes], job: _Job, progress: IngestionProgress
    ) -> IngestionReport:
        progress.found(len(items))
        ahead = self._settings.read_ahead
        loaded = map_ahead(lambda item: self._load(item, job), items, workers=1, ahead=ahead)
        decided = self._decided(loaded, job)
        cut = map_ahead(lambda step: self._read_and_cut(step, job), decided, workers=ahead, ahead=ahead)
        grouped = self._grouped(cut)
        embedded = map_ahead(lambda group: self._embed(group, progress), grouped, workers=1, ahead=2)
        verdicts: list[DocumentVerdict] = []
        async with aclosing(embedded) as groups:
            async for group in groups:
                for verdict in await self._write(group, job):
                    verdicts.append(verdict)
                    progress.finished(verdict)
        return IngestionReport(tuple(verdicts))

    def _load(self, item: SourceFile | SourceFailure | SourceBytes, job: _Job) -> _Step:
        try:
            if isinstance(item, SourceFailure):
                raise item.error
            if isinstance(item, SourceFile):
                source = read_bytes(item, max_file_bytes=self._settings.max_file_bytes)
            else:
                source = item
            return _Loaded(source, self._fingerprint(source, job))
        except GraphRagError as error:
            return verdict_of_error(item.uri, error)

    def _fingerprint(self, source: SourceBytes, job: _Job) -> Fingerprint:
        chunker = self._need_chunker()
        return Fingerprint.of(
            source.data,
            metadata=job.clean,
            reader=self._reader.version,
            chunker=chunker.settings,
            transformer=chunker.transformer,
            model_id=self._embedder.model_id,
        )

    def _need_chunker(self) -> Chunker:
        if self._chunker is None:
            msg = "the ingestor was used before it was prepared"
            raise InvalidRequestError(msg)
        return self._chunker

    async def _decided(self, steps: AsyncIterator[_Step], job: _Job) -> AsyncIterator[_Step]:
        """Compare each document with the stored version; what is to be skipped has its verdict here."""
        async for step in steps:
            yield await self._decide(step, job) if isinstance(step, _Loaded) else step

    async def _decide(self, loaded: _Loaded, job: _Job) -> _Step:
        uri = loaded.source.uri
        id_ = document_id(job.collection, uri)
        try:
            stored = (await self._store.find_documents([id_])).get(id_)
            version = None if stored is None else StoredVersion(uri, stored.fingerprint, stored.ingested_at)
            decision = job.policy.decide(version, loaded.fingerprint, now=_now())
            if decision.action == "skip" and stored is not None:
                return DocumentVerdict(
                    uri, Verdict.UNCHANGED, decision.reason, chunks=stored.chunk_count, document_id=id_
                )
            if decision.action == "metadata_only" and stored is not None:
                await self._store.set_metadata(
                    uri, job.metadata, collection=job.collection, replace=True, fingerprint=str(loaded.fingerprint)
                )
                return DocumentVerdict(
                    uri, Verdict.UPDATED, decision.reason, chunks=stored.chunk_count, document_id=id_
                )
        except GraphRagError as error:
            return verdict_of_error(uri, error)
        return replace(loaded, stored=stored, decision=decision)

    def _read_and_cut(self, step: _Step, job: _Job) -> _Step:
        if not isinstance(step, _Loaded):
            return step
        uri = step.source.uri
        try:
            parsed = self._read(step.source, job.passwords)
            nothing = _nothing_in(uri, parsed)
            if nothing is not None:
                return nothing
            result = self._need_chunker().chunk(
                parsed,
                uri=uri,
                collection=job.collection,
                metadata=job.metadata,
                # A partial document is read again next time, whatever its bytes.
                fingerprint="" if parsed.partial else str(step.fingerprint),
            )
        except GraphRagError as error:
            return verdict_of_error(uri, error)
        return self._cut(step, parsed, result)

    def _cut(self, step: _Loaded, parsed: ParsedDocument, result: ChunkResult) -> _Cut:
        materialized = replace(
            result.materialized,
            document=result.materialized.document.model_copy(update={"ingested_at": _now()}),
            embedding_model=self._embedder.model_id,
        )
        return _Cut(
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

    async def _grouped(self, steps: AsyncIterator[_Step]) -> AsyncIterator[list[_Step]]:
        """Collect documents until they have chunks enough to be embedded together."""
        group: list[_Step] = []
        waiting = 0
        async for step in steps:
            current = await self._with_missing(step) if isinstance(step, _Cut) else step
            group.append(current)
            waiting += len(current.missing) if isinstance(current, _Cut) else 0
            if waiting >= self._settings.embed_group_chunks or not waiting:
                yield group
                group, waiting = [], 0
        if group:
            yield group

    async def _with_missing(self, cut: _Cut) -> _Step:
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
            return replace(cut, missing=await self._missing(cut.materialized, cut.stored))
        except GraphRagError as error:
            return verdict_of_error(cut.uri, error, cut.notes)

    async def _missing(self, whole: MaterializedDocument, stored: Document | None) -> frozenset[str]:
        if stored is None:
            return frozenset(chunk.id for chunk in whole.chunks)
        return await self._store.chunks_to_embed(whole)

    def _embed(self, group: Sequence[_Step], progress: IngestionProgress | None = None) -> list[_Step]:
        """Embed the chunks of a group together; where that fails, each document by itself."""
        cuts = [step for step in group if isinstance(step, _Cut)]
        wanted = [(cut, chunk) for cut in cuts for chunk in cut.materialized.chunks if chunk.id in cut.missing]
        if not wanted:
            return list(group)
        try:
            rows = self._embedder.embed_documents([chunk.embeddable_value() for _, chunk in wanted])
        except GraphRagError as error:
            if len(cuts) == 1:
                return [verdict_of_error(s.uri, error, s.notes) if isinstance(s, _Cut) else s for s in group]
            return [step for item in group for step in self._embed([item], progress)]
        vectors: dict[str, NDArray[np.float32]] = {chunk.id: row for (_, chunk), row in zip(wanted, rows, strict=True)}
        if progress is not None:
            progress.embedded(len(wanted))
        return [_with_vectors(step, vectors) if isinstance(step, _Cut) else step for step in group]

    async def _write(self, group: Sequence[_Step], job: _Job) -> list[DocumentVerdict]:
        cuts = [step for step in group if isinstance(step, _Cut)]
        outcomes = iter(await self._store.write_documents([cut.materialized for cut in cuts])) if cuts else iter(())
        verdicts: list[DocumentVerdict] = []
        for step in group:
            if isinstance(step, _Cut):
                verdicts.append(_verdict(step, next(outcomes)))
            elif isinstance(step, DocumentVerdict):
                verdicts.append(await self._settle(step, job))
        return verdicts

    async def _settle(self, verdict: DocumentVerdict, job: _Job) -> DocumentVerdict:
        """Take away the old version of a document that has no text any more."""
        if verdict.verdict not in {Verdict.EMPTY, Verdict.NO_TEXT_LAYER}:
            return verdict
        try:
            gone = await self._store.delete_document(verdict.uri, collection=job.collection)
        except GraphRagError as error:
            return verdict_of_error(verdict.uri, error, verdict.notes)
        if not gone.documents:
            return verdict
        return replace(verdict, reason=f"{verdict.reason}; the version in the store was removed")

    async def _written(self, step: _Step) -> DocumentVerdict:
        if not isinstance(step, _Cut):
            return step if isinstance(step, DocumentVerdict) else DocumentVerdict(step.source.uri, Verdict.FAILED)
        return _verdict(step, await self._store.write_document(step.materialized))


def _nothing_in(uri: str, parsed: ParsedDocument) -> DocumentVerdict | None:
    """Return the verdict of a document without text, or None."""
    if parsed.no_text_layer:
        reason = "it has pages or pictures, but no text layer; run it through OCR first"
        return DocumentVerdict(uri, Verdict.NO_TEXT_LAYER, reason, notes=parsed.notes)
    if parsed.sections or any(not block.text.isspace() for block in parsed.blocks if block.text):
        return None
    return DocumentVerdict(uri, Verdict.EMPTY, "it holds no text", notes=parsed.notes)


def _with_vectors(cut: _Cut, vectors: Mapping[str, NDArray[np.float32]]) -> _Cut:
    own = {id_: vectors[id_] for id_ in cut.missing if id_ in vectors}
    return replace(cut, materialized=replace(cut.materialized, vectors={**cut.materialized.vectors, **own}))


def _verdict(cut: _Cut, outcome: WriteOutcome | Exception) -> DocumentVerdict:
    if isinstance(outcome, GraphRagError):
        return verdict_of_error(cut.uri, outcome, cut.notes)
    if isinstance(outcome, Exception):
        raise outcome
    if cut.partial:
        verdict, reason = Verdict.PARTIAL, "reading stopped before the end; what could be read was stored"
    elif outcome.created:
        verdict, reason = Verdict.ADDED, cut.reason
    else:
        verdict, reason = Verdict.UPDATED, cut.reason
    return DocumentVerdict(
        cut.uri,
        verdict,
        reason,
        chunks=len(cut.materialized.chunks),
        embedded=len(cut.missing),
        notes=cut.notes,
        document_id=outcome.document_id,
    )


def _now() -> datetime:
    return datetime.now(UTC)
