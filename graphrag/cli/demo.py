"""`graphrag demo`: a server, documents and five searches, with nothing to prepare."""

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from graphrag.cli._demo_search import Answer, ask_question, print_answer
from graphrag.cli._examples import examples_folder, load_questions
from graphrag.cli._ingestion import print_summary, report_as_mapping, run_ingestion
from graphrag.cli._invocation import program
from graphrag.cli._options import json_option
from graphrag.cli._output import print_json, shown_path
from graphrag.cli._session import Session, pass_session
from graphrag.cli.db import server_progress

if TYPE_CHECKING:
    from pathlib import Path

    from graphrag.config import Settings
    from graphrag.ingestion import IngestionReport
    from graphrag.local_neo4j import ServerInfo

__all__ = ["CYPHER_TO_TRY", "demo"]

_QUESTIONS = 5

CYPHER_TO_TRY = {
    "The outline of every document": "MATCH path = (:Document)-[:HAS_CHILD*1..3]->(:Section) RETURN path LIMIT 200",
    "One document, chunk by chunk, in reading order": (
        "MATCH path = (c:Chunk)-[:NEXT]->(:Chunk) WHERE c.uri ENDS WITH 'machinery-guide.md' RETURN path"
    ),
    "Which documents speak of the hinge pins, and how often": (
        "MATCH (d:Document)-[:HAS_CHILD*]->(c:Chunk) WHERE c.urtext CONTAINS 'hinge pin' "
        "RETURN d.title AS document, count(c) AS chunks ORDER BY chunks DESC"
    ),
}
"""What to type into Neo4j Browser, by what it shows."""


@click.command()
@json_option
@pass_session
def demo(session: Session, *, as_json: bool) -> None:
    """Start a local server, ingest the example documents, and answer five questions of different kinds.

    The server stays up. A second run finds it, and finds the documents unchanged. With --store the documents go
    there, and no server is started. The exit code is 1 where an answer is not where it is known to be.
    """
    began = time.monotonic()
    examples = examples_folder()
    settings = session.settings()
    server = None if session.store is not None else _start(settings)
    if server is not None:
        session = replace(session, store="local:")
    report = _ingest(session, settings, examples / "documents", quiet=as_json)
    answers = _search(session, settings, examples, quiet=as_json)
    if as_json:
        print_json(
            {
                "server": None if server is None else _address(server),
                "ingestion": report_as_mapping(report, collection=settings.collection),
                "searches": [answer.as_mapping() for answer in answers],
                "cypher": CYPHER_TO_TRY,
            }
        )
    else:
        _print_next_steps(server, seconds=time.monotonic() - began)
    if report.exit_code or any(answer.missing for answer in answers):
        msg = "the demo did not find what it should; the lines above tell what is missing"
        raise click.ClickException(msg)


def _start(settings: "Settings") -> "ServerInfo":
    from graphrag.local_neo4j import LocalServer

    server = LocalServer(settings.local)
    was_running = server.status().info is not None
    if not was_running:
        click.echo("Starting a Neo4j server on this machine; the first time fetches about 190 MB.", err=True)
    with server_progress() as tell:
        info = server.start(tell)
    stays = "runs already" if was_running else "is up, and stays up"
    click.echo(f"The server {stays} (process {info.pid}); `{program()} db stop` stops it.", err=True)
    return info


def _ingest(session: Session, settings: "Settings", documents: "Path", *, quiet: bool) -> "IngestionReport":
    click.echo(f"Ingesting the documents of {shown_path(documents)}.", err=True)
    report = run_ingestion(
        session,
        settings,
        lambda ingestor, bar: ingestor.ingest([str(documents)], collection=settings.collection, progress=bar),
        quiet=quiet,
    )
    print_summary(report, collection=settings.collection)
    return report


def _search(session: Session, settings: "Settings", examples: "Path", *, quiet: bool) -> list[Answer]:
    answers: list[Answer] = []
    with session.open_store(settings) as store:
        for number, question in enumerate(load_questions(examples)[:_QUESTIONS], 1):
            answer = ask_question(store, question, collection=settings.collection)
            if not quiet:
                click.echo()
                print_answer(number, answer)
            answers.append(answer)
    return answers


def _address(server: "ServerInfo") -> dict[str, object]:
    return {
        "browser_uri": server.browser_uri,
        "connect_uri": server.bolt_uri,
        "username": server.username,
        "password_file": str(server.password_file),
    }


def _print_next_steps(server: "ServerInfo | None", *, seconds: float) -> None:
    if server is not None:
        click.secho("Look at the graph in Neo4j Browser", fg="green", bold=True)
        click.echo(f"   Open         {server.browser_uri}   (or: {program()} db browser)")
        click.echo(f"   Connect to   {server.bolt_uri}")
        click.echo(f"   Username     {server.username}")
        click.echo(
            f"   Password     in {server.password_file}   (or: {program()} db browser --no-open --show-password)"
        )
        click.echo()
    click.secho("Cypher to try there", fg="green", bold=True)
    for shows, statement in CYPHER_TO_TRY.items():
        click.echo(f"   {shows}:")
        click.echo(f"     {statement}")
    click.echo()
    click.echo(f"Done in {seconds:.0f} s. `{program()} ingest PATH` brings documents of your own.", err=True)
