"""`graphrag read`: a section as one text."""

import click

from graphrag.cli._options import Text, collections_option, json_option
from graphrag.cli._output import print_json, print_notes
from graphrag.cli._session import Session, pass_session
from graphrag.cli._text import plain, plain_line
from graphrag.cli.sections import entry_as_mapping, print_entries

__all__ = ["read"]


@click.command()
@click.argument("section", metavar="SECTION", type=Text())
@click.option(
    "--document-title",
    type=Text(),
    metavar="TEXT",
    help="Only in documents whose title holds this text, whatever its case.",
)
@click.option(
    "--max-chars",
    type=click.IntRange(min=1),
    metavar="N",
    help="Longest text, 1 to 25000 (`limits.max_answer_chars`).  [default: that]",
)
@collections_option
@json_option
@pass_session
def read(
    session: Session,
    *,
    section: str,
    document_title: str | None,
    max_chars: int | None,
    collections: tuple[str, ...],
    as_json: bool,
) -> None:
    """Print a section with all below it as one text. SECTION is its id, or its title whatever its case.

    Where several sections have the title, they are listed: read one of them by its id.
    """
    from graphrag.errors import NotFoundError
    from graphrag.model import SectionChoice

    with session.open_store() as store:
        found = store.read_section(
            section, document_title=document_title, max_chars=max_chars, collections=collections or None
        )
    if found is None:
        msg = f"no section has the id or title `{plain_line(section)}`; `graphrag sections` lists them"
        raise NotFoundError(msg)
    if isinstance(found, SectionChoice):
        if as_json:
            print_json({"choice": [entry_as_mapping(entry) for entry in found.candidates], "notes": found.notes})
            return
        click.echo("Several sections have this title; read one of them by its id:", err=True)
        print_entries(found.candidates)
        print_notes(found.notes)
        return
    if as_json:
        told = {"text": found.text, "truncated": found.truncated, "notes": found.notes}
        print_json({"section": entry_as_mapping(found.entry), **told})
        return
    click.echo(" > ".join(plain_line(part) for part in found.entry.path), err=True)
    click.echo(plain(found.text))
    print_notes(found.notes)
