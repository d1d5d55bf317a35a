"""Metadata on nodes: what a document says, what its chunks inherit, and what a chunk says of itself.

A chunk's node bears the document's metadata under the same names, so that a filter needs no join. Names
that are the chunk's own (a transformer's, or a caller's) stand in its property `own_metadata`, so that a
later change of the document's metadata leaves them alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from graphrag.config import LIMITS, Limits
from graphrag.model.metadata import CleanMetadata, check_metadata
from graphrag.model.tagged_json import dump_tagged
from graphrag.stores.neo4j.digests import short_hash
from graphrag.stores.neo4j.temporal import driver_value

__all__ = ["DocumentMetadata", "stored_form"]

Row = dict[str, object]


def stored_form(clean: CleanMetadata) -> Row:
    """Return the node properties that hold this metadata.

    Raises:
        InvalidRequestError: A time zone is unknown to the server.
    """
    properties: Row = {name: driver_value(value) for name, value in clean.properties.items()}
    text = clean.metadata_json()
    return properties if text is None else {**properties, "metadata_json": text}


@dataclass(frozen=True, slots=True)
class DocumentMetadata:
    """A document's metadata, checked, and in every form that writing needs.

    Attributes:
        values: By name, as they are read back.
        properties: The node properties that hold them.
        hash: Of names, values and types.
        limits: Bounds on values.
    """

    values: Mapping[str, object]
    properties: Row
    hash: str
    limits: Limits

    @classmethod
    def of(cls, metadata: Mapping[str, object], *, limits: Limits = LIMITS) -> "DocumentMetadata":
        """Return checked metadata.

        Raises:
            InvalidRequestError: A name or a value cannot be stored; the message names the key.
        """
        clean = check_metadata(metadata, limits=limits)
        return cls(clean.values(), stored_form(clean), short_hash(clean.canonical()), limits)

    def inherited(self, own: Mapping[str, object]) -> tuple[Row, str]:
        """Return the properties of a chunk with own metadata, and a hash of what is its own.

        Args:
            own: The chunk's metadata; what equals the document's, type included, is not its own.

        Raises:
            InvalidRequestError: A name or a value cannot be stored; the message names the key.
        """
        if not own:
            return self.properties, ""
        clean = check_metadata(own, limits=self.limits)
        if short_hash(clean.canonical()) == self.hash:
            return self.properties, ""
        different = {
            name: value
            for name, value in clean.values().items()
            if name not in self.values or dump_tagged(value) != dump_tagged(self.values[name])
        }
        if not different:
            return self.properties, ""
        whole = check_metadata({**self.values, **different}, limits=self.limits)
        names = sorted(different)
        return {**stored_form(whole), "own_metadata": names}, short_hash(dump_tagged(different))
