"""A short hash of a model's weights, remembered so that each file is read once."""

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from graphrag.config import default_home

__all__ = ["weights_hash"]

_HASH_CHARS = 12
_MAX_REMEMBERED = 64


def weights_hash(files: Sequence[Path], *, memory: Path | None = None) -> str:
    """Return 12 hexadecimal digits of the SHA-256 of `files`, in the order given.

    A file is read again only when its path, size or time of change is another than at the last call, in this
    process or an earlier one.

    Args:
        files: The weights; each must exist.
        memory: Where hashes are remembered; `cache/weights.json` in our own folder where not given. It is not an
            error when it cannot be read or written.

    Raises:
        OSError: A file cannot be read.
    """
    memory = memory or default_home() / "cache" / "weights.json"
    known = _read(memory)
    keys = [_key(file) for file in files]
    new = {key: _sha256(file) for key, file in zip(keys, files, strict=True) if key not in known}
    known |= new
    if new:
        _write(memory, known)
    if len(files) == 1:
        return known[keys[0]][:_HASH_CHARS]
    return hashlib.sha256("".join(known[key] for key in keys).encode()).hexdigest()[:_HASH_CHARS]


def _key(file: Path) -> str:
    status = file.stat()
    return f"{file.resolve()}|{status.st_size}|{status.st_mtime_ns}"


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _read(memory: Path) -> dict[str, str]:
    try:
        held = json.loads(memory.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(held, dict):
        return {}
    return {key: value for key, value in held.items() if isinstance(value, str) and len(value) == 64}  # noqa: PLR2004


def _write(memory: Path, known: dict[str, str]) -> None:
    kept = dict(list(known.items())[-_MAX_REMEMBERED:])
    with contextlib.suppress(OSError):
        memory.parent.mkdir(parents=True, exist_ok=True)
        # Written beside and moved into place: another process never reads half a file.
        descriptor, name = tempfile.mkstemp(dir=memory.parent, prefix=memory.name)
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            json.dump(kept, stream)
        Path(name).replace(memory)
