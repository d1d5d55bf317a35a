"""Imports of optional packages, at the moment when they are first needed.

They are imported by name rather than by statement, so that the type checkers pass where they are not installed.
"""

import importlib
import importlib.util
from types import ModuleType

from graphrag.errors import MissingExtraError

__all__ = ["import_optional", "is_installed"]


def import_optional(name: str, *, feature: str, extra: str = "embeddings") -> ModuleType:
    """Return the module `name`.

    Raises:
        MissingExtraError: It is not installed; `feature` begins the message, `extra` is what to install.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingExtraError(feature, extra=extra) from error


def is_installed(name: str) -> bool:
    """Tell whether the top-level package `name` could be imported, without importing it."""
    return importlib.util.find_spec(name) is not None
