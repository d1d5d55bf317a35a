"""Objects as a filter sees them: what their nodes bear, or their fields and classes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import Enum
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel, ConfigDict, Field

from graphrag.errors import InvalidFilterError
from graphrag.filters import labels_of, matches, matches_object, prop, properties_of
from graphrag.filters.nodes import EntityFilter, Eq, Exists, FilterNode, HasElement
from graphrag.filters.values import check_key
from graphrag.model import Chunk, ContainerSection, Datum, Document, LeafSection, NamedEntityData
from graphrag.stores.neo4j.inheritance import DocumentMetadata
from graphrag.stores.neo4j.rows import chunk_properties, document_properties, section_properties

METADATA: dict[str, object] = {
    "owner": "alice",
    "year": 2024,
    "mixed": [1, "a"],
    "map": {"a": 1},
    "numbers": [1, 2.5],
    "none": None,
    "day": date(2024, 1, 31),
}
CHUNK = Chunk(
    id="c1",
    uri="file:a.md",
    metadata=METADATA,
    document_id="d1",
    parent_id="s1",
    section_ids=("s1",),
    section_path=("One",),
    document_title="A",
    sequence_number=3,
    text="One\nwords",
    urtext="words",
    end=5,
)
DOCUMENT = Document(
    id="d1",
    uri="file:a.md",
    title="A",
    metadata=METADATA,
    text="all of it",
    ingested_at=datetime(2024, 1, 31, 9, tzinfo=UTC),
    document_properties={"doc_author": "B", "doc_pages": 7},
    source_metadata={"producer": "C"},
    chunk_count=4,
)
SECTION = ContainerSection(id="s1", document_id="d1", parent_id="d1", title="One", section_path=("One",), text="words")


def seen(properties: Mapping[str, object]) -> dict[str, object]:
    """Return what filters see of properties: those that may be named, and that are there for them."""
    found: dict[str, object] = {}
    for name, value in properties.items():
        try:
            check_key(name)
        except InvalidFilterError:
            continue
        if matches(Exists(name), properties):
            found[name] = list(value) if isinstance(value, tuple) else value
    return found


@pytest.mark.parametrize(
    "item,node",
    [
        (CHUNK, chunk_properties(CHUNK, DocumentMetadata.of({"owner": "alice", "year": 2023}))),
        (DOCUMENT, document_properties(DOCUMENT, DocumentMetadata.of(METADATA))),
        (DOCUMENT.model_copy(update={"pinned_metadata": ("owner",)}), None),
        (SECTION, section_properties(SECTION)),
        (LeafSection(id="s2", document_id="d1", parent_id="s1", title="Two"), None),
    ],
    ids=["chunk", "document", "pinned document", "container", "leaf"],
)
def test_a_thing_of_ours_has_the_properties_of_its_node(item: Datum, node: dict[str, object] | None) -> None:
    if node is None:
        node = (
            document_properties(item, DocumentMetadata.of(item.metadata))
            if isinstance(item, Document)
            else section_properties(item)  # type: ignore[arg-type]
        )
    ours, theirs = seen(properties_of(item)), seen(node)
    assert ours.keys() == theirs.keys()
    for name, value in theirs.items():
        expected = tuple(value) if isinstance(value, list) else value
        assert matches(Eq(name, expected), ours), name  # type: ignore[arg-type]


def test_what_is_kept_as_json_is_missing_of_an_object_too() -> None:
    for name in ("mixed", "map", "none", "metadata", "truncated"):
        assert not matches_object(Exists(name), CHUNK)
        assert not matches_object(Exists(name), DOCUMENT)
    assert matches_object(HasElement("numbers", 1), CHUNK)
    assert matches_object(prop("doc_pages") >= 7, DOCUMENT)
    assert matches_object(EntityFilter.has_any_label("Chunk") & (prop("uri") == "file:a.md"), CHUNK)


def test_an_entity_has_its_domain_properties_and_labels() -> None:
    entity = NamedEntityData(
        id="e1",
        name="Ada",
        description="An engineer.",
        aliases=("A. L.",),
        entity_labels=("Person",),
        properties={"born": 1815, "name_of_cat": None},
    )
    assert properties_of(entity) == {
        "id": "e1",
        "name": "Ada",
        "description": "An engineer.",
        "aliases": ("A. L.",),
        "origin": "application",
        "born": 1815,
        "name_of_cat": None,
    }
    assert matches_object(EntityFilter.has_any_label("Person", "Company") & (prop("born") < 1900), entity)
    assert not matches_object(EntityFilter.has_any_label("Company"), entity)
    assert not matches_object(prop("name_of_cat").exists(), entity)


class Mood(Enum):
    GOOD = "good"


class Thing(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow")

    name: str
    moods: list[Mood] = Field(default_factory=list, alias="Moods")
    inner: "Thing | None" = None


class Person(Thing):
    born: date | None = None


@dataclass
class Point:
    x: int
    tags: tuple[str, ...] = ()


class StructuredDouble:
    """What a class of neomodel offers, without neomodel."""

    class _Definition:
        def __init__(self, db_property: str | None = None) -> None:
            self.db_property = db_property

    def __init__(self, **values: object) -> None:
        self.__dict__.update(values)

    @classmethod
    def defined_properties(cls, *, aliases: bool, properties: bool, rels: bool) -> Mapping[str, object]:
        assert (aliases, properties, rels) == (False, True, False)
        return {"name": cls._Definition(), "year": cls._Definition("born_in"), "unset": cls._Definition()}

    @classmethod
    def inherited_labels(cls) -> list[str]:
        return ["Person", "Agent"]


@pytest.mark.parametrize(
    "item,properties,labels",
    [
        (
            Person.model_validate({"name": "Ada", "Moods": ["good"], "born": "1815-12-10", "extra": 1}),
            {"name": "Ada", "moods": ["good"], "inner": None, "born": date(1815, 12, 10), "extra": 1},
            ("Person", "Thing"),
        ),
        (Point(1, ("a",)), {"x": 1, "tags": ["a"]}, ("Point",)),
        ({"a": 1, 2: "b", "mood": Mood.GOOD}, {"a": 1, "mood": "good"}, ()),
        (
            StructuredDouble(name="Ada", year=1815, other=1),
            {"name": "Ada", "born_in": 1815, "unset": None},
            ("Person", "Agent"),
        ),
    ],
)
def test_an_object_of_an_application_has_its_fields_and_its_classes(
    item: object, properties: dict[str, object], labels: tuple[str, ...]
) -> None:
    assert properties_of(item) == properties
    assert labels_of(item) == labels


def test_a_class_of_neomodel_has_its_stored_names_and_labels() -> None:
    neomodel = pytest.importorskip("neomodel", reason="the extra `neomodel` is not installed")

    class FilteredAgent(neomodel.StructuredNode):  # type: ignore[misc, name-defined]
        name = neomodel.StringProperty()

    class FilteredPerson(FilteredAgent):
        __label__ = "FilteredHuman"
        year = neomodel.IntegerProperty(db_property="born_in")

    ada: Any = FilteredPerson(name="Ada", year=1815)
    assert properties_of(ada) == {"name": "Ada", "born_in": 1815}
    assert labels_of(ada) == ("FilteredHuman", "FilteredAgent")
    wanted: FilterNode = EntityFilter.has_any_label("FilteredAgent") & (prop("born_in") < 1900)
    assert matches_object(wanted, ada)


@pytest.mark.parametrize("item", [None, 1, "text", Point, [Point(1)], object()])
def test_what_has_no_properties_is_refused(item: object) -> None:
    with pytest.raises(InvalidFilterError, match="has no properties to filter on; pass a result's match"):
        properties_of(item)
