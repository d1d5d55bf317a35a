"""`graphrag links`: where a chunk, section or document links to, and what links to it."""

from typing import TYPE_CHECKING

import click

from graphrag.cli._lookup import find_datum
from graphrag.cli._options import collections_option, json_option
from graphrag.cli._output import as_mapping, print_json, print_notes
from graphrag.cli._results import place_of
from graphrag.cli._session import Session, pass_session
from graphrag.cli._text import plain_line

if TYPE_CHECKING:
    from graphrag.model import Datum, Link

__all__ = ["links"]

_MAX_LINKS = 1_000


@click.command()
@click.argument("id_", metavar="ID")
@click.option("--back", is_flag=True, help="What links to it, rather than where it links to.")
@collections_option
@click.option(
    "--limit", type=click.IntRange(1, _MAX_LINKS), default=100, show_default=True, metavar="N", help="Most links."
)
@json_option
@pass_session
def links(session: Session, *, id_: str, back: bool, collections: tuple[str, ...], limit: int, as_json: bool) -> None:
    """List the links of a chunk, section or document, those of all below it included."""
    with session.open_store() as store:
        find_datum(store, id_)
        found = store.follow_links(id_, direction="in" if back else "out", collections=collections or None, limit=limit)
    if as_json:
        print_json({"links": [_as_mapping(link) for link in found], "notes": found.notes})
        return
    for link in found:
        id_told = click.style(f"id {link.element.id}", dim=True)
        click.echo(f"{'from' if back else 'to'} {_told(link.element)}  {id_told}")
    print_notes(found.notes)
    if not found:
        click.echo("Nothing links to it." if back else "It holds no link to anything that was ingested.", err=True)


def _as_mapping(link: "Link") -> dict[str, object]:
    ends = {"source_id": link.source_id, "target_id": link.target_id}
    return {**ends, "kind": as_mapping(link.element)["kind"], "place": _told(link.element), "uri": link.element.uri}


def _told(element: "Datum") -> str:
    from graphrag.model import Chunk, ContentRoot, Section

    match element:
        case Chunk():
            return f"{place_of(element)}, chunk {element.sequence_number}"
        case Section():
            return " > ".join(plain_line(title) for title in element.section_path)
        case ContentRoot():
            return plain_line(f"{element.title} ({element.uri})")
        case _:
            return element.id
