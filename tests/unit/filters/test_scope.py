"""What a caller may see: the rules by themselves. That the store keeps them is tested on a server."""

from typing import Any

import pytest

from graphrag.errors import InvalidFilterError, InvalidRequestError
from graphrag.filters.nodes import And, EntityFilter, Eq, In, Ne, Not, Or, PropertyFilter
from graphrag.filters.properties import prop
from graphrag.filters.scope import EVERYTHING, Scope, check_counted, check_scope, check_scope_filter, in_collections

CHUNK = {"Datum", "Retrievable", "Chunk"}
ENTITY = {"Datum", "Retrievable", "NamedEntity", "Person"}
A = Scope().with_metadata_filter(Eq("tenant", "a"))


def chunk(**properties: object) -> tuple[dict[str, object], set[str]]:
    return properties, CHUNK


def entity(**properties: object) -> tuple[dict[str, object], set[str]]:
    return properties, ENTITY


def test_a_chunk_is_visible_where_every_metadata_filter_is_true() -> None:
    both = A.with_metadata_filter(Eq("level", 1))
    assert both.sees_chunk(chunk(tenant="a", level=1))
    assert not both.sees_chunk(chunk(tenant="a", level=2))
    assert not both.sees_chunk(chunk(level=1))


def test_an_entity_filter_hides_no_chunk() -> None:
    assert Scope().with_entity_filter(Eq("tenant", "a")).sees_chunk(chunk())


def test_an_element_is_visible_where_one_of_its_chunks_is() -> None:
    assert A.sees_element([chunk(tenant="b"), chunk(tenant="a")])
    assert not A.sees_element([chunk(tenant="b")])
    assert not A.sees_element([])
    assert EVERYTHING.sees_element([])


@pytest.mark.parametrize(
    "properties, mentions, seen",
    [
        ({"origin": "extracted"}, [chunk(tenant="a"), chunk(tenant="b")], True),
        ({"origin": "extracted"}, [chunk(tenant="b")], False),
        ({"origin": "extracted", "tenant": "a"}, [], False),
        ({"origin": "application", "tenant": "a"}, [], True),
        ({"origin": "application", "tenant": "b"}, [], False),
        ({"origin": "application", "tenant": "b"}, [chunk(tenant="a")], True),
        ({"tenant": "a"}, [], False),
    ],
)  # fmt: skip
def test_an_entity_is_visible_by_a_mention_or_by_its_own_properties(
    properties: dict[str, object], mentions: list[tuple[dict[str, object], set[str]]], seen: bool
) -> None:
    assert A.sees_entity(entity(**properties), mentions) is seen


def test_an_entity_filter_holds_over_all_other_ways_to_see_an_entity() -> None:
    people = A.with_entity_filter(EntityFilter.has_any_label("Person")).with_entity_filter(Eq("open", True))
    assert people.sees_entity(entity(origin="extracted", open=True), [chunk(tenant="a")])
    assert not people.sees_entity(entity(origin="extracted", open=False), [chunk(tenant="a")])
    assert not people.sees_entity(({"origin": "application", "tenant": "a", "open": True}, {"Place"}), [])
    assert Scope().with_entity_filter(Eq("open", True)).sees_entity(entity(origin="extracted", open=True), [])


def test_collections_narrow_and_never_widen() -> None:
    assert A.within(None) is A
    inside = A.within(["one", "two", "one"])
    assert inside.metadata == (Eq("tenant", "a"), In("collection", ("one", "two")))
    assert not inside.sees_chunk(chunk(tenant="a", collection="three"))
    assert not inside.sees_chunk(chunk(tenant="b", collection="one"))
    assert not A.within([]).sees_chunk(chunk(tenant="a", collection="one"))
    assert in_collections(None) is None
    with pytest.raises(InvalidRequestError, match="collection"):
        in_collections([""])


@pytest.mark.parametrize(
    "filter_",
    [
        Ne("tenant", "b"), prop("tenant").nin("b"), Not(Eq("tenant", "b")), And(()), Not(Or(())),
        Or((Eq("tenant", "a"), Not(prop("tenant").exists()))), Not(EntityFilter.has_any_label("Secret")),
        prop("collection").exists(), EntityFilter.has_any_label("Chunk"), prop("id") != "x",
        prop("uri").exists() | Eq("tenant", "a"), prop("document_id").exists(), prop("parent_id").exists(),
        EntityFilter.has_any_label("Datum"), EntityFilter.has_any_label("Retrievable"), prop("id").exists(),
        # True of a node without anything, if not of a chunk.
        Not(prop("uri").exists()), Not(EntityFilter.has_any_label("Chunk")),
    ],
)  # fmt: skip
def test_a_filter_that_a_chunk_without_metadata_passes_is_refused_unless_it_is_allowed(filter_: PropertyFilter) -> None:
    """THREATS 10: documents without the property would be visible to everybody."""
    with pytest.raises(InvalidFilterError, match="allow_missing=True"):
        Scope().with_metadata_filter(filter_)
    assert Scope().with_metadata_filter(filter_, allow_missing=True).metadata == (filter_,)


@pytest.mark.parametrize("key", ["doc_author", "doc_", "document_title", "section_path", "title"])
def test_what_a_file_sets_of_itself_decides_nothing(key: str) -> None:
    hidden_deep = Eq("tenant", "a") & Not(Or((Eq("x", 1), Eq(key, "trusted"))))
    for allowed in (True, False):
        with pytest.raises(InvalidFilterError, match="a file sets this property") as caught:
            check_scope_filter(hidden_deep, allow_missing=allowed)
        assert caught.value.place == key


