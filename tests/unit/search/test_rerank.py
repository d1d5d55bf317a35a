"""The reranker, as far as no model is needed (the rest: tests/integration/test_cross_encoder.py)."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from time import sleep

import numpy as np
import pytest
from numpy.typing import NDArray

from graphrag.embedding import cross_encoder
from graphrag.errors import InvalidRequestError, MissingExtraError, ModelCallError, TimeoutExceededError
from graphrag.search import CrossEncoderReranker, rerank


def write_folder(folder: Path) -> Path:
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "bert", "hidden_size": 8}', encoding="utf-8")
    (folder / "model.safetensors").write_bytes(b"weights")
    return folder


def test_construction_reads_nothing_and_a_missing_folder_is_told_at_the_first_use() -> None:
    reranker = CrossEncoderReranker("nowhere/model")
    for use in (lambda: reranker.model_id, lambda: reranker.score("q", ["text"])):
        with pytest.raises(ModelCallError, match="cross-encoder `nowhere/model` is not a folder on this machine"):
            use()
    assert repr(reranker) == "CrossEncoderReranker('nowhere/model')"


@pytest.mark.parametrize("missing", ["config.json", "model.safetensors"])
def test_a_folder_that_is_no_model_is_refused(tmp_path: Path, missing: str) -> None:
    folder = write_folder(tmp_path / "tiny")
    (folder / missing).unlink()
    with pytest.raises(ModelCallError, match=f"model folder `.*tiny` has no `{missing}`"):
        CrossEncoderReranker(folder).score("q", ["text"])


@pytest.mark.parametrize(
    "options, message",
    [
        ({"batch_size": 0}, "`batch_size` is 0; it must be a whole number of at least 1"),
        ({"batch_size": None}, "`batch_size` is None"),
        ({"max_tokens": 7}, "`max_tokens` is 7; it must be a whole number of at least 8"),
        ({"max_tokens": 8.0}, "`max_tokens` is 8.0"),
        ({"timeout_s": 0}, "time limit of reranking is 0 seconds; it must be above 0 and finite"),
    ],
)
def test_sizes_and_the_time_are_bounded(options: dict[str, int], message: str) -> None:
    with pytest.raises(InvalidRequestError, match=message):
        CrossEncoderReranker("model", **options)


def test_a_package_that_is_not_installed_is_told_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"cross-encoder `tiny`.*embeddings") as caught:
        CrossEncoderReranker(write_folder(tmp_path / "tiny")).score("q", ["text"])
    assert "pip install" in caught.value.command


class Given:
    """A loaded model that gives for each text the number that the text is."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.on_batch: Callable[[], object] = int

    def score(self, query: str, texts: Sequence[str], *, batch_size: int) -> NDArray[np.float32]:
        assert len(texts) <= batch_size
        self.batches.append(list(texts))
        self.on_batch()
        return np.array([float(text) for text in texts], dtype=np.float32)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Given:
    model = Given()
    monkeypatch.setattr(rerank, "open_cross_encoder", lambda *_, **__: model)
    return model


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "tiny")


def test_outputs_become_scores_that_keep_their_order_however_large(model: Given, folder: Path) -> None:
    """In single precision the logistic function of 18 and of 20 would both be 1."""
    texts = ["-800", "-11", "0", "11", "18", "20", "900"]
    scores = CrossEncoderReranker(folder).score("q", texts)
    assert scores[2] == 0.5
    assert scores[1] == pytest.approx(1 / (1 + np.exp(11.0)), rel=1e-6)
    assert list(scores) == sorted(set(scores))
    assert (scores[0], scores[-1]) == (0.0, 1.0)
    assert len(model.batches) == 1


def test_texts_of_about_one_length_go_together_and_each_score_to_its_text(model: Given, folder: Path) -> None:
    scores = CrossEncoderReranker(folder, batch_size=2).score("q", ["0.0001", "-1", "0.01", "2", "0.001"])
    assert model.batches == [["2", "-1"], ["0.01", "0.001"], ["0.0001"]]
    assert scores == pytest.approx([1 / (1 + np.exp(-x)) for x in (0.0001, -1, 0.01, 2, 0.001)], abs=1e-7)


def test_a_query_that_takes_too_long_ends_between_two_batches(model: Given, folder: Path) -> None:
    model.on_batch = lambda: sleep(0.1)
    reranker = CrossEncoderReranker(folder, batch_size=1, timeout_s=0.05)
    with pytest.raises(TimeoutExceededError, match=r"reranking 3 texts took longer than its limit of 0.05 s"):
        reranker.score("q", ["1", "2", "3"])
    assert len(model.batches) == 1
    model.on_batch = int
    assert len(reranker.score("q", ["1"])) == 1


def test_the_wait_for_another_thread_counts(model: Given, folder: Path) -> None:
    going, go_on = Event(), Event()
    model.on_batch = lambda: (going.set(), go_on.wait(30))
    reranker = CrossEncoderReranker(folder, timeout_s=0.05)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(reranker.score, "q", ["1"])
        assert going.wait(30)
        try:
            with pytest.raises(TimeoutExceededError, match="reranking 2 texts took longer"):
                reranker.score("q", ["1", "2"])
        finally:
            go_on.set()
        assert len(first.result()) == 1


def test_a_model_that_fails_is_an_error_of_ours() -> None:
    class Failing:
        def predict(self, *_: object, **__: object) -> object:
            msg = "out of memory"
            raise RuntimeError(msg)

    scorer = cross_encoder._CrossEncoder("tiny", Failing())
    with pytest.raises(ModelCallError, match="cross-encoder `tiny` failed on 2 texts: out of memory"):
        scorer.score("q", ["a", "b"], batch_size=1)
