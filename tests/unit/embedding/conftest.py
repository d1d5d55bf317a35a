"""Small model folders, written by the tests: nothing in them is a trained model."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "hidden_size": 8,
    "intermediate_size": 16,
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": 32,
    "num_attention_heads": 2,
    "num_hidden_layers": 1,
    "type_vocab_size": 2,
    "vocab_size": 12,
}
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "graph", "stores", "people", "pla", "##ces", "é", "naive"]
MODULES = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
]


def bert_weights() -> dict[str, np.ndarray]:
    """Random weights of the shape that `CONFIG` tells, the same in each run."""
    random = np.random.default_rng(7)
    width, inner = CONFIG["hidden_size"], CONFIG["intermediate_size"]
    shapes = {
        "embeddings.word_embeddings.weight": (CONFIG["vocab_size"], width),
        "embeddings.position_embeddings.weight": (CONFIG["max_position_embeddings"], width),
        "embeddings.token_type_embeddings.weight": (2, width),
    }
    layer = "encoder.layer.0"
    for name, rows, columns in [
        (f"{layer}.attention.self.query", width, width),
        (f"{layer}.attention.self.key", width, width),
        (f"{layer}.attention.self.value", width, width),
        (f"{layer}.attention.output.dense", width, width),
        (f"{layer}.intermediate.dense", inner, width),
        (f"{layer}.output.dense", width, inner),
    ]:
        shapes[f"{name}.weight"] = (rows, columns)
        shapes[f"{name}.bias"] = (rows,)
    for name in ("embeddings", f"{layer}.attention.output", f"{layer}.output"):
        shapes[f"{name}.LayerNorm.weight"] = shapes[f"{name}.LayerNorm.bias"] = (width,)
    return {name: random.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}


def tokenizer_file() -> dict[str, object]:
    """A WordPiece tokenizer over `VOCABULARY`, set to cut at 4 tokens and pad to 4, as real files often are."""
    special = [
        {
            "id": i,
            "content": t,
            "special": True,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
        }
        for i, t in enumerate(VOCABULARY[:4])
    ]
    piece = [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    return {
        "version": "1.0",
        "truncation": {"max_length": 4, "strategy": "LongestFirst", "stride": 0, "direction": "Right"},
        "padding": {
            "strategy": {"Fixed": 4},
            "direction": "Right",
            "pad_to_multiple_of": None,
            "pad_id": 0,
            "pad_type_id": 0,
            "pad_token": "[PAD]",
        },
        "added_tokens": special,
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [*piece, {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
            "pair": [*piece, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {
                "[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]},
                "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]},
            },
        },
        "decoder": None,
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {token: index for index, token in enumerate(VOCABULARY)},
        },
    }


def write_json(file: Path, held: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(held), encoding="utf-8")


@pytest.fixture
def make_model(tmp_path: Path) -> Callable[..., Path]:
    """Write a model folder; keyword arguments change `config.json`."""

    def make(name: str = "tiny", **changes: object) -> Path:
        folder = tmp_path / name
        write_json(folder / "config.json", CONFIG | changes)
        write_json(folder / "modules.json", MODULES)
        write_json(
            folder / "1_Pooling" / "config.json", {"word_embedding_dimension": 8, "pooling_mode_mean_tokens": True}
        )
        (folder / "2_Normalize").mkdir(exist_ok=True)
        write_json(folder / "sentence_bert_config.json", {"max_seq_length": 16})
        write_json(folder / "tokenizer.json", tokenizer_file())
        save_file(bert_weights(), folder / "model.safetensors")
        return folder

    return make


@pytest.fixture
def model(make_model: Callable[..., Path]) -> Path:
    return make_model()
