"""`graphrag sections`: the outline of one document."""

import click

from graphrag.cli._lookup import need_document
from graphrag.cli._options import collection_option, json_option
from graphrag.cli._output import as_mapping, print_json
from graphrag.cli._session import Session, pass_session
from graphrag.cli._text import plain_line

__all__ = ["sections"]

_LEFT_OUT = frozenset({"labels", "text", "truncated"})
"""A listing has no texts."""


@click.command()
@click.argument("document", metavar="DOCUMENT")
@collection_option
@json_option
@pass_session
def sections(session: Session, *, document: str, collection: str | None, as_json: bool) -> None:
    """List a document's sections, in its order. DOCUMENT is a path, a URI or an id."""
    settings = session.settings()
    with session.open_store(settings) as store:
        found = need_document(store, document, collection=collection or settings.collection)
        listed = store.list_sections(found.id)
    if as_json:
        rows = [{name: value for name, value in as_mapping(one).items() if name not in _LEFT_OUT} for one in listed]
        print_json({"document_id": found.id, "uri": found.uri, "title": found.title, "sections": rows})
        return
    click.echo(plain_line(found.title), err=True)
    for one in listed:
        indent = "  " * len(one.section_path)
        click.echo(f"{indent}{plain_line(one.title)}  {click.style(f'id {one.id}', dim=True)}")
    if not listed:
        click.echo("The document has no sections.", err=True)
