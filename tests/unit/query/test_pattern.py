"""The dialect, and what is refused: each error tells the place."""

# ruff: noqa: RUF001 - letters of other scripts are a subject here

import time

import pytest

from graphrag.config import Limits
from graphrag.errors import InvalidPatternError, InvalidRequestError
from graphrag.query.matching import MatchBudget
from graphrag.query.pattern import compile_pattern

TEXT = "first line\nПривет мир\nend"


@pytest.mark.parametrize(
    "pattern, hits",
    [
        ("line", True),
        ("first.*end", False),
        ("(?s)first.*end", True),
        ("(?i)привет", True),
        ("ПРИВЕТ", False),
        ("^end$", True),
        ("(?-m)^end$", False),
        (r"\Aend", False),
        (r"\Afirst", True),
        (r"end\z", True),
        (r"line\z", False),
        (r"\bмир\b", False),
        (r"\pL{6} мир", True),
    ],
)
def test_the_dialect(pattern: str, *, hits: bool) -> None:
    r"""CASE 10: unanchored; `^` and `$` by line, `.` within one; `(?i)` over all of Unicode, `\b` over ASCII."""
    assert compile_pattern(pattern).found_in(TEXT.encode()) is hits


@pytest.mark.parametrize(
    "pattern, position, reason",
    [
        ("(", 0, "missing )"),
        ("a(b(c)", 1, "missing )"),
        ("x)", 1, "unexpected )"),
        (r"(\w*)*\1b", 6, r"invalid escape sequence `\1`"),
        (r"\\1\1", 3, r"invalid escape sequence `\1`"),
        ("a(?=b)", 1, "invalid perl operator `(?=`"),
        ("[z-a]", 1, "invalid character class range `z-a`"),
        ("*a", 0, "no argument for repetition operator `*`"),
        ("a**", 1, "bad repetition operator `**`"),
        (r"a\p{Foo}", 1, r"invalid character class range `\p{Foo}`"),
        ("a[b", 1, "missing ]"),
        ("a\\", 1, "trailing"),
        ("a{1001}", 1, "invalid repetition size `{1001}`"),
        ("((((a{0,100}){0,100}){0,100}){0,100})", 5, "invalid repetition size `{0,100}`"),
        (r"\pL{1000}\pL{1000}", None, "too much memory"),
        ("a\ud800", 1, "half a character"),
    ],
)
def test_what_re2_refuses_is_told_with_its_place(pattern: str, position: int | None, reason: str) -> None:
    """THREATS 43, CASE 10: a typed error that names the place and what is accepted."""
    with pytest.raises(InvalidPatternError) as raised:
        compile_pattern(pattern)
    assert raised.value.position == position
    assert reason in str(raised.value)
    if position is not None:
        assert f"at character {position + 1} of the pattern: " in str(raised.value)


def test_patterns_are_bounded_and_are_text() -> None:
    """The limit of 500 characters holds, and is a setting."""
    assert compile_pattern("x" * 500).found_in(b"x" * 500)
    with pytest.raises(InvalidPatternError, match="501 characters; it may have 500"):
        compile_pattern("x" * 501)
    with pytest.raises(InvalidPatternError, match="4 characters; it may have 3"):
        compile_pattern("xxxx", limits=Limits(max_regex_chars=3))
    with pytest.raises(InvalidRequestError, match="of type NoneType; it must be text"):
        compile_pattern(None)  # type: ignore[arg-type]


def test_a_budget_ends_by_rows_bytes_and_time() -> None:
    """THREATS 44: what is spent is told, and only where a text was left."""
    pattern = compile_pattern("x")
    texts = ["x", "y", "x", "x"]
    whole = MatchBudget(4, 100, 60)
    assert whole.matching(pattern, texts, wanted=9) == [0, 2, 3]
    assert (whole.spent, whole.looked_at) == ("", 4)
    rows = MatchBudget(3, 100, 60)
    assert rows.matching(pattern, texts, wanted=9) == [0, 2]
    assert (rows.spent, rows.looked_at) == ("rows", 3)
    size = MatchBudget(9, 3, 60)
    assert size.matching(pattern, ["яx", "x"], wanted=9) == [0]
    assert size.spent == "bytes"
    late = MatchBudget(9, 100, 1e-9)
    assert late.matching(pattern, texts, wanted=9) == []
    assert late.spent == "time"
    enough = MatchBudget(1, 100, 60)
    assert enough.matching(pattern, texts, wanted=1) == [0]
    assert enough.spent == ""


def test_a_text_that_would_take_longer_than_is_left_ends_the_search() -> None:
    """THREATS 41: three thousand states a byte over the longest chunk there is would take RE2 ten seconds and more."""
    slow = compile_pattern(r"(?s).{1000}.{1000}.{1000}Q")
    assert slow.states > 20_000
    texts = ["tide mill", "é" * 16_000, "é" * 16_000]
    budget = MatchBudget(9, 1_000_000, 2.0)
    started = time.monotonic()
    assert budget.matching(slow, texts, wanted=9) == []
    assert (budget.spent, budget.looked_at) == ("time", 1)
    assert time.monotonic() - started < 4
    # The number of states says nothing of a pattern that fails at once.
    quick = compile_pattern(r"\pL{100}Q")
    assert quick.states > 100_000
    budget = MatchBudget(9, 1_000_000, 60.0)
    assert budget.matching(quick, ["1 " * 8_000, "2 " * 8_000], wanted=9) == []
    assert (budget.spent, budget.looked_at) == ("", 2)
