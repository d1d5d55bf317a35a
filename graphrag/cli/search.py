"""`graphrag search`: by meaning, by words, by both, or by regular expression."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from graphrag.cli._options import collections_option, json_option, where_option
from graphrag.cli._output import print_json, print_notes
from graphrag.cli._results import print_explanation, print_result, result_as_mapping
from graphrag.cli._session import Session, pass_session

if TYPE_CHECKING:
    # Loading the model's types takes longer than printing help or a usage error.
    from collections.abc import Collection, Iterator

    from graphrag.config import Settings
    from graphrag.filters import PropertyFilter
    from graphrag.model import Chunk, ResultList, SimilarityResult, TextMode, TextSimilaritySearchRequest
    from graphrag.search import Refinement, Reranker
    from graphrag.stores import Neo4jStore

__all__ = ["Mode", "find", "search"]

Mode = Literal["vector", "text", "hybrid", "regex"]

_MAX_TOP_K = 1_000
_MAX_NEIGHBOURS = 20


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
    "-k",
    "--top-k",
    type=click.IntRange(1, _MAX_TOP_K),
    metavar="N",
    help="Most results, 1 to 1000 (with --rerank to 200, `limits.max_rerank_candidates`).  [default: 10]",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    metavar="SCORE",
    help="Lowest score, 0 to 1; in hybrid it applies to the search by meaning.",
)
@click.option(
    "--rerank",
    "reranker",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="MODEL_FOLDER",
    help="Score the best hits anew by this cross-encoder, a folder of sentence-transformers.",
)
@click.option(
    "--rerank-candidates",
    type=click.IntRange(1, _MAX_TOP_K),
    metavar="N",
    help="How many hits the cross-encoder reads, at most 200 (`limits.max_rerank_candidates`).  [default: 50]",
)
@click.option("--per-document", type=click.IntRange(1, _MAX_TOP_K), metavar="N", help="Most results of one document.")
@click.option(
    "--diversity",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="Prefer results that are unlike those before them: 0 not at all, 1 above all; 0.3 is a good first try.",
)
@click.option(
    "--neighbours",
    type=click.IntRange(0, _MAX_NEIGHBOURS),
    default=0,
    metavar="N",
    help="Show each result with up to N chunks before and after it, at most 20.",
)
@where_option
@collections_option
@click.option(
    "--explain",
    is_flag=True,
    help="Tell which way the search went, what its legs found, and what became of the filter.",
)
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
    reranker: Path | None,
    rerank_candidates: int | None,
    per_document: int | None,
    diversity: float | None,
    neighbours: int,
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

    Hits can be reranked, limited to some a document, chosen to be unlike each other and shown with their neighbours, in
    this order. After `--rerank` the score is the cross-encoder's; `--threshold` acts before it.
    """
    from graphrag.model import TextSimilaritySearchRequest
    from graphrag.search import Refinement

    if syntax == "lucene" and mode not in ("text", "hybrid"):
        msg = f"--syntax lucene does not go with --mode {mode}: it is for searches by words, text and hybrid"
        raise click.UsageError(msg)
    if mode == "regex" and threshold is not None:
        msg = "--threshold does not go with --mode regex: every hit has the score 1"
        raise click.UsageError(msg)
    if mode == "regex" and reranker is not None:
        msg = "--rerank does not go with --mode regex: a pattern is no question"
        raise click.UsageError(msg)
    if rerank_candidates is not None and reranker is None:
        msg = "--rerank-candidates goes with --rerank, which names the model"
        raise click.UsageError(msg)
    settings = session.settings()
    refine = Refinement(
        rerank=(rerank_candidates or settings.search.rerank_candidates) if reranker else None,
        per_document=per_document,
        diversity=diversity,
        neighbours=neighbours,
    )
    request = TextSimilaritySearchRequest(query, threshold, top_k or settings.limits.default_top_k)
    with session.open_store(settings) as store:
        results = find(
            store,
            request,
            mode,
            syntax=syntax,
            where=where,
            collections=collections or None,
            explain=explain,
            refine=refine,
            reranker=_open_reranker(reranker),
            settings=settings,
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


def _open_reranker(folder: Path | None) -> "Reranker | None":
    from graphrag.search import CrossEncoderReranker

    return None if folder is None else CrossEncoderReranker(folder)


def find(  # noqa: PLR0913 - options, by name
    store: "Neo4jStore",
    request: "TextSimilaritySearchRequest",
    mode: Mode,
    *,
    syntax: "TextMode" = "literal",
    where: "PropertyFilter | None" = None,
    collections: "Collection[str] | None" = None,
    explain: bool = False,
    refine: "Refinement | None" = None,
    reranker: "Reranker | None" = None,
    settings: "Settings | None" = None,
) -> "ResultList[SimilarityResult[Chunk]]":
    """Return what the store's search of that mode finds, refined.

    Raises:
        GraphRagError: As `Searcher.search`.
    """
    from graphrag.search import Searcher

    return Searcher(store, reranker=reranker, settings=settings).search(
        request, mode, where=where, collections=collections, text_mode=syntax, explain=explain, refine=refine
    )
