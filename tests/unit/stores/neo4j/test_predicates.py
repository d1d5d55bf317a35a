"""What a call's filter, scope and collections put into the slots of a statement. What it finds is tested on a server.

A slot that is not filled keeps the default of its statement, which hides nothing.
"""

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pytest
from neo4j.time import Time

from graphrag.cypher import Fragment
from graphrag.errors import InvalidFilterError
from graphrag.filters.nodes import And, Eq, Gt, HasAnyLabel, In, Or
from graphrag.filters.scope import EVERYTHING, Scope
from graphrag.filters.simplify import FALSE
from graphrag.stores.neo4j.predicates import Conditions, Predicate, Predicates, predicate

WHERE = Gt("year", 2020)
TENANT = Scope().with_metadata_filter(Eq("tenant", "a"))
OPEN = TENANT.with_entity_filter(Eq("open", True))
OWN_SCALARS = (
    "id", "collection", "uri", "document_id", "parent_id", "document_title", "title", "sequence_number", "position",
    "start", "end", "page", "source_start", "source_end", "level", "chunk_count", "content_type", "language",
    "fingerprint", "ingested_at", "name", "description", "origin",
)  # fmt: skip


def parts(made: Predicates) -> tuple[dict[str, str], dict[str, object]]:
    return {slot: str(text) for slot, text in made.slots.items()}, made.parameters


def test_conditions_are_the_simplest_form_of_all_filters() -> None:
    assert Conditions.of([None, And((WHERE, WHERE)), Eq("a", 1)]).nodes == (WHERE, Eq("a", 1))
    assert Conditions.of([]).nodes == ()
    assert Conditions.of([]).never is False
    assert Conditions.of([WHERE]).never is False
    assert Conditions.of([WHERE, Or(())]).nodes == (FALSE,)
    assert Conditions.of([WHERE, Or(())]).never is True


def test_conditions_are_over_the_variable_c_unless_another_is_named() -> None:
    conditions = Conditions.of([WHERE])
    assert conditions.compiled() == Predicate(Fragment("c.year > $_filter_0"), {"_filter_0": 2020})
    assert conditions.compiled("node", prefix="p") == Predicate(Fragment("node.year > $p0"), {"p0": 2020})


def test_what_a_chunk_must_be_is_scope_collections_and_filter_together() -> None:
    tenant, archive = Eq("tenant", "a"), In("collection", ("archive",))
    assert Conditions.of_chunks(WHERE, TENANT, ["archive"]).nodes == (tenant, archive, WHERE)
    assert Conditions.of_chunks(None, TENANT, None).nodes == (tenant,)
    assert Conditions.of_chunks(None, None, None).nodes == ()


def test_an_explanation_tells_a_condition_and_nothing_where_there_is_none() -> None:
    assert Conditions.of([WHERE]).compiled().told == "c.year > $_filter_0"
    assert Conditions.of([]).compiled().text == "true"
    assert not Conditions.of([]).compiled().told


@pytest.mark.parametrize("key", OWN_SCALARS)
def test_membership_of_a_property_of_ours_is_asked_as_an_index_answers_it(key: str) -> None:
    assert Conditions.of([In(key, ("x",))]).compiled().text == f"c.{key} IN $_filter_0"


def test_membership_of_another_property_looks_into_lists_unless_it_is_known_to_hold_none() -> None:
    conditions = Conditions.of([In("tag", ("x",))])
    assert "LIST" in conditions.compiled().text
    assert conditions.compiled(listless=["tag"]).text == "c.tag IN $_filter_0"
    assert Conditions.of([In("id", ("x",))]).compiled(listless=["tag"]).text == "c.id IN $_filter_0"


def test_a_predicate_takes_filters_as_they_come() -> None:
    made = predicate([None, WHERE, In("tag", ("x",))], "n", prefix="q", listless=["tag"])
    assert made == Predicate(Fragment("(n.year > $q0) AND (n.tag IN $q1)"), {"q0": 2020, "q1": ["x"]})


def test_values_go_in_the_form_that_the_driver_takes() -> None:
    """A zone of `zoneinfo` would be answered with another hour by the driver's own types."""
    berlin = time(12, tzinfo=ZoneInfo("Etc/GMT-2"))
    assert isinstance(Conditions.of([Eq("at", berlin)]).compiled().parameters["_filter_0"], Time)
    summer = datetime(2024, 7, 1, 12, tzinfo=ZoneInfo("Europe/Berlin"))
    (sent,) = Conditions.of([Eq("at", summer)]).compiled().parameters.values()
    assert sent == summer
    assert isinstance(sent, datetime)
    assert sent.tzinfo is UTC


def test_two_slots_of_a_call_keep_their_parameters_apart() -> None:
    made = Predicates().add("where", [WHERE], "c").add("own", [Eq("a", "x")], "e").add("none", [None, And(())], "e")
    assert parts(made) == (
        {"where": "c.year > $_where_0", "own": "e.a = $_own_0"},
        {"_where_0": 2020, "_own_0": "x"},
    )


