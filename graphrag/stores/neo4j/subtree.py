"""The text of a subtree: headings and chunks in document order, overlaps taken out, cut at a limit."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import cast

__all__ = ["render_subtree"]

Row = Mapping[str, object]


def render_subtree(root_id: str, rows: Iterable[Row], *, limit: int) -> tuple[str, bool]:
    """Return the text below an element and whether it was cut.

    Args:
        root_id: The element's id.
        rows: Rows of `expand/subtree`: sections have `title`, chunks have `urtext`, `start` and `end`.
        limit: Most characters to return.
    """
    children: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        children[cast("str", row["parent_id"])].append(row)
    parts: list[str] = []
    length = 0
    read_up_to = 0
    stack = _in_reverse(children[root_id])
    while stack:
        row = stack.pop()
        if row["urtext"] is None:
            level = min(max(cast("int", row["level"] or 1), 1), 6)
            piece = f"{'#' * level} {row['title']}\n\n"
            stack.extend(_in_reverse(children[cast("str", row["id"])]))
        else:
            start, end = cast("int", row["start"]), cast("int", row["end"])
            piece = cast("str", row["urtext"])[max(read_up_to - start, 0) :]
            read_up_to = max(read_up_to, end)
        parts.append(piece)
        length += len(piece)
        if length > limit:
            return "".join(parts)[:limit], True
    return "".join(parts).rstrip(), False


def _in_reverse(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: cast("int", row["position"] or 0), reverse=True)
