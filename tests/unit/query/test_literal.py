"""Literal queries: any text is words; the query that is sent is escaped, bounded, and holds no operator."""

import re

import pytest
from hypothesis import given, strategies as st

from graphrag.config import Limits
from graphrag.query.literal import literal_query
from graphrag.query.terms import has_word

UNESCAPED = re.compile(r"(?<!\\)(?:\\\\)*[-+&|!(){}\[\]^\"~*?:/]")


@given(st.text(st.characters(codec=None)))
def test_any_text_becomes_a_query_without_operators(text: str) -> None:
    query = literal_query(text)
    words = re.sub(r' "(?:[^"\\]|\\.)*"\^2$', "", query.lucene)
    assert not UNESCAPED.search(words.replace("\\\\", ""))
    assert not {"AND", "OR", "NOT"} & set(words.split())
    query.lucene.encode()
    assert bool(query.lucene) == has_word(text)
    assert "\0" not in query.lucene


@pytest.mark.parametrize("text", ["a", "1", "é", "漢", "🦊", "x!", "_a_", "\u0301a"])
def test_letters_digits_and_pictures_are_words(text: str) -> None:
    assert has_word(text)


@pytest.mark.parametrize("text", ["", " ", "!?", "—", "…", "“”", "。", "_", "+", "€", "\0", "\ud800", "\u200b"])
def test_marks_and_blanks_are_none(text: str) -> None:
    assert not has_word(text)
    assert literal_query(text).lucene == ""


def test_terms_are_escaped_and_joined_with_their_phrase() -> None:
    assert literal_query("fox").lucene == "fox"
    assert literal_query("quick fox").lucene == 'quick fox "quick fox"^2'
    assert literal_query('a"b c\\d').lucene == 'a\\"b c\\\\d "a\\"b c\\\\d"^2'
    assert literal_query("OR fox").lucene == '\\OR fox "OR fox"^2'
    assert literal_query(" ".join(f"w{n}" for n in range(9))).lucene.count('"') == 0


@pytest.mark.parametrize(
    "text, identifiers, only",
    [
        ("C++", ("c++",), True),
        ("tb-303", ("tb-303",), True),
        ("see a/b, please", ("a/b",), False),
        ("(tb-303)?", ("tb-303",), True),
        ("don't stop.", (), False),
        ("it\N{RIGHT SINGLE QUOTATION MARK}s", (), False),
        ("end. Next!", (), False),
        ("node.js", ("node.js",), True),
        ("C++ c++", ("c++",), True),
        ("x" * 129 + "-y", (), False),
    ],
)
def test_identifiers_are_terms_with_symbols(text: str, identifiers: tuple[str, ...], only: bool) -> None:
    query = literal_query(text)
    assert (query.identifiers, query.only_identifiers) == (identifiers, only)
    assert query.terms == len(set(text.split()))


def test_a_query_is_cut_at_characters_and_terms_with_notes() -> None:
    """CASES 7."""
    limits = Limits(max_query_chars=50, max_query_terms=3)
    cut = literal_query("one two three four", limits=limits)
    assert cut.lucene.startswith("one two three ")
    assert cut.notes == ("the query was cut at 3 terms",)
    assert literal_query("x" * 60, limits=limits).notes == ("the query was cut at 50 characters (it has 60)",)
    assert literal_query("one two three", limits=limits).notes == ()


@pytest.mark.parametrize(
    "text, kept",
    [
        ("a-b-c-d-e", r"a\-b\-c\-"),
        ("漢字漢字漢", "漢字漢"),
        ("one a/b/c", r"one a\/b\/"),
        ("one two abc漢字", "one two abc"),
    ],
)
def test_each_word_of_a_term_counts(text: str, kept: str) -> None:
    """THREATS 26: one term without blanks may be hundreds of clauses for the analyzer."""
    query = literal_query(text, limits=Limits(max_query_terms=3))
    assert query.lucene.split(' "')[0] == kept
    assert query.notes == ("the query was cut at 3 terms",)


def test_words_that_are_not_indexed_do_not_count() -> None:
    """A word behind any number of stop words is among the first terms; of those each comes once beyond the first 32."""
    limits = Limits(max_query_terms=3)
    query = literal_query("the of and it's The, one (the) two to three", limits=limits)
    assert query.lucene.split(' "')[0].endswith("three")
    assert query.notes == ()
    assert literal_query("the one two three four", limits=limits).notes == ("the query was cut at 3 terms",)
    forms = [f"{mark}{word}{end}" for word in ("the", "It", "OF") for mark in "(['\"" for end in (".", "'s", "?)", ",")]
    told = literal_query("the " * 32 + " ".join(forms) + " mill").lucene.split()
    # Under an analyzer that indexes them each form would be a clause of its own, and there are thousands.
    assert told == ["the"] * 32 + ["\\(It.", "\\(OF.", "mill"]
    many = literal_query("the " * 1_000 + "mill")
    assert many.lucene.split() == ["the"] * 32 + ["mill"]
    assert many.notes == ()


def test_a_joint_within_a_word_does_not_count() -> None:
    assert literal_query("can't won't 3.14 a_b", limits=Limits(max_query_terms=4)).notes == ()


def test_what_no_text_holds_is_a_blank_or_a_mark() -> None:
    """THREATS 61: NUL parts words, as it does for an analyzer; half a character is U+FFFD."""
    assert literal_query("tide\0mill").lucene == 'tide mill "tide mill"^2'
    assert literal_query("tide\ud800").lucene == "tide\ufffd"


@pytest.mark.parametrize("text", ["↔", "‼", "〰", "ⓐ", "🏻", "˂"])  # noqa: RUF001 - this very sign
def test_signs_that_an_analyzer_indexes_are_words(text: str) -> None:
    assert literal_query(text).lucene == text
