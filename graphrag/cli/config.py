"""`graphrag config`: the settings that count, and a file to write them into."""

import os
from pathlib import Path

import click

from graphrag.cli._options import json_option
from graphrag.cli._output import print_json
from graphrag.cli._session import Session, pass_session
from graphrag.cli._settings_file import effective_settings, redact, render_settings_file, toml_lines

__all__ = ["config"]

_FILE_NAME = "graphrag.toml"


@click.group()
def config() -> None:
    """Show the settings, or write a file for them."""


@config.command()
@json_option
@pass_session
def show(session: Session, *, as_json: bool) -> None:
    """Print the settings that count, from options, environment, file and defaults. Secrets are not shown."""
    values = effective_settings(session.settings())
    if session.store is not None:
        values["store"] = redact(session.store)
    if as_json:
        print_json(values)
    else:
        for line in toml_lines(values):
            click.echo(line)


@config.command()
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path), default=_FILE_NAME)
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@json_option
def init(*, path: Path, force: bool, as_json: bool) -> None:
    """Write a file with every setting, its default and a comment; PATH is graphrag.toml if not given."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if force else os.O_EXCL)
    try:
        # Readable for its owner alone, since a password may be written into it.
        with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8") as stream:
            stream.write(render_settings_file())
    except FileExistsError as error:
        msg = f"`{path}` exists; --force replaces it"
        raise click.ClickException(msg) from error
    except OSError as error:
        msg = f"`{path}` cannot be written: {error.strerror or error}"
        raise click.ClickException(msg) from error
    if as_json:
        print_json({"path": str(path)})
    else:
        click.echo(f"Wrote {path}.", err=True)
