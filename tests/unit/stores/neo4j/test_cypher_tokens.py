"""The words of a statement: where strings, names and comments end, and what is refused since readers may part on it."""

import pytest
from hypothesis import given, strategies as st

from graphrag.errors import InvalidRequestError
from graphrag.stores.neo4j.cypher_tokens import cypher_tokens


def words(text: str) -> list[tuple[str, str]]:
    return [(token.kind, token.text) for token in cypher_tokens(text)]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("RETURN 'a =~ b'", [("name", "RETURN"), ("string", "'a =~ b'")]),
        (r"'it\'s =~' =~ x", [("string", r"'it\'s =~'"), ("sign", "=~"), ("name", "x")]),
        ('"\\\\" =~ "a"', [("string", '"\\\\"'), ("sign", "=~"), ("string", '"a"')]),
        ("n.`a``=~b`", [("name", "n"), ("sign", "."), ("quoted", "a`=~b")]),
        ("`a\\` =~ x", [("quoted", "a\\"), ("sign", "=~"), ("name", "x")]),
        ("1 // =~\n2", [("number", "1"), ("number", "2")]),
        ("1 // =~\r\n2", [("number", "1"), ("number", "2")]),
        ("a /* =~ ' /* */ =~ b", [("name", "a"), ("sign", "=~"), ("name", "b")]),
        ("a/ /b", [("name", "a"), ("sign", "/"), ("sign", "/"), ("name", "b")]),
        ("'/*' x '*/'", [("string", "'/*'"), ("name", "x"), ("string", "'*/'")]),
        ("$a $`b c` $1", [("parameter", "a"), ("parameter", "b c"), ("parameter", "1")]),
        ("$($l)", [("sign", "$"), ("sign", "("), ("parameter", "l"), ("sign", ")")]),
        ("$any(a) $All /", [("sign", "$"), ("name", "any"), ("sign", "("), ("name", "a"), ("sign", ")"),
                            ("parameter", "All"), ("sign", "/")]),
        ("1.5e-3 0xFF 1..5", [("number", "1"), ("sign", "."), ("number", "5e-3"), ("number", "0xFF"), ("number", "1"),
                              ("sign", "."), ("sign", "."), ("number", "5")]),
        ("größe", [("name", "größe")]),
    ],
)  # fmt: skip
def test_what_stands_where(text: str, expected: list[tuple[str, str]]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    "text, told",
    [
        (r"RETURN 'a' \u003d\u007e 'b'", r"line 1, column 12 of the statement: the code point escape"),
        (r"RETURN '\u0027 =~ x'", "the code point escape"),
        (r"MATCH (n:`x\u0060`)", "the code point escape"),
        (r"RETURN '\\u0027'", "the code point escape"),
        (r"RETURN '\U0000003d'", "the code point escape"),
        ("RETURN 1\nAS 'x", "line 2, column 4 of the statement: a string begins there, and has no end"),
        ('RETURN "x', "a string begins"),
        ("RETURN `x", "a name in back-ticks begins"),
        ("RETURN `x```y`", "a name in back-ticks begins"),
        ("RETURN 1 /* x", "a comment begins"),
        ("RETURN 1 // a\u2028 =~", "a line separator"),
        ("RETURN 1 // a\r =~", "a lone carriage return"),
        ("RETURN\x0b1", "a control character"),
        ("RETURN\x85 1", "a control character"),
        ("RETURN \ud800", "half a character"),
        ("RETURN\u00a01", "to some readers alone"),
        ("RETURN\u200b1", "to some readers alone"),
        ("RETURN \uff1d\uff5e", "to some readers alone"),
        ("RETURN 1CALL db.x()", "to some readers alone"),
        ("RETURN \u0663", "to some readers alone"),
    ],
)  # fmt: skip
def test_what_readers_may_part_on_is_refused(text: str, told: str) -> None:
    """THREATS 2: escapes of code points are taken before strings and names are read, so none is let through."""
    with pytest.raises(InvalidRequestError, match=told):
        cypher_tokens(text)


@given(st.text(), st.sampled_from("'\""))
def test_a_quoted_text_is_one_token_and_hides_nothing_behind_it(text: str, quote: str) -> None:
    escaped = text.replace("\\", "\\\\").replace(quote, f"\\{quote}")
    try:
        found = words(f"{quote}{escaped}{quote} =~ x")
    except InvalidRequestError:
        return
    assert [kind for kind, _ in found] == ["string", "sign", "name"]


@given(st.text(alphabet="'\"`\\/*\n =~ab$1.(;", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = cypher_tokens(text)
    except InvalidRequestError:
        return
    starts = [token.start for token in found]
    assert starts == sorted(set(starts))
