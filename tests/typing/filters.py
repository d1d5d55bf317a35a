"""Filters as a caller builds them. Only type-checked."""

from datetime import UTC, date, datetime
from typing import assert_type

from graphrag import EntityFilter, PropertyFilter, parse_filter, prop
from graphrag.filters import (
    And,
    Eq,
    FilterNode,
    Gte,
    HasAnyLabel,
    In,
    InMemoryPropertyFilter,
    Not,
    Or,
    filter_to_json,
    filter_to_text,
    matches,
    matches_object,
)
from graphrag.model import Chunk, ResultList, SimilarityResult

assert_type(prop("year") >= 2020, Gte)
assert_type(prop("owner") == "alice", Eq)
assert_type(prop("day").in_(date(2024, 1, 31), datetime(2024, 1, 31, tzinfo=UTC)), In)
assert_type(prop("tags").in_(["a", "b"]), In)
assert_type((prop("a") == 1) & (prop("b") == 2), And)
assert_type((prop("a") == 1) | EntityFilter.has_any_label("Person"), Or)
assert_type(~prop("a").exists(), Not)
assert_type(PropertyFilter.eq("owner", "alice").and_(EntityFilter.has_any_label("Person", "Company")), And)
assert_type(EntityFilter.has_any_label(["Person"]), HasAnyLabel)
assert_type(parse_filter("owner = 'alice'"), FilterNode)
assert_type(parse_filter({"owner": {"$ne": "alice"}}), FilterNode)
assert_type(filter_to_text(prop("a") == 1), str)
assert_type(filter_to_json(prop("a") == 1), dict[str, object])
assert_type(matches(prop("a") == 1, {"a": 1}, {"Person"}), bool)


def visible(results: list[SimilarityResult[Chunk]]) -> ResultList[SimilarityResult[Chunk]]:
    owner = prop("owner") == "alice"
    if results and matches_object(owner, results[0].match):
        return ResultList(results)
    return InMemoryPropertyFilter.filter_results(results, owner, EntityFilter.has_any_label("Person"))
