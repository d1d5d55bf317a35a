import importlib
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import ValidationError

from graphrag.config import EmbeddingSettings, load_settings
from graphrag.embedding import Embedder, bert_graph, open_embedder, sentence_transformers
from graphrag.embedding.encoders import TokenEncoder
from graphrag.embedding.fidelity import is_faithful
from graphrag.embedding.model_folder import ModelFolder, find_model
from graphrag.embedding.sentence_transformers import SentenceTransformersEmbedder
from graphrag.errors import ConfigurationError, InvalidRequestError, MissingExtraError, ModelCallError


class FakeEncoder:
    """Puts the text's length into the first number; keeps what it was given."""

    def __init__(
        self, name: str = "fake", *, rows: NDArray[np.float32] | None = None, error: Exception | None = None
    ) -> None:
        self.name = name
        self.rows = rows
        self.error = error
        self.texts: list[str] = []
        self.running = 0

    def encode(self, texts: Sequence[str], *, batch_size: int) -> NDArray[np.float32]:
        self.running += 1
        assert self.running == 1, "two threads at once"
        time.sleep(0.001)
        self.texts += texts
        self.running -= 1
        if self.error:
            raise self.error
        if self.rows is not None:
            return self.rows
        rows = np.ones((len(texts), 8), dtype=np.float32)
        rows[:, 0] = [len(text) for text in texts]
        return rows


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> FakeEncoder:
    fake = FakeEncoder()
    monkeypatch.setattr(sentence_transformers, "_open_encoder", lambda folder, settings, max_tokens: fake)
    return fake


def embedder(model: Path, **settings: object) -> SentenceTransformersEmbedder:
    return SentenceTransformersEmbedder(EmbeddingSettings.model_validate({"model": str(model), **settings}))


def test_names_and_lengths_come_from_files_alone(model: Path) -> None:
    """No model package is touched: the stand-ins of the tests would fail."""
    local: Embedder = embedder(model)
    assert local.model_name == str(model)
    assert local.model_id.startswith("tiny@")
    assert local.dimensions == 8
    assert local.tokenizer is not None
    assert local.tokenizer.max_tokens == 14
    assert local.embed_documents([]).shape == (0, 8)


def test_the_id_tells_weights_and_document_prompt_apart(model: Path) -> None:
    plain, prompted = embedder(model).model_id, embedder(model, document_prompt="passage: ").model_id
    assert prompted.startswith(plain + "+prompt:")
    assert embedder(model, query_prompt="query: ").model_id == plain
    (model / "model.safetensors").write_bytes(b"other weights")
    assert embedder(model).model_id != plain


def test_rows_have_unit_length_in_the_order_of_the_texts(model: Path, encoder: FakeEncoder) -> None:
    rows = embedder(model).embed_documents(["four", "a", "sixsix"])
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(3), abs=1e-6)
    assert rows[:, 0].argsort().tolist() == [1, 0, 2]


def test_prompts_go_before_documents_and_queries(model: Path, encoder: FakeEncoder) -> None:
    prompted = embedder(model, document_prompt="passage: ", query_prompt="query: ")
    prompted.embed_documents(["a"])
    assert prompted.embed_query("b").shape == (8,)
    assert encoder.texts == ["passage: a", "query: b"]


def test_a_single_string_is_not_taken_for_texts(model: Path) -> None:
    with pytest.raises(InvalidRequestError, match="`texts` is a string"):
        embedder(model).embed_documents("abc")


@pytest.mark.parametrize(
    "rows, message",
    [
        (np.ones((1, 8)), "gave 1 vectors for 2 texts"),
        (np.ones((2, 7)), "gave 7 dimensions for text 0; 8 dimensions"),
        (np.array([[1.0] * 8, [np.nan] * 8]), "not finite for text 1"),
        (np.array([[1.0] * 8, [0.0] * 8]), "without direction .* for text 1"),
    ],
)
def test_bad_vectors_are_refused(model: Path, encoder: FakeEncoder, rows: NDArray[np.float32], message: str) -> None:
    """CASES 39, fault 23."""
    encoder.rows = rows
    with pytest.raises(ModelCallError, match=message):
        embedder(model).embed_documents(["a", "b"])


