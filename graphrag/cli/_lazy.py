"""A group whose commands are imported when they are used, and whose errors are one line."""

import importlib
from collections.abc import Mapping
from typing import Any

import click

from graphrag.cli._errors import refuse_namesake, reported

__all__ = ["LazyGroup"]


class LazyGroup(click.Group):
    """Holds the names and the short help of commands, and imports a command's module at its first use.

    Args:
        package: Where the modules are.
        lazy_commands: Short help by name; module and object have the command's name.
        **attributes: As click's own group has them.
    """

    def __init__(self, *, package: str, lazy_commands: Mapping[str, str], **attributes: Any) -> None:  # noqa: ANN401 - click's own
        super().__init__(**attributes)
        self.lazy_commands = lazy_commands
        self._package = package

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        return sorted({*super().list_commands(ctx), *self.lazy_commands})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, imported where it has not been."""
        if cmd_name in self.lazy_commands and cmd_name not in self.commands:
            command = getattr(importlib.import_module(f"{self._package}.{cmd_name}"), cmd_name)
            self.add_command(command, cmd_name)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing one."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.lazy_commands[name]) for name in self.list_commands(ctx)])

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; an error of ours is one line on standard error."""
        with reported(ctx):
            refuse_namesake()
            return super().invoke(ctx)
