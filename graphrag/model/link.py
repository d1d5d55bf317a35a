"""Links between what was ingested."""

from dataclasses import dataclass
from typing import Literal

from graphrag.model.chunk import Chunk
from graphrag.model.content import ContentElement

__all__ = ["Link", "LinkDirection"]

LinkDirection = Literal["out", "in"]
"""`out`: from what was named to others; `in`: from others to it."""


@dataclass(frozen=True, slots=True)
class Link:
    """One link that was followed.

    Attributes:
        direction: `out` where the link leads away from what was named, `in` where it leads to it.
        source_id: The chunk or section that holds the link.
        target_id: The document or section that it leads to.
        element: What stands at its other end: of a link `out` the document or section that it leads to, of a link
            `in` the chunk or section that holds it.
    """

    direction: LinkDirection
    source_id: str
    target_id: str
    element: Chunk | ContentElement
