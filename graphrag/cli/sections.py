"""`graphrag sections`: the outline of a document or of several, and sections by their title."""

from typing import TYPE_CHECKING

import click

from graphrag.cli._lookup import need_document
from graphrag.cli._options import Text, json_option
from graphrag.cli._output import as_mapping, counted, print_json, print_notes
from graphrag.cli._session import Session, pass_session
from graphrag.cli._text import plain_line

if TYPE_CHECKING:
    from graphrag.model import DocumentOutline, ResultList, SectionEntry

__all__ = ["entry_as_mapping", "print_entries", "sections"]

_LEFT_OUT = frozenset({"labels", "text", "truncated"})
"""A listing has no texts."""
_MAX_DOCUMENTS = 100


@click.command()
@click.argument("document", metavar="[DOCUMENT]", required=False)
@click.option("--title", type=Text(), metavar="TITLE", help="Sections of this title instead, whatever its case.")
@click.option(
    "--document-title",
    type=Text(),
    metavar="TEXT",
    help="In all documents whose title holds this text, whatever its case.",
)
@click.option(
    "--collection",
    type=Text(),
    metavar="NAME",
    help="Only in this one.  [default: with DOCUMENT that of the settings, else all]",
)
@click.option(
    "--limit",
    type=click.IntRange(1, _MAX_DOCUMENTS),
    default=20,
    show_default=True,
    metavar="N",
    help="Most documents, or with --title most sections.",
)
@json_option
@pass_session
def sections(
    session: Session,
    *,
    document: str | None,
    title: str | None,
    document_title: str | None,
    collection: str | None,
    limit: int,
    as_json: bool,
) -> None:
    """List a document's sections, in its order, with the number of chunks below each.

    DOCUMENT is a path, a URI or an id. Without one, documents are chosen by `--document-title`, and sections of any
    document by `--title`: in all collections, or in the one of `--collection`.
    """
    if document is None and title is None and document_title is None:
        msg = "name a DOCUMENT, or what to look for: --title, --document-title"
        raise click.UsageError(msg)
    settings = session.settings()
    collections = None if collection is None else [collection]
    with session.open_store(settings) as store:
        named = None
        if document is not None:
            named = need_document(store, document, collection=collection or settings.collection)
        # A document's own id says where it is; its collection need not be that of the settings.
        id_, within = (named.id, None) if named else (None, collections)
        if title is not None:
            found = store.find_sections(
                title, document_title=document_title, document_id=id_, collections=within, limit=limit
            )
            _print_found(found, as_json=as_json)
            return
        outlines = store.table_of_contents(document_title, document_id=id_, collections=within, limit=limit)
    _print_outlines(outlines, single=named is not None, as_json=as_json)


def entry_as_mapping(entry: "SectionEntry") -> dict[str, object]:
    """Return a section and where it stands, under stable names."""
    own = {name: value for name, value in as_mapping(entry.section).items() if name not in _LEFT_OUT}
    place = {"document_title": entry.document_title, "uri": entry.uri, "collection": entry.collection}
    return {**own, **place, "chunk_count": entry.chunk_count}


def print_entries(entries: "list[SectionEntry] | tuple[SectionEntry, ...]") -> None:
    """Print sections of several documents, each with its document and its id."""
    for entry in entries:
        path = " > ".join(plain_line(part) for part in entry.path)
        click.echo(f"{path}  {click.style(f'id {entry.id}', dim=True)}  ({counted(entry.chunk_count, 'chunk')})")


def _print_found(found: "ResultList[SectionEntry]", *, as_json: bool) -> None:
    if as_json:
        print_json({"sections": [entry_as_mapping(entry) for entry in found], "notes": found.notes})
        return
    print_entries(found)
    print_notes(found.notes)
    if not found:
        click.echo("No section has this title.", err=True)


def _print_outlines(outlines: "ResultList[DocumentOutline]", *, single: bool, as_json: bool) -> None:
    if as_json:
        told = [_outline_as_mapping(outline) for outline in outlines]
        print_json({**(told[0] if told else {}), "notes": outlines.notes} if single else
                   {"documents": told, "notes": outlines.notes})  # fmt: skip
        return
    for outline in outlines:
        # The one that was named stands beside its sections, not among them.
        click.echo(plain_line(outline.document.title), err=single)
        for entry in outline.sections:
            indent = "  " * len(entry.section.section_path)
            id_ = click.style(f"id {entry.id}", dim=True)
            click.echo(f"{indent}{plain_line(entry.section.title)}  {id_}  ({counted(entry.chunk_count, 'chunk')})")
    print_notes(outlines.notes)
    if not any(outline.sections for outline in outlines):
        click.echo("The document has no sections." if single else "No sections are there.", err=True)


def _outline_as_mapping(outline: "DocumentOutline") -> dict[str, object]:
    document = outline.document
    rows = [entry_as_mapping(entry) for entry in outline.sections]
    return {"document_id": document.id, "uri": document.uri, "title": document.title, "sections": rows}
