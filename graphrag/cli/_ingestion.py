"""Running an ingestion from the command line: with a bar, a line a document, and a summary."""

import os
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

import click

from graphrag.cli._errors import EXIT_INTERRUPTED
from graphrag.cli._output import counted, print_notes, shown_uri
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
    "removed": "yellow",
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
        _second_interrupt_ends(),
        session.open_store(settings, embedder=embedder) as store,
        ingestion_bar(_ignore if quiet else _print_verdict) as bar,
        TikaPool(settings.tika, progress=bar.jars) as tika,
    ):
        return work(make_ingestor(store, embedder, settings=settings, tika=tika), bar)


@contextmanager
def _second_interrupt_ends() -> Generator[None]:
    """Let the first Ctrl-C wait for the step that runs, such as a batch of embeddings, and the second end all.

    Nothing is half-written even then: each write is one transaction.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def end(_number: int, _frame: FrameType | None) -> NoReturn:
        os._exit(EXIT_INTERRUPTED)

    def stop(_number: int, _frame: FrameType | None) -> NoReturn:
        signal.signal(signal.SIGINT, end)
        # Not by `print`, which the signal may have interrupted.
        os.write(2, b"\nStopping after the current step; Ctrl-C again stops at once.\n")
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def print_summary(report: "IngestionReport", *, collection: str, planned: bool = False) -> None:
    """Print what was not found, and how often each verdict was given, on standard error."""
    for root in report.nothing_found:
        click.echo(f"No files to read in {plain_line(root)}.", err=True)
    print_notes(report.notes)
    if not report.verdicts:
        return
    counts = ", ".join(f"{count:,} {verdict.value}" for verdict, count in report.counts.items())
    embedded = "a plan, nothing was written" if planned else f"{counted(report.embedded, 'chunk')} embedded"
    click.echo(f"{counts}; {embedded}; collection `{plain_line(collection)}`.", err=True)


def report_as_mapping(report: "IngestionReport", *, collection: str) -> dict[str, object]:
    """Return a report under stable names."""
    return {
        "collection": collection,
        "documents": report.verdicts,
        "counts": {verdict.value: count for verdict, count in report.counts.items()},
        "embedded": report.embedded,
        "nothing_found": report.nothing_found,
        "notes": report.notes,
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
