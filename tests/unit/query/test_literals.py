"""What every match of a pattern contains: by hand, and for generated patterns against RE2 itself."""

import pytest
from hypothesis import assume, given, settings, strategies as st

from graphrag.errors import InvalidPatternError
from graphrag.query.literals import required_literals
from graphrag.query.pattern import Pattern, compile_pattern, folds


def clauses(pattern: str) -> set[frozenset[str]]:
    compile_pattern(pattern)
    return set(required_literals(pattern, folds=folds))


@pytest.mark.parametrize(
    "pattern, expected",
    [
        ("fox", [["fox"]]),
        ("quick.*fox", [["quick"], ["fox"]]),
        ("colou?r", [["color", "colour"]]),
        ("gr[ae]y", [["gray", "grey"]]),
        ("cat|dog", [["cat", "dog"]]),
        ("(cat|dog)s", [["cats", "dogs"]]),
        ("(cat|c.t|dog)s", [["c", "dog"], ["ts", "dogs"]]),
        ("(?:one|two.*three)x", [["one", "two"], ["onex", "threex"]]),
        ("cat|category", [["cat"]]),
        ("cat|", []),
        ("(|cat)dog", [["dog"]]),
        ("(foo)?bar", [["bar"]]),
        ("(foo)*bar", [["bar"]]),
        ("(foo)+bar", [["foobar"]]),
        ("(foo){0}bar", [["bar"]]),
        ("fo{2}d", [["food"]]),
        ("fo{2,}d", [["foo"], ["ood"]]),
        ("fo{0,3}d", [["f"], ["d"]]),
        ("fo{02}d", [["fo{02}d"]]),
        ("a{,2}b", [["a{,2}b"]]),
        ("a{x}", [["a{x}"]]),
        ("x{100}", [["x" * 8]]),
        ("foo??bar", [["fobar", "foobar"]]),
        (r"\d+ apples", [[" apples"]]),
        (r"\Qa.b*\E", [["a.b*"]]),
        (r"\Qab\E+c", [["ab"], ["bc"]]),
        (r"\Qa\x41", [[r"a\x41"]]),
        (r"\Q\E", []),
        (r"\x41\x{442}\101\07", [["Aт" + "A" + "\7"]]),
        (r"a\.b\-\_\n\t", [["a.b-_\n\t"]]),
        (r"^foo$", [["foo"]]),
        (r"\Afoo\bbar\z", [["foobar"]]),
        (r"foo\pLbar\p{Greek}\P{Lu}baz", [["foo"], ["bar"], ["baz"]]),
        (r"a\Cb", [["a"], ["b"]]),
        ("[]a]x", [["]x", "ax"]]),
        ("[^a]x", [["x"]]),
        ("[a-]x", [["ax", "-x"]]),
        ("[[:alpha:]]x", [["x"]]),
        ("[[:]x", [["[x", ":x"]]),
        (r"[\]\x41]x", [["]x", "Ax"]]),
        (r"[\d]x", [["x"]]),
        ("[a-z]x", [["x"]]),
        ("[b-d]x", [["bx", "cx", "dx"]]),
        ("(?i)ab1", [["ab1", "aB1", "Ab1", "AB1"]]),
        ("(?i:a)b", [["ab", "Ab"]]),
        ("(?i)a(?-i)b", [["ab", "Ab"]]),
        ("(?i)(?-i:a)b", [["ab", "aB"]]),
        ("((?i)a)b", [["ab", "Ab"]]),
        ("(?i)a|b", [["a", "A", "b", "B"]]),
        ("a|(?i)b", [["a", "b", "B"]]),
        ("(?i)[k]", [["k", "K", "\N{KELVIN SIGN}"]]),
        ("(?P<n>foo)(?<m>bar)", [["foobar"]]),
        ("(?s).*foo", [["foo"]]),
        ("(?U)fo+x", [["fo"], ["ox"]]),
        (".*", []),
        ("", []),
        ("🦊x", [["🦊x"]]),
    ],
)
def test_what_every_match_contains(pattern: str, expected: list[list[str]]) -> None:
    """THREATS 41, CASE 10: the condition is as strong as the pattern allows, in RE2's dialect."""
    assert clauses(pattern) == {frozenset(strings) for strings in expected}


def test_a_long_word_without_case_is_told_by_windows() -> None:
    """Sixteen strings at most are followed up together, whatever the word's length."""
    found = required_literals("(?i)errors", folds=folds)
    assert all(len(clause) <= 16 for clause in found)
    assert {"erro", "ERRO", "eRrO"} <= set(found[0])


