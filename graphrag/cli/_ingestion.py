"""Running an ingestion from the command line: with a bar, a line a document, and a summary."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from graphrag.cli._output import counted, shown_uri
from graphrag.cli._progress import IngestionBar, ingestion_bar
from graphrag.cli._session import Session
from graphrag.cli._text import plain_line

if TYPE_CHECKING:
    from graphrag.config import Settings
    from graphrag.ingestion import DocumentVerdict, IngestionReport, Ingestor

__all__ = ["print_summary", "report_as_mapping", "run_ingestion"]

_WIDTH = len("needs_password")
_COLOURS = {
    "added": "green",
    "updated": "green",
    "failed": "red",
    "needs_password": "red",
    "partial": "yellow",
    "unsupported": "red",
}


def run_ingestion(
    session: Session,
    settings: "Settings",
    work: "Callable[[Ingestor, IngestionBar], IngestionReport]",
    *,
    quiet: bool,
) -> "IngestionReport":
    """Open store, model and parser, run the work, close them.

    Args:
        session: Tells the store.
        settings: Sizes and limits.
        work: Gets the ingestor, and a bar to tell its progress to.
        quiet: Whether to leave out the line a document.

    Raises:
        GraphRagError: What every document needs is missing; nothing is written.
    """
    from graphrag.embedding import open_embedder
    from graphrag.ingestion.readers import TikaPool
    from graphrag.opening import make_ingestor

    embedder = open_embedder(settings.embedding)
    with (
        session.open_store(settings, embedder=embedder) as store,
        ingestion_bar(_ignore if quiet else _print_verdict) as bar,
        TikaPool(settings.tika, progress=bar.jars) as tika,
    ):
        return work(make_ingestor(store, embedder, settings=settings, tika=tika), bar)


def print_summary(report: "IngestionReport", *, collection: str) -> None:
    """Print what was not found, and how often each verdict was given, on standard error."""
    for root in report.nothing_found:
        click.echo(f"No files to read in {plain_line(root)}.", err=True)
    if not report.verdicts:
        return
    counts = ", ".join(f"{count:,} {verdict.value}" for verdict, count in report.counts.items())
    embedded = f"{counted(report.embedded, 'chunk')} embedded"
    click.echo(f"{counts}; {embedded}; collection `{plain_line(collection)}`.", err=True)


def report_as_mapping(report: "IngestionReport", *, collection: str) -> dict[str, object]:
    """Return a report under stable names."""
    return {
        "collection": collection,
        "documents": report.verdicts,
        "counts": {verdict.value: count for verdict, count in report.counts.items()},
        "embedded": report.embedded,
        "nothing_found": report.nothing_found,
        "exit_code": report.exit_code,
    }


def _print_verdict(verdict: "DocumentVerdict") -> None:
    name = verdict.verdict.value
    word = click.style(f"{name:<{_WIDTH}}", fg=_COLOURS.get(name))
    said = verdict.reason if name not in {"added", "unchanged"} else ""
    if verdict.chunks:
        size = counted(verdict.chunks, "chunk")
        said = f"{size}; {said}" if said else size
    click.echo(f"{word}  {shown_uri(verdict.uri)}" + (f"  ({plain_line(said)})" if said else ""))
    for note in verdict.notes:
        click.echo(f"{'':<{_WIDTH}}  - {plain_line(note)}")


def _ignore(_: "DocumentVerdict") -> None:
    """Print nothing: the report has it."""
