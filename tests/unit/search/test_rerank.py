"""The reranker, as far as no model is needed (the rest: tests/integration/test_cross_encoder.py)."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from graphrag.embedding import cross_encoder
from graphrag.errors import InvalidRequestError, MissingExtraError, ModelCallError
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
    ],
)
def test_sizes_are_bounded(options: dict[str, int], message: str) -> None:
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
    """A loaded model that gives what it is told to."""

    def __init__(self, outputs: Sequence[float]) -> None:
        self._outputs = np.array(outputs, dtype=np.float32)
        self.batch_sizes: list[int] = []

    def score(self, query: str, texts: Sequence[str], *, batch_size: int) -> NDArray[np.float32]:
        self.batch_sizes.append(batch_size)
        return self._outputs[: len(texts)]


def test_outputs_become_scores_that_keep_their_order_however_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In single precision the logistic function of 18 and of 20 would both be 1."""
    model = Given([-800.0, -11.0, 0.0, 11.0, 18.0, 20.0, 900.0])
    monkeypatch.setattr(rerank, "open_cross_encoder", lambda *_, **__: model)
    scores = CrossEncoderReranker(write_folder(tmp_path / "tiny"), batch_size=5).score("q", ["text"] * 7)
    assert scores[2] == 0.5
    assert scores[1] == pytest.approx(1 / (1 + np.exp(11.0)), rel=1e-6)
    assert np.all(np.diff(scores) > 0) or list(scores) == sorted(set(scores))
    assert (scores[0], scores[-1]) == (0.0, 1.0)
    assert model.batch_sizes == [5]


def test_a_model_that_fails_is_an_error_of_ours() -> None:
    class Failing:
        def predict(self, *_: object, **__: object) -> object:
            msg = "out of memory"
            raise RuntimeError(msg)

    scorer = cross_encoder._CrossEncoder("tiny", Failing())
    with pytest.raises(ModelCallError, match="cross-encoder `tiny` failed on 2 texts: out of memory"):
        scorer.score("q", ["a", "b"], batch_size=1)
