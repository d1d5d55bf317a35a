"""Retrievable: what can be embedded and searched for."""

from typing import ClassVar

from graphrag.model.datum import Datum

__all__ = ["Retrievable"]


class Retrievable(Datum):
    """Something that searches find: a chunk or a named entity."""

    own_labels: ClassVar[tuple[str, ...]] = ("Datum", "Retrievable")

    embedding: tuple[float, ...] | None = None
    """float32 values; None in results, unless asked for."""
    embedding_model: str | None = None

    def embeddable_value(self) -> str:
        """Return the text that its embedding is made from."""
        raise NotImplementedError
