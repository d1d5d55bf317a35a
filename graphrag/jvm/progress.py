"""What is told to a caller while jars are fetched."""

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["JarProgress", "ProgressCallback"]


@dataclass(frozen=True, slots=True)
class JarProgress:
    """How far a bundle of jars is: files and bytes that are in place, of all that it needs."""

    files_done: int
    files_total: int
    bytes_done: int
    bytes_total: int


ProgressCallback = Callable[[JarProgress], None]
"""Called from the thread that asked for the jars, at most a few times a second and once at the end."""