def test_a_failing_model_is_a_typed_error(model: Path, encoder: FakeEncoder) -> None:
    encoder.error = RuntimeError("out of memory")
    with pytest.raises(ModelCallError, match=r"failed on 1 texts \(fake\): out of memory") as caught:
        embedder(model).embed_query("a")
    assert caught.value.__cause__ is encoder.error


def test_threads_share_one_model_and_wait_for_each_other(model: Path, encoder: FakeEncoder) -> None:
    local = embedder(model)
    rows: list[NDArray[np.float32]] = []
    threads = [threading.Thread(target=lambda: rows.append(local.embed_query("a"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(rows) == 8


def test_closing_twice_is_no_error_and_a_later_text_loads_again(model: Path, encoder: FakeEncoder) -> None:
    local = embedder(model)
    local.embed_query("a")
    local.close()
    local.close()
    assert local.embed_query("a").shape == (8,)
    assert local.backend == "fake"


def test_other_dimensions_than_the_models_are_refused(model: Path) -> None:
    """CASES 38: dimensions are never guessed, and never cut."""
    with pytest.raises(ConfigurationError, match=r"`embedding.dimensions` is 4, and model .* has 8"):
        _ = embedder(model, dimensions=4).dimensions


def test_fewer_tokens_than_the_models_can_be_set_but_not_more(model: Path) -> None:
    assert embedder(model, max_tokens=10).tokenizer.max_tokens == 8
    assert embedder(model, max_tokens=10_000).tokenizer.max_tokens == 14


def test_a_missing_model_fails_at_use_not_at_construction() -> None:
    """CASES 68: commands that embed nothing work without the model."""
    missing = open_embedder(EmbeddingSettings(model="/no/such/folder"))
    for use in (lambda: missing.model_id, lambda: missing.dimensions, lambda: missing.embed_query("a")):
        with pytest.raises(ModelCallError, match="models are never downloaded"):
            use()


@pytest.mark.parametrize("name", ["trust_remote_code", "TRUST_REMOTE_CODE"])
def test_code_of_a_model_cannot_be_trusted_by_a_setting(name: str) -> None:
    """THREATS 76: the flag is code-level."""
    with pytest.raises(ConfigurationError, match="trust_remote_code`.* is not a setting"):
        load_settings(environ={f"GRAPHRAG_EMBEDDING_{name.upper()}": "1"})
    with pytest.raises(ValidationError):
        EmbeddingSettings.model_validate({name: True})


def test_openvino_is_refused_for_a_model_that_its_graph_does_not_compute(model: Path) -> None:
    config = (model / "config.json").read_text(encoding="utf-8")
    (model / "config.json").write_text(config.replace('"bert"', '"mpnet"'), encoding="utf-8")
    with pytest.raises(ConfigurationError, match="`openvino` runs BERT encoders .* set it to `torch`"):
        embedder(model, backend="openvino").embed_query("a")


@pytest.mark.parametrize(
    "backend, installed, opened",
    [
        ("auto", {"openvino", "torch"}, "openvino"),
        ("auto", {"torch"}, "torch"),
        ("auto", set(), "openvino"),
        ("torch", {"openvino", "torch"}, "torch"),
        ("openvino", {"torch"}, "openvino"),
        ("onnx", {"openvino"}, "onnx"),
    ],
)
def test_the_backend_is_the_fastest_that_is_installed(
    model: Path, monkeypatch: pytest.MonkeyPatch, backend: str, installed: set[str], opened: str
) -> None:
    monkeypatch.setattr(sentence_transformers, "is_installed", installed.__contains__)
    for name in ("openvino", "torch", "onnx"):
        monkeypatch.setattr(sentence_transformers, f"open_{name}", lambda *args, name=name, **more: FakeEncoder(name))
    assert embedder(model, backend=backend).backend == opened


@pytest.mark.parametrize(
    "change",
    [{"model_type": "mpnet"}, {"hidden_act": "relu"}, {"auto_map": {}}, {"is_decoder": True}, {"dtype": "bfloat16"}],
)
def test_the_graph_supports_plain_bert_alone(model: Path, change: dict[str, object]) -> None:
    folder = find_model(str(model))
    assert bert_graph.supports(folder)
    assert not bert_graph.supports(_with_config(folder, change))


@pytest.mark.parametrize("backend, extra", [("openvino", "embeddings"), ("torch", "embeddings"), ("onnx", "onnx")])
def test_a_missing_package_tells_the_extra(
    model: Path, monkeypatch: pytest.MonkeyPatch, backend: str, extra: str
) -> None:
    def absent(name: str) -> object:
        raise ModuleNotFoundError(name)

    (model / "onnx").mkdir()
    (model / "onnx" / "model.onnx").write_bytes(b"")
    monkeypatch.setattr(importlib, "import_module", absent)
    with pytest.raises(MissingExtraError, match=rf"the backend `{backend}` needs the extra `{extra}`"):
        embedder(model, backend=backend).embed_query("a")


def test_onnx_needs_the_file_and_float32(model: Path) -> None:
    with pytest.raises(ModelCallError, match=r"has no `onnx/model.onnx`"):
        embedder(model, backend="onnx").embed_query("a")
    with pytest.raises(ConfigurationError, match="computes in float32 only"):
        embedder(model, backend="onnx", precision="bfloat16").embed_query("a")


def test_batches_are_sorted_by_length_and_put_back_in_order(model: Path) -> None:
    shapes: list[tuple[int, ...]] = []

    def forward(ids: NDArray[np.int64], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        shapes.append(ids.shape)
        assert (ids[mask == 0] == 0).all()
        return np.repeat(mask.sum(axis=1, keepdims=True), 8, axis=1).astype(np.float32)

    encoder = TokenEncoder("x", find_model(str(model)), forward=forward, max_tokens=16)
    rows = encoder.encode(["the", "graph " * 9, "the graph", "the " * 40, "\ud800"], batch_size=2)
    assert rows[:, 0].tolist() == [3, 11, 4, 16, 2]  # with two special tokens; the fourth is cut, the last is none
    assert shapes == [(2, 16), (2, 4), (1, 2)]


def test_a_precision_that_is_not_faithful_is_not_used(caplog: pytest.LogCaptureFixture) -> None:
    exact = FakeEncoder("exact")
    assert is_faithful(FakeEncoder("fast"), exact)
    skewed = np.ones((5, 8), dtype=np.float32)
    with caplog.at_level(logging.WARNING):
        assert not is_faithful(FakeEncoder("skewed", rows=skewed), exact)
        assert not is_faithful(FakeEncoder("broken", rows=skewed * np.nan), exact)
    assert "skewed is not used: its cosine to exact is" in caplog.text
    assert "broken is not used: model `broken` gave a number that is not finite" in caplog.text


def test_importing_the_package_imports_no_model_package() -> None:
    code = """
import sys
import graphrag.embedding.sentence_transformers
from graphrag.config import EmbeddingSettings
graphrag.embedding.open_embedder(EmbeddingSettings())
heavy = {"torch", "transformers", "sentence_transformers", "openvino", "onnxruntime", "tokenizers", "safetensors"}
print(sorted(heavy & set(sys.modules)))
"""
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert printed.strip() == "[]"


def _with_config(folder: ModelFolder, change: dict[str, object]) -> ModelFolder:
    return ModelFolder(
        folder.name,
        folder.path,
        {**folder.config, **change},
        folder.module_types,
        folder.module_folders,
        folder.weights,
    )
