"""`graphrag delete`: documents out of the store."""

from typing import TYPE_CHECKING

import click

from graphrag.cli._lookup import find_document
from graphrag.cli._options import Text, ask, json_option, where_option, yes_option
from graphrag.cli._output import counted, deletion_told, print_json, shown_uri
from graphrag.cli._session import Session, pass_session
from graphrag.cli._text import plain_line

if TYPE_CHECKING:
    from graphrag.filters import PropertyFilter
    from graphrag.stores import Neo4jStore
    from graphrag.stores.reports import Deletion

__all__ = ["delete"]

_SHOWN = 10
"""Documents that a filter finds, told before asking."""


@click.command()
@click.argument("documents", nargs=-1, metavar="DOCUMENT...")
@where_option
@click.option(
    "--collection",
    type=Text(),
    metavar="NAME",
    help="The documents' collection.  [default: that of the settings; with --where all]",
)
@yes_option
@json_option
@pass_session
def delete(
    session: Session,
    *,
    documents: tuple[str, ...],
    where: "PropertyFilter | None",
    collection: str | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Delete documents with their sections and chunks, after printing how many and asking.

    DOCUMENT is a path (the file need not exist any more), a URI or an id. One that is not in the store is told,
    and is no error. With --where those go of which the filter is true: in all collections, unless --collection
    names one.
    """
    if bool(documents) == (where is not None):
        msg = "say which documents to delete: DOCUMENT..., or --where FILTER"
        raise click.UsageError(msg)
    from graphrag.stores.reports import Deletion

    if where is not None:
        _refuse_always_true(where)
        with session.open_store_without_model(session.settings()) as store:
            gone = _delete_matching(store, where, collection, yes=yes)
        _tell(gone, unknown=[], as_json=as_json)
        return

    settings = session.settings()
    gone = Deletion()
    with session.open_store(settings) as store:
        named = {name: find_document(store, name, collection=collection or settings.collection) for name in documents}
        found = {document.id: document for document in named.values() if document is not None}
        unknown = [name for name, document in named.items() if document is None]
        for name in unknown:
            click.echo(f"No document `{plain_line(name)}` is there.", err=True)
        if found:
            for document in found.values():
                place = f"{shown_uri(document.uri)}, collection `{plain_line(document.collection)}`"
                sections = len(store.list_sections(document.id))
                told = f"{counted(sections, 'section')}, {counted(document.chunk_count, 'chunk')}"
                click.echo(f"{place}: {told}", err=True)
            ask(f"Delete {counted(len(found), 'document')}?", yes=yes)
        for document in found.values():
            gone += store.delete_document(document.uri, collection=document.collection)
    _tell(gone, unknown=unknown, as_json=as_json)


def _refuse_always_true(where: "PropertyFilter") -> None:
    """Refuse a filter that is true of everything, such as `{}`: it may be one that a script forgot to fill."""
    from graphrag.filters.simplify import TRUE, simplify

    if simplify(where) == TRUE:
        msg = "the filter is true of every document; `graphrag clear` with --all or --collection NAME deletes all"
        raise click.UsageError(msg)


def _delete_matching(store: "Neo4jStore", where: "PropertyFilter", collection: str | None, *, yes: bool) -> "Deletion":
    from graphrag.model import Document
    from graphrag.stores.reports import Deletion

    collections = None if collection is None else (collection,)
    number = store.count(Document, where=where, collections=collections)
    scope = "all collections" if collection is None else f"`{plain_line(collection)}`"
    click.echo(f"In {scope}: {counted(number, 'document')}", err=True)
    if not number:
        return Deletion()
    for document in store.list_documents(where=where, collections=collections, limit=_SHOWN):
        click.echo(f"    {shown_uri(document.uri)}, collection `{plain_line(document.collection)}`", err=True)
    if number > _SHOWN:
        click.echo(f"    and {number - _SHOWN:,} more (`graphrag documents list --where` lists them)", err=True)
    ask(f"Delete {counted(number, 'document')}?", yes=yes)
    return store.delete_documents(where, collections=collections)


def _tell(gone: "Deletion", *, unknown: list[str], as_json: bool) -> None:
    if as_json:
        print_json({"documents": gone.documents, "sections": gone.sections, "chunks": gone.chunks, "unknown": unknown})
    else:
        click.echo(deletion_told(gone), err=True)
