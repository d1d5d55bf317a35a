"""What a search asks, beside its query: the mode, what to find and where."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar, get_args

from graphrag.errors import InvalidRequestError, MissingCapabilityError
from graphrag.filters.nodes import PropertyFilter
from graphrag.filters.scope import Scope
from graphrag.model import Chunk, Retrievable, TextMode
from graphrag.search.refinement import Refinement

__all__ = ["Question", "SearchMode", "lacks_capability", "lacks_mode"]

R = TypeVar("R", bound=Retrievable)

SearchMode: TypeAlias = Literal["hybrid", "vector", "text", "regex"]
"""By meaning and by words in one, by meaning, by words, or by regular expression."""

_READS_WORDS = ("hybrid", "text")


@dataclass(frozen=True, slots=True)
class Question(Generic[R]):
    """The options of a search.

    Attributes:
        mode: Which search.
        kind: What to find.
        where: What must be true of what is found.
        scope: What the caller may see; None is everything.
        collections: Where to look; None looks everywhere.
        text_mode: How a search by words reads the query.
        consistent: Whether to run once more where documents were written meanwhile.
        explain: Whether to tell how each leg of the search was run.
    """

    mode: SearchMode
    kind: type[R]
    where: PropertyFilter | None
    scope: Scope | None
    collections: Collection[str] | None
    text_mode: TextMode
    consistent: bool
    explain: bool

    def check(self, refine: Refinement) -> None:
        """Refuse what does not go together.

        Raises:
            InvalidRequestError: An option is none of those that there are, or does not go with the mode or with how the
                hits are to be refined.
        """
        if self.mode not in get_args(SearchMode):
            msg = (
                f"the mode of a search is {str(self.mode)[:80]!r}; it must be one of {', '.join(get_args(SearchMode))}"
            )
            raise InvalidRequestError(msg)
        if self.text_mode != "literal" and self.mode not in _READS_WORDS:
            msg = (
                f"`text_mode` {str(self.text_mode)[:80]!r} goes with searches by words (text, hybrid), not {self.mode}"
            )
            raise InvalidRequestError(msg)
        if self.mode == "regex" and self.consistent:
            msg = "`consistent` does not go with a search by regular expression"
            raise InvalidRequestError(msg)
        if self.mode == "regex" and refine.rerank is not None:
            msg = "`rerank` does not go with a search by regular expression: a pattern is no question"
            raise InvalidRequestError(msg)
        if refine.needs_chunks and not issubclass(self.kind, Chunk):
            msg = (
                "`per_document`, `diversity` and `neighbours` go with searches for chunks; `kind` is "
                f"`{self.kind.__name__}`"
            )
            raise InvalidRequestError(msg)


def lacks_mode(mode: str, has: Sequence[str]) -> MissingCapabilityError:
    """Return the error of a store without the search that is asked for; its others are named."""
    others = f"it has {', '.join(has)}" if has else "it has no search at all"
    return MissingCapabilityError(f"this store has no {mode} search; {others}", capability=mode, has=tuple(has))


def lacks_capability(option: str, capability: str, has: Sequence[str]) -> MissingCapabilityError:
    """Return the error of a store that cannot do what an option of a refinement needs."""
    msg = f"`{option}` needs a store with the capability `{capability}`, which this one is not; leave it out"
    return MissingCapabilityError(msg, capability=capability, has=tuple(has))
