"""The schema's stamp: what stands in the database and must not drift."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import cast

from graphrag.embedding.protocol import Embedder
from graphrag.errors import SchemaError

__all__ = ["SCHEMA_VERSION", "DamagedStampError", "Stamp", "parse_stamp"]

SCHEMA_VERSION = 1


class DamagedStampError(SchemaError):
    """The stamp is not what this package writes."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """Version and settings of a schema.

    Attributes:
        version: Number of the last migration that ran.
        dimensions: Length of the vectors.
        model_id: The model that made them.
        analyzer: The full-text analyzer.
        filter_properties: Properties that the vector index can filter by, `collection` first.
        embedding_property: The property that holds the live vectors.
        vector_index: The live vector index.
    """

    version: int
    dimensions: int
    model_id: str
    analyzer: str
    filter_properties: tuple[str, ...]
    embedding_property: str = "embedding"
    vector_index: str = "chunk_embedding"

    def properties(self) -> dict[str, object]:
        """Return the node's properties."""
        return {**asdict(self), "filter_properties": list(self.filter_properties)}

    def check_version(self) -> None:
        """Do nothing where this package can work with the schema.

        Raises:
            SchemaError: It is older (a command migrates it) or newer (a newer package is needed).
        """
        if self.version < SCHEMA_VERSION:
            msg = (
                f"the schema has version {self.version}, this package needs {SCHEMA_VERSION}; "
                "run `graphrag schema migrate`"
            )
            raise SchemaError(msg)
        if self.version > SCHEMA_VERSION:
            msg = (
                f"the schema has version {self.version}, this package knows versions up to {SCHEMA_VERSION}; "
                "install a newer `graphrag-service`"
            )
            raise SchemaError(msg)

    def check_embedder(self, embedder: Embedder) -> None:
        """Do nothing where the embedder made the stored vectors.

        Raises:
            SchemaError: Its dimensions or its model differ; both are named.
        """
        if embedder.dimensions != self.dimensions:
            msg = (
                f"the vector index takes {self.dimensions} dimensions, the model `{embedder.model_name}` gives "
                f"{embedder.dimensions}; configure the model that the database was made with (`{self.model_id}`), or "
                "drop the schema and ingest again (`graphrag clear --all`, `graphrag schema drop`)"
            )
            raise SchemaError(msg)
        if embedder.model_id != self.model_id:
            msg = (
                f"the stored vectors are of the model `{self.model_id}`, the configured one is `{embedder.model_id}`; "
                "vectors of two models cannot be compared: configure the first, or drop the schema and ingest again "
                "(`graphrag clear --all`, `graphrag schema drop`)"
            )
            raise SchemaError(msg)


def parse_stamp(properties: object) -> Stamp:
    """Return the stamp of a node's properties.

    Raises:
        DamagedStampError: They are not what this package writes.
    """
    values = dict(cast("Mapping[str, object]", properties))
    try:
        return Stamp(
            version=_positive(values["version"]),
            dimensions=_positive(values["dimensions"]),
            model_id=str(values["model_id"]),
            analyzer=str(values["analyzer"]),
            filter_properties=tuple(str(name) for name in cast("Sequence[object]", values["filter_properties"])),
            embedding_property=str(values.get("embedding_property", "embedding")),
            vector_index=str(values.get("vector_index", "chunk_embedding")),
        )
    except (KeyError, TypeError, ValueError) as error:
        msg = "the schema's stamp (the node GraphragSchema) is damaged; run `graphrag schema apply` to write it again"
        raise DamagedStampError(msg) from error


def _positive(value: object) -> int:
    number = int(cast("int", value))
    if number < 1:
        raise ValueError(number)
    return number
