"""Which documents came from a folder, and whether their files are gone."""

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote_to_bytes

from graphrag.errors import InvalidRequestError
from graphrag.ingestion.sources.uri import file_uri

__all__ = ["SyncedFolder", "is_gone", "synced_folders"]

_SCHEME = "file://"


@dataclass(frozen=True, slots=True)
class SyncedFolder:
    """A folder whose documents are to be those of its files.

    Attributes:
        root: As the user named it.
        uri: Its canonical URI; those of its files begin with it and a slash.
        recursive: Whether files below its own folders count.
    """

    root: str
    uri: str
    recursive: bool

    @property
    def prefix(self) -> str:
        """What the URIs of its files begin with."""
        return self.uri if self.uri.endswith("/") else f"{self.uri}/"

    def holds(self, uri: str) -> bool:
        """Return whether a URI is that of a file in this folder, or below it where that counts."""
        rest = uri.removeprefix(self.prefix)
        return rest != uri and (self.recursive or "/" not in rest)


def synced_folders(paths: Sequence[str], *, recursive: bool) -> list[SyncedFolder]:
    """Return the folders among some paths.

    Raises:
        InvalidRequestError: There is none: what is gone can be told of a folder alone.
    """
    named = [path for path in paths if "\0" not in path and os.path.isdir(path)]  # noqa: PTH112 - any text
    if not named:
        msg = "`sync` removes what is gone from a folder, and no folder that is there is among the paths; name one"
        raise InvalidRequestError(msg)
    return [SyncedFolder(path, file_uri(Path(path)), recursive) for path in named]


def is_gone(uri: str) -> bool:
    """Return whether a file is certainly not there any more.

    A file that cannot be looked at (no permission, a failing disk) may be there, and so may one without a file URI.
    """
    if not uri.startswith(_SCHEME):
        return False
    try:
        found = os.lstat(os.fsdecode(unquote_to_bytes(uri.removeprefix(_SCHEME))))
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return stat.S_ISDIR(found.st_mode)
