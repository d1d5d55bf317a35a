import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from graphrag.embedding.model_folder import find_model
from graphrag.embedding.tokenizer import ModelTokenizer, replace_surrogates
from graphrag.errors import ModelCallError


@pytest.fixture
def tokenizer(model: Path) -> ModelTokenizer:
    return ModelTokenizer(find_model(str(model)), max_tokens=16)


def test_offsets_are_code_points_and_leave_special_tokens_out(tokenizer: ModelTokenizer) -> None:
    text = "The graph 😀 places e\u0301 naïve"
    assert [text[start:end] for start, end in tokenizer.token_offsets(text)] == [
        "The",
        "graph",
        "😀",
        "pla",
        "ces",
        "e",
        "naïve",
    ]


def test_counting_neither_cuts_nor_pads_whatever_the_file_says(tokenizer: ModelTokenizer) -> None:
    assert len(tokenizer.token_offsets("graph " * 40)) == 40
    assert tokenizer.token_offsets("") == []


def test_special_tokens_and_the_document_prompt_are_taken_off_the_limit(model: Path) -> None:
    folder = find_model(str(model))
    assert ModelTokenizer(folder, max_tokens=16).max_tokens == 14
    assert ModelTokenizer(folder, max_tokens=16, prompt="the graph stores: ").max_tokens == 10


def test_a_limit_that_leaves_nothing_is_refused(model: Path) -> None:
    with pytest.raises(ModelCallError, match=r"2 tokens leave none .* raise `embedding.max_tokens`"):
        ModelTokenizer(find_model(str(model)), max_tokens=2)


def test_a_lone_surrogate_counts_as_one_character(tokenizer: ModelTokenizer) -> None:
    assert tokenizer.token_offsets("the \ud800 graph")[-1] == (6, 11)


@given(st.text(st.characters(codec=None)))
def test_replacing_surrogates_keeps_the_length_and_can_be_encoded(text: str) -> None:
    replaced = replace_surrogates(text)
    assert len(replaced) == len(text)
    replaced.encode("utf-8")


@pytest.mark.parametrize("text", ["", "{}", "not json"])
def test_a_damaged_file_is_named(make_model: Callable[..., Path], text: str) -> None:
    model = make_model()
    (model / "tokenizer.json").write_text(text, encoding="utf-8")
    with pytest.raises(ModelCallError, match=r"tokenizer.json` cannot be read"):
        ModelTokenizer(find_model(str(model)), max_tokens=16)


def test_a_missing_file_is_told(model: Path) -> None:
    (model / "tokenizer.json").unlink()
    with pytest.raises(ModelCallError, match=r"has no `tokenizer.json`; save the model anew"):
        ModelTokenizer(find_model(str(model)), max_tokens=16)


def test_the_file_of_the_test_is_what_it_claims(model: Path) -> None:
    assert json.loads((model / "tokenizer.json").read_text(encoding="utf-8"))["truncation"]["max_length"] == 4
