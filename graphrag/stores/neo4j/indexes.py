"""Which constraints and indexes the schema has, and how what stands in a database is compared with them."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from graphrag.cypher import Fragment, PlainWord, plain_word
from graphrag.stores.neo4j.stamp import Stamp

__all__ = [
    "Finding",
    "IndexSpec",
    "IndexState",
    "compare",
    "expected_indexes",
    "parse_indexes",
    "range_index",
    "vector_index",
]

IndexType = Literal["UNIQUE", "RANGE", "TEXT", "FULLTEXT", "VECTOR"]
_MAX_NAME = 64
State = Literal["ok", "missing", "different", "failed", "populating"]


@dataclass(frozen=True, slots=True)
class IndexSpec:
    """An index or constraint that the schema has.

    Attributes:
        name: Its name.
        type: What kind it is; UNIQUE is a constraint with its index.
        label: The label that it is for.
        properties: What it is on; for a vector index the vector, then the properties that it filters by.
        options: What `OPTIONS` is to say in `indexConfig`; only these are compared.
    """

    name: PlainWord
    type: IndexType
    label: PlainWord
    properties: tuple[PlainWord, ...]
    options: Mapping[str, object]

    @property
    def statement(self) -> str:
        """The statement that makes it."""
        return {
            "UNIQUE": "schema/create_unique_id",
            "RANGE": "schema/create_range_index",
            "TEXT": "schema/create_text_index",
            "FULLTEXT": "schema/create_fulltext_index",
            "VECTOR": "schema/create_vector_index",
        }[self.type]

    def slots(self) -> dict[str, PlainWord | Fragment]:
        """Return what fills the slots of its statement."""
        common: dict[str, PlainWord | Fragment] = {"name": self.name, "label": self.label}
        on = ", ".join(f"n.{name}" for name in self.properties)
        match self.type:
            case "UNIQUE":
                return common
            case "RANGE" | "TEXT":
                return {**common, "property": self.properties[0]}
            case "FULLTEXT":
                return {**common, "properties": Fragment(on)}
            case "VECTOR":
                filters = Fragment(", ".join(f"n.{name}" for name in self.properties[1:]))
                return {**common, "property": self.properties[0], "filters": filters}

    def parameters(self) -> dict[str, object]:
        """Return the parameters of its statement."""
        return {"options": {"indexConfig": dict(self.options)}} if self.options else {}


@dataclass(frozen=True, slots=True)
class IndexState:
    """An index that stands in the database."""

    name: str
    type: str
    state: str
    population: float
    labels: tuple[str, ...]
    properties: tuple[str, ...]
    config: Mapping[str, object]
    constraint: str | None
    failure: str


@dataclass(frozen=True, slots=True)
class Finding:
    """How one index or constraint stands.

    Attributes:
        name: Its name.
        type: Its kind.
        state: `ok`, or what is wrong.
        detail: What is there and what is wanted; empty where it is ok.
    """

    name: str
    type: str
    state: State
    detail: str = ""


def expected_indexes(stamp: Stamp) -> tuple[IndexSpec, ...]:
    """Return all indexes and constraints of the schema with these settings, constraints first."""
    return (
        _spec("datum_id", "UNIQUE", "Datum", "id"),
        _spec("schema_id", "UNIQUE", "GraphragSchema", "id"),
        _spec("datum_document_id", "RANGE", "Datum", "document_id"),
        _spec("document_collection", "RANGE", "Document", "collection"),
        _spec("staged_run_id", "RANGE", "Staged", "run_id"),
        *([_spec("section_title_key", "RANGE", "Section", "title_key")] if stamp.section_titles else []),
        *(range_index(name) for name in stamp.filter_properties),
        _spec("chunk_urtext", "TEXT", "Chunk", "urtext"),
        _spec("chunk_text", "FULLTEXT", "Chunk", "text", options={"fulltext.analyzer": stamp.analyzer}),
        vector_index(stamp),
    )


def vector_index(stamp: Stamp) -> IndexSpec:
    """Return the vector index of a schema with these settings."""
    return _spec(
        stamp.vector_index,
        "VECTOR",
        "Chunk",
        stamp.embedding_property,
        *stamp.filter_properties,
        options={"vector.dimensions": stamp.dimensions, "vector.similarity_function": "COSINE"},
    )


def range_index(name: str) -> IndexSpec:
    """Return the range index of a filter property."""
    return _spec(_range_name(name), "RANGE", "Chunk", name)


def _range_name(name: str) -> str:
    """Return the name of a filter property's index: a plain word, and never that of another index."""
    whole = f"chunk_by_{name}"
    if len(whole) <= _MAX_NAME:
        return whole
    return f"{whole[: _MAX_NAME - 9]}_{hashlib.blake2b(name.encode(), digest_size=4).hexdigest()}"


