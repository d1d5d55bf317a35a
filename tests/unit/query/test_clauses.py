"""Clauses of a query: what is excluded stays excluded wherever it stands; empty parts leave nothing behind."""

import pytest

from graphrag.query.clauses import Clauses, Node, Occur, Term, clauses, positive_terms, written

A, B, C = Term("a"), Term("b"), Term("c")
NOT_A = Clauses(must_not=(A,))
NEITHER = Clauses(must_not=(A, B))


@pytest.mark.parametrize(
    "parts, expected",
    [
        ([("", A)], "a"),
        ([("+", A)], "+a"),
        ([("-", A)], "-a"),
        ([("-", B), ("", A), ("+", C)], "+c a -b"),
        ([("", C), ("+", Clauses(should=(A, B)))], "+(a b) c"),
        ([("", C), ("-", Clauses(must=(A, B)))], "c -(+a +b)"),
        ([("", C), ("", NEITHER)], "c -a -b"),
        ([("", C), ("+", NEITHER)], "c -a -b"),
        ([("-", NOT_A)], "+a"),
        ([("", C), ("-", NEITHER)], "+(a b) c"),
        ([("", None), ("+", A), ("-", None)], "+a"),
    ],
)
def test_parts_are_written_by_what_is_asked_of_them(parts: list[tuple[Occur, Node | None]], expected: str) -> None:
    node = clauses(parts)
    assert node is not None
    assert written(node) == expected


def test_parts_without_anything_are_nothing() -> None:
    assert clauses([]) is None
    assert clauses([("+", None), ("-", None)]) is None


def test_only_what_may_be_found_is_positive() -> None:
    node = clauses([("-", C), ("+", Clauses(should=(B,), must_not=(C,))), ("", A)])
    assert node is not None
    assert list(positive_terms(node)) == [B, A]
    assert list(positive_terms(NEITHER)) == []
    assert NEITHER.only_excludes
    assert not Clauses(must=(A,), must_not=(B,)).only_excludes
