"""The stages of an ingestion: look up, load, decide, read, cut, embed, write.

They overlap: while one document is written, the next ones are embedded, parsed and loaded. Each stage
holds a bounded number of documents, so memory does not grow with the number of files. A document that
fails gets its verdict, and the others go on. Only a store that cannot be reached any more fails the rest
too: each of them would wait as long as the first one did.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import replace

from graphrag.concurrency._async import map_ahead
from graphrag.config import IngestionSettings, WebSettings
from graphrag.embedding.protocol import Embedder
from graphrag.errors import GraphRagError
from graphrag.ingestion._async.deciding import AsyncDeciding
from graphrag.ingestion._async.writing import AsyncWriting
from graphrag.ingestion.chunker import Chunker, ChunkResult
from graphrag.ingestion.faults import LostStore, ours_only
from graphrag.ingestion.readers.protocol import Reader, SourceBytes
from graphrag.ingestion.refresh import Fingerprint
from graphrag.ingestion.sources import SourceFailure, SourceFile, SourceUrl, WebSources, read_bytes
from graphrag.ingestion.steps import Cut, Group, Job, Known, Loaded, Source, Step, metadata_for, nothing_in, now
from graphrag.ingestion.verdicts import (
    DocumentVerdict,
    IngestionProgress,
    IngestionReport,
    SilentProgress,
    Verdict,
    verdict_of_error,
)
from graphrag.model.parsed import ParsedDocument
from graphrag.stores.protocols import AsyncChunkingContentElementRepository

__all__ = ["AsyncPipeline"]


class AsyncPipeline:
    """Brings the documents of one call into a store.

    Args:
        store: Takes the documents; prepared.
        embedder: Of the store's model.
        reader: Reads files.
        chunker: Cuts them.
        job: What holds for all of them.
        settings: How many documents are under way at once.
        progress: Is told how far it is.
        web: Fetches pages.
    """

    def __init__(  # noqa: PLR0913 - parts, each by its name
        self,
        store: AsyncChunkingContentElementRepository,
        embedder: Embedder,
        *,
        reader: Reader,
        chunker: Chunker,
        job: Job,
        settings: IngestionSettings,
        progress: IngestionProgress | None = None,
        web: WebSources | None = None,
    ) -> None:
        self._embedder = embedder
        self._reader = reader
        self._chunker = chunker
        self._job = job
        self._settings = settings
        self._progress = progress or SilentProgress()
        self._web = web or WebSources(WebSettings(), max_file_bytes=settings.max_file_bytes)
        self._lost = LostStore()
        self._deciding = AsyncDeciding(store, job, lost=self._lost)
        self._writing = AsyncWriting(
            store, embedder, collection=job.collection, progress=self._progress, lost=self._lost
        )

    async def run(self, items: Sequence[Source]) -> IngestionReport:
        """Return a verdict a document, in their order."""
        self._progress.found(len(items))
        ahead = self._settings.read_ahead
        verdicts: list[DocumentVerdict] = []
        # Each stage is closed, the last one first: one that is only left to itself keeps its threads.
        async with AsyncExitStack() as stages:
            enter = stages.enter_async_context
            known = await enter(aclosing(self._deciding.looked_up(items)))
            loaded = await enter(aclosing(map_ahead(self._load, known, workers=1, ahead=ahead)))
            known_again = await enter(aclosing(self._deciding.looked_up_again(loaded)))
            decided = await enter(aclosing(self._deciding.decided(known_again)))
            cut = await enter(aclosing(map_ahead(self._read_and_cut, decided, workers=ahead, ahead=ahead)))
            grouped = await enter(aclosing(self._grouped(cut)))
            embedded = await enter(aclosing(map_ahead(self._writing.embed, grouped, workers=1, ahead=2)))
            async for group in embedded:
                for verdict in await self._writing.write(group):
                    verdicts.append(verdict)
                    self._progress.finished(verdict)
        return IngestionReport(tuple(verdicts))

    async def plan(self, items: Sequence[Source]) -> IngestionReport:
        """Return what would become of each document, in their order; nothing is read further than its bytes."""
        self._progress.found(len(items))
        verdicts: list[DocumentVerdict] = []
        async with (
            aclosing(self._deciding.looked_up(items)) as known,
            aclosing(map_ahead(self._load, known, workers=1, ahead=self._settings.read_ahead)) as loaded,
            aclosing(self._deciding.looked_up_again(loaded)) as known_again,
        ):
            async for step in known_again:
                verdict = self._deciding.planned(step)
                verdicts.append(verdict)
                self._progress.finished(verdict)
        return IngestionReport(tuple(verdicts))

    def _load(self, known: Known | DocumentVerdict) -> Step:
        if isinstance(known, DocumentVerdict):
            return known
        item = known.item
        try:
            self._lost.check()
            with ours_only(item.uri, stage="fetch", what="loading it"):
                source = self._source(item)
                if isinstance(item, SourceUrl) and not self._web.is_new(source):
                    reason = f"it leads to `{source.uri}`, which is read already"
                    return DocumentVerdict(item.uri, Verdict.UNCHANGED, reason)
                same = source.uri == item.uri
                return Loaded(source, self._fingerprint(source), known.stored if same else None, looked_up=same)
        except GraphRagError as error:
            return verdict_of_error(item.uri, error)

    def _source(self, item: Source) -> SourceBytes:
        match item:
            case SourceFailure():
                raise item.error
            case SourceFile():
                return read_bytes(item, max_file_bytes=self._settings.max_file_bytes)
            case SourceUrl():
                return self._web.read(item)
            case SourceBytes():
                return item

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

    def _read_and_cut(self, step: Step) -> Step:
        if not isinstance(step, Loaded):
            return step
        uri = step.source.uri
        try:
            self._lost.check()
            with ours_only(uri, stage="read", what="the reader"):
                parsed = self._read(step.source, self._job.passwords)
            nothing = nothing_in(uri, parsed)
            if nothing is not None:
                return nothing
            with ours_only(uri, stage="chunk", what="the chunker or one of its transformers"):
                return self._cut(step, parsed)
        except GraphRagError as error:
            return verdict_of_error(uri, error)

    def _read(self, source: SourceBytes, passwords: Sequence[str]) -> ParsedDocument:
        for password in passwords[:-1]:
            try:
                return self._reader.read(source, password=password)
            except GraphRagError as error:
                if error.code != "needs_password":
                    raise
        return self._reader.read(source, password=passwords[-1] if passwords else None)

    def _cut(self, step: Loaded, parsed: ParsedDocument) -> Cut:
        metadata, pinned = metadata_for(self._job, step.stored)
        result: ChunkResult = self._chunker.chunk(
            parsed,
            uri=step.source.uri,
            collection=self._job.collection,
            metadata=metadata,
            # A partial document is read again next time, whatever its bytes.
            fingerprint="" if parsed.partial else str(step.fingerprint),
        )
        root = result.materialized.document.model_copy(update={"ingested_at": now(), "pinned_metadata": pinned})
        return Cut(
            step.source.uri,
            replace(result.materialized, document=root, embedding_model=self._embedder.model_id),
            stored=step.stored,
            partial=parsed.partial,
            reason=step.decision.reason if step.decision else "",
            notes=(*parsed.notes, *result.notes),
        )

    async def _grouped(self, steps: AsyncGenerator[Step]) -> AsyncGenerator[list[Step]]:
        """Collect documents until they are enough to be embedded and written together."""
        group = Group(self._settings.embed_group_chunks)
        async for step in steps:
            group.add(await self._writing.with_missing(step) if isinstance(step, Cut) else step)
            if group.full:
                yield group.steps
                group = Group(self._settings.embed_group_chunks)
        if group.steps:
            yield group.steps
