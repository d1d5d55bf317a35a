"""`graphrag documents`: what documents there are, and their metadata."""

from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from graphrag.cli._lookup import need_document
from graphrag.cli._metadata import parse_changes
from graphrag.cli._options import collection_option, collections_option, json_option, limit_options, where_option
from graphrag.cli._output import as_mapping, counted, print_json, print_pairs, shown_uri
from graphrag.cli._session import Session, pass_session
from graphrag.cli._text import plain_line

if TYPE_CHECKING:
    from graphrag.filters import PropertyFilter
    from graphrag.model import Document

__all__ = ["documents"]

_DEFAULT_LIMIT = 100


@click.group(invoke_without_command=True)
@where_option
@collections_option
@limit_options(default=_DEFAULT_LIMIT)
@json_option
@click.pass_context
def documents(context: click.Context, /, **options: object) -> None:
    """List documents, or change their metadata. Without a command, list them."""
    if context.invoked_subcommand is None:
        context.invoke(list_documents, **options)
    elif any(context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in options):
        msg = f"put options behind the command `{context.invoked_subcommand}`"
        raise click.UsageError(msg)


@documents.command("list")
@where_option
@collections_option
@limit_options(default=_DEFAULT_LIMIT)
@json_option
@pass_session
def list_documents(
    session: Session,
    *,
    where: "PropertyFilter | None",
    collections: tuple[str, ...],
    limit: int,
    offset: int,
    as_json: bool,
) -> None:
    """List documents by collection, then by address."""
    from graphrag.model import Document

    with session.open_store() as store:
        found = store.list_documents(where=where, collections=collections or None, limit=limit, offset=offset)
        total = store.count(Document, where=where, collections=collections or None)
    if as_json:
        print_json({"total": total, "offset": offset, "documents": [_summary(document) for document in found]})
        return
    for document in found:
        size = counted(document.chunk_count, "chunk")
        click.echo(f"{plain_line(document.collection)}  {shown_uri(document.uri)}  {size}")
        click.echo(f"    {plain_line(document.title)}  {click.style(f'id {document.id}', dim=True)}")
    if total:
        part = f"{len(found):,} of " if len(found) < total else ""
        click.echo(f"{part}{counted(total, 'document')}.", err=True)
    elif where is not None:
        click.echo("The filter is true of no document.", err=True)
    else:
        click.echo("There are no documents; `graphrag ingest PATH` brings some.", err=True)


@documents.command("set")
@click.argument("document", metavar="DOCUMENT")
@click.argument("changes", nargs=-1, required=True, metavar="KEY=VALUE...")
@collection_option
@json_option
@pass_session
def set_metadata(
    session: Session, *, document: str, changes: tuple[str, ...], collection: str | None, as_json: bool
) -> None:
    """Change the metadata of a document and of its chunks; nothing is embedded again.

    DOCUMENT is a path, a URI or an id. KEY= without a value takes the key away.
    """
    wanted = parse_changes(changes)
    settings = session.settings()
    with session.open_store_without_model(settings) as store:
        found = need_document(store, document, collection=collection or settings.collection)
        changed = store.set_metadata(found.uri, wanted, collection=found.collection)
    if changed is None:  # somebody deleted it in between
        msg = f"the document `{plain_line(document)}` is gone"
        raise click.ClickException(msg)
    if as_json:
        print_json(_summary(changed))
    elif changed.metadata:
        print_pairs(changed.metadata)
    else:
        click.echo("The document has no metadata now.", err=True)


def _summary(document: "Document") -> dict[str, object]:
    described = as_mapping(document)
    for name in ("text", "truncated", "kind", "labels"):
        del described[name]
    return described
