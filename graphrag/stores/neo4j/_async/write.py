"""Writing documents: whole or absent, by diff, safe to run again.

A small document is one transaction, and several small ones share one. A large one goes by way of staging
(see `staging`). Every write begins with the lock of its document's node, so two writers of one document
follow each other, and what the second one compares with is what the first one wrote.
"""

import random
from collections.abc import Sequence
from functools import partial

from graphrag.concurrency._async import gather, run_blocking, sleep
from graphrag.errors import (
    BusyError,
    GraphRagError,
    InvalidRequestError,
    SchemaError,
    StoreUnavailableError,
)
from graphrag.model import MaterializedDocument
from graphrag.model.identity import check_collection
from graphrag.stores._async.protocols import AsyncContentElementRepository
from graphrag.stores.neo4j._async.applying import OvertakenError, apply_plan
from graphrag.stores.neo4j._async.connection import AsyncWriter
from graphrag.stores.neo4j._async.guarding import SCHEMA_ATTEMPTS, SchemaChangedError
from graphrag.stores.neo4j._async.staging import AsyncNeo4jStaging
from graphrag.stores.neo4j.batches import groups, waves
from graphrag.stores.neo4j.bounds import check_index_keys
from graphrag.stores.neo4j.plan import PreparedDocument, chunks_to_embed, prepare_document, states_by_document
from graphrag.stores.neo4j.stamp import Stamp
from graphrag.stores.reports import WriteOutcome

__all__ = ["AsyncNeo4jWriting"]

STAGE_ABOVE = 4_000
"""New chunks above which a document is staged (docs/benchmarks.md shows the two ways side by side)."""
PARALLEL_GROUPS = 2
"""Groups of documents that are written at once, each by its own connection (docs/benchmarks.md)."""
_STAGED_ATTEMPTS = 3
_FIRST_WAIT_S = 0.5


