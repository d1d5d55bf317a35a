"""The searches of the demo: what is asked, what is found, and how it is told."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, cast
from urllib.parse import unquote

import click

from graphrag.cli._examples import Question
from graphrag.cli._output import print_notes
from graphrag.cli._results import print_result, print_text, result_as_mapping
from graphrag.cli._text import plain_line, snippet
from graphrag.cli.search import Mode, find

if TYPE_CHECKING:
    from graphrag.model import Chunk, ContentElement, SimilarityResult
    from graphrag.stores import Neo4jStore

__all__ = ["Answer", "ask_question", "print_answer"]

_CANDIDATES = 20
_DOCUMENTS = 3
_SECTION_CHARS = 900
_INTRODUCTIONS = {
    "meaning": "By meaning: question and answer share no word of weight",
    "identifier": "By words: a part number, to the letter",
    "hybrid": "By meaning and by words in one",
    "section": "A section by its title, read whole",
    "two_documents": "An answer whose parts stand in two documents",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search of the demo found.

    Attributes:
        question: What was asked.
        results: The best chunks of each of the first documents, best first; for a section what led to it.
        notes: What the search said.
        section: The section that was asked for, with its text.
    """

    question: Question
    results: "Sequence[SimilarityResult[Chunk]]"
    notes: Sequence[str] = ()
    section: "ContentElement | None" = None

    @property
    def missing(self) -> tuple[str, ...]:
        """Names of the files that should have been found among the first documents, and were not."""
        names = {_file_name(result.match) for result in self.results}
        return tuple(name for name in self.question.documents if name not in names)

    def as_mapping(self) -> dict[str, object]:
        """Return it under stable names."""
        return {
            "kind": self.question.kind,
            "question": self.question.question,
            "mode": self.question.mode,
            "results": [result_as_mapping(result, rank) for rank, result in enumerate(self.results, 1)],
            "section": None if self.section is None else {"id": self.section.id, "text": self.section.text},
            "notes": self.notes,
            "expected": self.question.documents,
            "missing": self.missing,
        }


def ask_question(store: "Neo4jStore", question: Question, *, collection: str) -> Answer:
    """Search for a question's answer; the first three documents count, each with its best chunks.

    Raises:
        GraphRagError: As the store's own searches.
    """
    from graphrag.model import TextSimilaritySearchRequest

    mode = "text" if question.mode == "section" else cast("Mode", question.mode)
    found = find(
        store, TextSimilaritySearchRequest(question.question, None, _CANDIDATES), mode, collections=[collection]
    )
    if question.mode == "section":
        titled = [result for result in found if result.match.section_path[-1:] == (question.question,)][:1]
        section = _section_around(store, titled[0].match, collection) if titled else None
        return Answer(question, titled, found.notes, section)
    return Answer(question, _best_of_documents(found, 2 if question.second_document else 1), found.notes)


def print_answer(number: int, answer: Answer) -> None:
    """Print what was asked, what was found, and whether the answer was where it is known to be."""
    question = answer.question
    click.secho(f"{number}. {_INTRODUCTIONS[question.kind]}", fg="green", bold=True)
    click.secho(f"   {question.question}", italic=True)
    option = "text" if question.mode == "section" else question.mode
    click.secho(f'   $ graphrag search --mode {option} "{question.question}"', dim=True)
    click.echo()
    print_notes(answer.notes)
    for rank, result in enumerate(answer.results, 1):
        print_result(result, rank, query=question.question)
    if answer.section is not None:
        click.echo(f"    The section around it (graphrag show {answer.results[0].match.id} --zoom-out):")
        print_text(snippet(answer.section.text, "", width=_SECTION_CHARS))
        click.echo()
    for name in question.documents:
        if name in answer.missing:
            click.secho(f"    Expected in {name}, which is not among the first {_DOCUMENTS} documents.", fg="red")
        else:
            click.echo(f"    Expected in {name}: found.")
    click.echo()


def _best_of_documents(found: "Sequence[SimilarityResult[Chunk]]", chunks_each: int) -> "list[SimilarityResult[Chunk]]":
    """Return the best chunks of each of the first documents, in the order in which they were found."""
    documents = list(dict.fromkeys(result.match.document_id for result in found))[:_DOCUMENTS]
    chosen: list[SimilarityResult[Chunk]] = []
    for result in found:
        same = sum(other.match.document_id == result.match.document_id for other in chosen)
        if result.match.document_id in documents and same < chunks_each:
            chosen.append(result)
    return chosen


def _section_around(store: "Neo4jStore", chunk: "Chunk", collection: str) -> "ContentElement | None":
    from graphrag.model import ContentElement
    from graphrag.stores.reports import ExpandMethod

    found = store.expand_result(chunk.id, ExpandMethod.ZOOM_OUT, collections=[collection])
    return next((one for one in found if isinstance(one, ContentElement)), None)


def _file_name(chunk: "Chunk") -> str:
    return plain_line(PurePosixPath(unquote(chunk.uri or "")).name)
