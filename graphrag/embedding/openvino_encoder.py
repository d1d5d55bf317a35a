"""Runs a BERT encoder on OpenVINO: starts in a second, needs no torch."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag.config import EmbeddingSettings
from graphrag.embedding.bert_graph import build_graph
from graphrag.embedding.encoders import Encoder, Forward, TokenEncoder
from graphrag.embedding.fidelity import is_faithful
from graphrag.embedding.model_folder import ModelFolder
from graphrag.embedding.optional import import_optional
from graphrag.errors import ModelCallError

__all__ = ["open_openvino"]

_HINTS = {"float32": "f32", "bfloat16": "bf16"}


def open_openvino(folder: ModelFolder, settings: EmbeddingSettings, *, max_tokens: int) -> Encoder:
    """Return an encoder in the precision set; `auto` is bfloat16 where the processor computes it and it is faithful.

    Raises:
        ModelCallError: The weights cannot be read, or the graph does not compile.
        MissingExtraError: `openvino`, `safetensors` or `tokenizers` is not installed.
    """
    openvino = import_optional("openvino", feature=f"embedding model `{folder.name}` on the backend `openvino`")
    core = openvino.Core()
    graph = build_graph(folder)

    def compiled(precision: str) -> TokenEncoder:
        forward = _compile(core, graph, precision=precision, threads=settings.threads)
        return TokenEncoder(f"openvino {precision}", folder, forward=forward, max_tokens=max_tokens)

    wanted = settings.precision
    if wanted == "auto":
        capabilities = core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")
        wanted = "bfloat16" if "BF16" in capabilities else "float32"
    exact = compiled("float32")
    if wanted == "float32":
        return exact
    fast = compiled("bfloat16")
    return fast if is_faithful(fast, exact) else exact


def _compile(core: Any, graph: Any, *, precision: str, threads: int) -> Forward:  # noqa: ANN401 - an optional package
    options: dict[str, object] = {"INFERENCE_PRECISION_HINT": _HINTS[precision], "PERFORMANCE_HINT": "LATENCY"}
    if threads:
        options["INFERENCE_NUM_THREADS"] = threads
    try:
        model = core.compile_model(graph, "CPU", options)
    except Exception as error:  # the package raises bare `RuntimeError`
        msg = f"OpenVINO cannot compile the embedding model ({precision}): {error}; set `embedding.backend` to `torch`"
        raise ModelCallError(msg) from error

    def forward(ids: NDArray[np.int64], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        # A copy: the output's memory is the request's, and is written again by the next batch.
        return np.array(model([ids, mask])[0], dtype=np.float32)

    return forward
