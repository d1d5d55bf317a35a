"""`graphrag db`: the local Neo4j server."""

import webbrowser
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphrag.cli._invocation import program
from graphrag.cli._options import FilePath, ask, json_option, yes_option
from graphrag.cli._output import print_json, print_pairs
from graphrag.cli._session import Session
from graphrag.cli._text import plain_line

if TYPE_CHECKING:
    # Loading the driver and the process library takes longer than printing help.
    from graphrag.local_neo4j import LocalServer, ServerInfo, StartProgress, StartProgressCallback

__all__ = ["db", "server_progress"]


@click.group()
@click.option(
    "--home",
    type=FilePath(file_okay=False, path_type=Path),
    help="Folder of the server's data, password and logs.",
)
@click.pass_context
def db(context: click.Context, home: Path | None) -> None:
    """The local Neo4j server: start it, look at it, stop it."""
    context.meta[__name__] = home


@db.command()
@click.option("--bolt-port", type=click.IntRange(0, 65_535), help="Port for drivers; 0 takes a free one.")
@click.option("--http-port", type=click.IntRange(0, 65_535), help="Port for Neo4j Browser; 0 takes a free one.")
@json_option
@click.pass_context
def start(context: click.Context, bolt_port: int | None, http_port: int | None, as_json: bool) -> None:
    """Start the server, or find the one that is up. The first time fetches about 190 MB."""
    server = _server(context, bolt_port=bolt_port, http_port=http_port)
    with server_progress() as tell:
        info = server.start(tell)
    _print(_described(info), as_json=as_json)
    _tell_unused_ports(info, bolt_port=bolt_port, http_port=http_port)
    name = program()
    click.echo(f"`{name} db browser` opens the graph in a web browser, `{name} db stop` stops it.", err=True)


@db.command()
@json_option
@click.pass_context
def stop(context: click.Context, as_json: bool) -> None:
    """Stop the server. Its data stay."""
    was_running = _server(context).stop()
    if as_json:
        print_json({"was_running": was_running})
    else:
        click.echo("The server has stopped." if was_running else "No server was running.", err=True)


@db.command()
@json_option
@click.pass_context
def status(context: click.Context, as_json: bool) -> None:
    """Tell whether the server is up. The exit code is 0 if it is, else 1."""
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
@json_option
@click.pass_context
def logs(context: click.Context, lines: int, as_json: bool) -> None:
    """Print the last lines of the server's log."""
    server = _server(context)
    found = server.tail_log(lines)
    if as_json:
        print_json({"path": str(server.log_path), "lines": found})
        return
    click.echo(f"{server.log_path}; the database's own log is `debug.log` beside it", err=True)
    for line in found:
        click.echo(plain_line(line))


@db.command()
@click.option("--no-open", is_flag=True, help="Only print the address.")
@click.option("--show-password", is_flag=True, help="Print the password too.")
@json_option
@click.pass_context
def browser(context: click.Context, no_open: bool, show_password: bool, as_json: bool) -> None:
    """Open Neo4j Browser on the running server, and print what its form asks for."""
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
@yes_option
@json_option
@click.pass_context
def reset(context: click.Context, yes: bool, as_json: bool) -> None:
    """Stop the server and delete its data, password and logs."""
    server = _server(context)
    size, files = server.measure()
    home = server.settings.home
    if files == 0:
        click.echo(f"There is nothing to delete in {home}.", err=True)
    else:
        click.echo(f"This deletes {files:,} files ({size / 1e6:,.1f} MB) of the local server in {home}.", err=True)
        ask("Delete all of it?", yes=yes)
        server.reset()
        click.echo("Deleted.", err=True)
    if as_json:
        print_json({"home": str(home), "deleted_files": files, "deleted_bytes": size})


def _server(context: click.Context, **ports: int | None) -> "LocalServer":
    """Return the server that settings and options name; options win."""
    from graphrag.config import LocalServerSettings
    from graphrag.local_neo4j import LocalServer

    given: Mapping[str, object] = {"home": context.meta[__name__], **ports}
    changes = {name: value for name, value in given.items() if value is not None}
    settings = (context.find_object(Session) or Session()).settings()
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


def _tell_unused_ports(info: "ServerInfo", *, bolt_port: int | None, http_port: int | None) -> None:
    """Say which ports were asked of a server that was up already, on others."""
    for name, wanted, used in (("bolt", bolt_port, info.ports.bolt), ("http", http_port, info.ports.http)):
        if wanted and wanted != used:
            told = f"the server runs already, with {name} port {used}; --{name}-port {wanted} was not used"
            click.echo(f"Note: {told} (`{program()} db stop`, then start)", err=True)


def _print(values: Mapping[str, object], *, as_json: bool) -> None:
    if as_json:
        print_json(values)
    else:
        print_pairs(values)


@contextmanager
def server_progress() -> "Generator[StartProgressCallback]":
    """Give a callback that draws how far the start of a server is."""
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
