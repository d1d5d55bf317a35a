"""The pairs that test search by meaning share no word, so that only meaning can join them."""

import json
import re
from pathlib import Path

import pytest
import snowballstemmer

DATA = json.loads((Path(__file__).parents[1] / "data" / "meaning_pairs.json").read_text(encoding="utf-8"))
FUNCTION_WORDS = """
    a about after all also an and another any are as at be been before below between but by can could did do does for
    from get go goes had has have he her his how i if in into is it its may me more most must my no none not of off on
    once only or other our out over own same she should so some than that the their them themselves then there these
    they this those to too under until up us was we were what when which while who whose why will with without won you
    your
"""
STOP_WORDS = frozenset(FUNCTION_WORDS.split())


def stems(text: str) -> set[str]:
    """Return the English Snowball stems of a text's words but for the stop words."""
    words = set(re.findall(r"[a-z0-9]+", text.lower().replace("'t", ""))) - STOP_WORDS
    return set(snowballstemmer.stemmer("english").stemWords(sorted(words)))


@pytest.mark.parametrize("pair", DATA["pairs"], ids=lambda pair: pair["question"])
def test_question_and_its_passage_share_no_stem(pair: dict[str, str]) -> None:
    assert stems(pair["question"])
    assert stems(pair["question"]) & stems(pair["passage"]) == set()


@pytest.mark.parametrize("pair", DATA["pairs"], ids=lambda pair: pair["question"])
def test_some_distractor_shares_a_stem_with_each_question_so_that_words_alone_mislead(pair: dict[str, str]) -> None:
    assert any(stems(pair["question"]) & stems(distractor) for distractor in DATA["distractors"])


def test_there_are_ten_pairs_among_fifty_different_passages() -> None:
    passages = {pair["passage"] for pair in DATA["pairs"]} | set(DATA["distractors"])
    assert len(DATA["pairs"]) == 10
    assert len(passages) == 50


def test_the_stemmer_sees_through_inflection() -> None:
    assert stems("Leaking gates") == stems("a gate that leaked") == {"gate", "leak"}
