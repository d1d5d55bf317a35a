"""`graphrag show`: one document, section or chunk, with what stands around it."""

from typing import TYPE_CHECKING

import click

from graphrag.cli._lookup import find_datum
from graphrag.cli._options import json_option
from graphrag.cli._output import as_mapping, print_json, print_notes, print_pairs
from graphrag.cli._session import Session, pass_session
from graphrag.cli._text import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graphrag.model import Datum, ResultList
    from graphrag.stores import Neo4jStore

__all__ = ["show"]

_TEXTS = frozenset({"text", "urtext"})
_NOTHING: tuple[object, ...] = (None, "", (), {})
_MAX_CHUNKS = 20


@click.command()
@click.argument("id_", metavar="ID")
@click.option(
    "--expand", type=click.IntRange(0, _MAX_CHUNKS), metavar="N", help="With N chunks before and after, 0 to 20."
)
@click.option("--zoom-out", is_flag=True, help="The section or document around it, with its text.")
@click.option("--path", "path_", is_flag=True, help="The way down to it: document, sections, itself.")
@json_option
@pass_session
def show(session: Session, *, id_: str, expand: int | None, zoom_out: bool, path_: bool, as_json: bool) -> None:
    """Show the document, section, chunk or entity of an id, or what stands around it."""
    if (expand is not None) + zoom_out + path_ > 1:
        msg = "--expand, --zoom-out and --path exclude each other"
        raise click.UsageError(msg)
    with session.open_store() as store:
        found = find_datum(store, id_)
        around = _around(store, id_, expand, zoom_out=zoom_out, path=path_)
    notes: Sequence[str] = () if around is None else around.notes
    if as_json:
        shown = as_mapping(found)
        if around is not None:
            shown |= {"surroundings": [as_mapping(one) for one in around], "notes": notes}
        print_json(shown)
        return
    print_notes(notes)
    for one in [found] if around is None else around:
        _print(one)
    if around is not None and not around:
        click.echo("Nothing stands around it.", err=True)


def _around(
    store: "Neo4jStore", id_: str, expand: int | None, *, zoom_out: bool, path: bool
) -> "ResultList[Datum] | None":
    from graphrag.model import ResultList
    from graphrag.stores.reports import ExpandMethod

    if path:
        return ResultList(store.path_from_root(id_))
    if zoom_out:
        found = store.expand_result(id_, ExpandMethod.ZOOM_OUT)
    elif expand is not None:
        found = store.expand_result(id_, ExpandMethod.SEQUENCE, expand)
    else:
        return None
    return ResultList(found, notes=found.notes)


def _print(datum: "Datum") -> None:
    values = as_mapping(datum)
    print_pairs({name: value for name, value in values.items() if name not in _TEXTS and value not in _NOTHING})
    text = values.get("urtext") or values.get("text")
    if isinstance(text, str) and text:
        click.echo()
        click.echo(plain(text).rstrip("\n"))
    click.echo()
