"""Finding what a user names: a document by its path, URI or id; anything else by its id."""

import re
from typing import TYPE_CHECKING

from graphrag.cli._text import plain_line

if TYPE_CHECKING:
    from graphrag.model import Datum, Document
    from graphrag.stores import Neo4jStore

__all__ = ["find_datum", "find_document", "need_document"]

_ID = re.compile("[a-z2-7]{32}")


def find_document(store: "Neo4jStore", named: str, *, collection: str) -> "Document | None":
    """Return the document of an id, or of a path or URI in one collection; None where there is none.

    Raises:
        InvalidRequestError: It is no path, URI or id, or the collection's name cannot be one.
    """
    from graphrag.ingestion.sources import canonical_uri

    if _ID.fullmatch(named):
        found = store.find_documents([named]).get(named)
        if found is not None:
            return found
    return store.find_document(canonical_uri(named), collection=collection)


def need_document(store: "Neo4jStore", named: str, *, collection: str) -> "Document":
    """Return the document that is named (see `find_document`).

    Raises:
        NotFoundError: There is none.
    """
    from graphrag.errors import NotFoundError

    found = find_document(store, named, collection=collection)
    if found is None:
        msg = (
            f"no document `{plain_line(named)}` is in collection `{collection}`; give its path, its URI or its id as "
            "`graphrag documents` lists them, and its collection (`--collection`)"
        )
        raise NotFoundError(msg)
    return found


def find_datum(store: "Neo4jStore", id_: str) -> "Datum":
    """Return what has this id.

    Raises:
        NotFoundError: Nothing has.
        InvalidRequestError: It cannot be an id.
    """
    from graphrag.errors import NotFoundError

    found = store.find_by_id(id_)
    if found is None:
        msg = f"nothing has the id `{plain_line(id_)}`; `graphrag search`, `sections` and `chunks` print ids"
        raise NotFoundError(msg)
    return found
