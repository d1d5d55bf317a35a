"""What an index key can hold: values that the server would refuse in the middle of a write, or fail its index on."""

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from graphrag.errors import InvalidRequestError

__all__ = ["check_index_keys"]

_MAX_KEY_BYTES = 8_000
"""A range index takes keys of at most 8,164 bytes (measured); the elements of a list are one key together."""
_ELEMENT_OVERHEAD_BYTES = 3
_OTHER_ELEMENT_BYTES = 32
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
        size = sum(map(_key_bytes, cast("Sequence[object]", value)))
        if size > _MAX_KEY_BYTES:
            msg = (
                f"metadata `{name}` of `{uri}` is a list of {size} bytes; `schema.filter_properties` names it, and an "
                f"index takes {_MAX_KEY_BYTES} bytes a list: shorten it, or give it a name that is not filtered by"
            )
            raise InvalidRequestError(msg)


def _key_bytes(element: object) -> int:
    size = len(element.encode("utf-8", "replace")) if isinstance(element, str) else _OTHER_ELEMENT_BYTES
    return size + _ELEMENT_OVERHEAD_BYTES
