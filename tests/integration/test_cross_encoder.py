"""A real cross-encoder on torch: small, with random weights, written by the test as sentence-transformers does."""

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from graphrag.errors import ModelCallError
from graphrag.model import TextSimilaritySearchRequest
from graphrag.search import CrossEncoderReranker, Refinement, Searcher
from tests.unit.search.doubles import MemoryStore, make_chunks

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "mill", "tide", "wheel", "gate", "the", "turns", "who"]
TEXTS = ["the mill turns", "tide", "", "the gate " * 200, "wheel wheel", "naïve 東京 \ud800", "the mill turns"]

pytestmark = [
    pytest.mark.model,
    pytest.mark.slow,
    pytest.mark.filterwarnings("default"),
    pytest.mark.skipif(
        find_spec("torch") is None or find_spec("sentence_transformers") is None,
        reason="torch and sentence-transformers are not installed",
    ),
]


def write_model(folder: Path, *, outputs: int = 1, **config: object) -> Path:
    """Write a BERT of two layers with random weights, the same in each run."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    torch.manual_seed(5)
    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=64).save_pretrained(folder)
    shape = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        num_labels=outputs,
        initializer_range=0.6,
    )
    BertForSequenceClassification(shape).save_pretrained(folder, safe_serialization=True)
    held = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps(held | config), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("models") / "tiny-cross-encoder")


def test_each_text_has_the_logistic_of_the_models_output_in_their_order(model: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    reranker = CrossEncoderReranker(model, batch_size=3)
    scores = reranker.score("who turns the wheel", TEXTS)
    assert (scores.shape, scores.dtype) == ((len(TEXTS),), np.float64)
    tokenizer = AutoTokenizer.from_pretrained(model, local_files_only=True)
    net = AutoModelForSequenceClassification.from_pretrained(model, local_files_only=True).eval()
    for text, score in zip(TEXTS, scores, strict=True):
        pair = tokenizer(
            ["who turns the wheel"],
            [text.replace("\ud800", "\ufffd")],
            truncation="longest_first",
            max_length=64,
            return_tensors="pt",
        )
        with torch.inference_mode():
            expected = torch.sigmoid(net(**pair).logits.double()).item()
        assert score == pytest.approx(expected, abs=1e-5), text
    assert scores[0] == pytest.approx(scores[-1], abs=1e-6)
    assert len({round(float(score), 4) for score in scores}) > 3, "the model tells texts apart"


def test_a_search_is_reranked_by_it(model: Path) -> None:
    reranker = CrossEncoderReranker(model)
    store = MemoryStore(make_chunks({"a": ["the mill turns", "tide", "wheel wheel", "the gate"]}))
    found = Searcher(store, reranker=reranker).search(
        TextSimilaritySearchRequest("who turns the wheel"), refine=Refinement(rerank=10)
    )
    scores = reranker.score("who turns the wheel", [result.match.text for result in found])
    assert [result.score for result in found] == pytest.approx(list(scores), abs=1e-6)
    assert sorted(scores, reverse=True) == pytest.approx(list(scores), abs=1e-6)


def test_the_model_is_told_by_its_name_and_weights_and_can_be_freed(model: Path) -> None:
    reranker = CrossEncoderReranker(model)
    name, _, digits = reranker.model_id.partition("@")
    assert (name, len(digits)) == ("tiny-cross-encoder", 12)
    before = reranker.score("mill", ["tide"])
    reranker.close()
    reranker.close()
    assert reranker.score("mill", ["tide"]) == pytest.approx(before)
    assert reranker.score("mill", []).shape == (0,)


def test_a_shorter_limit_cuts_pairs(model: Path) -> None:
    long = ["tide " * 60 + "mill", "tide " * 60 + "wheel"]
    whole, cut = (CrossEncoderReranker(model, max_tokens=limit).score("mill", long) for limit in (None, 8))
    assert cut[0] == pytest.approx(cut[1])
    assert cut[0] != pytest.approx(whole[0], abs=1e-6)


def test_a_model_with_several_outputs_is_no_reranker(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "three", outputs=3)
    with pytest.raises(ModelCallError, match="model `three` has 3 outputs; a cross-encoder for reranking has one"):
        CrossEncoderReranker(folder).score("mill", ["tide"])


def test_weights_as_a_pickle_are_refused_before_anything_is_imported(tmp_path: Path, model: Path) -> None:
    """THREATS: a `.bin` file can run code when it is loaded."""
    folder = tmp_path / "pickled"
    shutil.copytree(model, folder)
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(ModelCallError, match="holds its weights as `pytorch_model.bin`, which can run code"):
        CrossEncoderReranker(folder).score("mill", ["tide"])


def test_code_that_comes_with_a_model_does_not_run(tmp_path: Path, model: Path) -> None:
    """Neither a class of the folder nor the function that its files name is loaded."""
    folder = tmp_path / "with-code"
    shutil.copytree(model, folder)
    marker = tmp_path / "ran"
    code = f"from pathlib import Path\nPath({str(marker)!r}).touch()\nclass Own: pass\n"
    (folder / "modeling_own.py").write_text(code, encoding="utf-8")
    held = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    held["auto_map"] = {"AutoModelForSequenceClassification": "modeling_own.Own", "AutoConfig": "modeling_own.Own"}
    held["sentence_transformers"] = {"activation_fn": "torch.nonsense.Missing"}
    (folder / "config.json").write_text(json.dumps(held), encoding="utf-8")
    try:
        scores = CrossEncoderReranker(folder).score("mill", ["tide"])
    except ModelCallError:
        scores = None
    assert not marker.exists()
    if scores is not None:
        assert scores == pytest.approx(CrossEncoderReranker(model).score("mill", ["tide"]), abs=1e-6)


def test_damaged_weights_are_an_error_of_ours(tmp_path: Path, model: Path) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(model, folder)
    (folder / "model.safetensors").write_bytes(b"\x08\0\0\0\0\0\0\0notjson!")
    with pytest.raises(ModelCallError, match="cross-encoder `damaged` cannot be loaded from"):
        CrossEncoderReranker(folder).score("mill", ["tide"])


NO_NETWORK = """
import socket, sys
def refuse(*args, **more):
    print("CONNECTED", args); sys.stdout.flush(); raise OSError("no network in this test")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
from graphrag.search import CrossEncoderReranker
print(CrossEncoderReranker(sys.argv[1]).score("mill", ["tide"]).shape)
"""


def test_the_hub_is_never_asked(model: Path) -> None:
    """CASES 68."""
    run = subprocess.run([sys.executable, "-c", NO_NETWORK, str(model)], check=False, capture_output=True, text=True)
    assert run.stdout.splitlines() == ["(1,)"], run.stderr
