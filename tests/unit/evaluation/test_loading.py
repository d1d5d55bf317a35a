"""Data sets from folders: both forms, and each way in which one can be broken, with file and line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from graphrag.errors import DatasetError, GraphRagError
from graphrag.evaluation import Span, load_dataset

CORPUS = [{"id": "a", "title": "Otters", "text": "They eat fish."}, {"id": "b/1", "title": "", "text": "Holts."}]
QUERIES = [{"id": "q", "text": "who eats fish?", "hops": 2}, {"id": "r", "text": "where?"}]
QRELS = "query-id\tcorpus-id\tscore\nq\ta\t1\nq\tb/1\t0\n"
DOC = "# Otters\r\n\r\nThey eat fish.\u2028Yes.\n"
DOC_QUERIES = [{"id": "q", "text": "who eats fish?", "doc": "otters"}]
SPANS = "query-id\tdoc-id\tstart\tend\nq\totters\t12\t26\nq\totters\t0\t8\n"

Write = Callable[..., Path]


def lines(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


@pytest.fixture
def judged(tmp_path: Path) -> Write:
    """Write a data set of judged documents, some of its files given otherwise."""

    def write(**files: str | bytes | None) -> Path:
        folder = tmp_path / "My Set"
        folder.mkdir()
        whole = {"corpus": lines(CORPUS), "queries": lines(QUERIES), "qrels": QRELS} | files
        _write(folder, whole, {"corpus": "corpus.jsonl", "queries": "queries.jsonl", "qrels": "qrels.tsv"})
        return folder

    return write


@pytest.fixture
def marked(tmp_path: Path) -> Write:
    """Write a data set of marked spans, some of its files given otherwise."""

    def write(**files: str | bytes | None) -> Path:
        folder = tmp_path / "marked"
        (folder / "docs").mkdir(parents=True)
        whole = {"doc": DOC, "queries": lines(DOC_QUERIES), "spans": SPANS} | files
        _write(folder, whole, {"doc": "docs/otters.md", "queries": "queries.jsonl", "spans": "spans.tsv"})
        return folder

    return write


def _write(folder: Path, files: dict[str, str | bytes | None], names: dict[str, str]) -> None:
    for key, content in files.items():
        if content is not None:
            (folder / names[key]).write_bytes(content if isinstance(content, bytes) else content.encode())


def test_judged_documents(judged: Write) -> None:
    """Judgements of 0 and queries without an answer are left out and told; ids may hold anything."""
    found = load_dataset(judged())
    assert (found.name, found.slug, found.form) == ("My Set", "my-set", "judged_documents")
    assert [(each.id, each.title, each.text) for each in found.documents] == [
        ("a", "Otters", "They eat fish."),
        ("b/1", "", "Holts."),
    ]
    assert [query.id for query in found.queries] == ["q"]
    assert found.relevant == {"q": {"a": 1}}
    assert found.notes == (
        "judgements of documents that are not relevant (score 0): 1",
        "queries without an answer in the data set, left out: 1",
    )
    assert [found.uri_of(each) for each in found.documents] == ["eval:my-set/a", "eval:my-set/b%2F1"]


def test_marked_spans_are_offsets_into_the_file_as_it_is(marked: Write) -> None:
    found = load_dataset(marked())
    (document,) = found.documents
    assert (found.form, document.id, document.text) == ("marked_spans", "otters", DOC)
    assert found.spans == {"q": (Span("otters", 12, 26), Span("otters", 0, 8))}
    assert document.text[12:26] == "They eat fish."
    assert found.notes == ()


def test_line_ends_byte_order_marks_and_blank_lines_do_not_matter(judged: Write) -> None:
    """Characters that end a line elsewhere (U+2028) may stand in a text."""
    corpus = [{"id": "a", "title": "Otters", "text": "They\u2028eat\u0085fish."}]
    qrels = QRELS.splitlines()[:2]
    found = load_dataset(
        judged(corpus="\ufeff" + lines(corpus).replace("\n", "\r\n") + "\r\n\n", qrels="\r\n".join(qrels))
    )
    assert [each.text for each in found.documents] == ["They\u2028eat\u0085fish."]
    assert found.relevant == {"q": {"a": 1}}


ROW = '{"id": "a", "title": "t", "text": "x"}\n'


@pytest.mark.parametrize(
    "files, name, line, told",
    [
        ({"corpus": ROW + "{"}, "corpus.jsonl", 2, "it is no JSON"),
        ({"corpus": ROW + "[" * 100_000}, "corpus.jsonl", 2, "it is no JSON"),
        ({"corpus": ROW + "[1]"}, "corpus.jsonl", 2, "it is a list; each line must be one JSON object"),
        ({"corpus": '{"title": "t", "text": "x"}'}, "corpus.jsonl", 1, "`id` is missing; it must be text"),
        ({"corpus": '{"id": 7, "title": "t", "text": "x"}'}, "corpus.jsonl", 1, "`id` is a number; it must be text"),
        ({"corpus": '{"id": " ", "title": "t", "text": "x"}'}, "corpus.jsonl", 1, "`id` is empty"),
        ({"corpus": '{"id": "a", "title": null, "text": "x"}'}, "corpus.jsonl", 1, "`title` is null; it must be text"),
        ({"corpus": '{"id": "a", "title": "t"}'}, "corpus.jsonl", 1, "`text` is missing; it must be text"),
        ({"corpus": ROW + "\n" + ROW}, "corpus.jsonl", 3, "the id 'a' stands twice; ids must differ"),
        ({"corpus": "\n"}, "corpus.jsonl", None, "it holds no documents"),
        ({"corpus": b'{"id": "a"}\n\n\xff'}, "corpus.jsonl", 3, "it is not UTF-8"),
        ({"queries": None}, "queries.jsonl", None, "it is missing"),
        ({"queries": ""}, "queries.jsonl", None, "it holds no queries"),
        ({"queries": '{"id": "q", "text": ""}'}, "queries.jsonl", 1, "`text` is empty"),
        ({"qrels": None}, "qrels.tsv", None, "it is missing"),
        ({"qrels": ""}, "qrels.tsv", 1, "a header of the columns query-id, corpus-id, score"),
        ({"qrels": "q\ta\t1\n"}, "qrels.tsv", 1, "a header of the columns query-id, corpus-id, score"),
        ({"qrels": QRELS + "q\ta\n"}, "qrels.tsv", 4, "it has 2 columns; it must have 3"),
        ({"qrels": QRELS + "z\ta\t1\n"}, "qrels.tsv", 4, "`query-id` is 'z', which the data set does not hold"),
        ({"qrels": QRELS + "r\tz\t1\n"}, "qrels.tsv", 4, "`corpus-id` is 'z', which the data set does not hold"),
        ({"qrels": QRELS + "q\ta\t1\n"}, "qrels.tsv", 4, "query 'q' with document 'a' is judged twice"),
        ({"qrels": QRELS + "r\ta\t-1\n"}, "qrels.tsv", 4, "`score` is '-1'; it must be a whole number"),
        ({"qrels": QRELS + "r\ta\t٣\n"}, "qrels.tsv", 4, "`score` is '٣'; it must be a whole number"),
        ({"qrels": QRELS + f"r\ta\t{'9' * 5_000}\n"}, "qrels.tsv", 4, "…'; it must be a whole number"),
        ({"qrels": "query-id\tcorpus-id\tscore\nq\ta\t0\n"}, "qrels.tsv", None, "it judges no document relevant"),
    ],
)
def test_what_is_wrong_with_judged_documents_is_told_with_its_place(
    judged: Write, files: dict[str, str | bytes | None], name: str, line: int | None, told: str
) -> None:
    folder = judged(**files)
    with pytest.raises(DatasetError) as caught:
        load_dataset(folder)
    assert (caught.value.path, caught.value.line) == (folder / name, line)
    assert told in str(caught.value)
    assert str(caught.value).startswith(f"`{folder / name}`" + (f", line {line}: " if line else ": "))
    assert isinstance(caught.value, GraphRagError)
    assert isinstance(caught.value, ValueError)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "files, name, line, told",
    [
        ({"doc": None}, "docs", None, "it holds no files `*.md`"),
        ({"doc": b"one\ntwo\n\xe9\n"}, "docs/otters.md", 3, "it is not UTF-8"),
        ({"queries": '{"id": "q", "text": "x"}'}, "queries.jsonl", 1, "`doc` is missing; it must be text"),
        ({"queries": '{"id": "q", "text": "x", "doc": "z"}'}, "queries.jsonl", 1, "`doc` is 'z', which the data set"),
        ({"spans": SPANS + "q\tz\t0\t1\n"}, "spans.tsv", 4, "`doc-id` is 'z', which the data set does not hold"),
        ({"spans": SPANS + "z\totters\t0\t1\n"}, "spans.tsv", 4, "`query-id` is 'z', which the data set does not hold"),
        ({"spans": SPANS + "q\totters\t0\t1000\n"}, "spans.tsv", 4, f"which has {len(DOC)} characters"),
        ({"spans": SPANS + "q\totters\t5\t5\n"}, "spans.tsv", 4, "`start` must be below `end`"),
        ({"spans": SPANS + "q\totters\t1.5\t5\n"}, "spans.tsv", 4, "`start` is '1.5'; it must be a whole number"),
        ({"spans": SPANS.splitlines()[0]}, "spans.tsv", None, "it holds no spans"),
    ],
)
def test_what_is_wrong_with_marked_spans_is_told_with_its_place(
    marked: Write, files: dict[str, str | bytes | None], name: str, line: int | None, told: str
) -> None:
    folder = marked(**files)
    with pytest.raises(DatasetError) as caught:
        load_dataset(folder)
    assert (caught.value.path, caught.value.line) == (folder / name, line)
    assert told in str(caught.value)


def test_a_folder_of_neither_form_of_both_or_that_is_none_is_refused(judged: Write, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="the folder holds files of neither form; it must hold `corpus.jsonl`"):
        load_dataset(tmp_path)
    with pytest.raises(DatasetError, match="it is no folder; give one with `corpus.jsonl`"):
        load_dataset(tmp_path / "nothing")
    folder = judged()
    (folder / "docs").mkdir()
    with pytest.raises(DatasetError, match="the folder holds files of both forms"):
        load_dataset(folder)


def test_a_file_that_is_a_folder_cannot_be_read(judged: Write) -> None:
    folder = judged(qrels=None)
    (folder / "qrels.tsv").mkdir()
    with pytest.raises(DatasetError, match="it cannot be read: Is a directory"):
        load_dataset(folder)


@pytest.mark.parametrize(
    "name, slug",
    [("scifact", "scifact"), ("2wiki-multihop", "2wiki-multihop"), ("Ä ß", "dataset"), ("a" * 50, "a" * 40)],
)
def test_a_slug_is_short_and_plain(judged: Write, tmp_path: Path, name: str, slug: str) -> None:
    assert load_dataset(judged().rename(tmp_path / name)).slug == slug


@pytest.mark.parametrize(
    "name, documents, queries, answers",
    [("scifact", 5_183, 300, 339), ("2wiki-multihop", 6_119, 101, 248), ("chunk-spans", 4, 373, 595)],
)
def test_the_shared_data_sets_are_read_whole(
    test_data: Path, name: str, documents: int, queries: int, answers: int
) -> None:
    found = load_dataset(test_data / "retrieval" / name)
    told = [*found.relevant.values(), *found.spans.values()]
    assert (len(found.documents), len(found.queries), sum(map(len, told))) == (documents, queries, answers)
    assert found.notes == ()
