"""What an index key can hold: values that the server would refuse in the middle of a write, or fail its index on."""

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from graphrag.errors import InvalidRequestError

__all__ = ["ELEMENT_OVERHEAD_BYTES", "MAX_KEY_BYTES", "OTHER_ELEMENT_BYTES", "check_index_keys", "key_bytes"]

MAX_KEY_BYTES = 8_000
"""A range index takes keys of at most 8,164 bytes (measured); the elements of a list are one key together."""
ELEMENT_OVERHEAD_BYTES = 3
OTHER_ELEMENT_BYTES = 32
"""At most, for numbers, booleans, dates and times."""


def check_index_keys(metadata: Mapping[str, object], names: Iterable[str], *, uri: str) -> None:
    """Refuse lists that are too long together for a property that an index is on.

    Strings alone are bounded by `graphrag.model.metadata` already.

    Args:
        metadata: Values by name.
        names: Properties that the schema filters by.
        uri: The document's, for the message.

    Raises:
        InvalidRequestError: A list is too long; the message names its key.
    """
    for name in names:
        value = metadata.get(name)
        if not isinstance(value, list | tuple):
            continue
        size = key_bytes(cast("Sequence[object]", value))
        if size > MAX_KEY_BYTES:
            msg = (
                f"metadata `{name}` of `{uri}` is a list of {size} bytes; it is a filter property, and an "
                f"index takes {MAX_KEY_BYTES} bytes a list: shorten it, or give it a name that is not filtered by"
            )
            raise InvalidRequestError(msg)


def key_bytes(elements: Iterable[object]) -> int:
    """Return how many bytes a list takes at most in an index's key."""
    return sum(map(_element_bytes, elements))


def _element_bytes(element: object) -> int:
    size = len(element.encode("utf-8", "replace")) if isinstance(element, str) else OTHER_ELEMENT_BYTES
    return size + ELEMENT_OVERHEAD_BYTES
