"""The jars that we start, pinned by coordinates and SHA-256 (written by `tools/pin_jars.py`)."""

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Literal

__all__ = ["Bundle", "PinnedJar", "pinned_jars"]

Bundle = Literal["neo4j", "tika"]


@dataclass(frozen=True, slots=True)
class PinnedJar:
    """One jar: its Maven coordinates, its hash (lower-case hexadecimal) and its size in bytes."""

    group: str
    artifact: str
    version: str
    classifier: str
    sha256: str
    size: int

    @property
    def path(self) -> PurePosixPath:
        """Where it stands in a repository of Maven's layout."""
        suffix = f"-{self.classifier}" if self.classifier else ""
        name = f"{self.artifact}-{self.version}{suffix}.jar"
        return PurePosixPath(*self.group.split("."), self.artifact, self.version, name)


@lru_cache
def pinned_jars(bundle: Bundle) -> tuple[PinnedJar, ...]:
    """Return every jar of `bundle`, in the order of the class path."""
    text = (files("graphrag.jvm") / "jars" / f"{bundle}.json").read_text(encoding="utf-8")
    return tuple(PinnedJar(**jar) for jar in json.loads(text)["jars"])
