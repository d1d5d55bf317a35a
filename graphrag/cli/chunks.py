"""`graphrag chunks`: the chunks of one document."""

import click

from graphrag.cli._lookup import need_document
from graphrag.cli._options import collection_option, json_option, limit_options
from graphrag.cli._output import counted, print_json
from graphrag.cli._results import describe_chunk, print_text
from graphrag.cli._session import Session, pass_session
from graphrag.cli._text import plain_line, snippet

__all__ = ["chunks"]

_PREVIEW_CHARS = 160


@click.command()
@click.argument("document", metavar="DOCUMENT")
@collection_option
@limit_options(default=100)
@json_option
@pass_session
def chunks(session: Session, *, document: str, collection: str | None, limit: int, offset: int, as_json: bool) -> None:
    """List a document's chunks, in its order. DOCUMENT is a path, a URI or an id."""
    settings = session.settings()
    with session.open_store(settings) as store:
        found = need_document(store, document, collection=collection or settings.collection)
        listed = store.list_chunks(found.id, limit=limit, offset=offset)
    if as_json:
        rows = [{**describe_chunk(chunk), "start": chunk.start, "end": chunk.end} for chunk in listed]
        print_json({"document_id": found.id, "uri": found.uri, "total": found.chunk_count, "chunks": rows})
        return
    for chunk in listed:
        path = " > ".join(plain_line(title) for title in chunk.section_path)
        page = f"  page {chunk.page}" if chunk.page is not None else ""
        click.echo(f"{chunk.sequence_number:>5}  {path}{page}  {click.style(f'id {chunk.id}', dim=True)}")
        print_text(snippet(chunk.urtext, "", width=_PREVIEW_CHARS), indent=7)
    click.echo(f"{len(listed):,} of {counted(found.chunk_count, 'chunk')}.", err=True)
