"""How long it takes to compile a filter, beside building it. No server is needed."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

from bench.measure import Comparison
from graphrag.compilers.cypher import CypherCompiler
from graphrag.filters.nodes import And, HasAnyLabel, Or, PropertyFilter
from graphrag.filters.properties import prop

__all__ = ["compiling"]

_MOST = 5.0
_ROUNDS = 9
_SECONDS_A_ROUND = 0.01

_SHAPES: dict[str, Callable[[], PropertyFilter]] = {
    "one equality": lambda: prop("owner") == "alice",
    "two tests": lambda: (prop("owner") == "alice") & (prop("year") >= 2020),
    "negated membership": lambda: (prop("owner") == "alice") & ~prop("status").in_("draft", "deleted"),
    "a date-time with a zone": lambda: prop("at") >= datetime(2024, 1, 1, tzinfo=UTC),
    "1,000 alternatives": lambda: prop("k").in_([f"value {number}" for number in range(1_000)]),
    "three labels": lambda: HasAnyLabel(("Person", "Place", "Per son")),
    "241 nodes": lambda: And(tuple(Or((prop(f"k{i}") == i, prop("b") >= i)) for i in range(80))),
    "16 levels": lambda: _deep(15),
}


def compiling() -> list[Comparison]:
    """Return the time to compile filters, as multiples of the time to build them."""
    compiler = CypherCompiler()
    lines: list[Comparison] = []
    for name, build in _SHAPES.items():
        built, compiled = _interleaved(build, partial(compiler.compile, (build(),)))
        lines.append(
            Comparison(
                what=f"compile a filter: {name}",
                unit="us",
                ours=compiled * 1e6,
                plain=built * 1e6,
                ratio=compiled / built,
                target=f"<= {_MOST:g} times building it",
                holds=compiled <= _MOST * built,
                note=f"the plain column is building; least of {_ROUNDS} rounds, processor time",
            )
        )
    return lines


def _deep(levels: int) -> PropertyFilter:
    filter_: PropertyFilter = prop("a") == 1
    for level in range(levels):
        filter_ = ~filter_ if level % 2 else filter_ | (prop("b") == level)
    return filter_


def _interleaved(*calls: Callable[[], object]) -> list[float]:
    """Return the seconds that one call of each takes."""
    best = [float("inf")] * len(calls)
    for _ in range(_ROUNDS):
        for place, call in enumerate(calls):
            began, times = time.process_time(), 0
            while (spent := time.process_time() - began) < _SECONDS_A_ROUND:
                call()
                times += 1
            best[place] = min(best[place], spent / times)
    return best


if __name__ == "__main__":
    for line in compiling():
        print(f"{line.what}: {line.ours:.1f} us, building {line.plain:.1f} us, {line.ratio:.2f} times")
