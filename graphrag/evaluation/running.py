"""One evaluation from end to end: documents in, searches, measures, documents out."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager

from graphrag.config import ChunkerSettings
from graphrag.embedding.protocol import Embedder
from graphrag.errors import InvalidRequestError, MissingCapabilityError
from graphrag.evaluation.chunking import Chunking, chunking_plan
from graphrag.evaluation.corpus import Corpus, Progress, bring_corpus, collection_name, remove_corpus
from graphrag.evaluation.datasets import Dataset
from graphrag.evaluation.measures import ByQuery, check_measurable, measure
from graphrag.evaluation.report import EvaluationReport, compared
from graphrag.evaluation.searching import MODES, ModeRun, SearchMode, run_mode, search_of
from graphrag.model import Document
from graphrag.stores.protocols import ChunkingContentElementRepository, SearchOperations

__all__ = ["evaluate", "evaluated_corpus"]


def evaluate(  # noqa: PLR0913 - options, by name
    store: ChunkingContentElementRepository,
    dataset: Dataset,
    embedder: Embedder,
    *,
    chunking: Chunking = "default",
    chunker: ChunkerSettings | None = None,
    modes: Sequence[SearchMode] = MODES,
    seed: int = 0,
    keep: bool = False,
    progress: Progress | None = None,
) -> EvaluationReport:
    """Measure how well a store's searches find what a data set says is relevant.

    The documents stand in a collection of their own (`collection_name`), to which searches are limited. What stands
    there and is unchanged is not written again. At the end the collection is emptied, unless `keep` says otherwise or
    it held documents before.

    Args:
        store: Takes the documents, and is searched; its embedder is `embedder`, or one with equal vectors.
        dataset: Documents, queries, answers.
        embedder: Of the store's model; one that caches makes a second run fast.
        chunking: `whole`, one chunk a document; or `default`, as an ingestion cuts it.
        chunker: Sizes for `default`.
        modes: How to search; at least one.
        seed: Of the intervals.
        keep: Leave the documents in the store.
        progress: Is told how far it is.

    Raises:
        InvalidRequestError: `modes` is empty, the chunking does not go with the data set, or the collection holds
            documents of another origin.
        MissingCapabilityError: The store lacks a search of `modes`.
        MissingExtraError: `ir-measures` is needed and not installed.
        SchemaError, StoreError: The store's schema does not fit, or the store failed.
        ModelCallError: The embedder failed.
    """
    if not modes:
        msg = f"`modes` is empty; give at least one of {', '.join(MODES)}"
        raise InvalidRequestError(msg)
    check_measurable(dataset)
    collection = collection_name(dataset, chunking)
    for mode in modes:
        search_of(store, mode, collection=collection)
    if not isinstance(store, SearchOperations):  # shown by the searches that it has
        msg = "this store cannot be searched"
        raise MissingCapabilityError(msg, capability="search")
    corpus_there = evaluated_corpus(
        store, dataset, embedder, chunking=chunking, chunker=chunker, keep=keep, progress=progress
    )
    with corpus_there as corpus:
        runs: dict[SearchMode, ModeRun] = {}
        for mode in dict.fromkeys(modes):
            runs[mode] = run_mode(store, dataset, corpus, mode, progress=progress)
        others = {name: count for name, count in store.info().collections.items() if name != collection}
    values: dict[SearchMode, Mapping[str, ByQuery]] = {mode: measure(dataset, run.hits) for mode, run in runs.items()}
    return EvaluationReport(
        dataset=dataset.name,
        form=dataset.form,
        chunking=chunking,
        corpus=corpus,
        documents=len(dataset.documents),
        queries=len(dataset.queries),
        embedding_model=embedder.model_id,
        values=values,
        comparisons=tuple(compared(values, seed=seed)),
        seconds={mode: run.seconds for mode, run in runs.items()},
        seed=seed,
        notes=tuple(_notes(dataset, corpus, runs, others, keep=keep)),
    )


@contextmanager
def evaluated_corpus(
    store: ChunkingContentElementRepository,
    dataset: Dataset,
    embedder: Embedder,
    *,
    chunking: Chunking,
    chunker: ChunkerSettings | None = None,
    keep: bool = False,
    progress: Progress | None = None,
) -> Generator[Corpus]:
    """Give the data set's documents in their collection, and take them away at the end (see `evaluate`).

    Raises:
        InvalidRequestError, SchemaError, StoreError, ModelCallError: As `evaluate`.
    """
    collection = collection_name(dataset, chunking)
    plan = chunking_plan(chunking, dataset, settings=chunker or ChunkerSettings(), tokenizer=embedder.tokenizer)
    store.prepare()
    stays = keep or store.count(Document, collections=[collection]) > 0
    try:
        yield bring_corpus(store, dataset, embedder, collection=collection, plan=plan, progress=progress)
    finally:
        if not stays:
            remove_corpus(store, collection)


def _notes(
    dataset: Dataset,
    corpus: Corpus,
    runs: Mapping[SearchMode, ModeRun],
    others: Mapping[str, int],
    *,
    keep: bool,
) -> Iterator[str]:
    yield from dataset.notes
    yield from corpus.notes
    for mode, run in runs.items():
        yield from (f"{mode}: {note} (queries: {count})" for note, count in run.notes.items())
    if dataset.form == "marked_spans":
        placeless = sum(hit.place is None for run in runs.values() for hits in run.hits.values() for hit in hits)
        if placeless:
            yield f"hits whose place in the file is not known, which cover nothing: {placeless}"
    if corpus.stood_there and not keep:
        command = f"graphrag clear --collection {corpus.collection}"
        yield f"the collection held documents before, so all of them stay; `{command}` takes them away"
    if others:
        yield (
            f"the store holds {sum(others.values())} documents in other collections ({len(others)}); searches do not "
            "find them, but the full-text index counts over all of them how rare a word is, so the values of text and "
            "hybrid are others than in a store of one's own"
        )
