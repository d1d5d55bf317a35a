"""From a document of a data set to chunks."""

import pytest

from graphrag.config import ChunkerSettings, Limits
from graphrag.errors import InvalidRequestError
from graphrag.evaluation.chunking import WholeDocuments, chunking_plan
from graphrag.evaluation.datasets import Dataset, DatasetForm, EvaluationDocument
from graphrag.testing.embedder import WordTokenizer


def dataset(*documents: EvaluationDocument, form: DatasetForm = "judged_documents") -> Dataset:
    return Dataset("set", form, documents, ())


OTTERS = EvaluationDocument("otters/1", "Otters  of\nthe river", "They eat fish.\n\nThey live in holts.")


def test_a_whole_document_is_title_blank_line_and_text_with_nothing_before() -> None:
    found = WholeDocuments(tokenizer=None).prepare(dataset(OTTERS), OTTERS, collection="eval-set-whole")
    assert found.materialized is not None
    (chunk,) = found.materialized.chunks
    assert chunk.text == chunk.urtext == "Otters  of\nthe river\n\nThey eat fish.\n\nThey live in holts."
    document = found.materialized.document
    assert (document.uri, document.title, document.collection) == (
        "eval:set/otters%2F1",
        "Otters of the river",
        "eval-set-whole",
    )
    assert chunk.document_id == document.id


@pytest.mark.parametrize("title, text, whole", [("", "Text.", "Text."), ("Title", " ", "Title")])
def test_what_is_blank_is_left_out(title: str, text: str, whole: str) -> None:
    document = EvaluationDocument("a", title, text)
    found = WholeDocuments(tokenizer=None).prepare(dataset(document), document, collection="c").materialized
    assert found is not None
    assert [chunk.text for chunk in found.chunks] == [whole]


@pytest.mark.parametrize("chunking", ["whole", "default"])
def test_a_document_without_text_becomes_none(chunking: str) -> None:
    document = EvaluationDocument("a", "", " \n")
    whole = dataset(document)
    plan = chunking_plan(
        "default" if chunking == "default" else "whole", whole, settings=ChunkerSettings(), tokenizer=None
    )
    assert plan.prepare(whole, document, collection="c").materialized is None


def test_a_long_document_is_still_one_chunk_as_far_as_one_may_be_long() -> None:
    """What is indexed and embedded has a higher bound than what stands for itself; what is not read is counted."""
    limits = Limits(max_chunk_chars=10, max_text_chars=20)
    plan = WholeDocuments(tokenizer=WordTokenizer(3), limits=limits)
    for words, length, truncated, cut in ((3, 8, 0, False), (6, 17, 1, False), (9, 20, 1, True)):
        document = EvaluationDocument("a", "", " ".join(["ab"] * words))
        found = plan.prepare(dataset(document), document, collection="c")
        assert found.materialized is not None
        (chunk,) = found.materialized.chunks
        assert (len(chunk.text), len(chunk.urtext)) == (length, min(length, 10))
        assert (found.truncated_chunks, found.cut) == (truncated, cut)


def test_default_chunks_are_those_of_an_ingestion() -> None:
    """The title of a judged document is that of the data set, its text is plain text, no heading in it counts."""
    document = EvaluationDocument("a", "Otters", "# no heading\n\nThey eat fish.")
    whole = dataset(document)
    plan = chunking_plan("default", whole, settings=ChunkerSettings(), tokenizer=None)
    found = plan.prepare(whole, document, collection="c").materialized
    assert found is not None
    assert (found.document.title, found.sections) == ("Otters", ())
    (chunk,) = found.chunks
    assert chunk.text.startswith("# Title: Otters\n# URI: eval:set/a\n\n# no heading")


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_chunks_of_marked_documents_know_their_place_in_the_file(mark: str, end: str) -> None:
    """Offsets count line ends as they are, and a byte-order mark, as Python does."""
    text = mark + end.join(["# Otters 🦦", "", "They eat fish.", "", "## Homes", "", "They live in holts.", ""])
    document = EvaluationDocument("a", "a", text)
    whole = dataset(document, form="marked_spans")
    plan = chunking_plan("default", whole, settings=ChunkerSettings(max_chunk_size=30, overlap_size=0), tokenizer=None)
    found = plan.prepare(whole, document, collection="c").materialized
    assert found is not None
    assert len(found.chunks) == 2
    slices = [text[chunk.source_start : chunk.source_end] for chunk in found.chunks]
    assert [part.strip() for part in slices] == ["They eat fish.", "They live in holts."]


def test_whole_documents_say_nothing_about_spans() -> None:
    with pytest.raises(InvalidRequestError, match="`set` marks spans of long documents.*take the chunking `default`"):
        chunking_plan("whole", dataset(form="marked_spans"), settings=ChunkerSettings(), tokenizer=None)


def test_a_fingerprint_changes_with_all_that_shapes_what_is_stored() -> None:
    whole = dataset(OTTERS)
    plans = [
        chunking_plan("whole", whole, settings=ChunkerSettings(), tokenizer=None),
        chunking_plan("default", whole, settings=ChunkerSettings(), tokenizer=None),
        chunking_plan("default", whole, settings=ChunkerSettings(max_chunk_size=900), tokenizer=None),
    ]
    prints = [plan.fingerprint(OTTERS, model_id="m") for plan in plans]
    prints += [
        plans[0].fingerprint(OTTERS, model_id="n"),
        plans[0].fingerprint(EvaluationDocument("otters/1", "Otters", OTTERS.text), model_id="m"),
        plans[0].fingerprint(EvaluationDocument("otters/1", OTTERS.title, "other"), model_id="m"),
    ]
    assert len(set(prints)) == len(prints)
    again = chunking_plan("whole", whole, settings=ChunkerSettings(), tokenizer=None)
    assert again.fingerprint(OTTERS, model_id="m") == prints[0]
