"""Progress on standard error: what is fetched, and how far an ingestion is. Quiet where that is no terminal."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Imported where a bar is drawn: rich and the readers take longer to load than a usage error to print.
    from rich.progress import Progress, TaskID

    from graphrag.ingestion import DocumentVerdict
    from graphrag.jvm import JarProgress

__all__ = ["IngestionBar", "ingestion_bar"]


class IngestionBar:
    """Draws the progress of one ingestion, and passes each verdict on.

    Args:
        progress: Where the bar is drawn.
        verdict: Is told each verdict when it is there.
    """

    def __init__(self, progress: "Progress", verdict: "Callable[[DocumentVerdict], None]") -> None:
        self._progress = progress
        self._verdict = verdict
        self._jars: TaskID | None = None
        self._documents = progress.add_task("Opening the store", total=None, detail="")
        self._all = 0
        self._done = 0
        self._chunks = 0

    def found(self, documents: int) -> None:
        """Draw a bar for so many documents."""
        self._all = documents
        self._progress.update(self._documents, description="Ingesting", total=documents)
        self._draw()

    def embedded(self, chunks: int) -> None:
        """Count chunks."""
        self._chunks += chunks
        self._draw()

    def finished(self, verdict: "DocumentVerdict") -> None:
        """Move the bar on."""
        self._done += 1
        self._draw()
        self._verdict(verdict)

    def jars(self, now: "JarProgress") -> None:
        """Draw a bar for the parser's files while they are fetched."""
        if self._jars is None:
            self._jars = self._progress.add_task("Fetching Tika", total=None, detail="")
        self._progress.update(
            self._jars,
            completed=now.bytes_done,
            total=now.bytes_total,
            detail=f"{now.bytes_done / 1e6:,.0f} of {now.bytes_total / 1e6:,.0f} MB",
            visible=now.bytes_done < now.bytes_total,
        )

    def _draw(self) -> None:
        detail = f"{self._done:,} of {self._all:,} documents, {self._chunks:,} chunks embedded"
        self._progress.update(self._documents, completed=self._done, detail=detail)


@contextmanager
def ingestion_bar(verdict: "Callable[[DocumentVerdict], None]") -> Generator[IngestionBar]:
    """Give a bar, which disappears at the end."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[detail]}", markup=False),
        TimeElapsedColumn(),
    )
    # Lines of the result go above the bar where both are one terminal; elsewhere they go where they are sent.
    with Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        redirect_stdout=sys.stdout.isatty(),
        redirect_stderr=False,
    ) as progress:
        yield IngestionBar(progress, verdict)
