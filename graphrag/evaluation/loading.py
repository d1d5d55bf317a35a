"""Data sets from folders. What is wrong with one is told with its file and line.

Two forms are read:

    corpus.jsonl   {"id", "title", "text"}           docs/ID.md     long documents
    queries.jsonl  {"id", "text"}                    queries.jsonl  {"id", "text", "doc"}
    qrels.tsv      query-id  corpus-id  score        spans.tsv      query-id  doc-id  start  end

Files are UTF-8; the `.tsv` files have a header line. Further fields of an object are left alone.
"""

from collections.abc import Mapping
from pathlib import Path

from graphrag.evaluation.datasets import Dataset, EvaluationDocument, EvaluationQuery, Span
from graphrag.evaluation.lines import Place, objects, read_text, rows, shown

__all__ = ["load_dataset"]

_CORPUS, _QUERIES, _QRELS, _DOCS, _SPANS = "corpus.jsonl", "queries.jsonl", "qrels.tsv", "docs", "spans.tsv"
_FORMS = f"`{_CORPUS}`, `{_QUERIES}` and `{_QRELS}`, or `{_DOCS}/*.md`, `{_QUERIES}` and `{_SPANS}`"


def load_dataset(folder: Path) -> Dataset:
    """Return the data set of a folder.

    Args:
        folder: Holds the files of one of the two forms.

    Raises:
        DatasetError: A file is missing or cannot be read, a line is malformed, an id stands twice or is not there,
            or no query has an answer. `path` and `line` tell the place.
    """
    if not folder.is_dir():
        Place(folder).refuse(f"it is no folder; give one with {_FORMS}")
    has_corpus, has_docs = (folder / _CORPUS).is_file(), (folder / _DOCS).is_dir()
    if has_corpus == has_docs:
        what = "both forms" if has_corpus else "neither form"
        Place(folder).refuse(f"the folder holds files of {what}; it must hold {_FORMS}")
    name = folder.resolve().name
    if has_corpus:
        documents, queries = _corpus(folder / _CORPUS), _queries(folder / _QUERIES)
        relevant, zeros = _qrels(folder / _QRELS, documents, queries)
        answered = _answered(queries, relevant)
        told = {"judgements of documents that are not relevant (score 0)": zeros, **_left_out(queries, answered)}
        all_documents = tuple(documents.values())
        return Dataset(name, "judged_documents", all_documents, answered, relevant=relevant, notes=_notes(told))
    documents = _docs(folder / _DOCS)
    queries = _queries(folder / _QUERIES, documents)
    spans = _spans(folder / _SPANS, documents, queries)
    answered = _answered(queries, spans)
    notes = _notes(_left_out(queries, answered))
    return Dataset(name, "marked_spans", tuple(documents.values()), answered, spans=spans, notes=notes)


def _answered(queries: Mapping[str, EvaluationQuery], answers: Mapping[str, object]) -> tuple[EvaluationQuery, ...]:
    return tuple(query for query in queries.values() if query.id in answers)


def _left_out(queries: Mapping[str, object], answered: tuple[EvaluationQuery, ...]) -> dict[str, int]:
    return {"queries without an answer in the data set, left out": len(queries) - len(answered)}


def _notes(told: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(f"{what}: {count}" for what, count in told.items() if count)


def _corpus(path: Path) -> dict[str, EvaluationDocument]:
    documents: dict[str, EvaluationDocument] = {}
    for place, row in objects(path):
        id_ = place.new_id(row, documents)
        title = place.text_of(row, "title", may_be_blank=True) if "title" in row else ""
        documents[id_] = EvaluationDocument(id_, title, place.text_of(row, "text", may_be_blank=True))
    if not documents:
        Place(path).refuse("it holds no documents")
    return documents


def _docs(folder: Path) -> dict[str, EvaluationDocument]:
    paths = sorted(folder.glob("*.md"))
    if not paths:
        Place(folder).refuse("it holds no files `*.md`")
    return {path.stem: EvaluationDocument(path.stem, path.stem, read_text(path)) for path in paths}


def _queries(path: Path, documents: Mapping[str, object] | None = None) -> dict[str, EvaluationQuery]:
    """Read queries; with `documents`, the field `doc` must name one of them."""
    queries: dict[str, EvaluationQuery] = {}
    for place, row in objects(path):
        id_ = place.new_id(row, queries)
        if documents is not None:
            place.known(place.text_of(row, "doc"), documents, name="doc")
        queries[id_] = EvaluationQuery(id_, place.text_of(row, "text"))
    if not queries:
        Place(path).refuse("it holds no queries")
    return queries


def _qrels(
    path: Path, documents: Mapping[str, object], queries: Mapping[str, object]
) -> tuple[dict[str, dict[str, int]], int]:
    """Return the gains of relevant documents by query, and how many judgements say that one is not relevant."""
    relevant: dict[str, dict[str, int]] = {}
    seen: set[tuple[str, str]] = set()
    zeros = 0
    for place, (query_id, corpus_id, score) in rows(path, ("query-id", "corpus-id", "score")):
        place.known(query_id, queries, name="query-id")
        place.known(corpus_id, documents, name="corpus-id")
        if (query_id, corpus_id) in seen:
            place.refuse(f"query {shown(query_id)} with document {shown(corpus_id)} is judged twice")
        seen.add((query_id, corpus_id))
        gain = place.whole(score, name="score")
        if gain:
            relevant.setdefault(query_id, {})[corpus_id] = gain
        else:
            zeros += 1
    if not relevant:
        Place(path).refuse("it judges no document relevant (a score of at least 1)")
    return relevant, zeros


def _spans(
    path: Path, documents: Mapping[str, EvaluationDocument], queries: Mapping[str, object]
) -> dict[str, tuple[Span, ...]]:
    spans: dict[str, tuple[Span, ...]] = {}
    for place, (query_id, doc_id, first, last) in rows(path, ("query-id", "doc-id", "start", "end")):
        place.known(query_id, queries, name="query-id")
        place.known(doc_id, documents, name="doc-id")
        start, end = place.whole(first, name="start"), place.whole(last, name="end")
        size = len(documents[doc_id].text)
        if not start < end <= size:
            place.refuse(
                f"the span [{start}, {end}) is none of {shown(doc_id)}, which has {size} characters; `start` must be "
                f"below `end`, and `end` at most {size}"
            )
        spans[query_id] = (*spans.get(query_id, ()), Span(doc_id, start, end))
    if not spans:
        Place(path).refuse("it holds no spans")
    return spans
