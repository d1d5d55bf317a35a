"""`graphrag cypher`: a statement of the user's own, which only reads."""

import json
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NoReturn

import click

from graphrag.cli._options import Text, json_option
from graphrag.cli._output import counted, jsonable, print_json, print_notes
from graphrag.cli._session import Session, pass_session
from graphrag.cli._text import plain_line

if TYPE_CHECKING:
    from graphrag.stores.reports import StatementResult

__all__ = ["cypher"]

_MAX_ROWS = 100_000
_MAX_BYTES = 1_000_000_000
_MAX_TIMEOUT_S = 3_600
_GAP = "  "


@click.command()
@click.argument("statement", type=Text())
@click.option(
    "--param",
    "parameters",
    type=Text(),
    metavar="NAME=JSON",
    multiple=True,
    help='Value of $NAME, as JSON: 3, true, "a text", [1, 2], {…}. May be repeated.',
)
@click.option(
    "--max-rows",
    type=click.IntRange(1, _MAX_ROWS),
    metavar="N",
    help="Most rows, 1 to 100000.  [default: that of the settings, 1000]",
)
@click.option(
    "--max-bytes",
    type=click.IntRange(1, _MAX_BYTES),
    metavar="N",
    help="Most bytes of rows, about as JSON.  [default: that of the settings, 10 million]",
)
@click.option(
    "--timeout",
    "timeout_s",
    type=click.FloatRange(0, _MAX_TIMEOUT_S, min_open=True),
    metavar="SECONDS",
    help="End it after so long.  [default: that of the settings, 30]",
)
@json_option
@pass_session
def cypher(
    session: Session,
    *,
    statement: str,
    parameters: tuple[str, ...],
    max_rows: int | None,
    max_bytes: int | None,
    timeout_s: float | None,
    as_json: bool,
) -> None:
    """Run one STATEMENT in Cypher that only reads, and print its rows; `-` reads it from standard input.

    It sees the whole database. What writes, changes the schema, reads files or addresses, calls procedures that are
    not allowed, or holds a regular expression (`=~`) is refused before it runs. Vectors are not printed.
    """
    given = _parameters(parameters)
    text = sys.stdin.read() if statement == "-" else statement
    with session.open_store_without_model(session.settings()) as store:
        found = store.cypher_search(text, given, max_rows=max_rows, max_bytes=max_bytes, timeout_s=timeout_s)
    if as_json:
        print_json({"columns": found.columns, "rows": found.rows, "truncated": found.truncated, "notes": found.notes})
        return
    print_notes(found.notes)
    _print_table(found)


def _parameters(pairs: Iterable[str]) -> dict[str, object]:
    parameters: dict[str, object] = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        name = name.removeprefix("$")
        if not separator or not name:
            _refuse(f"{pair!r} is not NAME=JSON")
        if name in parameters:
            _refuse(f"{name!r} is given twice")
        try:
            parameters[name] = json.loads(value, parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            _refuse(f"the value of {name!r} is no JSON; text stands in quotes: --param '{name}=\"…\"'")
    return parameters


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)  # NaN and infinities are Python's own extension of JSON


def _refuse(message: str) -> NoReturn:
    raise click.BadParameter(message, param_hint="'--param'")


def _print_table(found: "StatementResult") -> None:
    """Print rows in columns as wide as the terminal allows, or one value a line where they do not fit."""
    rows = [[_cell(row[name]) for name in found.columns] for row in found.rows]
    names = [plain_line(name) for name in found.columns]
    room = shutil.get_terminal_size((100, 24)).columns
    widths = [max(map(len, cells)) for cells in zip(names, *rows, strict=True)]
    if sum(widths) + len(_GAP) * (len(widths) - 1) <= room:
        _print_lines(names, rows, widths)
    else:
        for number, row in enumerate(rows, 1):
            click.echo(click.style(f"row {number}", dim=True))
            for name, cell in zip(names, row, strict=True):
                click.echo(f"  {name}: {cell}")
    click.echo(f"{counted(len(rows), 'row')}.", err=True)


def _print_lines(names: Sequence[str], rows: Iterable[Sequence[str]], widths: Sequence[int]) -> None:
    if names:
        click.echo(click.style(_line(names, widths), bold=True))
    for row in rows:
        click.echo(_line(row, widths))


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return _GAP.join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip()


def _cell(value: object) -> str:
    if isinstance(value, str):
        return plain_line(value)
    return plain_line(json.dumps(jsonable(value), ensure_ascii=False))
