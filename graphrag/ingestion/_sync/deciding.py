# Generated from graphrag/ingestion/_async/deciding.py by tools/generate_sync.py; do not edit.
"""What the store has of each document, and what is to be done with it."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import cast

from graphrag.errors import GraphRagError
from graphrag.ingestion.faults import LostStore, ours_only
from graphrag.ingestion.refresh import Decision, StoredVersion
from graphrag.ingestion.steps import Job, Known, Loaded, Source, Step, metadata_for, now, pages
from graphrag.ingestion.verdicts import DocumentVerdict, Verdict, verdict_of_error
from graphrag.model import Document
from graphrag.model.identity import document_id
from graphrag.stores.protocols import ChunkingContentElementRepository

__all__ = ["Deciding"]

_PAGE = 64
"""Documents asked for at once. Few: what is known of the last of them should not have grown old."""


class Deciding:
    """Compares documents with their stored versions.

    Args:
        store: Has the versions.
        job: Collection, metadata and policy.
        lost: Is told when the store is, and asked.
    """

    def __init__(self, store: ChunkingContentElementRepository, job: Job, *, lost: LostStore) -> None:
        self._store = store
        self._job = job
        self._lost = lost

    def looked_up(self, items: Sequence[Source]) -> Generator[Known | DocumentVerdict]:
        """Yield each item with what the store has of it, or its verdict where the store failed."""
        for page in pages(items, _PAGE):
            try:
                with self._lost.watch():
                    known = self._store.find_documents([self._id(item.uri) for item in page])
            except GraphRagError as error:
                for item in page:
                    yield verdict_of_error(item.uri, error)
                continue
            for item in page:
                yield Known(item, known.get(self._id(item.uri)))

    def looked_up_again(self, steps: Generator[Step]) -> Generator[Step]:
        """Look up what turned out to have another URI when it was loaded, by a redirect."""
        for step in steps:
            yield self._look_up(step) if isinstance(step, Loaded) and not step.looked_up else step

    def _look_up(self, loaded: Loaded) -> Step:
        uri = loaded.source.uri
        try:
            with self._lost.watch():
                known = self._store.find_documents([self._id(uri)])
        except GraphRagError as error:
            return verdict_of_error(uri, error)
        return replace(loaded, stored=known.get(self._id(uri)), looked_up=True)

    def decided(self, steps: Generator[Step]) -> Generator[Step]:
        """Compare each document with the stored version; what is to be skipped has its verdict here."""
        for step in steps:
            yield self._next_step(step) if isinstance(step, Loaded) else step

    def planned(self, step: Step) -> DocumentVerdict:
        """Return what would become of a document, as far as can be told before it is read."""
        if not isinstance(step, Loaded):
            return cast("DocumentVerdict", step)
        uri, stored = step.source.uri, step.stored
        try:
            decision = self._decision(step, stored)
        except GraphRagError as error:
            return verdict_of_error(uri, error)
        if stored is None:
            return DocumentVerdict(uri, Verdict.ADDED, decision.reason)
        verdict = Verdict.UNCHANGED if decision.action == "skip" else Verdict.UPDATED
        return DocumentVerdict(uri, verdict, decision.reason, chunks=stored.chunk_count, document_id=stored.id)

    def _next_step(self, loaded: Loaded) -> Step:
        try:
            return self._decide(loaded)
        except GraphRagError as error:
            return verdict_of_error(loaded.source.uri, error)

    def _decide(self, loaded: Loaded) -> Step:
        uri = loaded.source.uri
        stored, decision = loaded.stored, self._decision(loaded, loaded.stored)
        if decision.action != "skip" and stored is not None:
            # Asked again, now that it matters: what was set by hand in the meantime must not be lost.
            with self._lost.watch():
                stored = (self._store.find_documents([stored.id])).get(stored.id)
            decision = self._decision(loaded, stored)
        if stored is None or decision.action == "ingest":
            return replace(loaded, stored=stored, decision=decision)
        verdict = Verdict.UNCHANGED
        if decision.action == "metadata_only":
            verdict = Verdict.UPDATED
            metadata, _ = metadata_for(self._job, stored)
            collection, fingerprint = self._job.collection, str(loaded.fingerprint)
            with self._lost.watch():
                self._store.set_metadata(uri, metadata, collection=collection, replace=True, fingerprint=fingerprint)
        return DocumentVerdict(uri, verdict, decision.reason, chunks=stored.chunk_count, document_id=stored.id)

    def _decision(self, loaded: Loaded, stored: Document | None) -> Decision:
        uri = loaded.source.uri
        version = None if stored is None else StoredVersion(uri, stored.fingerprint, stored.ingested_at)
        with ours_only(uri, stage="fetch", what="the refresh policy"):
            return self._job.policy.decide(version, loaded.fingerprint, now=now())

    def _id(self, uri: str) -> str:
        return document_id(self._job.collection, uri)
