"""The last stages of an ingestion: chunks are embedded, and documents written."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from graphrag.concurrency._async import run_blocking
from graphrag.embedding.protocol import Embedder
from graphrag.errors import GraphRagError, MissingEmbeddingError, ModelCallError
from graphrag.ingestion.faults import LostStore, as_ours, ours_only
from graphrag.ingestion.steps import Cut, Step, verdict_of_write, with_vectors
from graphrag.ingestion.verdicts import DocumentVerdict, IngestionProgress, SilentProgress, Verdict, verdict_of_error
from graphrag.model import Chunk
from graphrag.stores.protocols import AsyncChunkingContentElementRepository, WriteOutcome

__all__ = ["AsyncWriting"]


class AsyncWriting:
    """Embeds what a store lacks of documents, and writes them.

    Args:
        store: Takes the documents; prepared.
        embedder: Of the store's model.
        collection: Where the documents are.
        progress: Is told how many chunks were embedded.
        lost: Is told when the store is, and asked.
    """

    def __init__(
        self,
        store: AsyncChunkingContentElementRepository,
        embedder: Embedder,
        *,
        collection: str,
        progress: IngestionProgress | None = None,
        lost: LostStore | None = None,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._collection = collection
        self._progress = progress or SilentProgress()
        self._lost = lost or LostStore()

    async def with_missing(self, cut: Cut) -> Step:
        """Find out which chunks the store lacks; a partial document that must not replace a whole one ends here."""
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
            return replace(cut, missing=await self._missing(cut))
        except GraphRagError as error:
            return verdict_of_error(cut.uri, error, cut.notes)

    async def _missing(self, cut: Cut) -> frozenset[str]:
        whole = cut.materialized
        if cut.stored is None:
            return frozenset(chunk.id for chunk in whole.chunks) - whole.vectors.keys()
        with self._lost.watch():
            return await self._store.chunks_to_embed(whole) - whole.vectors.keys()

    def embed(self, group: Sequence[Step]) -> list[Step]:
        """Embed the chunks of a group together; where that fails, each document by itself. Blocks."""
        cuts = [step for step in group if isinstance(step, Cut)]
        try:
            self._lost.check()
            vectors = self._vectors([chunk for cut in cuts for chunk in _chunks(cut, cut.missing)])
        except Exception as error:  # noqa: BLE001 - a model of any make; each document by itself gets its error
            if len(cuts) > 1:
                return [step for item in group for step in self.embed([item])]
            return [self._not_embedded(step, error) if isinstance(step, Cut) else step for step in group]
        if vectors:
            self._progress.embedded(len(vectors))
        return [with_vectors(step, vectors) if isinstance(step, Cut) else step for step in group]

    def _not_embedded(self, cut: Cut, error: Exception) -> DocumentVerdict:
        ours = as_ours(error, cut.uri, stage="embed", what=self._model)
        return verdict_of_error(cut.uri, ours, cut.notes)

    @property
    def _model(self) -> str:
        return f"the embedding model `{self._embedder.model_name}`"

    def _vectors(self, chunks: Sequence[Chunk]) -> dict[str, NDArray[np.float32]]:
        if not chunks:
            return {}
        rows = self._embedder.embed_documents([chunk.embeddable_value() for chunk in chunks])
        if len(rows) != len(chunks):
            msg = f"{self._model} gave {len(rows)} vectors for {len(chunks)} texts; it must give one for each"
            raise ModelCallError(msg)
        return {chunk.id: row for chunk, row in zip(chunks, rows, strict=True)}

    async def write(self, group: Sequence[Step]) -> list[DocumentVerdict]:
        """Write the documents of a group that are embedded; return the verdicts of all, in their order."""
        cuts = [step for step in group if isinstance(step, Cut)]
        outcomes = iter(await self._outcomes(cuts))
        verdicts: list[DocumentVerdict] = []
        for step in group:
            if isinstance(step, DocumentVerdict):
                verdicts.append(await self._settle(step))
            elif isinstance(step, Cut):
                outcome = next(outcomes)
                again = isinstance(outcome, MissingEmbeddingError)
                verdicts.append(await self._once_more(step) if again else verdict_of_write(step, outcome))
        return verdicts

    async def _outcomes(self, cuts: Sequence[Cut]) -> list[WriteOutcome | GraphRagError]:
        if not cuts:
            return []
        outcomes: Sequence[WriteOutcome | Exception]
        try:
            self._lost.check()
            outcomes = await self._store.write_documents([cut.materialized for cut in cuts])
        except Exception as error:  # noqa: BLE001 - a store of any make; the verdicts given so far must not be lost
            outcomes = [error] * len(cuts)
        for outcome in outcomes:
            self._lost.note(outcome)
        return [
            outcome if isinstance(outcome, WriteOutcome) else as_ours(outcome, cut.uri, stage="write", what="the store")
            for cut, outcome in zip(cuts, outcomes, strict=True)
        ]

    async def _once_more(self, cut: Cut) -> DocumentVerdict:
        try:
            with self._lost.watch():
                return await self._complete(cut, await self._store.chunks_to_embed(cut.materialized))
        except GraphRagError as error:
            return verdict_of_error(cut.uri, error, cut.notes)

    async def bring(self, cut: Cut) -> DocumentVerdict:
        """Embed and write one document by itself.

        Raises:
            StoreError: The store failed; nothing is half-written.
            InvalidRequestError: The store refuses something in it.
            ModelCallError, IngestionError: The embedder failed.
        """
        try:
            return await self._complete(cut, await self._missing(cut))
        except MissingEmbeddingError:
            return await self._complete(cut, await self._store.chunks_to_embed(cut.materialized))

    async def _complete(self, cut: Cut, lacking: Collection[str]) -> DocumentVerdict:
        """Embed what the store lacks beside the vectors at hand, and write the document.

        Between the question what a store lacks and the write, another writer may have taken a chunk away. Then
        the store refuses the document, and this is done again, once.
        """
        wanted = _chunks(cut, frozenset(lacking) - cut.materialized.vectors.keys())
        vectors = await run_blocking(self._own_vectors, cut.uri, wanted)
        if vectors:
            self._progress.embedded(len(vectors))
        ready = with_vectors(replace(cut, missing=cut.missing | vectors.keys()), vectors)
        return verdict_of_write(ready, await self._store.write_document(ready.materialized))

    def _own_vectors(self, uri: str, chunks: Sequence[Chunk]) -> dict[str, NDArray[np.float32]]:
        with ours_only(uri, stage="embed", what=self._model):
            return self._vectors(chunks)

    async def _settle(self, verdict: DocumentVerdict) -> DocumentVerdict:
        """Take away the old version of a document that has no text any more."""
        if verdict.verdict not in {Verdict.EMPTY, Verdict.NO_TEXT_LAYER}:
            return verdict
        try:
            with self._lost.watch():
                gone = await self._store.delete_document(verdict.uri, collection=self._collection)
        except GraphRagError as error:
            return verdict_of_error(verdict.uri, error, verdict.notes)
        if not gone.documents:
            return verdict
        return replace(verdict, reason=f"{verdict.reason}; the version in the store was removed")


def _chunks(cut: Cut, ids: Collection[str]) -> list[Chunk]:
    return [chunk for chunk in cut.materialized.chunks if chunk.id in ids]
