"""The lines of many clients as a table, with all sides."""

from collections.abc import Mapping, Sequence
from typing import cast

from bench.measure import Comparison

__all__ = ["serving_table"]


def serving_table(lines: Sequence[Comparison]) -> str:
    """Return a Markdown table; each side has searches a second, and in brackets p50 and p99 in ms."""
    names = list(dict.fromkeys(name for line in lines for name in _sides(line)))
    head = ["search", "recall", *names, "ours to best library", "ours to plain", "p50 to plain", "holds"]
    rows = [head, ["---"] * len(head)]
    for line in lines:
        sides = _sides(line)
        rows.append(
            [
                line.what,
                _number(sides["ours"]["recall"], 3),
                *(_cell(sides.get(name)) for name in names),
                _number(line.details["rate_to_library"], 2),
                _number(line.ratio, 2),
                _number(line.details["p50_to_plain"], 2),
                _verdict(line),
            ]
        )
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _sides(line: Comparison) -> Mapping[str, Mapping[str, object]]:
    return cast("Mapping[str, Mapping[str, object]]", line.details["sides"])


def _cell(side: Mapping[str, object] | None) -> str:
    if side is None:
        return "-"
    rate, p50, p99 = (cast("float", side[name]) for name in ("rate", "p50_ms", "p99_ms"))
    how = f" {side['how']}" if side["how"] else ""
    return f"{rate:.{0 if rate >= 100 else 1}f} ({p50:.1f}, {p99:.1f}){how}"


def _number(value: object, digits: int) -> str:
    return f"{value:.{digits}f}" if isinstance(value, float) else "-"


def _verdict(line: Comparison) -> str:
    if line.holds is None:
        return ""
    return "yes" if line.holds else "NO: " + "; ".join(cast("Sequence[str]", line.details["missed"]))
