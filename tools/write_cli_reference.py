"""Write the reference of the commands into `docs/cli.md`, from the commands themselves.

    python tools/write_cli_reference.py            write it
    python tools/write_cli_reference.py --check    write nothing; exit 1 where it is old

What stands above the marker in that page is written by hand, and stays.
"""

import argparse
import inspect
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from graphrag.cli import main as graphrag

PAGE = Path(__file__).resolve().parent.parent / "docs" / "cli.md"
MARKER = "<!-- Below this line `python tools/write_cli_reference.py` writes. -->\n"


def commands(command: click.Command, context: click.Context) -> Iterator[tuple[click.Command, click.Context]]:
    """Yield a command and all below it, each with its context, groups before their commands."""
    yield command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from commands(below, click.Context(below, info_name=name, parent=context))


def reference() -> str:
    """Return the reference of all commands, in Markdown."""
    root = click.Context(graphrag, info_name="graphrag")
    return "\n".join(section(command, context) for command, context in commands(graphrag, root))


def section(command: click.Command, context: click.Context) -> str:
    """Return what there is to know of one command."""
    usage = " ".join((context.command_path, *command.collect_usage_pieces(context)))
    lines = [f"## {context.command_path}", "", f"    {usage}", "", inspect.cleandoc(command.help or ""), ""]
    rows = list(options(command, context))
    if rows:
        lines += ["| Option | Meaning |", "| --- | --- |", *rows, ""]
    return "\n".join(lines)


def options(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield a table's row for each option."""
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if isinstance(parameter, click.Option) and record is not None and "--help" not in parameter.opts:
            names, meaning = (" ".join(text.split()).replace("|", "\\|") for text in record)
            yield f"| `{names}` | {meaning} |"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where the page is old")
    checks = parser.parse_args(argv).check
    old = PAGE.read_text(encoding="utf-8")
    text = old.partition(MARKER)[0] + MARKER + "\n" + reference()
    if not checks:
        PAGE.write_text(text, encoding="utf-8")
    elif text != old:
        print("docs/cli.md is old; run `python tools/write_cli_reference.py` and commit the result", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
