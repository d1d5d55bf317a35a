"""`graphrag schema`: constraints and indexes, and the stamp that says how they were made."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from graphrag.cli._options import ask, json_option, yes_option
from graphrag.cli._output import print_json
from graphrag.cli._session import Session, pass_session
from graphrag.cli._text import plain_line

if TYPE_CHECKING:
    from graphrag.stores.neo4j.filterable import FilterProperty
    from graphrag.stores.neo4j.indexes import Finding

__all__ = ["schema"]


@click.group()
def schema() -> None:
    """Constraints and indexes: look at them, make, migrate and drop them."""


@schema.command()
@json_option
@pass_session
@click.pass_context
def status(context: click.Context, session: Session, *, as_json: bool) -> None:
    """Show how each constraint and index stands. The exit code is 0 if all are well, else 1."""
    with session.open_store() as store:
        stamp, findings = store.schema_status()
    if as_json:
        print_json({"stamp": stamp, "indexes": findings})
    else:
        _print(findings)
        if stamp is None:
            click.echo("There is no schema yet; `graphrag schema apply` makes it.", err=True)
        else:
            made = f"Version {stamp.version}, {stamp.dimensions} dimensions, model `{plain_line(stamp.model_id)}`"
            click.echo(f"{made}, analyzer `{plain_line(stamp.analyzer)}`.", err=True)
    if stamp is None or any(finding.state != "ok" for finding in findings):
        context.exit(1)


@schema.command()
@click.option("--rebuild", is_flag=True, help="Drop and make again what failed or has another shape. The data stay.")
@json_option
@pass_session
def apply(session: Session, *, rebuild: bool, as_json: bool) -> None:
    """Make what is missing, and wait until it is online. Safe to repeat."""
    with session.open_store() as store:
        before = store.apply_schema(rebuild=rebuild)
        stamp, after = store.schema_status()
    changed = [finding.name for finding in before if finding.state != "ok"]
    if as_json:
        print_json({"stamp": stamp, "changed": changed, "indexes": after})
    elif changed:
        click.echo(f"Made: {', '.join(changed)}.", err=True)
    else:
        click.echo("Everything was there.", err=True)


@schema.command()
@json_option
@pass_session
def migrate(session: Session, *, as_json: bool) -> None:
    """Bring an older schema to the version of this package."""
    with session.open_store() as store:
        before, after = store.migrate_schema()
    if as_json:
        print_json({"before": before, "after": after})
    elif before == after:
        click.echo(f"The schema has version {after} already.", err=True)
    else:
        click.echo(f"The schema had version {before}, and has {after} now.", err=True)


@schema.command()
@yes_option
@json_option
@pass_session
def drop(session: Session, *, yes: bool, as_json: bool) -> None:
    """Drop all constraints and indexes of ours, after asking. The data stay, but no search works without them."""
    with session.open_store() as store:
        _, findings = store.schema_status()
        there = [finding.name for finding in findings if finding.state != "missing"]
        click.echo(f"{len(there)} constraints and indexes: {', '.join(there) or 'none'}", err=True)
        if there:
            ask("Drop them?", yes=yes)
        dropped = store.drop_schema()
    if as_json:
        print_json({"dropped": dropped})
    else:
        click.echo(f"Dropped {len(dropped)}.", err=True)


@schema.group()
def filters() -> None:
    """The filter properties: what the vector index can filter by inside a search. `collection` is always one.

    Any filter works without them; declaring the property makes it fast where it leaves few chunks.
    """


@filters.command("add")
@click.argument("properties", nargs=-1, required=True, metavar="PROPERTY...")
@json_option
@pass_session
def add_filters(session: Session, *, properties: tuple[str, ...], as_json: bool) -> None:
    """Let the vector index filter by more properties. It is built beside the old one: searches go on meanwhile.

    PROPERTY is a name of metadata, or `uri`, `document_title`, `page`, `sequence_number`. Safe to repeat.
    """
    with session.open_store_without_model(session.settings()) as store:
        _print_filters(store.add_filter_properties(properties), as_json=as_json)


@filters.command("remove")
@click.argument("properties", nargs=-1, required=True, metavar="PROPERTY...")
@json_option
@pass_session
def remove_filters(session: Session, *, properties: tuple[str, ...], as_json: bool) -> None:
    """Let the vector index filter by fewer properties. The data stay, and filters by them still work, slower.

    Searches go on meanwhile. One that is not declared is passed over. Safe to repeat.
    """
    with session.open_store_without_model(session.settings()) as store:
        _print_filters(store.remove_filter_properties(properties), as_json=as_json)


@filters.command("list")
@json_option
@pass_session
def list_filters(session: Session, *, as_json: bool) -> None:
    """Show the filter properties, and how each stands."""
    with session.open_store_without_model(session.settings()) as store:
        _print_filters(store.filter_properties(), as_json=as_json)


def _print_filters(properties: "Iterable[FilterProperty]", *, as_json: bool) -> None:
    if as_json:
        print_json({"filter_properties": list(properties)})
        return
    for prop in properties:
        vector = "in the vector index" if prop.in_vector_index else "not in the vector index"
        lists = {True: "; holds lists", False: "", None: "; may hold lists"}[prop.holds_lists]
        click.echo(f"{prop.name}  range index {prop.range_index}, {vector}{lists}")


def _print(findings: "Iterable[Finding]") -> None:
    for finding in findings:
        state = click.style(f"{finding.state:<11}", fg="green" if finding.state == "ok" else "red")
        detail = f"  {plain_line(finding.detail)}" if finding.detail else ""
        click.echo(f"{state} {finding.type:<9} {finding.name}{detail}")
