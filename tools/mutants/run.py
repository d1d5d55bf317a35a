"""The run: every test once, to learn what it reaches; then, for each mutant, the tests that reach it."""

import functools
import gc
import os
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Final, Literal, NoReturn, Protocol, TypeAlias

import coverage
import pytest

from .changes import UNCHANGED, Mutant, mutants
from .fresh import ROOT, Profile, survives_afresh

__all__ = ["Module", "Outcome", "Run"]

Outcome: TypeAlias = Literal["killed", "timeout", "survived", "no test"]

_LEAST_LIMIT_S: Final = 20


class _Cache(Protocol):
    """What `functools.cache` and `lru_cache` make."""

    def cache_clear(self) -> None: ...


@dataclass(slots=True)
class Module:
    """How the mutants of a module fared."""

    path: str
    outcomes: dict[Outcome, int] = field(default_factory=dict)
    survivors: list[Mutant] = field(default_factory=list)

    @property
    def mutants(self) -> int:
        """How many were tried."""
        return sum(self.outcomes.values())

    @property
    def killed(self) -> int:
        """How many the tests noticed, those among them that ran without an end."""
        return self.outcomes.get("killed", 0) + self.outcomes.get("timeout", 0)

    def note(self, mutant: Mutant, outcome: Outcome) -> None:
        """Count an outcome."""
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1
        if outcome in {"survived", "no test"}:
            self.survivors.append(mutant)


class Run(Profile):
    """A plugin of pytest that tries mutants instead of running the tests once."""

    def __init__(self, wanted: Sequence[tuple[Path, int | None]], slowest_test_s: float) -> None:
        self.modules: list[Module] = []
        # Read before anything is imported: what is changed is what runs, even if a file is edited meanwhile.
        self._wanted = [(path, line, path.read_text(encoding="utf-8")) for path, line in wanted]
        self._slowest_test_s = slowest_test_s
        self._durations: dict[str, float] = {}
        self._functions: dict[tuple[str, int], list[FunctionType]] = {}
        self._caches: list[_Cache] = []
        self._failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failure, and how long a test took."""
        self._failed = self._failed or report.failed
        self._durations[report.nodeid] = self._durations.get(report.nodeid, 0.0) + report.duration

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try every mutant, in the place of pytest's own loop."""
        tests = {item.nodeid: item for item in session.items}
        reached = self._reached(tests)
        self._functions, self._caches = _functions(), _caches()
        gc.freeze()
        self._control(tests, reached)
        for path, line, source in self._wanted:
            module = Module(str(path.relative_to(ROOT)))
            self.modules.append(module)
            started = time.monotonic()
            for mutant in mutants(path, source):
                if line is not None and mutant.line != line:
                    continue
                names = _tests_of(mutant, reached[path])
                chosen = [tests[name] for name in sorted(names, key=self._durations.__getitem__)]
                module.note(mutant, self._try(mutant, chosen))
            took = time.monotonic() - started
            print(f"\n{module.path}: {module.killed} of {module.mutants} killed in {took:.0f} s", flush=True)
            for survivor in module.survivors:
                print(f"  {survivor.line}: {survivor.change}", flush=True)
        return True

    def _reached(self, tests: Mapping[str, pytest.Item]) -> dict[Path, dict[int, set[str]]]:
        """Run every test once, and return the tests that reach each line of the modules."""
        paths = {path for path, _, _ in self._wanted}
        measured = coverage.Coverage(data_file=None, config_file=False, include=[str(path) for path in paths])
        measured.start()
        for name, item in tests.items():
            measured.switch_context(name)
            item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
        measured.stop()
        if self._failed:
            pytest.exit("the tests must pass without a change first", returncode=2)
        data = measured.get_data()
        return {
            path: {
                line: {name for name in names if name and self._durations[name] <= self._slowest_test_s}
                for line, names in data.contexts_by_lineno(str(path)).items()
            }
            for path in paths
        }

    def _control(self, tests: Mapping[str, pytest.Item], reached: Mapping[Path, Mapping[int, set[str]]]) -> None:
        """Try a module without a change, in both ways: if that is killed, figures would tell nothing."""
        path, _, source = self._wanted[0]
        unchanged = compile(source, str(path), "exec")
        first = next(line for file, line in self._functions if file == str(path) and _code_at(unchanged, line))
        chosen = [tests[name] for name in set().union(*reached[path].values())]
        for function in (first, None):
            if self._try(Mutant(path, UNCHANGED, 0, function, "", unchanged), chosen) != "survived":
                pytest.exit("the tests fail without a change when they are run as on mutants", returncode=2)

    def _try(self, mutant: Mutant, chosen: Sequence[pytest.Item]) -> Outcome:
        if not chosen:
            return "no test"
        limit_s = _LEAST_LIMIT_S + int(10 * sum(self._durations[item.nodeid] for item in chosen))
        live = self._functions.get((str(mutant.path), mutant.function)) if mutant.function is not None else None
        changed = _code_at(mutant.code, mutant.function) if live else None
        if not live or changed is None or any(one.__code__.co_freevars != changed.co_freevars for one in live):
            try:
                return "survived" if survives_afresh(mutant, chosen, limit_s) else "killed"
            except subprocess.TimeoutExpired:
                return "timeout"
        process = os.fork()
        if process == 0:
            self._be_mutant(live, changed, chosen, limit_s)
        _, status = os.waitpid(process, 0)
        if os.WIFSIGNALED(status):
            return "timeout" if os.WTERMSIG(status) == signal.SIGALRM else "killed"
        return "killed" if os.WEXITSTATUS(status) else "survived"

    def _be_mutant(
        self, live: Iterable[FunctionType], changed: CodeType, chosen: Sequence[pytest.Item], limit_s: int
    ) -> NoReturn:
        """Run tests on changed code in this process, which ends here."""
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(limit_s)
            plugins = chosen[0].config.pluginmanager
            plugins.unregister(plugins.get_plugin("terminalreporter"))
            for function in live:
                function.__code__ = changed
            for cache in self._caches:
                cache.cache_clear()
            self._failed = False
            for item in chosen:
                item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
                if self._failed:
                    os._exit(1)
            os._exit(0)
        except BaseException:  # noqa: BLE001 - whatever it is, the tests noticed
            os._exit(1)


def _tests_of(mutant: Mutant, reached: Mapping[int, set[str]]) -> set[str]:
    """Return the tests that reach a mutant: its line, or any of the module where importing evaluates it.

    A line within an expression that is evaluated at once counts as none of its own; one before it does.
    """
    if mutant.function is None:
        return set().union(*reached.values())
    lines = range(mutant.line, mutant.function - 1, -1)
    return next((reached[line] for line in lines if reached.get(line)), set())


def _functions() -> dict[tuple[str, int], list[FunctionType]]:
    """Return all functions by file and first line. A definition can have several: each test of a class, say."""
    found: dict[tuple[str, int], list[FunctionType]] = {}
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType):
            code = thing.__code__
            found.setdefault((code.co_filename, code.co_firstlineno), []).append(thing)
    return found


def _caches() -> list[_Cache]:
    kind = type(functools.lru_cache(_caches))
    return [thing for thing in gc.get_objects() if isinstance(thing, kind) and thing.__module__.startswith("graphrag")]


def _code_at(code: CodeType, line: int | None) -> CodeType | None:
    """Return the outermost function's code that begins on a line."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_firstlineno == line and not constant.co_name.startswith("<"):
                return constant
            if (found := _code_at(constant, line)) is not None:
                return found
    return None
