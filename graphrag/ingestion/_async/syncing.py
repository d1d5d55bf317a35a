"""Removing the documents whose files are gone from their folder."""

from collections.abc import AsyncGenerator, Sequence

from graphrag.concurrency._async import run_blocking
from graphrag.errors import GraphRagError
from graphrag.filters.nodes import StartsWith
from graphrag.ingestion.sources import SyncedFolder, is_gone
from graphrag.ingestion.verdicts import DocumentVerdict, Verdict, verdict_of_error
from graphrag.model import Document
from graphrag.stores.protocols import AsyncChunkingContentElementRepository

__all__ = ["AsyncSyncing"]

_PAGE = 5_000


class AsyncSyncing:
    """Compares the documents of a collection with the files of folders.

    Args:
        store: Has the documents.
        collection: Theirs; no other is looked at.
    """

    def __init__(self, store: AsyncChunkingContentElementRepository, *, collection: str) -> None:
        self._store = store
        self._collection = collection

    async def run(self, folders: Sequence[SyncedFolder], *, dry_run: bool) -> AsyncGenerator[DocumentVerdict]:
        """Yield a verdict a document whose file is gone, by its URI; delete it, unless this is a dry run.

        An error ends the folder that it concerns, with a verdict of the folder, or the document.
        """
        seen: set[str] = set()
        for folder in folders:
            try:
                gone = [document for document in await self._gone(folder) if document.id not in seen]
            except GraphRagError as error:
                yield verdict_of_error(folder.uri, error)
                continue
            for document in gone:
                seen.add(document.id)
                verdict = await self._removed(document, dry_run=dry_run)
                if verdict is not None:
                    yield verdict

    async def _gone(self, folder: SyncedFolder) -> list[Document]:
        # All of them before the first is deleted: a page is told by how many come before it.
        found: list[Document] = []
        offset = 0
        while page := await self._store.list_documents(
            where=StartsWith("uri", folder.prefix), collections=[self._collection], limit=_PAGE, offset=offset
        ):
            offset += len(page)
            found.extend(await run_blocking(_gone_of, page, folder))
        return found

    async def _removed(self, document: Document, *, dry_run: bool) -> DocumentVerdict | None:
        """Delete a document; None where its file is there again, or another program was faster."""
        uri = document.uri
        reason = "its file is gone"
        if dry_run:
            return DocumentVerdict(uri, Verdict.REMOVED, reason, chunks=document.chunk_count, document_id=document.id)
        if not await run_blocking(is_gone, uri):
            return None
        try:
            deletion = await self._store.delete_document(uri, collection=self._collection)
        except GraphRagError as error:
            return verdict_of_error(uri, error)
        return DocumentVerdict(uri, Verdict.REMOVED, reason) if deletion.documents else None


def _gone_of(documents: Sequence[Document], folder: SyncedFolder) -> list[Document]:
    return [document for document in documents if folder.holds(document.uri) and is_gone(document.uri)]