class AsyncNeo4jWriting(AsyncNeo4jStaging, AsyncContentElementRepository):
    """The repository of documents."""

    async def chunks_to_embed(self, document: MaterializedDocument) -> frozenset[str]:
        """Return the ids of those chunks that the store lacks, or has with another text or model."""
        stamp = await self._live_stamp()
        prepared = await run_blocking(prepare_document, document, limits=self._limits)
        rows = await self._connection.read("content/read_state", {"document_ids": [document.document.id]})
        state = states_by_document(rows).get(document.document.id, [])
        return chunks_to_embed(prepared, state, document.embedding_model or stamp.model_id)

    async def write_document(self, document: MaterializedDocument) -> WriteOutcome:
        """Write one document, or bring the stored one to this version (see the protocol)."""
        outcome = (await self.write_documents([document]))[0]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def write_documents(self, documents: Sequence[MaterializedDocument]) -> list[WriteOutcome | Exception]:
        """Write several documents, small ones together in one transaction (see the protocol)."""
        stamp = await self._ready()
        results: dict[int, WriteOutcome | Exception] = {}
        prepared: list[tuple[int, PreparedDocument]] = []
        for index, document in enumerate(documents):
            try:
                self._check_document(document, stamp)
                prepared.append((index, await run_blocking(prepare_document, document, limits=self._limits)))
            except GraphRagError as error:
                results[index] = error
        for wave in waves(groups(prepared), width=PARALLEL_GROUPS):
            for written in await gather(*(partial(self._write_ready, group) for group in wave), parallel=True):
                results.update(written)
        return [results[index] for index in range(len(documents))]

    async def _write_ready(self, group: Sequence[tuple[int, PreparedDocument]]) -> dict[int, WriteOutcome | Exception]:
        """Write a group, again where another program changed the schema meanwhile."""
        refused: dict[int, WriteOutcome | Exception] = {}
        written = await self._write_group(group, await self._ready())
        for _ in range(SCHEMA_ATTEMPTS - 1):
            if not any(isinstance(outcome, SchemaChangedError) for outcome in written.values()):
                break
            stamp = await self._ready()
            for index, prepared in group:
                try:
                    self._check_document(prepared.source, stamp)
                except GraphRagError as error:
                    refused[index] = error
            group = [item for item in group if item[0] not in refused]
            written = await self._write_group(group, stamp)
        return {**refused, **written}

    def _check_document(self, document: MaterializedDocument, stamp: Stamp) -> None:
        root = document.document
        check_collection(root.collection)
        if len(document.chunks) > self._limits.max_document_chunks:
            msg = (
                f"`{root.uri}` has {len(document.chunks)} chunks; a document may have at most "
                f"{self._limits.max_document_chunks}: split it, or raise `limits.max_document_chunks`"
            )
            raise InvalidRequestError(msg)
        check_index_keys(root.metadata, stamp.bounded_properties, uri=root.uri)
        for chunk in document.chunks:
            if chunk.metadata is not root.metadata:
                check_index_keys(chunk.metadata, stamp.bounded_properties, uri=root.uri)
            if len(chunk.urtext) > self._limits.max_chunk_chars or len(chunk.text) > self._limits.max_text_chars:
                msg = (
                    f"chunk {chunk.sequence_number} of `{root.uri}` has {len(chunk.urtext)} characters, and "
                    f"{len(chunk.text)} with its context; at most {self._limits.max_chunk_chars} and "
                    f"{self._limits.max_text_chars} are stored"
                )
                raise InvalidRequestError(msg)
        if document.embedding_model and document.embedding_model != stamp.model_id:
            msg = (
                f"the vectors of `{root.uri}` are of the model `{document.embedding_model}`, those of the database of "
                f"`{stamp.model_id}`; vectors of two models cannot be compared"
            )
            raise SchemaError(msg)

    async def _write_group(
        self, group: Sequence[tuple[int, PreparedDocument]], stamp: Stamp
    ) -> dict[int, WriteOutcome | Exception]:
        if not group:
            return {}
        if len(group) == 1:
            index, prepared = group[0]
            try:
                return {index: await self._write_one(prepared, stamp)}
            except GraphRagError as error:
                return {index: error}
        try:
            outcomes = await self._write_together([prepared for _, prepared in group], stamp)
        except (StoreUnavailableError, BusyError, SchemaChangedError) as error:
            return {index: error for index, _ in group}
        except GraphRagError:
            # One of them is at fault, or the whole was too much at once: each by itself tells which.
            results: dict[int, WriteOutcome | Exception] = {}
            for item in group:
                results.update(await self._write_group([item], stamp))
            return results
        return {index: outcome for (index, _), outcome in zip(group, outcomes, strict=True)}

    async def _write_one(self, prepared: PreparedDocument, stamp: Stamp) -> WriteOutcome:
        """Write one document: staged where much of it is new, unless others come between again and again."""
        wait_s = _FIRST_WAIT_S
        for _ in range(_STAGED_ATTEMPTS if len(prepared.chunks) > STAGE_ABOVE else 0):
            plan = await self._read_plan(prepared, stamp)
            if len(plan.new_chunks) <= STAGE_ABOVE:
                break
            try:
                return await self._write_staged(prepared, plan, stamp)
            except OvertakenError:
                await sleep(wait_s * random.uniform(0.5, 1.5))  # noqa: S311 - jitter, no secret
                wait_s *= 2
        # Under the lock from its beginning, this cannot be overtaken.
        return (await self._write_together([prepared], stamp))[0]

    async def _write_together(self, group: Sequence[PreparedDocument], stamp: Stamp) -> list[WriteOutcome]:
        async def work(writer: AsyncWriter) -> list[WriteOutcome]:
            plan = await self._lock_and_plan(writer, group, stamp)
            await apply_plan(writer, plan, stamp)
            return plan.outcomes

        chunks = sum(len(prepared.chunks) for prepared in group)
        return await self._in_transaction(work, what="content/write_documents", chunks=chunks)