def _spec(
    name: str, type_: IndexType, label: str, *properties: str, options: Mapping[str, object] | None = None
) -> IndexSpec:
    return IndexSpec(
        plain_word(name), type_, plain_word(label), tuple(plain_word(p) for p in properties), options or {}
    )


def parse_indexes(rows: Iterable[Mapping[str, object]]) -> dict[str, IndexState]:
    """Return the rows of `schema/show_indexes` by name."""
    found: dict[str, IndexState] = {}
    for row in rows:
        options = cast("Mapping[str, object]", row["options"] or {})
        constraint = cast("str | None", row["constraint"])
        state = IndexState(
            name=str(row["name"]),
            type="UNIQUE" if constraint else str(row["type"]),
            state=str(row["state"]),
            population=float(cast("float", row["population"] or 0)),
            labels=tuple(cast("Sequence[str]", row["labels"] or ())),
            properties=tuple(cast("Sequence[str]", row["properties"] or ())),
            config=cast("Mapping[str, object]", options.get("indexConfig") or {}),
            constraint=constraint,
            failure=str(row["failure"] or ""),
        )
        found[state.name] = state
    return found


def compare(spec: IndexSpec, found: Mapping[str, IndexState]) -> Finding:  # noqa: PLR0911 - one a state
    """Return how one index stands.

    An index of the right shape under another name is a difference too: the server would not make ours. So is a
    range index where a constraint is wanted, which would bring one of its own.
    """
    there = found.get(spec.name)
    if there is None:
        twin = next((s for s in found.values() if _place(_shape(s)) == _place(_wanted_shape(spec))), None)
        if twin is not None:
            detail = f"{_words(_shape(twin))} stands in its place under the name `{twin.name}`"
            return Finding(spec.name, spec.type, "different", detail)
        return Finding(spec.name, spec.type, "missing")
    if _shape(there) != _wanted_shape(spec):
        detail = f"is {_words(_shape(there))}; wanted is {_words(_wanted_shape(spec))}"
        return Finding(spec.name, spec.type, "different", detail)
    differing = {
        name: (there.config.get(name), value)
        for name, value in spec.options.items()
        if _text(there.config.get(name)) != _text(value)
    }
    if differing:
        detail = ", ".join(f"`{name}` is {is_}; wanted is {wanted}" for name, (is_, wanted) in differing.items())
        return Finding(spec.name, spec.type, "different", detail)
    if there.state == "FAILED":
        return Finding(spec.name, spec.type, "failed", "the server gave it up; the server's log has the reason")
    if there.state != "ONLINE":
        return Finding(spec.name, spec.type, "populating", f"{there.population:.0f} % done")
    return Finding(spec.name, spec.type, "ok")


Shape = tuple[str, tuple[str, ...], tuple[str, ...]]


def _shape(state: IndexState) -> Shape:
    return (state.type, state.labels, state.properties)


def _wanted_shape(spec: IndexSpec) -> Shape:
    return (spec.type, (spec.label,), spec.properties)


def _place(shape: Shape) -> Shape:
    """Return what only one index can have."""
    return ("RANGE" if shape[0] == "UNIQUE" else shape[0], *shape[1:])


def _words(shape: Shape) -> str:
    return f"{shape[0]} on {'|'.join(shape[1])}({', '.join(shape[2])})"


def _text(value: object) -> str:
    return str(value).lower()
