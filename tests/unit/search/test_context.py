"""Chunks that stand together as text."""

import random

import pytest
from hypothesis import given, strategies as st

from graphrag.errors import InvalidRequestError
from graphrag.model import Chunk, SimilarityResult
from graphrag.search import joined_text, passages
from tests.unit.search.doubles import make_chunks

TEXT = "The mill stands by the tide. 東京 😀 e\u0301. Its wheel turns twice a day; the gate closes behind the water."


def cut(text: str, places: list[tuple[int, int]]) -> list[Chunk]:
    return [
        Chunk(id=f"c{number:02d}", document_id="d", parent_id="d", sequence_number=number, text="", urtext=text[a:b],
              start=a, end=b)
        for number, (a, b) in enumerate(places)
    ]  # fmt: skip


@st.composite
def covers(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Slices that cover the text in order, each beginning in the one before it or at its end."""
    places = [(0, draw(st.integers(1, len(TEXT))))]
    while places[-1][1] < len(TEXT):
        start = draw(st.integers(places[-1][0] + 1, places[-1][1]))
        places.append((start, draw(st.integers(max(start, places[-1][1]) + 1, len(TEXT)))))
    return places


@given(places=covers(), seed=st.integers(0, 9))
def test_overlapping_chunks_give_each_character_once_whatever_their_order(
    places: list[tuple[int, int]], seed: int
) -> None:
    chunks = cut(TEXT, places)
    shuffled = random.Random(seed).sample([*chunks, *chunks[:2]], len(chunks) + len(chunks[:2]))  # noqa: S311 - tests
    assert joined_text(shuffled) == TEXT


def test_left_out_text_is_marked() -> None:
    chunks = cut(TEXT, [(0, 10), (8, 20), (30, 40)])
    assert joined_text(chunks) == f"{TEXT[:20]}\n[…]\n{TEXT[30:40]}"
    assert joined_text(chunks, gap=" … ") == f"{TEXT[:20]} … {TEXT[30:40]}"
    assert joined_text([]) == ""


def test_a_chunk_inside_of_another_adds_nothing() -> None:
    assert joined_text(cut(TEXT, [(0, 20), (5, 10), (18, 25)])) == TEXT[:25]


def test_chunks_without_places_stand_on_lines_of_their_own() -> None:
    placed = cut(TEXT, [(0, 10)])
    loose = [chunk.model_copy(update={"id": chunk.id + "x", "sequence_number": 5, "start": 0, "end": 0})
             for chunk in cut("abc", [(0, 3)])]  # fmt: skip
    assert joined_text([*placed, *loose]) == f"{TEXT[:10]}\nabc"


def test_chunks_of_two_documents_are_not_joined() -> None:
    with pytest.raises(InvalidRequestError, match="more than one document"):
        joined_text(make_chunks({"a": ["x"], "b": ["y"]}))


def results(*hits: tuple[str, list[str]]) -> list[SimilarityResult[Chunk]]:
    """Return results by the id of each and of its context."""
    by_id = {chunk.id: chunk for chunk in make_chunks({"a": [f"a{n} " for n in range(10)], "b": ["b0 ", "b1 "]})}
    return [SimilarityResult(by_id[id_], 0.5, context=tuple(by_id[other] for other in around)) for id_, around in hits]


def test_contexts_that_touch_become_one_passage_at_the_place_of_its_best_result() -> None:
    found = passages(
        results(
            ("b-001", []),
            ("a-003", ["a-002", "a-003", "a-004"]),
            ("a-008", ["a-008"]),
            ("a-005", ["a-004", "a-005", "a-006"]),
        )
    )
    assert [(passage.hit_ids, passage.rank, passage.text) for passage in found] == [
        (("b-001",), 1, "b1 "),
        (("a-003", "a-005"), 2, "a2 a3 a4 a5 a6 "),
        (("a-008",), 3, "a8 "),
    ]
    assert passages([]) == []


def test_a_passage_has_the_place_of_the_best_result_that_brought_any_of_it() -> None:
    found = passages(results(("a-001", []), ("b-000", []), ("a-002", ["a-001", "a-002"])))
    assert [(passage.hit_ids, passage.rank) for passage in found] == [(("a-001", "a-002"), 1), (("b-000",), 2)]


def test_no_chunk_comes_twice_in_passages_and_none_is_lost() -> None:
    hits = results(("a-001", ["a-000", "a-001"]), ("a-001", ["a-001", "a-002"]), ("a-007", ["a-006", "a-007", "a-008"]))
    held = [chunk.id for passage in passages(hits) for chunk in passage.chunks]
    assert held == ["a-000", "a-001", "a-002", "a-006", "a-007", "a-008"]
