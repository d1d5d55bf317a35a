"""`graphrag db`: the local Neo4j server."""

import json
import sys
import webbrowser
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphrag.config import LocalServerSettings, Settings, load_settings
from graphrag.errors import GraphRagError, LocalServerError

if TYPE_CHECKING:
    # Loading the driver and the process library takes longer than printing help.
    from graphrag.local_neo4j import LocalServer, ServerInfo, StartProgress, StartProgressCallback

__all__ = ["db"]

_json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.group()
@click.option(
    "--home",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the server's data, password and logs.",
)
@click.pass_context
def db(context: click.Context, home: Path | None) -> None:
    """The local Neo4j server: start it, look at it, stop it."""
    context.meta[__name__] = home


@db.command()
@click.option("--bolt-port", type=click.IntRange(0, 65_535), help="Port for drivers; 0 takes a free one.")
@click.option("--http-port", type=click.IntRange(0, 65_535), help="Port for Neo4j Browser; 0 takes a free one.")
@_json_option
@click.pass_context
def start(context: click.Context, bolt_port: int | None, http_port: int | None, as_json: bool) -> None:
    """Start the server, or find the one that is up. The first time fetches about 190 MB."""
    with _reported():
        server = _server(context, bolt_port=bolt_port, http_port=http_port)
        with _progress() as tell:
            info = server.start(tell)
    _print(_described(info), as_json=as_json)
    click.echo("`graphrag db browser` opens the graph in a web browser, `graphrag db stop` stops it.", err=True)


@db.command()
@_json_option
@click.pass_context
def stop(context: click.Context, as_json: bool) -> None:
    """Stop the server. Its data stay."""
    with _reported():
        was_running = _server(context).stop()
    if as_json:
        click.echo(json.dumps({"was_running": was_running}))
    else:
        click.echo("The server has stopped." if was_running else "No server was running.", err=True)


@db.command()
@_json_option
@click.pass_context
def status(context: click.Context, as_json: bool) -> None:
    """Tell whether the server is up. The exit code is 0 if it is, else 1."""
    with _reported():
        found = _server(context).status()
    values: dict[str, object] = {"state": found.state}
    if found.info is not None:
        values |= _described(found.info)
    elif found.state == "busy":
        values |= {"pid": found.pid, "reason": found.reason}
    _print(values, as_json=as_json)
    if found.state != "running":
        context.exit(1)


@db.command()
@click.option("-n", "--lines", type=click.IntRange(1, 100_000), default=50, show_default=True, help="How many lines.")
@_json_option
@click.pass_context
def logs(context: click.Context, lines: int, as_json: bool) -> None:
    """Print the last lines of the server's log."""
    with _reported():
        server = _server(context)
        found = server.tail_log(lines)
    if as_json:
        click.echo(json.dumps({"path": str(server.log_path), "lines": found}))
        return
    click.echo(f"{server.log_path}; the database's own log is `debug.log` beside it", err=True)
    for line in found:
        click.echo(line)


@db.command()
@click.option("--no-open", is_flag=True, help="Only print the address.")
@click.option("--show-password", is_flag=True, help="Print the password too.")
@_json_option
@click.pass_context
def browser(context: click.Context, no_open: bool, show_password: bool, as_json: bool) -> None:
    """Open Neo4j Browser on the running server, and print what its form asks for."""
    with _reported():
        info = _server(context).info()
    values: dict[str, object] = {
        "browser_uri": info.browser_uri,
        "connect_uri": info.bolt_uri,
        "username": info.username,
        "password_file": str(info.password_file),
    }
    if show_password:
        values["password"] = info.password.get_secret_value()
    _print(values, as_json=as_json)
    if not no_open and not webbrowser.open(info.browser_uri):
        click.echo("No web browser was found here; open the address yourself.", err=True)


@db.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@_json_option
@click.pass_context
def reset(context: click.Context, yes: bool, as_json: bool) -> None:
    """Stop the server and delete its data, password and logs."""
    with _reported():
        server = _server(context)
        size, files = server.measure()
    home = server.settings.home
    if files == 0:
        click.echo(f"There is nothing to delete in {home}.", err=True)
    else:
        click.echo(f"This deletes {files:,} files ({size / 1e6:,.1f} MB) of the local server in {home}.", err=True)
        if not yes:
            _ask()
        with _reported():
            server.reset()
        click.echo("Deleted.", err=True)
    if as_json:
        click.echo(json.dumps({"home": str(home), "deleted_files": files, "deleted_bytes": size}))


def _ask() -> None:
    if not sys.stdin.isatty():
        msg = "standard input is no terminal, so nobody can be asked; `--yes` deletes without asking"
        raise click.ClickException(msg)
    click.confirm("Delete all of it?", abort=True, err=True)


def _server(context: click.Context, **ports: int | None) -> "LocalServer":
    """Return the server that settings and options name; options win."""
    from graphrag.local_neo4j import LocalServer

    given: Mapping[str, object] = {"home": context.meta[__name__], **ports}
    changes = {name: value for name, value in given.items() if value is not None}
    settings = context.find_object(Settings) or load_settings()
    return LocalServer(LocalServerSettings.model_validate({**settings.local.model_dump(), **changes}))


def _described(info: "ServerInfo") -> dict[str, object]:
    return {
        "bolt_uri": info.bolt_uri,
        "http_uri": info.http_uri,
        "browser_uri": info.browser_uri,
        "username": info.username,
        "password_file": str(info.password_file),
        "pid": info.pid,
        "version": info.version,
    }


def _print(values: Mapping[str, object], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(values))
        return
    width = max(len(name) for name in values)
    for name, value in values.items():
        click.echo(f"{name.replace('_', ' '):<{width}}  {value}")


@contextmanager
def _reported() -> Generator[None]:
    """Turn our errors into one line on standard error and exit code 1."""
    try:
        yield
    except LocalServerError as error:
        for line in error.log_tail:
            click.echo(f"  | {line}", err=True)
        raise click.ClickException(str(error)) from error
    except GraphRagError as error:
        raise click.ClickException(str(error)) from error


@contextmanager
def _progress() -> "Generator[StartProgressCallback]":
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        jars = progress.add_task("Fetching Neo4j", total=None, visible=False)
        server = progress.add_task("Starting Neo4j", total=None, visible=False)

        def tell(now: "StartProgress") -> None:
            if now.stage == "jars":
                progress.update(jars, completed=now.done, total=now.total, visible=now.done < now.total)
            else:
                progress.update(server, visible=now.stage == "starting")

        yield tell
