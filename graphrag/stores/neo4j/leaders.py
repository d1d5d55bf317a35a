"""Grouping by leaders: who is first takes all that are near and free. Plain values, no I/O."""

from collections.abc import Iterable
from dataclasses import dataclass, field

__all__ = ["Group", "Leaders", "Neighbour"]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One that is near to another.

    Attributes:
        id: Its id.
        score: (1 + cosine) / 2 of the two.
    """

    id: str
    score: float


@dataclass(frozen=True, slots=True)
class Group:
    """An anchor and all that it has taken, best first, equal scores by id."""

    anchor: str
    members: tuple[Neighbour, ...]

    @property
    def size(self) -> int:
        """Number of all, the anchor included."""
        return 1 + len(self.members)


@dataclass(slots=True)
class Leaders:
    """Groups that grow as neighbourhoods come in.

    Attributes:
        groups: Those found so far.
    """

    groups: list[Group] = field(default_factory=list[Group])
    _taken: set[str] = field(default_factory=set[str])

    def is_free(self, id_: str) -> bool:
        """Tell whether it stands in no group yet."""
        return id_ not in self._taken

    def take(self, anchor: str, near: Iterable[Neighbour]) -> None:
        """Let one that is free take those of its neighbours that are free; where there are none, it stays free.

        Args:
            anchor: Its id.
            near: Its neighbours, best first.
        """
        members = tuple(other for other in near if self.is_free(other.id))
        if members:
            self.groups.append(Group(anchor, members))
            self._taken.update((anchor, *(member.id for member in members)))

    def largest(self, count: int, *, least: int) -> list[Group]:
        """Return the groups of at least `least`, the largest first, equal ones by the anchor's id; `count` at most."""
        fit = [group for group in self.groups if group.size >= least]
        return sorted(fit, key=lambda group: (-group.size, group.anchor))[:count]
