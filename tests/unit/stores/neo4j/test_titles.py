"""Keys of titles: equal where the titles are equal in lower case, and short however long they are."""

import re

from hypothesis import given, strategies as st

from graphrag.filters.evaluate import matches
from graphrag.filters.nodes import EqIgnoreCase
from graphrag.stores.neo4j.titles import lowered_title, title_key

titles = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).map(str.strip).filter(bool)


@given(titles, titles)
def test_keys_are_equal_where_the_filter_language_says_so(one: str, other: str) -> None:
    for a, b in ((one, other), (one, one.upper()), (one, one.lower()), (one, one.swapcase())):
        same = matches(EqIgnoreCase("title", b.strip()), {"title": a}, ())
        assert (title_key(a) == title_key(b)) == same


@given(st.text())
def test_a_key_is_a_short_plain_word_whatever_the_title_holds(title: str) -> None:
    """A heading may be longer than an index takes, and hold anything."""
    assert re.fullmatch("[a-z2-7]{24}", title_key(title * 100 + "\ud800"))


def test_blanks_at_the_ends_do_not_count() -> None:
    assert lowered_title("  Part  ONE\t") == "part  one"
    assert title_key(" Intro ") == title_key("INTRO") != title_key("In tro")
