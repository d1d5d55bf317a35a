"""Digests of nodes: three hashes of fixed length, so that each part can be compared by itself.

The parts are the text, the place (with what is a chunk's own), and the document's metadata. A digest is
written with its node and read by diffs; types count, so `1` and `"1"` differ.
"""

import hashlib

from graphrag.model.tagged_json import dump_tagged

__all__ = ["PREFIX_LENGTH", "digest", "same_text", "short_hash"]

_PART = 16
"""Hex digits of each part: 64 bits."""
PREFIX_LENGTH = 2 * _PART
"""Length of text and place; the metadata's part comes last."""


def short_hash(text: str) -> str:
    """Return one part of a digest."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_PART // 2).hexdigest()


def digest(text: str, place: object, metadata_hash: str = "") -> str:
    """Return a node's digest.

    Args:
        text: What is embedded; empty for sections.
        place: All else of the node, as lists, maps and scalars.
        metadata_hash: `short_hash` of the document's metadata.
    """
    return short_hash(text) + short_hash(dump_tagged(place)) + (metadata_hash or "0" * _PART)


def same_text(one: str | None, other: str) -> bool:
    """Tell whether two digests are of nodes with the same text."""
    return one is not None and one[:_PART] == other[:_PART]
