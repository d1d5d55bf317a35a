"""`graphrag delete`: documents out of the store."""

import click

from graphrag.cli._lookup import find_document
from graphrag.cli._options import ask, collection_option, json_option, yes_option
from graphrag.cli._output import counted, deletion_told, print_json, shown_uri
from graphrag.cli._session import Session, pass_session
from graphrag.cli._text import plain_line

__all__ = ["delete"]


@click.command()
@click.argument("documents", nargs=-1, required=True, metavar="DOCUMENT...")
@collection_option
@yes_option
@json_option
@pass_session
def delete(session: Session, *, documents: tuple[str, ...], collection: str | None, yes: bool, as_json: bool) -> None:
    """Delete documents with their sections and chunks, after printing how many and asking.

    DOCUMENT is a path (the file need not exist any more), a URI or an id. One that is not in the store is told,
    and is no error.
    """
    from graphrag.stores.reports import Deletion

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
                where = f"{shown_uri(document.uri)}, collection `{plain_line(document.collection)}`"
                sections = len(store.list_sections(document.id))
                told = f"{counted(sections, 'section')}, {counted(document.chunk_count, 'chunk')}"
                click.echo(f"{where}: {told}", err=True)
            ask(f"Delete {counted(len(found), 'document')}?", yes=yes)
        for document in found.values():
            gone += store.delete_document(document.uri, collection=document.collection)
    if as_json:
        print_json(
            {
                "documents": gone.documents,
                "sections": gone.sections,
                "chunks": gone.chunks,
                "unknown": unknown,
            }
        )
    else:
        click.echo(deletion_told(gone), err=True)
