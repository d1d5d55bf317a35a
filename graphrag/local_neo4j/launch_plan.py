"""What the starter tells the server's process; it travels on standard input."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from graphrag.local_neo4j.settings import ServerFiles

__all__ = ["LaunchPlan"]


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """All that the server's process needs to know."""

    home: str
    classpath: tuple[str, ...]
    jvm_options: tuple[str, ...]
    bolt_port: int
    http_port: int
    version: str
    initial_password: str | None
    """Given only for the first start."""
    stop_timeout_s: float
    report_fd: int = -1

    @property
    def files(self) -> ServerFiles:
        """The files of this server."""
        return ServerFiles(Path(self.home))

    def reporting_to(self, descriptor: int) -> Self:
        """Return the same plan with the file descriptor on which the process is to tell how it goes."""
        return replace(self, report_fd=descriptor)
