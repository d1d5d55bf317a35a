"""A BERT encoder as an OpenVINO graph, made from the safetensors alone.

The default model is one. Built so, it needs neither torch (3 GB with the CUDA libraries that its build on the
package index is linked to) nor a conversion step. `supports` tells whether a folder holds a model that this graph
computes exactly; any other goes to sentence-transformers.

Source: Devlin et al., "BERT" (2019), and the layer names of `transformers`, `models/bert/modeling_bert.py`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag.embedding.model_folder import ModelFolder
from graphrag.embedding.optional import import_optional
from graphrag.errors import ModelCallError

__all__ = ["build_graph", "supports"]

_FIXED = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
_ABSENT_MEANS = {"hidden_act": "gelu", "position_embedding_type": "absolute"}
_MASKED = -1e4
"""Added to the scores of padding: e to this power is zero in float32 and bfloat16."""


def supports(folder: ModelFolder) -> bool:
    """Tell whether the graph computes this model: a BERT encoder, pooled by mean or first token."""
    config = folder.config
    plain = all(config.get(key, _ABSENT_MEANS.get(key)) == value for key, value in _FIXED.items())
    other = config.get("is_decoder") or config.get("add_cross_attention") or "auto_map" in config
    # NumPy has no bfloat16, so weights stored in it are for torch.
    other = other or "bfloat16" in {config.get("dtype"), config.get("torch_dtype")}
    return plain and not other and folder.pooling is not None and len(folder.weights) == 1


def build_graph(folder: ModelFolder) -> Any:  # noqa: ANN401 - a class of an optional package
    """Return an `openvino.Model` from `input_ids` and `attention_mask` (texts, tokens) to pooled vectors.

    Raises:
        ModelCallError: The weights are damaged, or are not those of a BERT encoder.
        MissingExtraError: `openvino` or `safetensors` is not installed.
    """
    feature = f"embedding model `{folder.name}` on the backend `openvino`"
    safetensors = import_optional("safetensors.numpy", feature=feature)
    import_optional("openvino", feature=feature)
    try:
        weights = safetensors.load_file(str(folder.weights[0]))
        return _Builder(weights, folder).model()
    except Exception as error:  # both packages raise classes of their own, some of them bare
        msg = f"weights `{folder.weights[0]}` cannot be read as a BERT encoder: {type(error).__name__}: {error}"
        raise ModelCallError(msg) from error


class _Builder:
    """Holds what the steps of the graph share. Nodes are untyped: the package gives no types for them."""

    def __init__(self, weights: Mapping[str, NDArray[Any]], folder: ModelFolder) -> None:
        self._openvino = import_optional("openvino", feature="a BERT graph")
        self._ops: Any = import_optional("openvino.opset13", feature="a BERT graph")
        prefix = "bert." if any(name.startswith("bert.embeddings.") for name in weights) else ""
        self._weights = {
            name.removeprefix(prefix): held.astype(np.float32, copy=False) for name, held in weights.items()
        }
        self._pooling = folder.pooling
        self._layers = self._whole(folder, "num_hidden_layers")
        self._heads = self._whole(folder, "num_attention_heads")
        self._width = self._whole(folder, "hidden_size")
        epsilon = folder.config.get("layer_norm_eps", 1e-12)
        self._epsilon = float(epsilon) if isinstance(epsilon, int | float) else 1e-12

    def model(self) -> Any:  # noqa: ANN401
        ops = self._ops
        shape = self._openvino.PartialShape([-1, -1])
        ids = ops.parameter(shape, self._openvino.Type.i64, name="input_ids")
        mask = ops.parameter(shape, self._openvino.Type.i64, name="attention_mask")
        kept = ops.convert(mask, "f32")
        bias = ops.multiply(ops.subtract(self._floats(1.0), kept), self._floats(_MASKED))
        bias = ops.unsqueeze(bias, self._integers([1, 2]))
        state = self._embeddings(ids)
        for layer in range(self._layers):
            state = self._layer(state, bias, f"encoder.layer.{layer}")
        return self._openvino.Model([self._pooled(state, kept)], [ids, mask], "bert")

    def _embeddings(self, ids: Any) -> Any:  # noqa: ANN401
        ops = self._ops
        # One text has one type, 0, so that type's vector is part of each position's.
        places = (
            self._weights["embeddings.position_embeddings.weight"]
            + self._weights["embeddings.token_type_embeddings.weight"][0]
        )
        length = ops.gather(ops.shape_of(ids), self._integers([1]), self._integers(0))
        first, step, axis = self._integers([0]), self._integers([1]), self._integers([0])
        places = ops.slice(self._constant(places), first, length, step, axis)
        words = ops.gather(self._constant(self._weights["embeddings.word_embeddings.weight"]), ids, self._integers(0))
        return self._norm(ops.add(words, ops.unsqueeze(places, self._integers([0]))), "embeddings.LayerNorm")

    def _layer(self, state: Any, bias: Any, name: str) -> Any:  # noqa: ANN401
        ops = self._ops
        attended = self._attention(state, bias, f"{name}.attention.self")
        attended = self._linear(attended, f"{name}.attention.output.dense")
        state = self._norm(ops.add(attended, state), f"{name}.attention.output.LayerNorm")
        inner = ops.gelu(self._linear(state, f"{name}.intermediate.dense"), "erf")
        return self._norm(ops.add(self._linear(inner, f"{name}.output.dense"), state), f"{name}.output.LayerNorm")

    def _attention(self, state: Any, bias: Any, name: str) -> Any:  # noqa: ANN401
        ops = self._ops
        by_head = self._integers([0, 0, self._heads, self._width // self._heads])
        swap = self._integers([0, 2, 1, 3])
        query, key, value = (
            ops.transpose(ops.reshape(self._linear(state, f"{name}.{part}"), by_head, special_zero=True), swap)
            for part in ("query", "key", "value")
        )
        mixed = ops.transpose(ops.scaled_dot_product_attention(query, key, value, bias), swap)
        return ops.reshape(mixed, self._integers([0, 0, self._width]), special_zero=True)

    def _pooled(self, state: Any, kept: Any) -> Any:  # noqa: ANN401
        ops = self._ops
        if self._pooling == "cls":
            return ops.gather(state, self._integers(0), self._integers(1))
        weight = ops.unsqueeze(kept, self._integers([2]))
        total = ops.reduce_sum(ops.multiply(state, weight), self._integers([1]))
        return ops.divide(total, ops.reduce_sum(weight, self._integers([1])))

    def _linear(self, state: Any, name: str) -> Any:  # noqa: ANN401
        product = self._ops.matmul(state, self._constant(self._weights[f"{name}.weight"]), False, True)
        return self._ops.add(product, self._constant(self._weights[f"{name}.bias"].reshape(1, 1, -1)))

    def _norm(self, state: Any, name: str) -> Any:  # noqa: ANN401
        ops = self._ops
        scaled = ops.mvn(state, self._integers([-1]), True, self._epsilon, "INSIDE_SQRT")
        scaled = ops.multiply(scaled, self._constant(self._weights[f"{name}.weight"].reshape(1, 1, -1)))
        return ops.add(scaled, self._constant(self._weights[f"{name}.bias"].reshape(1, 1, -1)))

    def _constant(self, held: NDArray[np.float32]) -> Any:  # noqa: ANN401
        return self._ops.constant(np.ascontiguousarray(held))

    def _floats(self, value: float) -> Any:  # noqa: ANN401
        return self._ops.constant(np.float32(value))

    def _integers(self, value: int | list[int]) -> Any:  # noqa: ANN401
        return self._ops.constant(np.array(value, dtype=np.int64))

    @staticmethod
    def _whole(folder: ModelFolder, key: str) -> int:
        value = folder.config[key]
        if not isinstance(value, int) or value < 1:
            msg = f"`{key}` in `config.json` is {value!r}; a whole number above 0 is expected"
            raise ValueError(msg)
        return value
