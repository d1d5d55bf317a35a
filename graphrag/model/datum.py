"""Datum: what every stored thing has in common."""

from collections.abc import Mapping
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Datum"]


class Datum(BaseModel):
    """The root of the model: an id, perhaps a URI, the application's metadata, and labels.

    Attributes:
        id: Deterministic, short, and without any text of a user (see `graphrag.model.identity`).
        uri: Where it came from, in canonical form.
        metadata: What the application said of it, by name: scalars, homogeneous lists, dates and
            times; maps and mixed lists are kept too, but cannot be filtered on.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    own_labels: ClassVar[tuple[str, ...]] = ("Datum",)

    id: str
    uri: str | None = None
    metadata: Mapping[str, object] = Field(default_factory=dict)

    def labels(self) -> tuple[str, ...]:
        """Return the labels of this thing's node, from the most general to the most special."""
        return self.own_labels