def test_predicates_of_two_calls_share_nothing() -> None:
    Predicates().add("where", [WHERE], "c")
    assert parts(Predicates()) == ({}, {})


@pytest.mark.parametrize("scope", [None, EVERYTHING])
def test_without_a_scope_only_what_was_asked_for_counts(scope: Scope | None) -> None:
    assert parts(Predicates.of_chunks(None, scope, None)) == ({}, {"scoped": False})
    assert parts(Predicates.of_chunks(WHERE, scope, None)) == (
        {"where": "c.year > $_where_0"},
        {"scoped": False, "_where_0": 2020},
    )
    assert parts(Predicates.of_documents(None, scope, None)) == ({}, {"scoped": False})
    assert parts(Predicates.of_entities(None, scope)) == ({}, {"scoped": False})
    assert parts(Predicates.of_nodes(scope, None)) == ({}, {"scoped": False})


def test_chunks_are_filtered_by_scope_collections_and_filter_at_once() -> None:
    assert parts(Predicates.of_chunks(WHERE, OPEN, ["two", "one"])) == (
        {"where": "(c.tenant = $_where_0) AND (c.collection IN $_where_1) AND (c.year > $_where_2)"},
        {"scoped": True, "_where_0": "a", "_where_1": ["one", "two"], "_where_2": 2020},
    )
    assert parts(Predicates.of_chunks(None, None, ["one"])) == (
        {"where": "c.collection IN $_where_0"},
        {"scoped": True, "_where_0": ["one"]},
    )
    assert parts(Predicates.of_chunks(None, None, [])) == ({"where": "false"}, {"scoped": True})


def test_documents_are_filtered_themselves_and_seen_by_one_of_their_chunks() -> None:
    assert parts(Predicates.of_documents(WHERE, OPEN, ["one"])) == (
        {"where": "(d.collection IN $_where_0) AND (d.year > $_where_1)", "visible": "c.tenant = $_visible_0"},
        {"scoped": True, "_where_0": ["one"], "_where_1": 2020, "_visible_0": "a"},
    )
    assert parts(Predicates.of_documents(WHERE, None, ["one"], slot="documents")) == (
        {"documents": "(d.collection IN $_documents_0) AND (d.year > $_documents_1)"},
        {"scoped": False, "_documents_0": ["one"], "_documents_1": 2020},
    )


def test_within_a_scope_documents_are_not_filtered_by_a_number_that_counts_hidden_chunks() -> None:
    with pytest.raises(InvalidFilterError, match="counts chunks that are not visible"):
        Predicates.of_documents(Gt("chunk_count", 3), TENANT, None)
    assert Predicates.of_documents(Gt("chunk_count", 3), None, None).slots["where"] == "d.chunk_count > $_where_0"


def test_entities_are_filtered_themselves_and_seen_by_a_mention_or_as_the_applications_own() -> None:
    person = HasAnyLabel(("Person",))
    assert parts(Predicates.of_entities(person, OPEN)) == (
        {
            "where": "(e.open = $_where_0) AND (e:Person)",
            "visible": "c.tenant = $_visible_0",
            "own": "e.tenant = $_own_0",
        },
        {"scoped": True, "_where_0": True, "_visible_0": "a", "_own_0": "a"},
    )
    entity_only = Scope().with_entity_filter(Eq("open", True))
    assert parts(Predicates.of_entities(None, entity_only)) == (
        {"where": "e.open = $_where_0"},
        {"scoped": False, "_where_0": True},
    )


def test_any_node_is_seen_by_a_chunk_in_the_collections_and_an_entity_in_none_by_itself() -> None:
    assert parts(Predicates.of_nodes(OPEN, ["one"])) == (
        {
            "where": "(c.tenant = $_where_0) AND (c.collection IN $_where_1)",
            "entity": "n.open = $_entity_0",
            "own": "n.tenant = $_own_0",
        },
        {"scoped": True, "_where_0": "a", "_where_1": ["one"], "_entity_0": True, "_own_0": "a"},
    )
    assert parts(Predicates.of_nodes(None, ["one"])) == (
        {"where": "c.collection IN $_where_0"},
        {"scoped": True, "_where_0": ["one"]},
    )


def test_a_fingerprint_is_short_and_tells_text_and_values_but_no_order_of_parameters() -> None:
    one = Predicate(Fragment("c.a = $p0"), {"p0": "x" * 8_000, "p1": 2})
    assert one.fingerprint() == Predicate(one.text, {"p1": 2, "p0": "x" * 8_000}).fingerprint()
    assert len(one.fingerprint()) == 16
    others = [Predicate(one.text, {"p0": "x", "p1": 2}), Predicate(Fragment("c.b = $p0"), one.parameters)]
    assert len({other.fingerprint() for other in (one, *others)}) == 3
