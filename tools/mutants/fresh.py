"""Trying a mutant in a fresh Python: what importing a module evaluates cannot be changed in one that has it."""

import importlib.abc
import importlib.util
import subprocess
import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest

from .changes import UNCHANGED, Mutant, mutants

__all__ = ["FRESH", "PYTEST", "ROOT", "WORK", "Profile", "be_fresh", "survives_afresh"]

ROOT: Final = Path(__file__).parents[2]
WORK: Final = ROOT / "build" / "mutants"
FRESH: Final = "--fresh"
PYTEST: Final = ("-q", "-p", "no:cacheprovider", "-p", "no:cov", "--timeout=0")


class Profile:
    """A plugin of pytest: Hypothesis draws the same few examples each time, and does not shrink them."""

    def pytest_sessionstart(self) -> None:
        """Set it before tests are imported, which take it over."""
        # Imported only now: pytest warns of plugins that were imported before it.
        from hypothesis import HealthCheck, Phase, settings as hypothesis_settings

        hypothesis_settings.register_profile(
            "mutants",
            deadline=None,
            derandomize=True,
            database=None,
            phases=(Phase.explicit, Phase.generate),
            suppress_health_check=list(HealthCheck),
        )
        hypothesis_settings.load_profile("mutants")


class _Changed(Profile, importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module in its changed form."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant
        self._name = ".".join(mutant.path.relative_to(ROOT).with_suffix("").parts)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        del path, target
        if fullname != self._name:
            return None
        return importlib.util.spec_from_file_location(fullname, self._mutant.path, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        exec(self._mutant.code, module.__dict__)  # noqa: S102 - a module of ours, changed


def survives_afresh(mutant: Mutant, chosen: Iterable[pytest.Item], limit_s: float) -> bool:
    """Run tests on a mutant, the first that fails being the last, and tell whether none did.

    Raises:
        subprocess.TimeoutExpired: They take longer than the limit.
    """
    WORK.mkdir(parents=True, exist_ok=True)
    (WORK / "tests").write_text("".join(f"{item.nodeid}\n" for item in chosen), encoding="utf-8")
    command = [sys.executable, "-m", "tools.mutants", FRESH, f"{mutant.path}:{mutant.number}"]
    return subprocess.run(command, cwd=ROOT, check=False, capture_output=True, timeout=limit_s).returncode == 0


def be_fresh(place: str) -> int:
    """Run the tests that were written down on a mutant, `path:number`. Returns pytest's exit code."""
    name, number = place.rsplit(":", 1)
    path = Path(name)
    source = path.read_text(encoding="utf-8")
    unchanged = Mutant(path, UNCHANGED, 0, None, "", compile(source, name, "exec"))
    changed = _Changed(next(one for one in (unchanged, *mutants(path, source)) if one.number == int(number)))
    sys.meta_path.insert(0, changed)
    return int(pytest.main([*PYTEST, "-x", f"@{WORK / 'tests'}"], plugins=[changed]))
