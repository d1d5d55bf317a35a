"""The command line: `graphrag`.

Each command is a module of its own, imported only when it is used, so that help is there at once. Commands
parse, call the library and print; results go to standard output, messages to standard error.
"""

import logging
from pathlib import Path

import click

from graphrag.cli._lazy import LazyGroup
from graphrag.cli._options import FilePath, Text
from graphrag.cli._session import Session

__all__ = ["main"]

_COMMANDS = {
    "chunks": "List a document's chunks.",
    "clear": "Delete all documents, or those of some collections.",
    "clusters": "List groups of chunks that are nearly equal.",
    "config": "Show the settings, or write a file for them.",
    "count": "Count documents, sections, chunks or entities.",
    "cypher": "Run a statement that only reads.",
    "db": "The local Neo4j server: start it, look at it, stop it.",
    "delete": "Delete documents with their sections and chunks.",
    "demo": "Start a local server, ingest the examples, search them.",
    "documents": "List documents, or change their metadata.",
    "eval": "Measure how well searches find what is relevant.",
    "info": "Show what the store holds and what it is.",
    "ingest": "Bring files and folders into the store.",
    "links": "List what a chunk, section or document links to.",
    "read": "Print a section as one text.",
    "schema": "Constraints and indexes: look, make, migrate, drop.",
    "search": "Search by meaning, by words, or by both.",
    "sections": "List sections: a document's, or those of a title.",
    "show": "Show the document, section or chunk of an id.",
}
"""Name and short help of each command. Its object has the command's name, in the module of that name."""


def _show_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from graphrag import __version__

        click.echo(f"graphrag {__version__}")
        context.exit()


@click.group(
    cls=LazyGroup,
    package=__name__,
    lazy_commands=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--store", type=Text(), metavar="ADDRESS", help="Store to use: neo4j://…, bolt://…, or `local:`.")
@click.option(
    "--config", "config_file", type=FilePath(dir_okay=False, path_type=Path), help="Configuration file to read."
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"], case_sensitive=False),
    help="Write a log to standard error.",
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Show it.")
@click.pass_context
def main(context: click.Context, store: str | None, config_file: Path | None, log_level: str | None) -> None:
    """A graph-backed knowledge service: documents in Neo4j, searched by meaning and by words.

    Settings are read from options, then from the environment (GRAPHRAG_…, NEO4J_URI, NEO4J_USERNAME,
    NEO4J_PASSWORD, NEO4J_DATABASE), then from graphrag.toml. There is no option for a password, since
    command lines are seen by others.
    """
    if log_level is not None:
        logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s")
        logging.getLogger("graphrag").setLevel(log_level.upper())
    elif not logging.getLogger().handlers:
        # Without a handler Python prints the warnings of every package; what goes wrong is told once, as an error.
        logging.getLogger().addHandler(logging.NullHandler())
    context.obj = Session(store, config_file)
