"""Options that several commands have, each written once."""

import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.types import StringParamType

__all__ = [
    "FilePath",
    "Text",
    "ask",
    "collection_option",
    "collections_option",
    "json_option",
    "limit_options",
    "yes_option",
]

F = TypeVar("F", bound=Callable[..., Any])

MAX_PAGE = 10_000
"""Most rows of one call, as stores have it."""

_EMPTY = "it is empty; give a value, or leave the option out"
"""A variable that a script forgot to set must not pass for the default."""


class Text(StringParamType):
    """A text that is not empty."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text; an empty one is a usage error."""
        text = str(super().convert(value, param, ctx))
        if not text.strip():
            self.fail(_EMPTY, param, ctx)
        return text


class FilePath(click.Path):
    """As click's own path, but an empty one is a usage error: Python takes it for the working folder."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        """Return the path."""
        if not os.fspath(value):
            self.fail(_EMPTY, param, ctx)
        return super().convert(value, param, ctx)


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
yes_option = click.option("--yes", is_flag=True, help="Do not ask.")
collection_option = click.option(
    "--collection", type=Text(), metavar="NAME", help="The documents' collection.  [default: that of the settings]"
)
collections_option = click.option(
    "--collection",
    "collections",
    type=Text(),
    metavar="NAME",
    multiple=True,
    help="Only this collection; may be repeated.",
)


def limit_options(*, default: int) -> Callable[[F], F]:
    """Return a decorator that adds `--limit` and `--offset`."""

    def decorate(command: F) -> F:
        limit = click.option(
            "--limit",
            type=click.IntRange(1, MAX_PAGE),
            default=default,
            show_default=True,
            metavar="N",
            help="Most rows to print.",
        )
        offset = click.option(
            "--offset",
            type=click.IntRange(min=0),
            default=0,
            show_default=True,
            metavar="N",
            help="Rows to leave out first.",
        )
        return limit(offset(command))

    return decorate


def ask(question: str, *, yes: bool) -> None:
    """Ask before something is destroyed.

    Raises:
        click.Abort: The answer was no.
        click.ClickException: Nobody is there to be asked.
    """
    if yes:
        return
    if not sys.stdin.isatty():
        msg = "standard input is no terminal, so nobody can be asked; `--yes` goes on without asking"
        raise click.ClickException(msg)
    click.confirm(question, abort=True, err=True)
