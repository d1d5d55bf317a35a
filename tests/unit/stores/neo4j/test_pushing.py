"""Which tests the vector index is asked."""

from datetime import UTC, date, datetime, time, timedelta

import pytest

from graphrag.filters.nodes import (
    Comparison,
    Contains,
    EndsWith,
    Eq,
    EqIgnoreCase,
    Exists,
    Gt,
    Gte,
    HasElement,
    In,
    Lt,
    Lte,
    Ne,
    Nin,
    StartsWith,
)
from graphrag.stores.neo4j.pushing import IndexedProperties

NOON = datetime(2024, 1, 1, 12)  # noqa: DTZ001 - without a zone, which is another kind
INDEXED = IndexedProperties.of(["collection", "year", "tags"], ["tags"])


@pytest.mark.parametrize(
    "test",
    [
        Eq("year", 1), Eq("year", "x"), Eq("year", True), Eq("year", 1.5), Eq("year", date(2024, 1, 1)),
        Eq("year", NOON), Gt("year", 1), Gte("year", "a"), Lt("year", 2**53 - 1),
        Lte("year", -(2**53) + 1),
        In("year", (1, "a", 2.5)), In("collection", ("a",)), Exists("tags"), Eq("tags", "x"),
    ],
)  # fmt: skip
def test_it_is_asked_what_it_answers_exactly(test: Comparison) -> None:
    assert INDEXED.takes(test) is True


@pytest.mark.parametrize(
    "test",
    [
        Eq("other", 1), Eq("year", 2**53), Gt("year", -(2**53)), Eq("year", float("inf")), Lt("year", float("-inf")),
        Eq("year", datetime(2024, 1, 1, tzinfo=UTC)), Gt("year", datetime(2024, 1, 1, tzinfo=UTC)),
        In("year", (1, datetime(2024, 1, 1, tzinfo=UTC))), Eq("year", (1, 2)), Eq("year", time(1)),
        Eq("year", timedelta(1)), In("tags", ("a",)), Ne("year", 1), Nin("year", (1,)), Contains("year", "a"),
        StartsWith("year", "a"), EndsWith("year", "a"), EqIgnoreCase("year", "a"), HasElement("tags", "a"),
        In("year", (0, 1)), In("year", (-0.0,)),
    ],
)  # fmt: skip
def test_it_is_not_asked_what_it_would_miss_or_refuse(test: Comparison) -> None:
    assert INDEXED.takes(test) is False


def test_where_lists_are_not_known_in_is_asked_of_the_collection_alone() -> None:
    unknown = IndexedProperties.of(["collection", "year"], None)
    assert unknown.takes(In("collection", ("a",)))
    assert not unknown.takes(In("year", (1,)))
    assert unknown.takes(Eq("year", 1))


def test_in_is_asked_of_what_no_chunk_has_as_a_list() -> None:
    indexed = IndexedProperties.of(["collection", "year", "tags"], ["tags", "undeclared"])
    assert indexed.takes(In("year", (False, True)))  # only a number is asked for by a range
    assert not indexed.takes(In("tags", ("a",)))


def test_a_name_is_free_of_lists_where_the_stamp_knows_all_names_that_are_not() -> None:
    indexed = IndexedProperties.of(["collection", "year"], ["tags"])
    assert all(map(indexed.is_listless, ["collection", "uri", "year", "undeclared"]))
    assert not any(map(indexed.is_listless, ["tags", "section_path", "a-b", "doc_keywords"]))


def test_where_the_stamp_has_too_many_names_it_knows_the_declared_ones_alone() -> None:
    many = IndexedProperties.of(["collection", "year"], [f"n{number}" for number in range(1_000)])
    assert many.is_listless("year")
    assert not many.is_listless("undeclared")


@pytest.mark.parametrize(
    "name",
    [
        "id", "collection", "uri", "document_id", "parent_id", "document_title", "title", "sequence_number", "position",
        "start", "end", "page", "source_start", "source_end", "level", "chunk_count", "content_type", "language",
        "fingerprint", "ingested_at", "name", "description", "origin",
    ],
)  # fmt: skip
def test_our_own_single_values_are_free_of_lists_whatever_the_stamp_knows(name: str) -> None:
    assert IndexedProperties.of([name], None).is_listless(name)
    assert IndexedProperties.of([name], None).takes(In(name, ("a",)))
