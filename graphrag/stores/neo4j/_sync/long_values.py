# Generated from graphrag/stores/neo4j/_async/long_values.py by tools/generate_sync.py; do not edit.
"""What stands in the database already, and could not stand in an index: looked for before one is made."""

from collections.abc import Iterable, Sequence
from typing import cast

from graphrag.errors import InvalidRequestError
from graphrag.stores.neo4j._sync.connection import Connection
from graphrag.stores.neo4j.bounds import ELEMENT_OVERHEAD_BYTES, MAX_KEY_BYTES, OTHER_ELEMENT_BYTES, key_bytes
from graphrag.stores.neo4j.filterable import COLLECTION

__all__ = ["check_long_values"]

PAGE = 1_000


def check_long_values(connection: Connection, names: Iterable[str], *, timeout_s: float) -> None:
    """Refuse properties under which values stand that no index key can hold: they would fail the index.

    Reads all chunks, where a property but `collection` is named.

    Args:
        connection: To the database.
        names: The properties.
        timeout_s: Deadline of each statement.

    Raises:
        InvalidRequestError: There are such; the message tells under which properties, and in how many documents.
        StoreError: The store failed.
    """
    parameters: dict[str, object] = {
        "names": [name for name in names if name != COLLECTION],
        "max_bytes": MAX_KEY_BYTES,
        "element_bytes": OTHER_ELEMENT_BYTES,
        "overhead_bytes": ELEMENT_OVERHEAD_BYTES,
        "limit": PAGE,
    }
    too_long: dict[str, set[str]] = {}
    offset = 0
    while parameters["names"]:
        rows = connection.read("schema/long_values", {**parameters, "offset": offset}, timeout_s=timeout_s)
        for row in rows:
            value = cast("Sequence[object] | None", row["value"])
            if value is None or key_bytes(value) - ELEMENT_OVERHEAD_BYTES > MAX_KEY_BYTES:
                too_long.setdefault(str(row["name"]), set()).add(str(row["document"]))
        if len(rows) < PAGE:
            break
        offset += PAGE
    if too_long:
        told = ", ".join(f"`{name}` of {len(documents):,} documents" for name, documents in sorted(too_long.items()))
        msg = (
            f"metadata {told} has more than {MAX_KEY_BYTES} bytes, which no index takes; shorten it, or filter by "
            "another property"
        )
        raise InvalidRequestError(msg)
