"""The lines of filtered searches as a table, with all sides."""

import math
from collections.abc import Mapping, Sequence
from typing import cast

from bench.measure import Comparison

__all__ = ["LEAST_RECALL", "TOP_K", "filter_table"]

TOP_K = 10
LEAST_RECALL = 0.99


def filter_table(lines: Sequence[Comparison]) -> str:
    """Return a Markdown table; in bold the side that ours is measured by."""
    names = list(dict.fromkeys(name for line in lines for name in _sides(line)))
    head = ["filter", "matches", "results", "recall", "way", *(f"{name}, p50 ms" for name in names), "ratio", "holds"]
    rows = [head, ["---"] * len(head)]
    for line in lines:
        sides = _sides(line)
        least, most = cast("tuple[int, int]", line.details["results"])
        rows.append(
            [
                line.what.removeprefix("filter "),
                f"{line.details['matches']:,}",
                str(least) if least == most else f"{least} to {most}",
                f"{sides['ours']['recall']:.3f}",
                str(line.details["way"]),
                *(_cell(sides.get(name), is_measure=name == line.note) for name in names),
                f"{line.ratio or math.nan:.2f}",
                "yes" if line.holds else "NO",
            ]
        )
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _sides(line: Comparison) -> Mapping[str, Mapping[str, float]]:
    return cast("Mapping[str, Mapping[str, float]]", line.details["sides"])


def _cell(side: Mapping[str, float] | None, *, is_measure: bool) -> str:
    """Return the median, with top_k and recall where these are not the usual ones."""
    if side is None:
        return "-"
    text = f"{side['p50_ms']:.1f}"
    if side["top_k"] != TOP_K:
        text += f" (top {side['top_k']:.0f})"
    if side["recall"] < LEAST_RECALL:
        text += f" (recall {side['recall']:.2f})"
    return f"**{text}**" if is_measure else text
