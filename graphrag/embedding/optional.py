"""Imports of optional packages, at the moment when they are first needed.

They are imported by name rather than by statement, so that the type checkers pass where they are not installed.
"""

import contextlib
import importlib
import importlib.util
import sys
import threading
from collections.abc import Generator
from types import ModuleType

from graphrag.errors import MissingExtraError

__all__ = ["import_optional", "is_installed"]

_USAGE_REPORTS = "openvino_telemetry"
"""Sends a report to its maker when `openvino` is imported, without asking. `openvino` also works without it."""

_lock = threading.Lock()


def import_optional(name: str, *, feature: str, extra: str = "embeddings") -> ModuleType:
    """Return the module `name`. Importing it reports to nobody.

    Raises:
        MissingExtraError: It is not installed; `feature` begins the message, `extra` is what to install.
    """
    try:
        with _without_usage_reports():
            return importlib.import_module(name)
    except ImportError as error:
        raise MissingExtraError(feature, extra=extra) from error


def is_installed(name: str) -> bool:
    """Tell whether the top-level package `name` could be imported, without importing it."""
    return importlib.util.find_spec(name) is not None


@contextlib.contextmanager
def _without_usage_reports() -> Generator[None]:
    """Let imports of the package that reports fail meanwhile, as where it is not installed."""
    with _lock:
        if _USAGE_REPORTS in sys.modules:
            yield  # the application uses it itself
            return
        # None stands for a module that cannot be imported; mypy knows modules alone.
        sys.modules[_USAGE_REPORTS] = None  # type: ignore[assignment]
        try:
            yield
        finally:
            del sys.modules[_USAGE_REPORTS]
