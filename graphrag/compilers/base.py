"""What every compiler gives: a predicate's text, and the values that it refers to."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from graphrag.filters.nodes import PropertyFilter

__all__ = ["Compiled", "FilterCompiler"]


@dataclass(frozen=True, slots=True)
class Compiled:
    """A predicate.

    Attributes:
        text: It, in the language of the compiler, in a form that can be joined by AND without brackets.
        parameters: The values that the text refers to, by name; all of Python's own types.
    """

    text: str
    parameters: Mapping[str, object] = field(default_factory=dict[str, object])


class FilterCompiler(Protocol):
    """Turns filters into a predicate. Keeps no state between calls."""

    def compile(self, filters: Iterable[PropertyFilter | None]) -> Compiled:
        """Return the predicate that is true where all of the filters are.

        Args:
            filters: Conditions, each of them perhaps None, which is no condition.

        Raises:
            UnsupportedFilterError: A node, or a value of it, that this language cannot express.
        """
        ...
