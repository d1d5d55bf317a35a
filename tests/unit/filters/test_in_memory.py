"""Filtering of results that are already there."""

from typing import Any

import pytest

from graphrag.errors import InvalidFilterError
from graphrag.filters import EntityFilter, InMemoryPropertyFilter, prop
from graphrag.filters.nodes import Or
from graphrag.model import Chunk, Datum, NamedEntityData, ResultList, SimilarityResult


def chunk(number: int, **metadata: object) -> Chunk:
    return Chunk(
        id=f"c{number}", metadata=metadata, document_id="d", parent_id="d", sequence_number=number, text="t", urtext="t"
    )


def entity(name: str, label: str, **properties: object) -> NamedEntityData:
    return NamedEntityData(id=name, name=name, entity_labels=(label,), properties=properties)


RESULTS: ResultList[SimilarityResult[Datum]] = ResultList(
    (
        SimilarityResult(item, score)
        for item, score in (
            (chunk(0, owner="alice"), 0.9),
            (entity("Ada", "Person", owner="alice"), 0.8),
            (chunk(1), 0.7),
            (entity("Mill", "Place", owner="alice"), 0.6),
            (entity("Bob", "Person", owner="bob"), 0.5),
        )
    ),
    notes=["the index is being built"],
)


def ids(results: list[SimilarityResult[Datum]]) -> list[str]:
    return [result.match.id for result in results]


def test_a_metadata_filter_is_asked_of_every_result_and_their_order_is_kept() -> None:
    kept = InMemoryPropertyFilter.filter_results(RESULTS, prop("owner") == "alice")
    assert ids(kept) == ["c0", "Ada", "Mill"]
    assert kept[0] is RESULTS[0]


def test_an_entity_filter_is_asked_of_entities_alone() -> None:
    kept = InMemoryPropertyFilter.filter_results(RESULTS, entity_filter=EntityFilter.has_any_label("Person"))
    assert ids(kept) == ["c0", "Ada", "c1", "Bob"]


def test_both_filters_must_be_true() -> None:
    kept = InMemoryPropertyFilter.filter_results(
        RESULTS, prop("owner") == "alice", EntityFilter.has_any_label("Person")
    )
    assert ids(kept) == ["c0", "Ada"]


def test_a_note_says_how_many_were_dropped() -> None:
    kept = InMemoryPropertyFilter.filter_results(RESULTS, prop("owner") == "alice")
    assert kept.notes == ("the index is being built", "filters dropped 2 of 5 results")
    assert InMemoryPropertyFilter.filter_results(RESULTS).notes == ("the index is being built",)
    assert InMemoryPropertyFilter.filter_results(list(RESULTS), Or()).notes == ("filters dropped 5 of 5 results",)


def test_no_filter_keeps_everything_and_nothing_is_shared() -> None:
    kept = InMemoryPropertyFilter.filter_results(RESULTS)
    assert list(kept) == list(RESULTS)
    assert kept is not RESULTS


@pytest.mark.parametrize("wrong", [{"owner": "alice"}, "owner = 'alice'", False])
def test_what_is_no_filter_is_refused_even_where_there_are_no_results(wrong: Any) -> None:
    with pytest.raises(InvalidFilterError, match="a filter is wanted"):
        InMemoryPropertyFilter.filter_results([], wrong)
    with pytest.raises(InvalidFilterError, match="a filter is wanted"):
        InMemoryPropertyFilter.filter_results([], None, wrong)
