"""How many terms an analyzer makes of a text. What is expected was taken from Lucene 10.5 (`StandardTokenizer`)."""

# ruff: noqa: RUF001 - letters of other scripts are the subject

import pytest
from hypothesis import given, strategies as st

from graphrag.query.tokens import first_tokens, is_token_char

LUCENE_SAYS = [
    ("mill", 1), ("tide-mill", 2), ("can't", 1), ("l’eau", 1), ("a.b.c", 1), ("x:y", 1), ("3.14", 1), ("1,000,000", 1),
    ("a,b", 2), ("1:2", 2), ("a'1", 2), ("1.a", 2), ("foo_bar", 1), ("_", 0), ("a__b", 1), ("C++", 1), ("a·b", 1),
    ("日本語", 3), ("ひら", 2), ("カタカナ", 1), ("カaナ", 3), ("ア_a", 1), ("한국어", 1), ("ไทยภาษา", 1), ("กaก", 3),
    ("😀😀", 2), ("👍🏽", 1), ("👨‍👩‍👧", 1), ("🇩🇪", 1), ("🇩", 0), ("🏻", 1), ("#️⃣", 1), ("#", 0), ("1️⃣", 1),
    ("─═", 0), ("½²", 0), ("Ⅷ", 1), ("zero\u200bwidth", 2), ("soft\u00adhyphen", 1), ("e\u0301te", 1), ("\u0301", 0),
    ("日\u200d日", 2), ("↔", 1), ("ⓐ", 1), ("", 0),
    ("a" * 255, 1), ("a" * 256, 2), ("a" * 1_000, 4),
]  # fmt: skip


@pytest.mark.parametrize("term, count", LUCENE_SAYS)
def test_the_count_is_that_of_lucene(term: str, count: int) -> None:
    assert first_tokens(term, 10_000) == (len(term), count)


def test_a_term_is_cut_where_the_next_one_begins() -> None:
    assert first_tokens("a-b-c", 2) == (4, 2)
    assert first_tokens("日本語", 2) == (2, 2)
    assert first_tokens("a-b", 2) == (3, 2)
    assert first_tokens("--", 0) == (2, 0)
    assert first_tokens("--a", 0) == (2, 0)
    assert first_tokens("a" * 600, 2) == (510, 2)


@given(st.text(max_size=200), st.integers(0, 50))
def test_what_is_cut_has_as_many_as_were_asked_for(text: str, limit: int) -> None:
    end, count = first_tokens(text, limit)
    assert count <= limit
    assert end == len(text) or count == limit
    assert first_tokens(text[:end], limit)[1] <= limit


@pytest.mark.parametrize("char", "a1éпア日한ก😀🏻↔‼〰ⓐ˂՛؉"[:-1])
def test_characters_that_are_terms(char: str) -> None:
    assert is_token_char(char)


@pytest.mark.parametrize("char", "_-.,'#*─½\u0301\u200d\u200b\u00a0\ufffd")
def test_characters_that_are_none(char: str) -> None:
    assert not is_token_char(char)
