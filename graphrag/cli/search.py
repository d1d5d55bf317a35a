"""`graphrag search`: by meaning, by words, by both, or by regular expression."""

from typing import TYPE_CHECKING, Literal

import click

from graphrag.cli._options import collections_option, json_option, where_option
from graphrag.cli._output import print_json, print_notes
from graphrag.cli._results import print_explanation, print_result, result_as_mapping
from graphrag.cli._session import Session, pass_session

if TYPE_CHECKING:
    # Loading the model's types takes longer than printing help or a usage error.
    from collections.abc import Collection, Iterator

    from graphrag.filters import PropertyFilter
    from graphrag.model import Chunk, ResultList, SimilarityResult, TextMode, TextSimilaritySearchRequest
    from graphrag.stores import Neo4jStore

__all__ = ["Mode", "find", "search"]

Mode = Literal["vector", "text", "hybrid", "regex"]

_MAX_TOP_K = 1_000


@click.command()
@click.argument("query")
@click.option(
    "--mode",
    type=click.Choice(["vector", "text", "hybrid", "regex"]),
    default="hybrid",
    show_default=True,
    help="By meaning, by words, by both, or by regular expression.",
)
@click.option(
    "--syntax",
    type=click.Choice(["literal", "lucene"]),
    default="literal",
    show_default=True,
    help="How a search by words reads QUERY: as words, or with operators.",
)
@click.option(
    "-k", "--top-k", type=click.IntRange(1, _MAX_TOP_K), metavar="N", help="Most results, 1 to 1000.  [default: 10]"
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    metavar="SCORE",
    help="Lowest score, 0 to 1; in hybrid it applies to the search by meaning.",
)
@where_option
@collections_option
@click.option("--explain", is_flag=True, help="Tell which way the search went, and what became of the filter.")
@json_option
@pass_session
def search(  # noqa: PLR0913 - one an option
    session: Session,
    *,
    query: str,
    mode: Mode,
    syntax: "TextMode",
    top_k: int | None,
    threshold: float | None,
    where: "PropertyFilter | None",
    collections: tuple[str, ...],
    explain: bool,
    as_json: bool,
) -> None:
    """Search the chunks of all collections, or of some, and print the best first.

    Any QUERY is words; no text is an error. In the mode `regex` it is a pattern in RE2's syntax, and hits come by
    document. The modes `text` and `regex` need no embedding model.

    With `--syntax lucene` there are operators: `+word`, `-word`, `"a phrase"`, `word*`, `word~`, AND, OR, NOT and
    brackets. A query of another syntax is words, and a note says so.
    """
    from graphrag.model import TextSimilaritySearchRequest

    if syntax == "lucene" and mode not in ("text", "hybrid"):
        msg = f"--syntax lucene does not go with --mode {mode}: it is for searches by words, text and hybrid"
        raise click.UsageError(msg)
    if mode == "regex" and threshold is not None:
        msg = "--threshold does not go with --mode regex: every hit has the score 1"
        raise click.UsageError(msg)
    settings = session.settings()
    request = TextSimilaritySearchRequest(query, threshold, top_k or settings.limits.default_top_k)
    with session.open_store(settings) as store:
        results = find(
            store, request, mode, syntax=syntax, where=where, collections=collections or None, explain=explain
        )
        notes = (*results.notes, *_empty_collections(store, collections, results))
    if as_json:
        rows = [result_as_mapping(result, rank) for rank, result in enumerate(results, 1)]
        told = {"explanations": results.explanations} if explain else {}
        print_json({"query": query, "mode": mode, "results": rows, "notes": notes, **told})
        return
    print_notes(notes)
    for explanation in results.explanations:
        print_explanation(explanation)
    for rank, result in enumerate(results, 1):
        print_result(result, rank, query=query)
    if not results and not notes:
        click.echo("Nothing was found.", err=True)


def _empty_collections(
    store: "Neo4jStore", collections: "Collection[str]", results: "Collection[SimilarityResult[Chunk]]"
) -> "Iterator[str]":
    """Yield a note for each collection that holds no documents: its name may be wrong."""
    from graphrag.model import Document

    seen = {result.match.collection for result in results}
    for name in collections:
        if name not in seen and not store.count(Document, collections=[name]):
            yield f"collection `{name}` holds no documents"


def find(
    store: "Neo4jStore",
    request: "TextSimilaritySearchRequest",
    mode: Mode,
    *,
    syntax: "TextMode" = "literal",
    where: "PropertyFilter | None" = None,
    collections: "Collection[str] | None" = None,
    explain: bool = False,
) -> "ResultList[SimilarityResult[Chunk]]":
    """Return what the store's search of that mode finds.

    Raises:
        GraphRagError: As the store's own search.
    """
    match mode:
        case "vector":
            return store.vector_search(request, where=where, collections=collections, explain=explain)
        case "text":
            return store.text_search(request, where=where, collections=collections, mode=syntax, explain=explain)
        case "hybrid":
            return store.hybrid_search(request, where=where, collections=collections, text_mode=syntax, explain=explain)
        case "regex":
            return store.regex_search(
                request.query, request.top_k, where=where, collections=collections, explain=explain
            )
