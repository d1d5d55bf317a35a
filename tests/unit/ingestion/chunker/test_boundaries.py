"""Where text may be cut."""

# ruff: noqa: RUF001 - punctuation of many scripts is the subject here

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from graphrag.ingestion.chunker.boundaries import (
    first_word_start,
    is_grapheme_border,
    last_grapheme_border,
    last_word_start,
    paragraph_starts,
    sentence_starts,
)


def pieces(text: str, places: list[int]) -> list[str]:
    borders = [0, *places, len(text)]
    return [text[low:high] for low, high in pairwise(borders)]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("One. Two! Three? Four", ["One. ", "Two! ", "Three? ", "Four"]),
        ('He said "No." Then he left.', ['He said "No." ', "Then he left."]),
        ("They said no. Nobody took No. 5 then.", ["They said no. ", "Nobody took No. 5 then."]),
        ("See Fig. 3 and e.g. Dr. Smith. Next.", ["See Fig. 3 and e.g. Dr. Smith. ", "Next."]),
        ("J. R. R. Tolkien wrote. It sold.", ["J. R. R. Tolkien wrote. ", "It sold."]),
        ("Version 3.14 at www.example.com is out", ["Version 3.14 at www.example.com is out"]),
        ("It is approx. five. lower case goes on", ["It is approx. five. lower case goes on"]),
        ("東京です。大阪です！「京都。」奈良", ["東京です。", "大阪です！", "「京都。」", "奈良"]),
        ("Wait... What?! Yes", ["Wait... ", "What?! ", "Yes"]),
        ("Ends here. ", ["Ends here. "]),
        ("", [""]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert pieces(text, list(sentence_starts(text))) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("a\n\nb", ["a\n\n", "b"]),
        ("a\nb", ["a\nb"]),
        ("a\n \t\n\n  b\n\n", ["a\n \t\n\n  ", "b\n\n"]),
        ("a\r\n\r\nb", ["a\r\n\r\n", "b"]),
    ],
)
def test_paragraphs_begin_after_blank_lines(text: str, expected: list[str]) -> None:
    assert pieces(text, list(paragraph_starts(text))) == expected


@pytest.mark.parametrize(
    "cluster",
    [
        "e\u0301",
        "\r\n",
        "👩\u200d💻",
        "👍\U0001f3fd",
        "❤\ufe0f",
        "🇩🇪",
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "\u0915\u094d\u0937\u093f",
        "\u1112\u1161\u11ab",
        "\u0e01\u0e33",
        "\u0600\u0661",
    ],
)
def test_user_perceived_characters_stay_whole(cluster: str) -> None:
    """UAX #29."""
    text = f"x{cluster}y"
    inside = range(2, len(cluster) + 1)
    assert is_grapheme_border(text, 1)
    assert is_grapheme_border(text, len(cluster) + 1)
    assert not [place for place in inside if is_grapheme_border(text, place)]
    assert last_grapheme_border(text, 0, len(cluster)) == 1


def test_flags_are_pairs_counted_from_the_floor() -> None:
    text = "🇩🇪🇫🇷🇮🇹"
    assert [place for place in range(len(text) + 1) if is_grapheme_border(text, place)] == [0, 2, 4, 6]
    assert is_grapheme_border(text, 3, floor=1)


def test_a_mark_after_a_line_end_stands_alone() -> None:
    assert is_grapheme_border("\n\u0301", 1)


def test_one_cluster_longer_than_the_window_is_cut_at_its_end() -> None:
    text = "a" + "\u0301" * 50
    assert last_grapheme_border(text, 0, 20) == 20


def test_words_begin_after_blanks_and_at_ideographs_but_not_at_closing_marks() -> None:
    text = "one two 漢字、かな"
    begins = [place for place in range(1, len(text)) if first_word_start(text, place, place + 1) == place]
    assert [text[place] for place in begins] == ["t", "漢", "字", "か", "な"]


@given(st.text(st.sampled_from("ab \n漢字、。e\u0301🇩"), max_size=30), st.integers(0, 30), st.integers(0, 30))
@settings(print_blob=True)
def test_first_and_last_word_start_agree_with_looking_at_each_place(text: str, low: int, high: int) -> None:
    low, high = sorted((min(low, len(text)), min(high, len(text))))
    begins = [place for place in range(1, len(text)) if last_word_start(text, place - 1, place) == place]
    assert last_word_start(text, low, high) == max((place for place in begins if low < place <= high), default=None)
    assert first_word_start(text, low, high) == min((place for place in begins if low <= place < high), default=None)


@pytest.mark.parametrize("text", ["." * 400_000, ". )" * 200_000, "\n " * 300_000, " " * 500_000, ".\u0301" * 200_000])
def test_hostile_text_takes_linear_time(text: str) -> None:
    """CASES 50, THREATS 58: a quadratic scan of these would take minutes."""
    begin = time.perf_counter()
    list(sentence_starts(text))
    list(paragraph_starts(text))
    first_word_start(text, 0, len(text))
    last_word_start(text, 0, len(text))
    assert time.perf_counter() - begin < 10
