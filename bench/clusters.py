"""Clusters of nearly equal chunks by the vector index, beside all pairs in numpy; sections by title, beside a scan.

    python -m bench.clusters                 on a local server of its own
    python -m bench.clusters --server        on the server that NEO4J_URI names; EMPTIES its database
    python -m bench.clusters --chunks 2000

The vectors stand around topics, and some of them are nearly equal: what is found is compared with all pairs.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from statistics import median
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bench.setting import own_server
from graphrag.config import Neo4jSettings, SearchSettings, Settings, load_settings
from graphrag.ingestion.given import GivenChunk, materialize_given
from graphrag.model import ClusterRequest, Document, MaterializedDocument
from graphrag.stores import Neo4jStore
from graphrag.testing.embedder import DeterministicEmbedder

_DIMENSIONS = 384
_THRESHOLD = 0.95
_FAMILY_SHARE = 0.3
_A_DOCUMENT = 100
_A_SECTION = 5
_TITLES = 2_000
_BLOCK = 2_000
_LOOKUPS = 40

Vectors = NDArray[np.float32]
T = TypeVar("T")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=20_000)
    parser.add_argument("--server", action="store_true")
    parser.add_argument("--seed", type=int, default=20_261)
    options = parser.parse_args(arguments)
    with nullcontext((load_settings().neo4j, None)) if options.server else own_server() as (neo4j, _):
        measure(neo4j, make_vectors(options.chunks, seed=options.seed))
    return 0


def make_vectors(count: int, *, seed: int) -> Vectors:
    """Return unit vectors around topics; three of ten are in families of two to eight that are nearly equal."""
    chance = np.random.default_rng(seed)
    topics = chance.normal(size=(max(1, count // 40), _DIMENSIONS))
    rows: list[NDArray[np.float64]] = []
    while len(rows) < count:
        base = _unit(topics[chance.integers(len(topics))]) + chance.normal(size=_DIMENSIONS) / np.sqrt(_DIMENSIONS)
        size = int(chance.integers(2, 9)) if chance.random() < _FAMILY_SHARE / 3 else 1
        noise = chance.uniform(0.05, 0.4)
        rows += [_unit(base) + noise * chance.normal(size=_DIMENSIONS) / np.sqrt(_DIMENSIONS) for _ in range(size)]
    whole = np.stack(rows[:count])
    chance.shuffle(whole)
    return np.asarray(whole / np.linalg.norm(whole, axis=1, keepdims=True), np.float32)


def measure(neo4j: Neo4jSettings, vectors: Vectors) -> None:
    """Load the vectors and print what each way takes and finds."""
    embedder = DeterministicEmbedder(_DIMENSIONS)
    settings = Settings(search=SearchSettings(cluster_timeout_s=3_600))
    with Neo4jStore(neo4j, embedder, settings=settings) as store:
        store.clear()
        store.drop_schema()
        store.apply_schema()
        ids = _load(store, embedder, vectors)
        seconds, found = _timed(lambda: store.find_clusters(_REQUEST))
        shown = {(cluster.anchor.id, result.match.id) for cluster in found for result in cluster.similar}
        plain_seconds, expected = _timed(lambda: leaders(ids, vectors))
        print(f"{len(vectors):,} chunks of {_DIMENSIONS} dimensions, {len(expected):,} pairs of anchor and member")
        print(f"find_clusters      {seconds:8.1f} s   {len(found):,} clusters, recall of pairs "
              f"{len(shown & expected) / max(1, len(expected)):.4f}, wrong ones {len(shown - expected)}")  # fmt: skip
        print(f"all pairs, numpy   {plain_seconds:8.1f} s   the vectors at hand, without reading them")
        _titles(store)


_REQUEST = ClusterRequest(_THRESHOLD, top_k=100, max_clusters=1_000)


def leaders(ids: Sequence[str], vectors: Vectors) -> set[tuple[str, str]]:
    """Return the pairs of anchor and member of the thousand largest clusters, from all pairs."""
    order = np.argsort(np.asarray(ids))
    rows = vectors[order]
    named = [ids[place] for place in order]
    near: list[NDArray[np.intp]] = []
    for start in range(0, len(rows), _BLOCK):
        block = (1 + rows[start : start + _BLOCK] @ rows.T) / 2
        near += [np.flatnonzero(line >= _THRESHOLD) for line in block]
    taken: set[int] = set()
    groups: list[tuple[int, str, list[str]]] = []
    for place, others in enumerate(near):
        members = [int(other) for other in others if other != place and int(other) not in taken]
        if place not in taken and members:
            taken.update((place, *members))
            groups.append((-len(members), named[place], [named[member] for member in members]))
    return {(anchor, member) for _, anchor, members in sorted(groups)[: _REQUEST.max_clusters] for member in members}


def _titles(store: Neo4jStore) -> None:
    """Compare the ways to find a section by its title."""
    stamp = store.schema_status()[0]
    assert stamp is not None  # noqa: S101 - it was just made
    sections = sum(len(outline.sections) for outline in store.table_of_contents(limit=1))
    for name, indexed in (("by its key", True), ("by a scan", False)):
        store._stamp = replace(stamp, section_titles=indexed)  # noqa: SLF001 - as in a database of an older package
        store.find_sections("Title 1")
        times = [_timed(lambda n=n: store.find_sections(f"TITLE {n}"))[0] for n in range(_LOOKUPS)]
        print(f"a title {name:<11}{median(times) * 1000:8.1f} ms  p50; {sections} sections a document")


def _load(store: Neo4jStore, embedder: DeterministicEmbedder, vectors: Vectors) -> list[str]:
    ids: list[str] = []
    for start in range(0, len(vectors), _A_DOCUMENT):
        document = _document(embedder, start, vectors[start : start + _A_DOCUMENT])
        store.write_document(document)
        ids += [chunk.id for chunk in document.chunks]
    return ids


def _document(embedder: DeterministicEmbedder, start: int, rows: Vectors) -> MaterializedDocument:
    given = [
        GivenChunk(f"chunk {start + place}", section_path=(f"Title {(start + place) // _A_SECTION % _TITLES}",))
        for place in range(len(rows))
    ]
    root = Document(id="", uri=f"bench:///{start}", title=f"Document {start}", ingested_at=datetime.now(UTC))
    whole = materialize_given(root, given, embedding_model=embedder.model_id)
    return replace(whole, vectors={chunk.id: row for chunk, row in zip(whole.chunks, rows, strict=True)})


def _timed(call: Callable[[], T]) -> tuple[float, T]:
    started = time.perf_counter()
    result = call()
    return time.perf_counter() - started, result


def _unit(row: NDArray[np.float64]) -> NDArray[np.float64]:
    return row / np.linalg.norm(row)


if __name__ == "__main__":
    sys.exit(main())
