"""How many candidates a search asks for, and what it remembers."""

import pytest

from graphrag.stores.neo4j.paths import MatchMemory, first_candidates, next_candidates, wanted_candidates


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_what_was_learned_is_recalled_until_it_is_old() -> None:
    clock = Clock()
    memory = MatchMemory(clock)
    memory.learn("f", few=False, share=0.25)
    known = memory.recall("f")
    assert known is not None
    assert (known.few, known.share) == (False, 0.25)
    clock.now = 120.0
    assert memory.recall("f") is not None
    clock.now = 120.1
    assert memory.recall("f") is None


def test_only_so_many_filters_are_remembered_and_those_in_use_stay() -> None:
    memory = MatchMemory(Clock())
    memory.learn("used", few=True)
    for number in range(1_023):
        memory.learn(number, few=True)
    assert memory.recall("used") is not None
    memory.learn("one more", few=True)
    assert memory.recall("used") is not None
    assert memory.recall(0) is None
    assert memory.recall(1) is not None


@pytest.mark.parametrize(
    "wanted, share, expected",
    [(50, 1.0, 65), (50, 0.5, 130), (50, None, 650), (50, 0.0, 10_000), (50, 1e-4, 10_000), (50, 1e-2, 6_500)],
)
def test_the_first_question_is_for_as_many_as_are_likely_to_do(wanted: int, share: float | None, expected: int) -> None:
    assert first_candidates(wanted, share, most=10_000) == expected


def test_the_next_question_grows_by_what_passed_but_at_least_fourfold_and_never_over_the_most() -> None:
    assert next_candidates(50, 100, 25, most=10_000) == 400
    assert next_candidates(50, 100, 5, most=10_000) == 1_300
    assert next_candidates(50, 100, 0, most=10_000) == 10_000
    assert next_candidates(50, 5_000, 40, most=10_000) == 10_000


@pytest.mark.parametrize(
    "share, inside, outside",
    [(1.0, 50, 50), (0.9, 50, 50), (0.89, 100, 100), (0.3, 100, 100), (0.29, 500, 350), (None, 500, 350)],
)
def test_a_thinner_filter_needs_more_candidates_that_pass(share: float | None, inside: int, outside: int) -> None:
    assert wanted_candidates(50, share, inside=True) == inside
    assert wanted_candidates(50, share, inside=False) == outside
    assert wanted_candidates(50, share, inside=False, matched=10) == outside


@pytest.mark.parametrize("matched, expected", [(1, 200), (2_500, 200), (2_501, 500), (None, 500)])
def test_an_index_that_filters_is_asked_for_fewer_where_few_match(matched: int | None, expected: int) -> None:
    assert wanted_candidates(50, 0.01, inside=True, matched=matched) == expected
    assert wanted_candidates(50, 0.5, inside=True, matched=matched) == 100


def test_age_is_counted_from_when_it_was_learned() -> None:
    clock = Clock()
    memory = MatchMemory(clock)
    clock.now = 1_000.0
    memory.learn("f", few=True)
    clock.now = 1_100.0
    assert memory.recall("f") is not None
    memory.learn("f", few=False)
    clock.now = 1_220.0
    known = memory.recall("f")
    assert known is not None
    assert (known.few, known.at) == (False, 1_100.0)


def test_what_is_learned_anew_is_the_last_to_be_forgotten() -> None:
    memory = MatchMemory(Clock())
    for number in range(1_024):
        memory.learn(number, few=True)
    memory.learn(0, few=False)
    memory.learn("one more", few=True)
    assert memory.recall(0) is not None
    assert memory.recall(1) is None
