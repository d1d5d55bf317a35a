"""A point in time by which something has to be done."""

import math
import time
from dataclasses import dataclass, field

from graphrag.errors import InvalidRequestError, TimeoutExceededError

__all__ = ["Deadline"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Deadline:
    """A time limit that has started to run when the object was made.

    Args:
        seconds: Length of the limit; above 0 and finite.
        what: What is limited, for the message: "the search", "writing `a.md`".

    Raises:
        InvalidRequestError: `seconds` is out of its bounds.
    """

    seconds: float
    what: str
    _start: float = field(default_factory=time.monotonic, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not (math.isfinite(self.seconds) and self.seconds > 0):
            msg = f"time limit of {self.what} is {self.seconds} seconds; it must be above 0 and finite"
            raise InvalidRequestError(msg)

    def remaining_s(self) -> float:
        """Return the seconds that are left; 0 where none are."""
        return max(0.0, self._start + self.seconds - time.monotonic())

    def check(self) -> None:
        """Do nothing before the deadline; synchronous code calls this between its steps.

        Raises:
            TimeoutExceededError: The deadline has passed.
        """
        if not self.remaining_s():
            raise self.exceeded()

    def exceeded(self) -> TimeoutExceededError:
        """Return the error that tells that this deadline has passed."""
        return TimeoutExceededError(
            f"{self.what} took longer than its limit of {self.seconds:g} s; narrow the request or raise the limit"
        )
