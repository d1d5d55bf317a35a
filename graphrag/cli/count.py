"""`graphrag count`: how many documents, sections, chunks or entities there are."""

from typing import TYPE_CHECKING, Literal

import click

from graphrag.cli._options import collections_option, json_option, where_option
from graphrag.cli._output import print_json
from graphrag.cli._session import Session, pass_session

if TYPE_CHECKING:
    from graphrag.filters import PropertyFilter

__all__ = ["count"]

Kind = Literal["documents", "sections", "chunks", "entities"]


@click.command()
@click.argument("kind", type=click.Choice(["documents", "sections", "chunks", "entities"]), default="documents")
@where_option
@collections_option
@json_option
@pass_session
def count(
    session: Session, *, kind: Kind, where: "PropertyFilter | None", collections: tuple[str, ...], as_json: bool
) -> None:
    """Count documents, sections, chunks or entities: all, or those of which a filter is true.

    A filter looks at the properties of the counted things themselves; chunks have the metadata of their document.
    """
    from graphrag.model import Chunk, Datum, Document, NamedEntityData, Section

    kinds: dict[Kind, type[Datum]] = {
        "documents": Document,
        "sections": Section,
        "chunks": Chunk,
        "entities": NamedEntityData,
    }
    with session.open_store_without_model(session.settings()) as store:
        number = store.count(kinds[kind], where=where, collections=collections or None)
    if as_json:
        print_json({"kind": kind, "count": number})
    else:
        click.echo(str(number))
