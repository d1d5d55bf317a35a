"""`graphrag clusters`: groups of chunks that are nearly equal."""

from typing import TYPE_CHECKING

import click

from graphrag.cli._options import collections_option, json_option, where_option
from graphrag.cli._output import counted, print_json, print_notes
from graphrag.cli._results import describe_chunk, place_of, print_text
from graphrag.cli._session import Session, pass_session
from graphrag.cli._text import snippet

if TYPE_CHECKING:
    from graphrag.filters import PropertyFilter
    from graphrag.model import Chunk, Cluster

__all__ = ["clusters"]

_MAX_CLUSTERS = 1_000
_MAX_SIMILAR = 100
_PREVIEW_CHARS = 160


@click.command()
@click.option(
    "--threshold",
    type=click.FloatRange(0.5, 1),
    default=0.95,
    show_default=True,
    metavar="SCORE",
    help="Lowest score (1 + cosine) / 2 between the first of a cluster and each other, 0.5 to 1.",
)
@click.option(
    "--top-k",
    type=click.IntRange(1, _MAX_SIMILAR),
    default=10,
    show_default=True,
    metavar="N",
    help="Most chunks to list of a cluster beside the first.",
)
@click.option(
    "--min-size",
    type=click.IntRange(2, _MAX_CLUSTERS),
    default=2,
    show_default=True,
    metavar="N",
    help="Fewest chunks of a cluster.",
)
@click.option(
    "--limit", type=click.IntRange(1, _MAX_CLUSTERS), default=20, show_default=True, metavar="N", help="Most clusters."
)
@where_option
@collections_option
@json_option
@pass_session
def clusters(  # noqa: PLR0913 - one an option
    session: Session,
    *,
    threshold: float,
    top_k: int,
    min_size: int,
    limit: int,
    where: "PropertyFilter | None",
    collections: tuple[str, ...],
    as_json: bool,
) -> None:
    """List groups of chunks that are nearly equal, the largest first.

    Each chunk stands in one cluster at most, and is near to the first one of it.
    """
    from graphrag.model import Chunk, ClusterRequest

    request = ClusterRequest(threshold, top_k=top_k, max_clusters=limit, min_size=min_size)
    with session.open_store() as store:
        found = store.find_clusters(request, Chunk, where=where, collections=collections or None)
    if as_json:
        print_json({"clusters": [_as_mapping(cluster) for cluster in found], "notes": found.notes})
        return
    for number, cluster in enumerate(found, 1):
        click.echo(click.style(f"{number}. {counted(cluster.size, 'chunk')}", bold=True))
        print_text(snippet(cluster.anchor.urtext, "", width=_PREVIEW_CHARS), indent=4)
        _print_place(cluster.anchor, "    ")
        for result in cluster.similar:
            _print_place(result.match, f"{result.score:.2f}")
        click.echo()
    print_notes(found.notes)
    if not found:
        click.echo("No chunks are that near to each other.", err=True)


def _print_place(chunk: "Chunk", score: str) -> None:
    click.echo(
        f"    {score}  {place_of(chunk)}, chunk {chunk.sequence_number}  {click.style(f'id {chunk.id}', dim=True)}"
    )


def _as_mapping(cluster: "Cluster[Chunk]") -> dict[str, object]:
    similar = [{"score": result.score, **describe_chunk(result.match)} for result in cluster.similar]
    return {"size": cluster.size, "anchor": describe_chunk(cluster.anchor), "similar": similar}
