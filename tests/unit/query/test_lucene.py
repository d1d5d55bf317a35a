"""Queries with operators: a closed syntax, written anew; all else is words, and a note says so."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import example, given, settings, strategies as st

from graphrag.config import Limits
from graphrag.query.literal import literal_query
from graphrag.query.lucene import ONLY_EXCLUDES, SYNTAX, SYNTAX_NOTES, LuceneQuery, lucene_query
from graphrag.query.terms import NO_WORDS
from graphrag.query.wildcards import MAX_EXPANSIONS

PIECES = [
    *(
        "fox",
        "quick",
        "tb-303",
        "C++",
        "a/b",
        "the",
        "漢字",
        "🦊",
        "é",
        "AND",
        "OR",
        "NOT",
        "TO",
        "title",
        "1.5",
        "http",
    ),
    *"+-&|!(){}[]^\"~*?:\\/<>=@#.,;'",
    *(
        " ",
        "  ",
        "\t",
        "\n",
        "\u3000",
        "\u00a0",
        "\0",
        "\ud800",
        "&&",
        "||",
        "~1",
        "~2",
        "~0.5",
        "^2",
        "[1 TO 2]",
        "*:*",
    ),
    *('"quick fox"', "(quick fox)", "fo*", "f?x", "*ox", "quick~", "\\*", "\\ ", "-(", "+("),
]
QUERIES = st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(st.characters(codec=None))

# What Lucene's classic parser knows, as this package may use it: no field, range, boost or regular expression.
ESCAPED = r"\\."
PLAIN = r"[^-+&|!(){}\[\]^\"~*?:\\/\s]"
WORD = rf"(?:{ESCAPED}|{PLAIN})(?:{ESCAPED}|{PLAIN}|[*?])*(?:~[12])?"
PHRASE = r'"(?:\\.|[^"\\])*"(?:~\d{1,3}(?!\d))?'
TOKEN = re.compile(rf"[+-]?(?:\(|{PHRASE}|{WORD})|\)| ", re.DOTALL)


def is_of_the_closed_syntax(lucene: str) -> bool:
    depth = place = 0
    while place < len(lucene):
        token = TOKEN.match(lucene, place)
        if token is None or token.group() in ("AND", "OR", "NOT"):
            return False
        depth += token.group().endswith("(") and not token.group().endswith("\\(")
        depth -= token.group() == ")"
        place = token.end()
        if depth < 0:
            return False
    return depth == 0 and "()" not in lucene.replace("\\(", "")


@settings(max_examples=500, deadline=None)
@given(QUERIES)
@example("(" * 9_999)
@example("-" * 9_999 + "fox")
@example("NOT " * 2_000 + "fox")
@example("(" * 4_000 + "fox" + ")" * 4_000)
@example("fox~1.2.3")
@example("fox~" + "9" * 5_000)
@example('"quick fox"~0.5')
@example('"quick fox"~' + "9" * 5_000)
def test_no_text_raises_and_what_is_sent_is_of_the_closed_syntax(text: str) -> None:
    """THREATS 37, 38: whatever the caller writes, Lucene sees no field, range, boost or regular expression."""
    query = lucene_query(text)
    if query.is_literal:
        assert query.lucene == literal_query(text).lucene
    else:
        assert is_of_the_closed_syntax(query.lucene), query.lucene
    query.lucene.encode()
    assert "\0" not in query.lucene
    assert query.lucene or NO_WORDS in query.notes or ONLY_EXCLUDES in query.notes


def test_the_check_of_the_closed_syntax_can_fail() -> None:
    for wrong in ("a:b", "/a/", "[a TO b]", "a^2", "*a", "a AND b", "(a", "a)", "~a", 'a"', "()", "a~3", '"a"~1000'):
        assert not is_of_the_closed_syntax(wrong), wrong


@pytest.mark.parametrize(
    "text, lucene",
    [
        ("quick fox", "quick fox"),
        ("+quick fox", "+quick fox"),
        ("quick -fox", "quick -fox"),
        ("quick AND fox", "+quick +fox"),
        ("quick OR fox", "quick fox"),
        ("quick NOT fox", "quick -fox"),
        ("quick AND NOT fox", "+quick -fox"),
        ("quick AND (brown OR fox)", "+quick +(brown fox)"),
        ("quick OR brown AND fox", "quick (+brown +fox)"),
        ("+(quick fox) -(brown (a b))", "+(quick fox) -(brown (a b))"),
        ("quick (-fox)", "quick -fox"),
        ("quick --fox", "+fox quick"),
        ('"quick fox"', '"quick fox"'),
        ('"quick fox"~2', '"quick fox"~2'),
        ('"quick fox"~', '"quick fox"~1'),
        ('"quick fox"~0', '"quick fox"'),
        (r'"say \"fox\""', r'"say \"fox\""'),
        ("fox*", "fox fox*"),
        ("-fox*", None),
        ("quick -fox*", "quick -(fox fox*)"),
        ("q?ick fo*x", None),
        ("qu?ck fo*x", "qu?ck fo*x"),
        ("fox~", "fox fox~1"),
        ("brownish~", "brownish brownish~2"),
        ("fox~2", "fox fox~2"),
        ("tb-303 a/b", '"tb-303" "a/b"'),
        ("fox/", '"fox/"'),
        (r"\+fox \*", '"+fox"'),
        (r"\AND", r"\AND"),
        (r"a\ b", '"a b"'),
        ("fox && brown", "fox brown"),
        ("fox — (brown)", "fox brown"),
        ("+'quick fox' ('tis) C++'s", "+quick fox' tis \"C++'s\""),
    ],
)
def test_what_is_accepted_is_written_anew(text: str, lucene: str | None) -> None:
    query = lucene_query(text)
    assert not query.is_literal
    if lucene is None:
        assert query.notes
    else:
        assert query.lucene == lucene


@pytest.mark.parametrize("text", ["what eats a fox?", "fox? yes", "(fox?)", "fox - brown", "fox + brown"])
def test_marks_of_a_sentence_are_no_operators(text: str) -> None:
    """CASES 1: a question ends with a mark, and a dash between blanks excludes nothing."""
    query = lucene_query(text)
    assert re.search(r"(?<![-+])\bfox(?!\?)", query.lucene)
    assert not re.search(r"(?<!\\)[?*]|(?<!\S)[-+]", query.lucene)
    assert query.notes == ()


@pytest.mark.parametrize(
    "text, why",
    [
        ('"', None),
        ("(fox", "not of the accepted syntax"),
        ("AND fox", "not of the accepted syntax"),
        ("fox AND", "not of the accepted syntax"),
        ("OR", "not of the accepted syntax"),
        ("AND AND", "not of the accepted syntax"),
        ("[1 TO", "not of the accepted syntax"),
        ("foo\\", "not of the accepted syntax"),
        ("/b x", "not of the accepted syntax"),
        ("~fox", "not of the accepted syntax"),
        ("^5", "not of the accepted syntax"),
        ("fox ()", "not of the accepted syntax"),
        ("a:b:c", "names a field"),
        ("tenant:B", "names a field"),
        ("nosuch:(x y)", "names a field"),
        ("*:x", "names a field"),
        ("[1 TO 5]", "a range"),
        ("{a TO b}", "a range"),
        (">5", "a range"),
        ("/fo+x/", "a regular expression"),
        ("fox^2", "a boost"),
        ("fox~3", "must be 1 or 2"),
        ("fox~0", "must be 1 or 2"),
        ('"quick fox"~101', "from 0 to 100"),
        ("(" * 17 + "fox" + ")" * 17, "more than 16 deep"),
        ("-" * 17 + "fox", "more than 16 deep"),
        ("fox " + "-" * 1_025, "more than 1024 operators"),
    ],
)
def test_what_is_not_accepted_is_words_and_says_so(text: str, why: str | None) -> None:
    """THREATS 37, 38; CASES 2, 4, 6."""
    query = lucene_query(text)
    if why is None:
        assert (query.lucene, query.notes) == ("", (NO_WORDS,))
        return
    assert query.is_literal
    assert query.lucene == literal_query(text).lucene
    assert query.notes[-1].startswith("the query was searched as plain words: ")
    assert why in query.notes[-1]


def test_the_deepest_accepted_brackets() -> None:
    assert lucene_query("(" * 16 + "fox" + ")" * 16) == LuceneQuery("fox", (), False, 1, (), is_literal=False)


@pytest.mark.parametrize(
    "text", ["-fox", "NOT fox", "-fox -brown", "(-fox)", "-(quick fox)", "NOT (a AND b)", "+(-fox)"]
)
def test_a_query_that_only_excludes_finds_nothing_and_says_so(text: str) -> None:
    """Not everything else: nothing was asked for."""
    assert lucene_query(text) == LuceneQuery("", (), False, 0, (ONLY_EXCLUDES,), is_literal=False)


@pytest.mark.parametrize("text", ["", " ", "\n", "!!!", "***", "?", "*", "*:*", '"..."', "(—)", "+ -"])
def test_a_query_without_words_says_so(text: str) -> None:
    """CASES 8."""
    query = lucene_query(text)
    assert (query.lucene, query.notes) == ("", (NO_WORDS,))


@pytest.mark.parametrize(
    "text, lucene, note",
    [
        ("*ox", "ox", "must begin with 2 letters"),
        ("?ox", "ox", "must begin with 2 letters"),
        ("**fox**", "fox", "must begin with 2 letters"),
        ("f*", "f", "must begin with 2 letters"),
        ("_.*x", '"_.*x"', "must begin with 2 letters"),
        ("fo?x?y*z*", r'"fo?x?y*z"', "at most 3"),
        ("fo" + "x" * 64 + "*", "fo" + "x" * 64, "64 characters"),
        ("tb-3*", '"tb-3"', "with symbols in it"),
        ("tb-303~", '"tb-303"', "letters and digits"),
        ("fo~", "fo", "letters and digits"),
        ("x" * 65 + "~", "x" * 65, "letters and digits"),
        ("fo*x~", '"fo*x"', "letters and digits"),
    ],
)
def test_costly_patterns_are_plain_words_and_say_so(text: str, lucene: str, note: str) -> None:
    """THREATS 39."""
    query = lucene_query(text)
    assert (query.lucene, query.is_literal) == (lucene, False)
    assert len(query.notes) == 1
    assert note in query.notes[0]


def test_few_words_of_a_query_stand_for_others() -> None:
    """THREATS 39: `a~2` 500 times; each may become 50 clauses, and Lucene takes 1,024."""
    query = lucene_query(" ".join(["brown~2", "fox*", "qu?ck"] * 15))
    outside_of_phrases = re.sub('"[^"]*"', "", query.lucene)
    assert len(re.findall(r"~2|(?<!\\)[*?]", outside_of_phrases)) == MAX_EXPANSIONS
    assert query.notes == ("only the first 8 words with `*`, `?` or `~` stand for others; the rest are plain",)
    assert lucene_query("a~2 " * 500).is_literal


def test_other_operators_are_told() -> None:
    for text in ("fox && brown", "fox || brown", "fox !brown"):
        assert lucene_query(text).notes == ("`&&`, `||` and `!` are no operators here; write AND, OR and NOT",)
    assert lucene_query("fox ! brown!").notes == ()


def test_identifiers_are_those_that_may_be_found() -> None:
    query = lucene_query("+tb-303 C++ -a/b")
    assert (query.identifiers, query.only_identifiers) == (("tb-303", "c++"), True)
    assert not lucene_query("tb-303 fox").only_identifiers
    counted = {"tb-303": 1, "tb-303 fox -wolf": 2, "title:fox and fox": 3, "-fox": 0}
    assert {text: lucene_query(text).terms for text in counted} == counted
    assert len(lucene_query(" ".join(f"a-{n}" for n in range(40))).identifiers) == 16


def test_an_over_long_query_is_cut_and_an_over_rich_one_is_words() -> None:
    """CASES 7, THREATS 26."""
    limits = Limits(max_query_chars=20, max_query_terms=3)
    assert lucene_query("+fox " + "y" * 20, limits=limits).notes == ("the query was cut at 20 characters (it has 25)",)
    many = lucene_query("+one two three four", limits=limits)
    assert many.is_literal
    assert many.notes == (
        "the query was cut at 3 terms",
        "the query was searched as plain words: it has more than 3 terms",
    )
    assert not lucene_query("one AND two AND three", limits=limits).is_literal
    assert lucene_query('"a b c d"', limits=limits).is_literal
    assert lucene_query("漢字漢字", limits=limits).is_literal


def test_all_forms_of_the_notes_are_accepted() -> None:
    for form in SYNTAX:
        query = lucene_query(form.example)
        assert (query.is_literal, query.notes) == (False, ()), form
        assert query.lucene
        assert f"`{form.example}`: {form.meaning}" in SYNTAX_NOTES
        for other in SYNTAX:
            assert not lucene_query(f"({form.example}) +({other.example})").is_literal


def test_the_documentation_has_the_same_forms() -> None:
    page = (Path(__file__).parents[3] / "docs" / "searching.md").read_text()
    rows = re.findall(r"^\| `(.+)` \| (.+) \|$", page, re.MULTILINE)
    assert rows == [(form.example, form.meaning) for form in SYNTAX]


def test_threads_do_not_disturb_each_other() -> None:
    texts = [*(form.example for form in SYNTAX), "(fox", "a AND", '"fox', "fox:", "~"] * 20
    alone = [lucene_query(text) for text in texts]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(lucene_query, texts)) == alone
