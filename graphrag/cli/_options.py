"""Options that several commands have, each written once."""

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from click.types import StringParamType

from graphrag.cli._caret import caret_lines
from graphrag.cli._text import plain_line

if TYPE_CHECKING:
    # Reading filters takes longer than printing help.
    from graphrag.filters import PropertyFilter

    _FilterType = click.ParamType["PropertyFilter"]
else:
    _FilterType = click.ParamType  # earlier releases of click have no parameter here

__all__ = [
    "FilePath",
    "FilterText",
    "Text",
    "ask",
    "collection_option",
    "collections_option",
    "json_option",
    "limit_options",
    "where_option",
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


class FilterText(_FilterType):
    """A filter, in the text form or the JSON form."""

    name = "filter"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> "PropertyFilter":
        """Return the filter; a malformed one is a usage error that shows the place."""
        from graphrag.errors import InvalidFilterError
        from graphrag.filters import parse_filter

        if not isinstance(value, str):
            return cast("PropertyFilter", value)
        if not value.strip():
            self.fail(_EMPTY, param, ctx)
        try:
            return parse_filter(value)
        except InvalidFilterError as error:
            self.fail("\n".join((plain_line(str(error)), *caret_lines(value, error.place))), param, ctx)


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
yes_option = click.option("--yes", is_flag=True, help="Do not ask.")
where_option = click.option(
    "--where",
    type=FilterText(),
    metavar="FILTER",
    help="Only where this is true, such as \"owner = 'x' and year >= 2020\"; the JSON form begins with {.",
)
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
