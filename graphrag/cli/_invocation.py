"""How the program is called by whoever reads its messages."""

import shlex
import shutil
import sys
from pathlib import Path

__all__ = ["program"]

_NAME = "graphrag"


def program() -> str:
    """Return what to type for this program: its name, or its path as it was called, where a shell would not find it."""
    called = Path(sys.argv[0])
    if called.name != _NAME or len(called.parts) < 2:  # noqa: PLR2004 - a folder and a name
        return _NAME
    found = shutil.which(_NAME)
    if found is not None and called.exists() and called.samefile(found):
        return _NAME
    return shlex.quote(sys.argv[0])
