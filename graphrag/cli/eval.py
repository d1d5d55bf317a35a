"""`graphrag eval`: how well searches find what a data set says is relevant."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from graphrag.cli._options import FilePath, json_option
from graphrag.cli._output import counted, print_json, print_notes, shown_path
from graphrag.cli._session import Session, pass_session
from graphrag.cli._text import plain_line

if TYPE_CHECKING:
    # Loading the model's types takes longer than printing help or a usage error.
    from graphrag.config import Settings
    from graphrag.evaluation import EvaluationReport
    from graphrag.evaluation.searching import SearchMode

__all__ = ["eval"]

_DAMAGED = "the cache file {} was damaged and is removed; its texts are embedded again"
_CHUNKINGS: tuple[Literal["whole", "default"], ...] = ("whole", "default")


@click.command()
@click.argument("dataset", type=FilePath(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--mode",
    "modes",
    type=click.Choice(["text", "vector", "hybrid"]),
    multiple=True,
    help="How to search; may be repeated.  [default: all three]",
)
@click.option(
    "--chunking",
    "chunkings",
    type=click.Choice(_CHUNKINGS),
    multiple=True,
    help="One chunk a document, or as `ingest` cuts it; may be repeated.  [default: what the data set allows]",
)
@click.option("--max-chunk-size", type=click.IntRange(1, 8_000), metavar="N", help="Longest chunk, in characters.")
@click.option("--overlap-size", type=click.IntRange(min=0), metavar="N", help="Characters that chunks share.")
@click.option(
    "--allow-truncation",
    is_flag=True,
    help="Let chunks exceed the embedding model's token limit; with `--chunking whole` they always may.",
)
@click.option(
    "--fusion",
    type=click.Choice(["z_score", "reciprocal_rank"]),
    help="How hybrid search joins its legs.  [default: that of the settings]",
)
@click.option(
    "--text-weight",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="Weight of words in hybrid search, 0 to 1.  [default: that of the settings]",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, metavar="N", help="Of the intervals.")
@click.option(
    "--cache",
    type=FilePath(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where embeddings are kept between runs.  [default: below GRAPHRAG_HOME]",
)
@click.option("--keep", is_flag=True, help="Leave the documents in the store, for the next run.")
@json_option
@pass_session
def eval(  # noqa: A001, PLR0913 - the command's name; one an option
    session: Session,
    *,
    dataset: Path,
    modes: "tuple[SearchMode, ...]",
    chunkings: 'tuple[Literal["whole", "default"], ...]',
    max_chunk_size: int | None,
    overlap_size: int | None,
    allow_truncation: bool,
    fusion: str | None,
    text_weight: float | None,
    seed: int,
    cache: Path | None,
    keep: bool,
    as_json: bool,
) -> None:
    """Measure searches with a data set: a folder of documents, queries and answers.

    The folder holds corpus.jsonl, queries.jsonl and qrels.tsv, or docs/*.md, queries.jsonl and spans.tsv. Its documents
    go into a collection of their own, eval-NAME-whole or eval-NAME-default, and out of it at the end, unless they stood
    there before. No other collection is touched. Differences between modes are means of paired differences with 95 %
    intervals. `docs/evaluation.md` tells the forms and the measures.
    """
    from graphrag.evaluation import evaluate, load_dataset, open_cache
    from graphrag.evaluation.searching import MODES

    settings = session.settings(
        {
            "chunker.max_chunk_size": max_chunk_size,
            "chunker.overlap_size": overlap_size,
            "chunker.allow_truncation": allow_truncation or None,
            "search.fusion": fusion,
            "search.text_weight": text_weight,
        }
    )
    found = load_dataset(dataset)
    wanted = chunkings or (("default",) if found.form == "marked_spans" else _CHUNKINGS)
    with open_cache(settings.embedding, cache) as embedder:
        print_notes(_DAMAGED.format(shown_path(path)) for path in embedder.damaged)
        with session.open_store(settings, embedder=embedder) as store, _progress() as progress:
            reports = [
                evaluate(
                    store,
                    found,
                    embedder,
                    chunking=chunking,
                    chunker=settings.chunker,
                    modes=modes or MODES,
                    seed=seed,
                    keep=keep,
                    progress=progress,
                )
                for chunking in dict.fromkeys(wanted)
            ]
        cached = {"folder": str(embedder.folder), "reused": embedder.reused, "embedded": embedder.embedded}
        damaged = [str(path) for path in embedder.damaged]
    search = {"fusion": settings.search.fusion, "text_weight": settings.search.text_weight}
    if as_json:
        runs = [report.as_mapping() for report in reports]
        print_json({"search": search, "cache": {**cached, "damaged": damaged}, "runs": runs})
        return
    for report in reports:
        _print_report(report, settings)
    click.echo(f"Embeddings: {cached['reused']:,} from the cache, {cached['embedded']:,} made.", err=True)


def _print_report(report: "EvaluationReport", settings: "Settings") -> None:
    from graphrag.evaluation import markdown_table

    search = settings.search
    size = f"{counted(report.documents, 'document')}, {counted(report.corpus.chunks, 'chunk')}"
    click.echo(f"{plain_line(report.dataset)}, chunking {report.chunking}: {size}, {report.queries:,} queries")
    if "hybrid" in report.values:
        click.echo(f"hybrid: {search.fusion}, weight of text {search.text_weight:g}")
    click.echo(f"intervals: 95 %, paired bootstrap, seed {report.seed}\n\n{markdown_table(report)}\n")
    took = ", ".join(f"{mode} {s / report.queries * 1000:.1f} ms" for mode, s in report.seconds.items())
    corpus = report.corpus
    told = f"{corpus.written:,} documents written, {corpus.unchanged:,} unchanged, {corpus.removed:,} removed"
    click.echo(f"Collection `{corpus.collection}`: {told}. Time a search, four at once: {took}.", err=True)
    print_notes(report.notes)


@contextmanager
def _progress() -> Generator[Callable[[str, int, int], None]]:
    """Give what draws a bar a stage on standard error; quiet where that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        redirect_stdout=sys.stdout.isatty(),
        redirect_stderr=False,
    ) as progress:
        task = progress.add_task("Opening the store", total=None)

        def tell(stage: str, done: int, total: int) -> None:
            progress.update(task, description=stage, completed=done, total=total)

        yield tell
