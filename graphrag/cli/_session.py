"""What all commands of one call share: which settings and which store the global options mean."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    # Loading settings and the driver takes longer than printing help.
    from graphrag.config import Settings
    from graphrag.embedding import Embedder
    from graphrag.stores import Neo4jStore

__all__ = ["Session", "pass_session"]


@dataclass(frozen=True, slots=True)
class Session:
    """The global options.

    Attributes:
        store: An explicit address.
        config_file: An explicit configuration file.
    """

    store: str | None = None
    config_file: Path | None = None

    def settings(self, overrides: Mapping[str, object] | None = None) -> "Settings":
        """Return the settings, with a command's options over all else.

        Raises:
            ConfigurationError: A setting is refused, or the file cannot be read.
        """
        from graphrag.config import load_settings

        return load_settings(overrides, config_file=self.config_file)

    def open_store(self, settings: "Settings | None" = None, *, embedder: "Embedder | None" = None) -> "Neo4jStore":
        """Return the store, not yet connected. No model is loaded before it is needed.

        Raises:
            ConfigurationError: No store is configured, or the address is refused.
        """
        from graphrag.opening import open_store

        return open_store(self.store, settings=settings or self.settings(), embedder=embedder)

    def open_store_without_model(self, settings: "Settings") -> "Neo4jStore":
        """Return the store, not yet connected, for writes that embed nothing: the model need not even be there.

        Raises:
            ConfigurationError: No store is configured, or the address is refused.
        """
        from graphrag.opening import resolve_store
        from graphrag.stores import make_store

        address, settings = resolve_store(settings, self.store)
        return make_store(address, settings=settings)


pass_session = click.make_pass_decorator(Session, ensure=True)
