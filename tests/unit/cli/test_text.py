"""What is printed cannot command a terminal, and a snippet shows the part that answers."""

import json
import unicodedata

import pytest
from hypothesis import given, strategies as st

from graphrag.cli._text import escape_json, plain, plain_line, snippet, words_of

HOSTILE = "\x1b]0;title\x07\x1b[2J\x9b31m\u202egnp.exe\x7f\x00"
FILLER = "Nothing of interest stands here, and it goes on for a while. " * 12


@given(st.text())
def test_no_text_commands_a_terminal(text: str) -> None:
    left = {char for char in plain(text) if unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"}}
    assert left <= {"\n", "\t"}
    assert "\n" not in plain_line(text)


def test_escape_sequences_and_changes_of_direction_are_made_visible() -> None:
    assert plain(HOSTILE) == "�]0;title��[2J�31m�gnp.exe��"
    assert plain("a\r\nb\rc\td") == "a\nb\nc\td"


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_escaped_json_is_the_same_json(text: str) -> None:
    escaped = escape_json(json.dumps({"text": text}, ensure_ascii=False))
    assert json.loads(escaped) == {"text": text}
    assert escaped.isprintable() or unicodedata.category(next(c for c in escaped if not c.isprintable())) not in {
        "Cc",
        "Cs",
    }


def test_words_are_those_that_tell_something() -> None:
    assert words_of("How do I rescue someone, TM-204/B or G4?") == ["rescu", "someo", "tm-204/b", "g4"]


def test_a_short_text_is_its_own_snippet() -> None:
    assert snippet("  Some\n text. ", "other", width=40) == "Some text."


def test_a_snippet_shows_where_the_words_are_and_says_what_is_left_out() -> None:
    text = f"{FILLER}The void. Ground radar found a hollow at G4, and filled it. {FILLER}"
    found = snippet(text, "How was the hollow under G4 detected?", width=200)
    assert "found a hollow at G4" in found
    assert found.startswith("…")
    assert found.endswith("…")
    assert len(found) <= 202


def test_a_snippet_near_the_end_is_full() -> None:
    found = snippet(f"{FILLER}The dredger Sandpiper.", "sandpiper", width=200)
    assert found.endswith("The dredger Sandpiper.")
    assert len(found) > 120


def test_rows_of_tables_and_items_stay_lines_and_other_lines_run_on() -> None:
    text = "Hinge pins\nof bronze:\n\n| Part | Metal |\n|---|---|\n| TM-204/B | Bronze |\n\n- one\n- two\nand more\n"
    assert snippet(text, "", width=500) == (
        "Hinge pins of bronze:\n| Part | Metal |\n|---|---|\n| TM-204/B | Bronze |\n- one\n- two and more"
    )


@given(st.text(), st.text(), st.integers(20, 300))
def test_a_snippet_is_bounded_whatever_the_text(text: str, query: str, width: int) -> None:
    assert len(snippet(text, query, width=width)) <= width + 2


@pytest.mark.parametrize("text", ["İ" * 300 + " otters", "ß" * 300 + " otters"])
def test_letters_that_change_their_length_do_not_move_the_snippet(text: str) -> None:
    assert snippet(text, "otters", width=60).endswith("otters")
