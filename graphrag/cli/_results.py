"""Results of a search: as data, and as answers that a person can read."""

import re
import shutil
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from graphrag.cli._output import counted, shown_uri
from graphrag.cli._text import plain_line, snippet, words_of

if TYPE_CHECKING:
    from graphrag.model import Chunk, SearchExplanation, SimilarityResult

__all__ = ["describe_chunk", "place_of", "print_explanation", "print_result", "print_text", "result_as_mapping"]

_MIN_WIDTH = 30
_MAX_WIDTH = 110
_SNIPPET_CHARS = 420
_SHOWN_HITS = 5
_PATHS = {
    "index": "the index, without a filter",
    "in_index": "the index, with the whole filter inside",
    "over_fetch": "the index, asked for more and filtered after it",
    "exact_scan": "all that match, compared exactly",
    "text_index": "the index of texts, asked for what every match contains",
    "scan": "all that the filter lets through, since no match must contain text that the index knows",
    "nothing": "nothing was searched, since nothing can match",
}
_OPENING = re.compile(r"^\W+")


def result_as_mapping(result: "SimilarityResult[Chunk]", rank: int) -> dict[str, object]:
    """Return a result under stable names, without its vector; with its context where it has one."""
    found = {"rank": rank, "score": result.score, **describe_chunk(result.match), "breakdown": result.breakdown}
    if result.context:
        found["context"] = [describe_chunk(chunk) for chunk in result.context]
    return found


def describe_chunk(chunk: "Chunk") -> dict[str, object]:
    """Return what a chunk is and where it stands, under stable names."""
    return {
        "id": chunk.id,
        "document_id": chunk.document_id,
        "document_title": chunk.document_title,
        "uri": chunk.uri,
        "collection": chunk.collection,
        "section_path": chunk.section_path,
        "sequence_number": chunk.sequence_number,
        "page": chunk.page,
        "text": chunk.urtext,
        "metadata": chunk.metadata,
    }


def place_of(chunk: "Chunk") -> str:
    """Return title and section path; a title that begins with the first heading tells it."""
    path = list(chunk.section_path)
    title = chunk.document_title
    if path and title.startswith(path[0]):
        path = path[1:]
    return " > ".join(plain_line(part) for part in (title, *path) if part)


def print_result(result: "SimilarityResult[Chunk]", rank: int, *, query: str) -> None:
    """Print one result: its rank and score, where it stands, and the part that answers best."""
    chunk = result.match
    number = click.style(f"{rank:>2}. {result.score:.2f}", fg="cyan")
    click.echo(f"{number}  {click.style(place_of(chunk), bold=True)}")
    page = f", page {chunk.page}" if chunk.page is not None else ""
    click.echo(f"          {shown_uri(chunk.uri or '')}{page}  {click.style(f'id {chunk.id}', dim=True)}")
    if result.context:
        _print_context(result.context, query=query)
    else:
        print_text(snippet(chunk.urtext, query, width=_SNIPPET_CHARS), highlight=query)
    click.echo()


def _print_context(chunks: "Sequence[Chunk]", *, query: str) -> None:
    """Print a result's text with what stands around it, each character once."""
    from graphrag.search import joined_text

    first, last = chunks[0].sequence_number + 1, chunks[-1].sequence_number + 1
    told = f"chunk {first}" if first == last else f"chunks {first} to {last}"
    click.echo(f"          {click.style(f'{told} of the document', dim=True)}")
    print_text(joined_text(chunks), highlight=query)


def print_explanation(explanation: "SearchExplanation") -> None:
    """Print how one leg of a search was run and the best that it found, on standard error."""
    e = explanation
    rounds = f" in {e.rounds} statements" if e.rounds > 1 else ""
    matched = f", {e.matched:,} of them match" if e.matched is not None else ""
    click.echo(f"{e.leg}: {_PATHS[e.path]}; {counted(e.candidates, 'candidate')}{matched}{rounds}", err=True)
    for name, text in (("filter", e.predicate), ("in the index", e.in_index)):
        if text:
            click.echo(f"    {name}: {plain_line(text)}", err=True)
    if e.hits:
        best = ", ".join(f"{hit.id} {hit.score:.2f}" for hit in e.hits[:_SHOWN_HITS])
        more = f" and {e.found - _SHOWN_HITS:,} more" if e.found > _SHOWN_HITS else ""
        click.echo(f"    found: {best}{more}", err=True)


def print_text(text: str, *, highlight: str = "", indent: int = 10) -> None:
    """Print text wrapped and indented, with the words of a query in bold on a terminal."""
    width = min(shutil.get_terminal_size((100, 24)).columns, _MAX_WIDTH)
    words = words_of(highlight)
    room = max(width - indent, _MIN_WIDTH)
    for line in (part for one in text.split("\n") for part in textwrap.wrap(one, room, break_on_hyphens=False)):
        click.echo(" " * indent + " ".join(_emphasised(part, words) for part in line.split(" ")))


def _emphasised(word: str, wanted: Sequence[str]) -> str:
    bare = _OPENING.sub("", word.lower())
    return click.style(word, bold=True) if any(bare.startswith(part) for part in wanted) else word
