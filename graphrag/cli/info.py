"""`graphrag info`: what the store holds and what it is."""

import click

from graphrag.cli._options import json_option
from graphrag.cli._output import print_json, print_pairs
from graphrag.cli._session import Session, pass_session

__all__ = ["info"]


@click.command()
@json_option
@pass_session
def info(session: Session, *, as_json: bool) -> None:
    """Show how much the store holds, and server, schema and embedding model."""
    with session.open_store() as store:
        found = store.info()
    if as_json:
        print_json(found)
        return
    print_pairs(
        {
            "store": found.kind,
            "documents": found.documents,
            "sections": found.sections,
            "chunks": found.chunks,
            "entities": found.entities,
            "collections": found.collections,
            "schema_version": found.schema_version,
            "dimensions": found.dimensions,
            "embedding_model": found.embedding_model,
            **found.details,
        }
    )
    if found.schema_version is None:
        click.echo("There is no schema yet; `graphrag ingest` or `graphrag schema apply` makes it.", err=True)
