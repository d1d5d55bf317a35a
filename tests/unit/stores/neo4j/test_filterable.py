"""Names of filter properties and of the generations of the vector index; the stamp that counts them."""

from dataclasses import replace
from typing import Any

import pytest

from graphrag.errors import InvalidRequestError
from graphrag.stores.neo4j.filterable import adopt, check_names, left_over, list_names, next_generation
from graphrag.stores.neo4j.indexes import IndexState
from graphrag.stores.neo4j.stamp import DamagedStampError, Stamp, parse_stamp

STAMP = Stamp(1, 16, "model", "english", ("collection",), list_properties=())


def index(name: str, *filters: str, label: str = "Chunk", type_: str = "VECTOR") -> IndexState:
    return IndexState(name, type_, "ONLINE", 100.0, (label,), ("embedding", *filters), {}, None, "")


def by_name(*states: IndexState) -> dict[str, IndexState]:
    return {state.name: state for state in states}


def test_a_stamp_is_read_back_as_it_was_written() -> None:
    stamp = replace(STAMP, pending_properties=("year",), list_properties=("tags",), index_generation=3)
    read = parse_stamp(stamp.properties())
    assert (read, read.list_properties, read.index_generation) == (stamp, ("tags",), 3)


def test_a_stamp_of_an_older_package_does_not_tell_of_lists() -> None:
    older = {
        name: value
        for name, value in STAMP.properties().items()
        if name not in {"list_properties", "pending_properties", "index_generation"}
    }
    stamp = parse_stamp(older)
    assert (stamp.list_properties, stamp.pending_properties, stamp.index_generation) == (None, (), 1)


@pytest.mark.parametrize("damage", [{"index_generation": 0}, {"list_properties": 7}, {"pending_properties": 7}])
def test_a_stamp_with_other_values_is_damaged(damage: dict[str, object]) -> None:
    with pytest.raises(DamagedStampError, match="is damaged"):
        parse_stamp({**STAMP.properties(), **damage})


def test_what_only_grows_does_not_part_two_stamps() -> None:
    assert replace(STAMP, list_properties=("tags",), index_generation=2) == STAMP
    assert replace(STAMP, pending_properties=("tags",)) != STAMP
    assert replace(STAMP, filter_properties=("collection", "tags")) != STAMP


def test_only_what_differs_is_written() -> None:
    assert STAMP.changes(STAMP) == {}
    assert replace(STAMP, list_properties=("tags",)).changes(STAMP) == {"list_properties": ["tags"]}
    assert replace(STAMP, list_properties=None).changes(STAMP) == {"list_properties": None}


def test_values_are_bounded_from_the_announcement_on() -> None:
    stamp = replace(STAMP, pending_properties=("year", "collection"))
    assert stamp.bounded_properties == ("collection", "year")


def test_each_generation_has_a_name_of_its_own_beside_those_of_other_vectors() -> None:
    second = next_generation(replace(STAMP, pending_properties=("year", "owner")), ("collection", "year"))
    assert (second.vector_index, second.index_generation) == ("chunk_embedding_f2", 2)
    assert (second.filter_properties, second.pending_properties) == (("collection", "year"), ("owner",))
    assert next_generation(second, ("collection",)).vector_index == "chunk_embedding_f3"
    skipped = replace(second, index_generation=7)
    assert next_generation(skipped, ("collection",)).vector_index == "chunk_embedding_f8"
    embedded_again = replace(STAMP, vector_index="chunk_embedding_2", embedding_property="embedding_2")
    assert next_generation(embedded_again, ("collection",)).vector_index == "chunk_embedding_2_f2"


def test_the_next_generation_may_be_in_the_making_and_others_are_left_over() -> None:
    stamp = replace(STAMP, vector_index="chunk_embedding_f3", index_generation=4)
    found = by_name(
        index("chunk_embedding", "collection"),
        index("chunk_embedding_f2"),
        index("chunk_embedding_f3", "collection", "year"),
        index("chunk_embedding_f4"),
        index("chunk_embedding_f5"),
        index("chunk_embedding_2"),
        index("chunk_embedding_2_f2"),
        index("chunk_embedding_f"),
        index("chunk_embedding_f02"),
        index("theirs"),
        index("chunk_embedding_f1", label="Theirs"),
        index("chunk_text", type_="FULLTEXT"),
    )
    assert left_over(found, stamp) == ["chunk_embedding", "chunk_embedding_f2", "chunk_embedding_f4"]


def test_a_lost_stamp_goes_on_with_the_newest_index() -> None:
    found = by_name(index("chunk_embedding_f2", "collection", "year"), index("chunk_embedding_f10", "collection", "a"))
    adopted = adopt(found, STAMP)
    assert (adopted.vector_index, adopted.index_generation) == ("chunk_embedding_f10", 10)
    assert adopted.filter_properties == ("collection", "a")
    assert adopt(by_name(index("chunk_embedding", "collection"), index("chunk_embedding_f2", "year")), STAMP) is STAMP
    assert adopt({}, STAMP) is STAMP


def test_names_are_plain_words_of_metadata_each_once() -> None:
    assert check_names(["year", "page", "year", "_x"]) == ("year", "page", "_x")
    for name in ("", "1a", "a b", "a`b", "ä", "x" * 65, "text", "embedding", "doc_title", "chunk_count"):
        with pytest.raises(InvalidRequestError, match="a filter property is|cannot filter by"):
            check_names([name])
    with pytest.raises(InvalidRequestError, match="no property is named"):
        check_names([])


def test_only_lists_that_could_be_filtered_by_count() -> None:
    properties = {"tags": ["a"], "pair": (1, 2), "one": "a", "section_path": ["x"], "a b": [1], "embedding": [1.0]}
    assert list_names(properties) == {"tags", "pair"}


@pytest.mark.parametrize(
    "names,message",
    [("year", "come as a list"), (5, "come as a list"), ([None], "plain word"), ([["year"]], "plain word")],
)
def test_names_come_as_a_list_of_text(names: Any, message: str) -> None:
    """The letters of a text are no properties."""
    with pytest.raises(InvalidRequestError, match=message):
        check_names(names)
