"""The text of a subtree: headings and chunks in document order, overlaps taken out, cut at a limit."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import cast

__all__ = ["render_subtree"]

Row = Mapping[str, object]

_MAX_LEVEL = 6
"""Deepest heading of Markdown, in which form headings are printed."""


def render_subtree(root_id: str, rows: Iterable[Row], *, limit: int, between_chunks: bool = False) -> tuple[str, bool]:
    """Return the text below an element and whether it was cut.

    Args:
        root_id: The element's id.
        rows: Sections have `title`; chunks have `urtext`, `start` and `end`; all have `parent_id` and `position`.
        limit: Most characters to return.
        between_chunks: Cut before the first piece that does not fit, rather than within it; a heading without any
            text behind it goes too. A first chunk that does not fit alone is cut all the same.
    """
    children: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        children[cast("str", row["parent_id"])].append(row)
    parts: list[str] = []
    length = 0
    read_up_to = 0
    with_text = 0
    stack = _in_reverse(children[root_id])
    while stack:
        row = stack.pop()
        heading = row["urtext"] is None
        if heading:
            level = min(max(cast("int", row["level"] or 1), 1), _MAX_LEVEL)
            piece = f"{'#' * level} {row['title']}\n\n"
            stack.extend(_in_reverse(children[cast("str", row["id"])]))
        else:
            start, end = cast("int", row["start"]), cast("int", row["end"])
            piece = cast("str", row["urtext"])[max(read_up_to - start, 0) :]
            read_up_to = max(read_up_to, end)
        parts.append(piece)
        length += len(piece)
        if length > limit:
            if between_chunks and with_text:
                return "".join(parts[:with_text]).rstrip(), True
            return "".join(parts)[:limit], True
        if not heading:
            with_text = len(parts)
    return "".join(parts).rstrip(), False


def _in_reverse(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: cast("int", row["position"] or 0), reverse=True)
