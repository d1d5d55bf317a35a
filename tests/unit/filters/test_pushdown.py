"""Splitting a filter into what an index takes and what is left."""

from graphrag.filters.nodes import And, Between, Comparison, Eq, Exists, Gt, Gte, HasAnyLabel, In, Lt, Lte, Ne, Not, Or
from graphrag.filters.pushdown import Split, split


def takes_declared(test: Comparison) -> bool:
    return test.key in {"a", "b"} and isinstance(test, Eq | In | Gt | Gte | Lt | Lte | Exists)


def test_what_the_index_takes_goes_inside_and_the_rest_stays() -> None:
    nodes = (Eq("a", 1), Ne("a", 2), Eq("undeclared", 1), HasAnyLabel(("A",)), Or((Eq("a", 1), Eq("b", 1))), Lt("b", 3))
    assert split(nodes, takes_declared) == Split((Eq("a", 1), Lt("b", 3)), (nodes[1], nodes[2], nodes[3], nodes[4]))


def test_a_filter_that_goes_inside_as_a_whole_leaves_nothing() -> None:
    assert split((Eq("a", 1), Exists("b")), takes_declared) == Split((Eq("a", 1), Exists("b")), ())


def test_combinations_never_go_inside() -> None:
    nodes = (Not(Eq("a", 1)), Or((Eq("a", 1),)), And((Eq("a", 1),)))
    assert split(nodes, takes_declared) == Split((), nodes)


def test_between_goes_inside_as_its_two_bounds() -> None:
    assert split((Between("a", 1, 5),), takes_declared) == Split((Gte("a", 1), Lte("a", 5)), ())


def test_a_second_test_of_the_same_bound_stays_outside() -> None:
    """The server takes one test a bound of a property; the whole filter is evaluated once more anyway."""
    assert split((Gt("a", 1), Gte("a", 5), Lt("a", 9)), takes_declared) == Split(
        (Gt("a", 1), Lt("a", 9)), (Gte("a", 5),)
    )
    assert split((Eq("a", 1), In("a", (1, 2))), takes_declared) == Split((Eq("a", 1),), (In("a", (1, 2)),))
    assert split((Gt("a", 1), Eq("a", 2)), takes_declared) == Split((Gt("a", 1),), (Eq("a", 2),))
    assert split((Exists("a"), Gt("a", 2)), takes_declared) == Split((Exists("a"),), (Gt("a", 2),))


def test_tests_of_two_properties_do_not_meet() -> None:
    assert split((Eq("a", 1), Eq("b", 1)), takes_declared) == Split((Eq("a", 1), Eq("b", 1)), ())


def test_no_filter_is_split_into_nothing() -> None:
    assert split((), takes_declared) == Split((), ())


def test_both_sides_of_a_range_go_inside_whichever_their_operators() -> None:
    for nodes in [(Gt("a", 1), Lte("a", 9)), (Gte("a", 1), Lt("a", 9)), (Lt("a", 9), Gte("a", 1))]:
        assert split(nodes, takes_declared) == Split(nodes, ())


def test_an_equality_and_a_membership_are_the_only_test_of_their_property() -> None:
    for node in (Eq("a", 1), In("a", (1, 2)), Exists("a")):
        for bound in (Gt("a", 0), Lte("a", 9)):
            assert split((node, bound), takes_declared) == Split((node,), (bound,))
            assert split((bound, node), takes_declared) == Split((bound,), (node,))


def test_a_range_of_which_the_index_takes_one_bound_alone_stays_outside() -> None:
    """It would be asked of the index in part, and of every node in whole: nothing is gained."""
    node = Between("a", 1, 5)
    assert split((node,), lambda test: isinstance(test, Gte)) == Split((), (node,))
    assert split((node, Gte("a", 2)), takes_declared) == Split((Gte("a", 1), Lte("a", 5)), (Gte("a", 2),))
