"""Grouping by leaders: who is first takes all that are near and free."""

from hypothesis import given, strategies as st

from graphrag.stores.neo4j.leaders import Group, Leaders, Neighbour

NAMES = "abcdefgh"
edges = st.sets(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).filter(lambda pair: pair[0] < pair[1]))


def neighbours(name: str, near: set[tuple[str, str]]) -> list[Neighbour]:
    others = sorted({*(b for a, b in near if a == name), *(a for a, b in near if b == name)})
    return [Neighbour(other, 1.0) for other in others]


def grouped(near: set[tuple[str, str]]) -> Leaders:
    leaders = Leaders()
    for name in NAMES:
        if leaders.is_free(name):
            leaders.take(name, neighbours(name, near))
    return leaders


@given(edges)
def test_each_stands_in_one_group_at_most_and_is_near_to_its_anchor(near: set[tuple[str, str]]) -> None:
    leaders = grouped(near)
    members = [name for group in leaders.groups for name in (group.anchor, *(one.id for one in group.members))]
    assert len(members) == len(set(members))
    for group in leaders.groups:
        assert group.size == 1 + len(group.members) > 1
        for one in group.members:
            assert tuple(sorted((group.anchor, one.id))) in near


@given(edges)
def test_whatever_is_free_at_the_end_is_near_to_nothing_that_is_free(near: set[tuple[str, str]]) -> None:
    leaders = grouped(near)
    free = {name for name in NAMES if leaders.is_free(name)}
    assert not any({a, b} <= free for a, b in near)


def test_one_that_found_nothing_free_can_still_be_taken() -> None:
    """An index that is approximate may show two to each other from one side alone."""
    leaders = Leaders()
    leaders.take("a", [])
    assert leaders.is_free("a")
    leaders.take("b", [Neighbour("a", 0.97)])
    assert leaders.groups == [Group("b", (Neighbour("a", 0.97),))]


def test_the_largest_come_first_and_equal_ones_by_their_anchor() -> None:
    leaders = Leaders()
    for anchor, members in (("c", "de"), ("f", "g"), ("a", "b"), ("h", "ijk")):
        leaders.take(anchor, [Neighbour(member, 1.0) for member in members])
    assert [group.anchor for group in leaders.largest(10, least=2)] == ["h", "c", "a", "f"]
    assert [group.anchor for group in leaders.largest(3, least=2)] == ["h", "c", "a"]
    assert [group.anchor for group in leaders.largest(10, least=4)] == ["h"]
