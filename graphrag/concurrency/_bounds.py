"""What both faces check."""

from graphrag.errors import InvalidRequestError

__all__ = ["check_bounds"]


def check_bounds(*, workers: int, ahead: int) -> None:
    """Refuse sizes of a `map_ahead` that could never move an item.

    Raises:
        InvalidRequestError: One of them is below 1.
    """
    for name, value in (("workers", workers), ("ahead", ahead)):
        if value < 1:
            msg = f"`{name}` is {value}; it must be at least 1"
            raise InvalidRequestError(msg)
