"""The filters of the benchmark, each in all forms that are compared, and the chunks that they let through."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.loading import load_chunks, vector_index_name
from bench.plain import Row
from bench.setting import Setting
from graphrag.filters import EntityFilter, PropertyFilter, prop

__all__ = ["FILTER_PROPERTIES", "SHAPES", "SHARES", "FilterCase", "StoredChunks", "filter_cases", "store_chunks"]

SHARES = (1.0, 0.1, 0.01, 0.001, 0.0001)
"""Of all chunks, how many pass."""
SHAPES = ("And", "Or", "Not", "Label")
FILTER_PROPERTIES = ("bucket", "rank", "owner", "kind")
"""Declared on the vector index, and each with a range index, for all sides."""
_SPAN = 20_000
_OWNERS = 10
_LABELS = ("TierA", "TierB", "TierC", "TierD", "TierE")
"""One a share; a chunk that bears one bears all before it."""
_KINDS = ("kind-a", "kind-b", "kind-c", "kind-d", "kind-e")
"""One a share: all chunks are of one of the kinds from it on, together that share of all."""
_UNUSED_INDEXES = ("chunk_text", "chunk_urtext")


@dataclass(frozen=True, slots=True)
class Traits:
    """What is filtered by, a value for each place in the corpus.

    Attributes:
        span: `bucket` and `rank` are the numbers below it, each on as many chunks as any other.
        bucket: Property of this name.
        rank: Property of this name.
        owner: Property of this name; it follows from the bucket.
        kind: Property of this name.
        labels: How many of the labels, from the first on.
    """

    span: int
    bucket: NDArray[np.int_]
    rank: NDArray[np.int_]
    owner: NDArray[np.str_]
    kind: NDArray[np.str_]
    labels: NDArray[np.int_]

    def row(self, place: int) -> tuple[Row, list[str]]:
        """Return the properties and labels of one chunk."""
        properties: Row = {
            "bucket": int(self.bucket[place]),
            "rank": int(self.rank[place]),
            "owner": str(self.owner[place]),
            "kind": str(self.kind[place]),
        }
        return properties, list(_LABELS[: int(self.labels[place])])


@dataclass(frozen=True, slots=True)
class FilterCase:
    """One filter, as each side writes it.

    Attributes:
        shape: One of `SHAPES`.
        share: One of `SHARES`.
        where: Ours.
        peer: As neo4j-graphrag and langchain-neo4j have it; None where their language cannot say it.
        condition: As a predicate over `c` in Cypher.
        parameters: Of the predicate.
        among: Places in the corpus of the chunks that pass.
    """

    shape: str
    share: float
    where: PropertyFilter
    peer: Mapping[str, object] | None
    condition: str
    parameters: Mapping[str, object]
    among: NDArray[np.intp]

    @property
    def name(self) -> str:
        """What stands in the table."""
        return f"{self.shape}, {self.share:.2%}"


@dataclass(frozen=True, slots=True)
class StoredChunks:
    """What the database holds.

    Attributes:
        places: Place in the corpus by chunk id.
        traits: What they are filtered by.
        index: Name of the vector index.
    """

    places: Mapping[str, int]
    traits: Traits
    index: str


def store_chunks(setting: Setting) -> StoredChunks:
    """Write the corpus with what is filtered by, under the schema's indexes.

    Chunks alone, by plain statements, with the properties that the store gives them: 100,000 whole documents take
    longer than all measurements. The two indexes of text, which no vector search reads, are dropped first.
    """
    setting.start_afresh()
    setting.store.add_filter_properties(FILTER_PROPERTIES)
    for name in _UNUSED_INDEXES:
        setting.driver.execute_query(f"DROP INDEX {name}")  # a literal above
    traits = _traits(setting.corpus.sizes.chunks)
    places = load_chunks(setting, traits.row, name="filters")
    return StoredChunks(places, traits, vector_index_name(setting.driver))


def filter_cases(chunks: StoredChunks, *, shapes: Sequence[str] = SHAPES) -> Iterator[FilterCase]:
    """Yield each shape at each share."""
    makers = {"And": _and, "Or": _or, "Not": _not, "Label": _label}
    for shape in shapes:
        for number, share in enumerate(SHARES):
            yield makers[shape](chunks.traits, number, share)


def _and(traits: Traits, number: int, share: float) -> FilterCase:
    """Equality and a range; where all pass, two ranges."""
    if number == 0:
        return FilterCase(
            "And",
            share,
            (prop("rank") >= 0) & (prop("bucket") < traits.span),
            {"$and": [{"rank": {"$gte": 0}}, {"bucket": {"$lt": traits.span}}]},
            "c.rank >= $low AND c.bucket < $below",
            {"low": 0, "below": traits.span},
            np.arange(len(traits.rank)),
        )
    below = max(1, round(traits.span * share * _OWNERS))
    owner = "team-0"
    return FilterCase(
        "And",
        share,
        (prop("owner") == owner) & (prop("bucket") < below),
        {"$and": [{"owner": {"$eq": owner}}, {"bucket": {"$lt": below}}]},
        "c.owner = $owner AND c.bucket < $below",
        {"owner": owner, "below": below},
        np.flatnonzero((traits.owner == owner) & (traits.bucket < below)),
    )


def _or(traits: Traits, number: int, share: float) -> FilterCase:
    """Two ranges of two properties, half of the share each; where all pass, one of them is true of all."""
    below = max(1, round(traits.span * share / 2))
    other = traits.span if number == 0 else below
    return FilterCase(
        "Or",
        share,
        (prop("bucket") < below) | (prop("rank") < other),
        {"$or": [{"bucket": {"$lt": below}}, {"rank": {"$lt": other}}]},
        "c.bucket < $below OR c.rank < $other",
        {"below": below, "other": other},
        np.flatnonzero((traits.bucket < below) | (traits.rank < other)),
    )


def _not(traits: Traits, number: int, share: float) -> FilterCase:
    """None of the kinds that are more frequent; where all pass, of a kind that no chunk is of.

    The libraries have `$nin`, which leaves out what has no such property; a negation that is true of it they lack.
    """
    kinds = list(_KINDS[:number]) or ["kind-none"]
    return FilterCase(
        "Not",
        share,
        ~prop("kind").in_(kinds),
        None,
        "NOT coalesce(c.kind IN $kinds, false)",
        {"kinds": kinds},
        np.flatnonzero(~np.isin(traits.kind, kinds)),
    )


def _label(traits: Traits, number: int, share: float) -> FilterCase:
    """One of two labels, of which no chunk bears the second."""
    label = _LABELS[number]
    return FilterCase(
        "Label",
        share,
        EntityFilter.has_any_label(label, "TierNone"),
        None,
        f"(c:{label}|TierNone)",
        {},
        np.flatnonzero(traits.labels > number),
    )


def _traits(count: int, *, seed: int = 11) -> Traits:
    """Return the values, which do not depend on the vectors."""
    random = np.random.default_rng(seed)
    span = min(_SPAN, count)
    bucket = random.permutation(count) % span
    return Traits(
        span=span,
        bucket=bucket,
        rank=random.permutation(count) % span,
        owner=np.array([f"team-{number % _OWNERS}" for number in bucket]),
        kind=np.array(_KINDS)[_level(random.permutation(count))],
        labels=_level(random.permutation(count)) + 1,
    )


def _level(order: NDArray[np.int_]) -> NDArray[np.int_]:
    """Return for each place the number of the smallest share that it belongs to; in each is at least one."""
    counts = np.array([max(1, round(len(order) * share)) for share in SHARES])
    return np.asarray((order[:, None] < counts[None, :]).sum(axis=1) - 1, dtype=np.int_)