def test_the_clause_that_an_index_answers_comes_first() -> None:
    assert required_literals("a.bc.lighthouse.def", folds=folds)[0] == {"lighthouse"}


def test_an_alternation_of_many_words_is_no_clause() -> None:
    """A clause of more than 64 strings would ask the index too often."""
    words = [f"w{number:02}" for number in range(80)]
    assert required_literals("|".join(words), folds=folds) == ()
    assert len(required_literals("|".join(words[:60]), folds=folds)[0]) == 60


ALPHABET = "abBkKs\N{LATIN SMALL LETTER LONG S}1 .\nяЯ-]"
ATOMS = st.one_of(
    st.sampled_from(ALPHABET).map(lambda char: f"\\{char}" if char in ".]-" else char),
    st.sampled_from([
        ".", r"\d", r"\w", r"\W", r"\s", r"\b", r"\B", "^", "$", r"\A", r"\z", r"\pL", r"\p{Lu}", r"\P{L}", r"\x61",
        r"\x{44f}", r"\142", r"\Qa.\E", r"\Q\E", r"\Qb", "[ab]", "[^a]", "[a-c1]", "[k-s]", "[[:alpha:]]", "[]a]",
        r"[\d\-]", r"[\x61-\x62]", "[a-]", r"[\pLa]", "(?i)", "(?-i)", "(?s)", "(?i-s)", "(?-m)", "{", "{,2}", "{01}",
        "}", "(?P<n>a)", r"\C", r"\n",
    ]),
)  # fmt: skip


def extended(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    repeats = ["*", "+", "?", "{2}", "{0}", "{1,2}", "{0,1}", "{2,}", "*?", "+?", "??", "{01}", "{9}"]
    group = st.sampled_from(["(", "(?:", "(?i:", "(?-i:", "(?s:", "(?P<x>", "(?U:"])
    return st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.lists(inner, min_size=2, max_size=3).map("|".join),
        st.tuples(inner, st.sampled_from(repeats)).map("".join),
        st.tuples(group, inner).map(lambda parts: f"{parts[0]}{parts[1]})"),
        st.tuples(group, inner, st.sampled_from(repeats)).map(lambda parts: f"{parts[0]}{parts[1]}){parts[2]}"),
        inner.map(lambda part: f"({part}|)"),
    )


PATTERNS = st.recursive(ATOMS, extended, max_leaves=12)
TEXTS = st.text(st.sampled_from(ALPHABET + "AKS{}02,c\N{KELVIN SIGN}"), max_size=14)


def accepted(pattern: str) -> tuple[Pattern | None, int | None]:
    """Return the compiled pattern, or none and the place of its fault."""
    try:
        return compile_pattern(pattern), None
    except InvalidPatternError as error:
        return None, error.position


@given(PATTERNS, st.lists(TEXTS, min_size=1, max_size=8))
@settings(max_examples=600, print_blob=True, deadline=None)
def test_no_match_is_lost(pattern: str, texts: list[str]) -> None:
    """Whatever RE2 finds a pattern in fulfils each clause, for generated patterns and texts."""
    compiled, _ = accepted(pattern)
    assume(compiled is not None)
    assert compiled is not None
    for text in texts:
        if compiled.found_in(text.encode()):
            assert all(any(string in text for string in clause) for clause in compiled.clauses), (pattern, text)


@given(st.text(st.sampled_from("ab(|)[]{}*+?\\QExX1^$.,-:iPp<>=d"), max_size=12), TEXTS)
@settings(max_examples=600, print_blob=True, deadline=None)
def test_no_match_is_lost_whatever_a_pattern_is_made_of(pattern: str, text: str) -> None:
    """As above, over patterns of random signs, most of which RE2 refuses: reading one never fails."""
    found = required_literals(pattern, folds=folds)
    compiled, position = accepted(pattern)
    if compiled is None:
        assert position is None or 0 <= position <= len(pattern)
        return
    assert compiled.clauses == found
    if compiled.found_in(text.encode()):
        assert all(any(string in text for string in clause) for clause in found)


def test_letters_without_case_are_those_that_re2_takes_for_one() -> None:
    assert folds("k") == {"k", "K", "\N{KELVIN SIGN}"}
    assert folds("ß") == {"ß", "ẞ"}
    assert folds("я") == {"я", "Я"}
    assert folds("1") == {"1"}
    assert folds("語") == {"語"}
