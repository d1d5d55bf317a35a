"""Count how many small changes of the filter language's core the unit tests notice.

    python -m tools.mutants                                    every module of `[tool.mutants]` in pyproject.toml
    python -m tools.mutants graphrag/filters/evaluate.py       some of them
    python -m tools.mutants graphrag/filters/evaluate.py:120   what is on one line

The tests run once with coverage, which tells the tests that reach each line. Then each mutant (see `changes`)
is tried in a process of its own that has everything imported: the changed code takes the place of the function's, and
the tests that reach the line run, the fastest first, until one fails. What importing a module evaluates, such as a
table of operators, is tried in a fresh Python instead. Nothing is written into the checkout but the report, in
`build/mutants/`. One process at a time; Hypothesis draws the same examples each time.

The exit code is 1 where a group of modules has too few of its mutants killed.
"""

import json
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from .fresh import FRESH, PYTEST, ROOT, WORK, be_fresh
from .run import Module, Outcome, Run

__all__ = ["main"]


@dataclass(frozen=True, slots=True)
class _Group:
    """Modules of one purpose, and the tests that should notice their mutants.

    Attributes:
        name: What they are to the filter language.
        modules: Their paths.
        tests: Files and folders.
    """

    name: str
    modules: tuple[str, ...]
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Settings:
    """What `[tool.mutants]` says.

    Attributes:
        slowest_test_s: Tests that take longer are left out.
        least_share: Share of killed mutants that each group must have.
        groups: Where the mutants are.
    """

    slowest_test_s: float
    least_share: float
    groups: tuple[_Group, ...]


def _settings() -> _Settings:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mutants"]
    groups = [_Group(name, tuple(group["modules"]), tuple(group["tests"])) for name, group in table["groups"].items()]
    return _Settings(table["slowest_test_s"], table["least_share"], tuple(groups))


def _report(modules: Sequence[Module], settings: _Settings) -> bool:
    """Print the figures, write the survivors down, and tell whether every group has its share."""
    WORK.mkdir(parents=True, exist_ok=True)
    survivors = {one.path: [f"{mutant.line}: {mutant.change}" for mutant in one.survivors] for one in modules}
    (WORK / "survivors.json").write_text(json.dumps(survivors, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"\n{'':42}{'mutants':>8}{'killed':>8}{'timeout':>8}{'survived':>9}{'no test':>8}{'share':>8}")
    enough = True
    for group in settings.groups:
        members = [one for one in modules if one.path in group.modules]
        for one in members:
            print(_row(one.path, [one]))
        if members:
            print(_row(f"= {group.name}", members))
            enough = enough and _share(members) >= settings.least_share
    return enough


def _row(name: str, modules: Sequence[Module]) -> str:
    kinds: tuple[tuple[Outcome, int], ...] = (("killed", 8), ("timeout", 8), ("survived", 9), ("no test", 8))
    cells = "".join(f"{sum(one.outcomes.get(kind, 0) for one in modules):>{width}}" for kind, width in kinds)
    return f"{name:42}{sum(one.mutants for one in modules):>8}{cells}{_share(modules):>8.1%}"


def _share(modules: Sequence[Module]) -> float:
    return sum(one.killed for one in modules) / max(sum(one.mutants for one in modules), 1)


def main(arguments: Sequence[str]) -> int:
    """Try the mutants of some modules, `path` or `path:line` each; of all that are set where none is named."""
    if arguments[:1] == [FRESH]:
        return be_fresh(arguments[1])
    settings = _settings()
    names = arguments or [path for group in settings.groups for path in group.modules]
    places = [(path, int(line) if line else None) for path, _, line in (name.partition(":") for name in names)]
    groups = [group for group in settings.groups if any(path in group.modules for path, _ in places)]
    if unknown := {path for path, _ in places}.difference(*(group.modules for group in groups)):
        print(f"not in `[tool.mutants]` of pyproject.toml: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    run = Run([(ROOT / path, line) for path, line in places], settings.slowest_test_s)
    code = int(pytest.main([*PYTEST, *(test for group in groups for test in group.tests)], plugins=[run]))
    if code:
        return code
    return 0 if _report(run.modules, settings) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