def test_narrowing_leaves_the_scope_that_it_begins_with_as_it_is() -> None:
    """THREATS 16: nothing that happens later changes a scope that is in use."""
    values = ["a"]
    scope = Scope().with_metadata_filter(prop("tenant").in_(values))
    values.append("b")
    scope.with_metadata_filter(Eq("level", 1)).with_entity_filter(Eq("open", True)).within(["x"])
    assert scope.metadata == (In("tenant", ("a",)),)
    assert scope.entity == ()
    assert not scope.sees_chunk(chunk(tenant="b"))


def test_what_is_no_filter_is_refused() -> None:
    with pytest.raises(InvalidFilterError, match="a filter is wanted"):
        Scope().with_entity_filter("tenant = 'a'")  # type: ignore[arg-type]


def test_narrowing_on_one_side_keeps_the_other() -> None:
    people = Scope().with_entity_filter(Eq("open", True))
    assert people.with_metadata_filter(Eq("tenant", "a")) == Scope((Eq("tenant", "a"),), (Eq("open", True),))
    assert people.within(["one"]) == Scope((In("collection", ("one",)),), (Eq("open", True),))


def test_collections_are_asked_for_in_one_order() -> None:
    """One filter for one question, so that what is remembered of it serves again."""
    names = [f"c{number}" for number in range(30)]
    wanted = In("collection", tuple(sorted(names)))
    assert in_collections(names) == in_collections(names[::-1]) == wanted


def test_a_filter_is_checked_as_strictly_as_a_scope_does_unless_said_otherwise() -> None:
    with pytest.raises(InvalidFilterError, match="without any metadata") as caught:
        check_scope_filter(Ne("tenant", "b"))
    assert caught.value.place == "scope"
    check_scope_filter(Ne("tenant", "b"), allow_missing=True)


def test_the_first_of_the_properties_that_a_file_sets_is_named() -> None:
    keys = [f"doc_{number:02}" for number in range(30)]
    with pytest.raises(InvalidFilterError) as caught:
        check_scope_filter(And(tuple(Eq(key, "x") for key in reversed(keys))))
    assert caught.value.place == "doc_00"


def test_what_is_seen_is_told_by_true_and_false() -> None:
    people = Scope().with_entity_filter(Eq("open", True))
    assert people.sees_entity(entity(), []) is False
    assert people.sees_entity(entity(open=True), []) is True


@pytest.mark.parametrize("scope", [{}, [], "", 0, False, A.metadata[0], Scope])
def test_what_is_no_scope_does_not_pass_for_the_one_that_sees_everything(scope: object) -> None:
    """THREATS 11: an empty value least of all."""
    with pytest.raises(InvalidRequestError, match="`scope` is of type .*; it must be a `Scope`"):
        check_scope(scope)
    assert check_scope(None) is EVERYTHING
    assert check_scope(A) is A


@pytest.mark.parametrize("names", ["one", b"one", 1])
def test_collections_come_as_a_list(names: object) -> None:
    """The letters of a text are no collections."""
    with pytest.raises(InvalidRequestError, match="`collections` is of type .*; it must be a list of names"):
        in_collections(names)  # type: ignore[arg-type]


@pytest.mark.parametrize("filter_", [Eq("collection", "public"), prop("uri").starts_with("file:///public/")])
def test_what_every_chunk_has_may_be_asked_for_by_value(filter_: PropertyFilter) -> None:
    assert Scope().with_metadata_filter(filter_).metadata == (filter_,)


def test_a_scope_lets_nobody_ask_for_the_stored_number_of_chunks() -> None:
    check_counted(Not(Eq("chunk_count", 7)), EVERYTHING)
    check_counted(Eq("chunk_count", 7), Scope().with_entity_filter(Eq("open", True)))
    check_counted(Eq("n", 7), A)
    check_counted(None, A)
    with pytest.raises(InvalidFilterError, match="counts chunks that are not visible") as caught:
        check_counted(Eq("n", 1) & Not(Eq("chunk_count", 7)), A)
    assert caught.value.place == "chunk_count"


def test_a_scope_keeps_filters_of_its_own() -> None:
    """THREATS 16: what a caller changes later changes no scope."""
    filters: list[PropertyFilter] = [Eq("tenant", "a")]
    scope = Scope(filters, filters)  # type: ignore[arg-type]
    filters.clear()
    assert scope == Scope((Eq("tenant", "a"),), (Eq("tenant", "a"),))
    assert not scope.sees_chunk(chunk(tenant="b"))


@pytest.mark.parametrize("name", ["metadata", "entity"])
def test_an_error_tells_which_filters_are_none(name: str) -> None:
    with pytest.raises(InvalidFilterError, match="come as a tuple; this is of type str") as caught:
        Scope(**{name: "tenant = 'a'"})  # type: ignore[arg-type]
    assert caught.value.place == name


@pytest.mark.parametrize("filters", [(None,), ("tenant = 'a'",), None, Eq("tenant", "a"), "a"])
def test_a_scope_holds_filters_alone(filters: Any) -> None:
    """None among them would let everything through."""
    with pytest.raises(InvalidFilterError, match="a filter is wanted|come as a tuple"):
        Scope(filters)
    with pytest.raises(InvalidFilterError, match="a filter is wanted|come as a tuple"):
        Scope((), filters)
