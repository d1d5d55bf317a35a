"""Named entities: the domain's things that documents mention."""

from collections.abc import Mapping
from typing import ClassVar, Literal, Protocol, TypeVar, runtime_checkable

from pydantic import BaseModel, Field, ValidationError

from graphrag.errors import InvalidRequestError
from graphrag.model.retrievable import Retrievable

__all__ = ["NamedEntity", "NamedEntityData"]

T = TypeVar("T", bound=BaseModel)


@runtime_checkable
class NamedEntity(Protocol):
    """What every typed domain entity has."""

    @property
    def id(self) -> str:
        """Its id, given by the application or made from label and name."""
        ...

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def description(self) -> str:
        """One or more sentences about it."""
        ...


class NamedEntityData(Retrievable):
    """The stored form of a named entity: its properties as a map, its types as labels.

    Attributes:
        name: What it is called.
        description: One or more sentences about it.
        aliases: Other names and merged ids that lookups resolve to it.
        origin: Whether an extractor made it, or the application.
        entity_labels: Its domain types, plain words.
        properties: The domain's properties, by name.
    """

    own_labels: ClassVar[tuple[str, ...]] = ("Datum", "Retrievable", "NamedEntity")

    name: str
    description: str = ""
    aliases: tuple[str, ...] = ()
    origin: Literal["extracted", "application"] = "application"
    entity_labels: tuple[str, ...] = ()
    properties: Mapping[str, object] = Field(default_factory=dict)

    def labels(self) -> tuple[str, ...]:
        """Return the general labels, then the domain's."""
        return (*self.own_labels, *(label for label in self.entity_labels if label not in self.own_labels))

    def embeddable_value(self) -> str:
        """Return name and description."""
        return f"{self.name}: {self.description}" if self.description else self.name

    def to_typed_instance(self, kind: type[T]) -> T:
        """Return this entity as an instance of one of the application's classes.

        Args:
            kind: A pydantic model. It gets `id`, `name`, `description`, `uri`, `aliases` and the
                properties, as far as it has fields of these names.

        Returns:
            A validated instance.

        Raises:
            InvalidRequestError: The properties do not make a valid instance; the message names entity
                and fields, not their values.
        """
        offered: dict[str, object] = {
            **self.properties,
            "id": self.id,
            "name": self.name,
            "description": self.description,
            "uri": self.uri,
            "aliases": self.aliases,
        }
        wanted = {
            name: offered[name if name in offered else field.alias or name]
            for name, field in kind.model_fields.items()
            if name in offered or (field.alias or name) in offered
        }
        try:
            return kind.model_validate(wanted, by_name=True, by_alias=True)
        except ValidationError as error:
            fields = ", ".join(sorted({str(item["loc"][0]) for item in error.errors() if item["loc"]}))
            msg = f"entity `{self.id}` is no valid `{kind.__name__}`: fields {fields} are missing or of another type"
            raise InvalidRequestError(msg) from None
