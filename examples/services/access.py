"""Who may see what: a key that a client sends, the owner that it stands for, and that owner's scope.

This is the application's own business. The package asks for one thing only: a `Scope` with each call, which the client
cannot choose. Here it comes from a file; elsewhere it would come from a session, a token or a directory.

The file is JSON, readable by the service alone, and holds no key: SHA-256 of each key, as hexadecimal digits, to its
owner.

    $ python -c "import hashlib, json, secrets; key = secrets.token_urlsafe(32); print(key)
    print(json.dumps({hashlib.sha256(key.encode()).hexdigest(): 'anna'}))"
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from graphrag import prop
from graphrag.filters import Scope

__all__ = ["AccessList", "digest_of"]


def digest_of(key: str) -> str:
    """Return what the file has of a key."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


class AccessList:
    """The keys that are known.

    Args:
        owners: Digest of a key to the owner whose documents it opens.
    """

    def __init__(self, owners: Mapping[str, str]) -> None:
        self._scopes = {digest: Scope().with_metadata_filter(prop("owner") == name) for digest, name in owners.items()}

    @classmethod
    def read(cls, file: Path) -> Self:
        """Return the keys of a file.

        Raises:
            OSError: It cannot be read.
            ValueError: It is not JSON.
        """
        return cls(json.loads(file.read_text(encoding="utf-8")))

    def scope_of(self, key: str | None) -> Scope | None:
        """Return what the bearer of a key may see; None for a key that is not known."""
        return None if key is None else self._scopes.get(digest_of(key))
