"""Checks of how much a call may ask for."""

from graphrag.errors import InvalidRequestError

__all__ = ["check_limit"]


def check_limit(limit: object, *, most: int, name: str = "limit") -> int:
    """Return the number if it is a whole one in 1..most.

    Raises:
        InvalidRequestError: It is something else; booleans and 2.0 are something else too.
    """
    if type(limit) is not int or not 1 <= limit <= most:
        msg = f"`{name}` is {limit!r}; it must be a whole number from 1 to {most}"
        raise InvalidRequestError(msg)
    return limit
