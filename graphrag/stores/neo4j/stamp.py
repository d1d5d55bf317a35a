"""The schema's stamp: what stands in the database and must not drift."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import cast

from graphrag.embedding.protocol import Embedder
from graphrag.errors import SchemaError

__all__ = ["MAX_LIST_NAMES", "SCHEMA_VERSION", "DamagedStampError", "Stamp", "parse_stamp"]

SCHEMA_VERSION = 1
MAX_LIST_NAMES = 1_000
"""Names noted ahead of their declaration: the stamp is read with every search. Beyond, only declared ones are."""


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
        pending_properties: Properties that are about to be declared: writes keep their values within an index's
            bounds already.
        list_properties: Names under which some chunk has, or had, a list; None where that is not known (a stamp of
            an older package). It only grows, so it does not count where two stamps are compared.
        index_generation: How often the vector index was replaced, or begun and given up; 1 at first. It does not
            count either.
        section_titles: Whether each section has the key of its title, and an index is on it. A schema that an older
            package made gets both by `graphrag schema apply`; until then sections are looked for without.
    """

    version: int
    dimensions: int
    model_id: str
    analyzer: str
    filter_properties: tuple[str, ...]
    embedding_property: str = "embedding"
    vector_index: str = "chunk_embedding"
    pending_properties: tuple[str, ...] = ()
    list_properties: tuple[str, ...] | None = field(default=None, compare=False)
    index_generation: int = field(default=1, compare=False)
    section_titles: bool = False

    @property
    def bounded_properties(self) -> tuple[str, ...]:
        """The properties whose values must fit an index's key."""
        return tuple(dict.fromkeys((*self.filter_properties, *self.pending_properties)))

    def properties(self) -> dict[str, object]:
        """Return the node's properties."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    def changes(self, since: "Stamp") -> dict[str, object]:
        """Return those of the node's properties that differ from an earlier stamp's."""
        before = since.properties()
        return {name: value for name, value in self.properties().items() if value != before[name]}

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
    listed = values.get("list_properties")
    try:
        return Stamp(
            version=_positive(values["version"]),
            dimensions=_positive(values["dimensions"]),
            model_id=str(values["model_id"]),
            analyzer=str(values["analyzer"]),
            filter_properties=_names(values["filter_properties"]),
            embedding_property=str(values.get("embedding_property", "embedding")),
            vector_index=str(values.get("vector_index", "chunk_embedding")),
            pending_properties=_names(values.get("pending_properties", ())),
            list_properties=None if listed is None else _names(listed),
            index_generation=_positive(values.get("index_generation", 1)),
            section_titles=values.get("section_titles") is True,
        )
    except (KeyError, TypeError, ValueError) as error:
        msg = "the schema's stamp (the node GraphragSchema) is damaged; run `graphrag schema apply` to write it again"
        raise DamagedStampError(msg) from error


def _names(value: object) -> tuple[str, ...]:
    return tuple(str(name) for name in cast("Sequence[object]", value))


def _positive(value: object) -> int:
    number = int(cast("int", value))
    if number < 1:
        raise ValueError(number)
    return number
