"""The key by which a section is found by its title, whatever its upper and lower case."""

import base64
import hashlib

__all__ = ["lowered_title", "title_key"]

_KEY_BYTES = 15


def lowered_title(title: str) -> str:
    """Return what is equal for titles that are the same but for case and for blanks at their ends."""
    return title.strip().lower()


def title_key(title: str) -> str:
    """Return a hash of a title: 24 characters, since a heading may be longer than an index takes."""
    # Lone surrogates are replaced at the door; a query may still hold one, and then finds nothing.
    raw = lowered_title(title).encode("utf-8", "surrogatepass")
    return base64.b32encode(hashlib.blake2b(raw, digest_size=_KEY_BYTES).digest()).decode().lower()
