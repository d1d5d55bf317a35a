"""Ids: deterministic, short, and without any text of a user in them.

An id is BLAKE2b with 160 bits over the length and the UTF-8 form of each field, in lower-case base32:
32 characters of `a-z2-7`. The kind of thing goes into the hash, so a document and a section can never
have the same id; the lengths make sure that ("ab", "c") and ("a", "bc") differ.
"""

import base64
import hashlib
import unicodedata
from collections.abc import Sequence

from graphrag.errors import InvalidRequestError

__all__ = [
    "MAX_COLLECTION_CHARS",
    "MAX_ID_CHARS",
    "check_collection",
    "check_id",
    "chunk_id",
    "document_id",
    "entity_id",
    "normalise_name",
    "section_id",
]

MAX_COLLECTION_CHARS = 64
MAX_ID_CHARS = 512
"""An application gives its entities ids of its own; at four bytes a character this is still a legal index key."""

_ID_BYTES = 20
_SHOWN_CHARS = 80


def document_id(collection: str, uri: str) -> str:
    """Return the id of the document at a canonical URI in a collection."""
    return _hash("document", collection, uri)


def section_id(document_id: str, heading_path: Sequence[str], occurrence: int) -> str:
    """Return the id of a section.

    Args:
        document_id: The document that it belongs to.
        heading_path: Titles from the top section down to this one, itself included.
        occurrence: How many sections before it, in document order, have the same path; from 0.
    """
    return _hash("section", document_id, str(occurrence), *heading_path)


def chunk_id(document_id: str, urtext: str, occurrence: int) -> str:
    """Return the id of a chunk; `occurrence` counts equal urtexts before it in the document, from 0."""
    return _hash("chunk", document_id, str(occurrence), urtext)


def entity_id(label: str, name: str) -> str:
    """Return the id of an extracted entity, the same for all spellings that `normalise_name` makes equal.

    Raises:
        InvalidRequestError: The name has nothing but blanks.
    """
    normalised = normalise_name(name)
    if not normalised:
        msg = "`name` of an entity is empty; it must have at least one character that is no blank"
        raise InvalidRequestError(msg)
    return _hash("entity", label, normalised)


def normalise_name(name: str) -> str:
    """Return a name in NFKC, lower case, with each run of blanks as one space and none at the ends."""
    lowered = unicodedata.normalize("NFKC", name).lower()
    # Lower-casing may leave what NFKC would compose; normalising again makes the function idempotent.
    return " ".join(unicodedata.normalize("NFKC", lowered).split())


def check_collection(name: object) -> str:
    """Return the name if a collection may have it.

    Raises:
        InvalidRequestError: It is not 1 to 64 printable characters, or begins or ends with a blank.
    """
    if not isinstance(name, str) or not 1 <= len(name) <= MAX_COLLECTION_CHARS or not name.isprintable():
        raise _refusal(name, argument="collection", accepted=f"1 to {MAX_COLLECTION_CHARS} printable characters")
    if name != name.strip():
        raise _refusal(name, argument="collection", accepted="a name without blanks at its ends")
    return name


def check_id(value: object) -> str:
    """Return the value if it can be an id.

    Raises:
        InvalidRequestError: It is not 1 to 512 printable characters.
    """
    if not isinstance(value, str) or not 1 <= len(value) <= MAX_ID_CHARS or not value.isprintable():
        raise _refusal(value, argument="id", accepted=f"1 to {MAX_ID_CHARS} printable characters")
    return value


def _refusal(value: object, *, argument: str, accepted: str) -> InvalidRequestError:
    shown = repr(value)
    if len(shown) > _SHOWN_CHARS:
        shown = shown[:_SHOWN_CHARS] + "…"
    return InvalidRequestError(f"`{argument}` is {shown}; it must be {accepted}")


def _hash(kind: str, *fields: str) -> str:
    digest = hashlib.blake2b(digest_size=_ID_BYTES, person=f"id:{kind}".encode())
    for field in fields:
        # Lone surrogates are replaced at the door; an id must not fail on one that came another way.
        raw = field.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return base64.b32encode(digest.digest()).decode().lower()
