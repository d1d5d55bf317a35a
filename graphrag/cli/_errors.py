"""Errors as a user sees them: one line that says what to do, an exit code, no stack trace."""

from collections.abc import Generator
from contextlib import contextmanager

import click

from graphrag.cli._text import plain_line
from graphrag.errors import GraphRagError, LocalServerError

__all__ = ["EXIT_INTERRUPTED", "refuse_namesake", "reported"]

EXIT_INTERRUPTED = 130
"""What a shell gives a program that Ctrl-C ended."""

_WRITERS = frozenset({"demo", "ingest"})
"""Commands that write one document after the other."""

_NAMESAKE = "graphrag"
"""Another published package of this name; it has our import name."""


@contextmanager
def reported(context: click.Context) -> Generator[None]:
    """Turn errors of ours into one line and exit code 1, and Ctrl-C into exit code 130."""
    try:
        yield
    except GraphRagError as error:
        if isinstance(error, LocalServerError):
            for line in error.log_tail:
                click.echo(f"  | {plain_line(line)}", err=True)
        raise click.ClickException(plain_line(str(error))) from error
    except KeyboardInterrupt:
        kept = " What was finished before is in the store." if context.invoked_subcommand in _WRITERS else ""
        click.echo(f"\nInterrupted.{kept}", err=True)
        context.exit(EXIT_INTERRUPTED)


def refuse_namesake() -> None:
    """Do nothing where the package that shares our import name is not installed beside us.

    Raises:
        click.ClickException: It is, so that files of both stand in one folder and either may be damaged.
    """
    import importlib.metadata

    try:
        version = importlib.metadata.version(_NAMESAKE)
    except importlib.metadata.PackageNotFoundError:
        return
    msg = (
        f"the package `{_NAMESAKE}` {version} is installed in this environment too; it is another project with the "
        f"same import name, and the two overwrite each other. Run `pip uninstall {_NAMESAKE} graphrag-service`, then "
        "`pip install graphrag-service`, or use an environment of its own"
    )
    raise click.ClickException(msg)
