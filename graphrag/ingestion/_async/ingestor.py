"""The public face of ingestion: files, bytes, texts and ready chunks into a store."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import PurePosixPath
from types import TracebackType
from typing import Self, get_args
from urllib.parse import unquote, urlsplit

from graphrag.concurrency._async import run_blocking
from graphrag.config import LIMITS, ChunkerSettings, IngestionSettings, Limits, WebSettings
from graphrag.embedding.protocol import Embedder
from graphrag.errors import InvalidRequestError
from graphrag.ingestion._async.pipeline import AsyncPipeline
from graphrag.ingestion._async.syncing import AsyncSyncing
from graphrag.ingestion._async.writing import AsyncWriting
from graphrag.ingestion.chunker import Chunker
from graphrag.ingestion.given import GivenChunk, materialize_given
from graphrag.ingestion.given_checks import CheckedChunks, check_given
from graphrag.ingestion.readers.protocol import PreparedReader, Reader, SourceBytes
from graphrag.ingestion.refresh import RefreshByFingerprint, RefreshPolicy
from graphrag.ingestion.sources import (
    FoundUrls,
    SourceFailure,
    SourceFile,
    SourceUrl,
    UrlKind,
    WebSources,
    canonical_uri,
    check_texts,
    discover,
    is_web_url,
    synced_folders,
)
from graphrag.ingestion.steps import Cut, Job, metadata_for, now, pages
from graphrag.ingestion.transformers import AddTitlesChunkTransformer, ChunkTransformer
from graphrag.ingestion.verdicts import DocumentVerdict, IngestionProgress, IngestionReport
from graphrag.model import Document
from graphrag.model.identity import check_collection, document_id
from graphrag.model.metadata import check_metadata
from graphrag.stores.protocols import AsyncChunkingContentElementRepository

__all__ = ["AsyncIngestor"]

_PAGE = 500
"""Documents asked for at once, where only whether they are there is kept."""

_KEPT = "`{root}` holds no file to read, so no document of it was taken for gone; `graphrag delete` deletes them"
_MAX_SKIPPED = 100
"""Paths of skipped entries that a report carries."""


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
        web: What is fetched by URL, from where, and how much of it.
        on_close: Is called by `aclose`: frees what was made for this ingestor alone (Tika workers).

    It is a context manager, which calls `aclose`; it does not close the store or the embedder.
    """

    def __init__(  # noqa: PLR0913 - parts, each by its name
        self,
        store: AsyncChunkingContentElementRepository,
        embedder: Embedder,
        *,
        reader: Reader,
        transformer: ChunkTransformer | None = None,
        chunker: ChunkerSettings | None = None,
        settings: IngestionSettings | None = None,
        limits: Limits = LIMITS,
        web: WebSettings | None = None,
        on_close: Callable[[], None] | None = None,
    ) -> None:
        self._on_close = on_close
        self._store = store
        self._embedder = embedder
        self._reader = reader
        self._transformer = transformer or AddTitlesChunkTransformer()
        self._chunker_settings = chunker or ChunkerSettings()
        self._settings = settings or IngestionSettings()
        self._limits = limits
        self._web = web or WebSettings()
        self._chunker: Chunker | None = None

    async def aclose(self) -> None:
        """Free what was made for this ingestor alone. May be called twice."""
        on_close, self._on_close = self._on_close, None
        if on_close is not None:
            await run_blocking(on_close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def ingest(  # noqa: PLR0913 - options, each by its name
        self,
        paths: Sequence[str],
        *,
        collection: str = "default",
        metadata: Mapping[str, object] | None = None,
        policy: RefreshPolicy | None = None,
        passwords: Sequence[str] = (),
        recursive: bool = True,
        urls: UrlKind = "page",
        sync: bool = False,
        dry_run: bool = False,
        progress: IngestionProgress | None = None,
    ) -> IngestionReport:
        """Ingest files, folders, patterns and URLs; return a verdict a file or page, those of pages last.

        Args:
            paths: Files, folders, patterns with `*`, `?`, `[…]` and `**`, and URLs (`https://…`, `http://…`).
            collection: Where they go.
            metadata: What is said of each; chunks inherit it.
            policy: When a known document is read again; by default when anything of it changed.
            passwords: Tried, in this order, on encrypted files.
            recursive: Whether folders are searched below their own files.
            urls: What the URLs among the paths are: pages, sitemaps, or feeds, whose pages are taken.
            sync: Whether documents of the collection whose files are gone from the folders among the paths are
                deleted, after the others were written. A folder without any file to read, as one is that is not
                mounted, keeps them; so does a file that is there and not read.
            dry_run: Whether verdicts only tell what would be done: as far as can be told from a file's bytes, since
                none is parsed (one that is `added` may turn out to be empty, say). Nothing is written.
            progress: Is told how far it is.

        Raises:
            InvalidRequestError: `paths` or `passwords` is one string or holds something else than strings, the
                collection's name or the metadata cannot be stored, `sync` is asked for without a folder, or `urls`
                is none of its words, or is a list without a URL.
            SchemaError: The store's schema does not fit; nothing is written.
            StoreError: The store cannot be reached; nothing is written.
            ModelCallError: The embedding model is missing; nothing is written.
            ConfigurationError, LocalServerError, MissingExtraError: New files need Tika, and it does not
                start, or a setting of what is fetched is wrong; nothing is written.
        """
        paths = check_texts("paths", paths, what="paths")
        on_web = [path for path in paths if is_web_url(path)]
        _check_kind(urls, on_web)
        web = WebSources(self._web, max_file_bytes=self._settings.max_file_bytes)
        job = self._job(collection, metadata, policy, passwords)
        folders = await run_blocking(synced_folders, paths, recursive=recursive) if sync else []
        pipeline = await self._pipeline(job, progress, web=web, dry_run=dry_run)
        skipped: list[str] = []
        local = [path for path in paths if not is_web_url(path)]
        listed = await run_blocking(lambda: list(discover(local, recursive=recursive, on_skipped=skipped.append)))
        named = await run_blocking(web.find, on_web, urls) if on_web else FoundUrls()
        found = [*listed, *named.items]
        if not dry_run:
            await self._prepare_reader([item for item in found if not isinstance(item, SourceFailure)], job.collection)
        files = [item for item in found if not isinstance(item, SourceFailure) or not item.nothing_found]
        nothing = tuple(item.root for item in found if isinstance(item, SourceFailure) and item.nothing_found)
        report = await (pipeline.plan(files) if dry_run else pipeline.run(files))
        kept = [folder.root for folder in folders if folder.root in nothing]
        syncing = AsyncSyncing(self._store, collection=job.collection)
        gone: list[DocumentVerdict] = []
        async with aclosing(syncing.run([f for f in folders if f.root not in kept], dry_run=dry_run)) as removed:
            async for verdict in removed:
                gone.append(verdict)
                if progress is not None:
                    progress.finished(verdict)
        return replace(
            report,
            verdicts=(*report.verdicts, *gone),
            nothing_found=nothing,
            skipped=tuple(skipped[:_MAX_SKIPPED]),
            notes=(*named.notes, *(_KEPT.format(root=root) for root in kept)),
        )

    async def ingest_bytes(  # noqa: PLR0913 - options, each by its name
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
        return (await (await self._pipeline(job)).run([source])).verdicts[0]

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

        Returns:
            `unchanged` where the store has just these chunks and vectors, and the same is said of the document.

        Raises:
            InvalidRequestError: Something cannot be stored; a chunk is named by its number, from 0. Nothing was
                embedded.
            SchemaError: The store's schema does not fit.
            StoreError: The store failed; nothing is half-written.
            ModelCallError, IngestionError: The embedder failed.
        """
        canonical = canonical_uri(uri)
        job = self._job(collection, metadata, None, ())
        checked = await run_blocking(self._check_given, canonical, title, chunks)
        await self._store.prepare()
        id_ = document_id(job.collection, canonical)
        stored = (await self._store.find_documents([id_])).get(id_)
        merged, pinned = metadata_for(job, stored)
        root = Document(
            id=id_,
            uri=canonical,
            title=checked.title,
            collection=job.collection,
            metadata=merged,
            ingested_at=now(),
            pinned_metadata=pinned,
        )
        model = await run_blocking(lambda: self._embedder.model_id)
        whole = await run_blocking(materialize_given, root, checked.chunks, embedding_model=model)
        writing = AsyncWriting(self._store, self._embedder, collection=job.collection)
        return await writing.bring(Cut(canonical, whole, stored=stored, notes=checked.notes))

    def _check_given(self, uri: str, title: str, chunks: Sequence[GivenChunk]) -> CheckedChunks:
        given = any(getattr(chunk, "embedding", None) is not None for chunk in chunks)
        dimensions = self._embedder.dimensions if given else None
        return check_given(title, chunks, uri=uri, dimensions=dimensions, limits=self._limits)

    def _job(
        self,
        collection: str,
        metadata: Mapping[str, object] | None,
        policy: RefreshPolicy | None,
        passwords: Sequence[str],
    ) -> Job:
        clean = check_metadata(metadata or {}, limits=self._limits)
        tried = check_texts("passwords", passwords, what="passwords")
        return Job(check_collection(collection), clean.values(), clean, policy or RefreshByFingerprint(), tried)

    async def _prepare_reader(self, files: Sequence[SourceFile | SourceUrl], collection: str) -> None:
        """Show that new files can be read. Known ones may be unchanged, and then nothing has to start."""
        reader = self._reader
        if not isinstance(reader, PreparedReader):
            return
        unknown: list[str] = []
        for page in pages(files, _PAGE):
            ids = {document_id(collection, file.uri): file.name for file in page}
            known = await self._store.find_documents(list(ids))
            unknown.extend(name for id_, name in ids.items() if id_ not in known)
        await run_blocking(reader.prepare, unknown)

    async def _pipeline(
        self,
        job: Job,
        progress: IngestionProgress | None = None,
        *,
        web: WebSources | None = None,
        dry_run: bool = False,
    ) -> AsyncPipeline:
        """Check everything that every document needs, before the first write; return the stages."""
        await self._store.prepare(dry_run=dry_run)
        if self._chunker is None:
            self._chunker = await run_blocking(
                lambda: Chunker(
                    self._chunker_settings,
                    tokenizer=self._embedder.tokenizer,
                    transformer=self._transformer,
                    limits=self._limits,
                )
            )
        return AsyncPipeline(
            self._store,
            self._embedder,
            reader=self._reader,
            chunker=self._chunker,
            job=job,
            settings=self._settings,
            progress=progress,
            web=web,
        )


def _check_kind(urls: UrlKind, on_web: Sequence[str]) -> None:
    if urls not in get_args(UrlKind):
        msg = f"`urls` is {urls!r}; it must be one of {', '.join(get_args(UrlKind))}"
        raise InvalidRequestError(msg)
    if urls != "page" and not on_web:
        msg = f"`urls` is `{urls}`, and none of the paths is a URL; give the URL of the {urls}, as `https://host/path`"
        raise InvalidRequestError(msg)
