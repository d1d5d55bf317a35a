"""`graphrag clear`: all documents, or all of some collections, out of the store."""

import click

from graphrag.cli._options import Text, ask, json_option, yes_option
from graphrag.cli._output import counted, deletion_told, print_json
from graphrag.cli._session import Session, pass_session
from graphrag.cli._text import plain_line

__all__ = ["clear"]


@click.command()
@click.option("--all", "everything", is_flag=True, help="The documents of all collections.")
@click.option(
    "--collection", "collections", type=Text(), metavar="NAME", multiple=True, help="Of this one; may be repeated."
)
@yes_option
@json_option
@pass_session
def clear(session: Session, *, everything: bool, collections: tuple[str, ...], yes: bool, as_json: bool) -> None:
    """Delete all documents, or those of some collections, after printing how many and asking.

    The schema stays, and so does everything in the database that is not ours.
    """
    if everything and collections:
        msg = "--all and --collection exclude each other"
        raise click.UsageError(msg)
    if not everything and not collections:
        msg = "say what to clear: --all, or --collection NAME"
        raise click.UsageError(msg)
    from graphrag.model import Chunk, Document, Section
    from graphrag.stores.reports import Deletion

    chosen = collections or None
    gone = Deletion()
    with session.open_store() as store:
        counts = [store.count(kind, collections=chosen) for kind in (Document, Section, Chunk)]
        where = "all collections" if everything else ", ".join(f"`{plain_line(name)}`" for name in collections)
        told = ", ".join(map(counted, counts, ("document", "section", "chunk")))
        click.echo(f"In {where}: {told}", err=True)
        if any(counts):
            ask(f"Delete all of {where}?", yes=yes)
            gone = store.clear(collections=chosen)
    if as_json:
        print_json(gone)
    else:
        click.echo(deletion_told(gone), err=True)
