"""Runs any model of sentence-transformers on torch, on the CPU."""

import contextlib
from collections.abc import Generator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag.config import EmbeddingSettings
from graphrag.embedding.encoders import Encoder
from graphrag.embedding.fidelity import is_faithful
from graphrag.embedding.model_folder import ModelFolder
from graphrag.embedding.optional import import_optional
from graphrag.embedding.tokenizer import replace_surrogates
from graphrag.errors import ModelCallError

__all__ = ["TorchEncoder", "offline", "open_torch", "quiet"]


class TorchEncoder:
    """A loaded `SentenceTransformer`.

    Args:
        model: The model, on the CPU.
        precision: `float32` or `bfloat16`: what its weights are in.
    """

    def __init__(self, model: Any, *, precision: str) -> None:  # noqa: ANN401 - a class of an optional package
        self._model = model
        self._precision = precision

    @property
    def name(self) -> str:
        """Backend and precision."""
        return f"torch {self._precision}"

    def encode(self, texts: Sequence[str], *, batch_size: int) -> NDArray[np.float32]:
        """Return one row a text, in their order; the model sorts them by length itself."""
        tensor = self._model.encode(
            [replace_surrogates(text) for text in texts],
            batch_size=batch_size,
            convert_to_tensor=True,
            show_progress_bar=False,
            # What the model's own files would put before each text: prompts are ours to set.
            prompt="",
        )
        return np.asarray(tensor.float().cpu().numpy(), dtype=np.float32)


def open_torch(folder: ModelFolder, settings: EmbeddingSettings, *, max_tokens: int) -> Encoder:
    """Return an encoder in the precision set; `auto` is bfloat16 where the processor multiplies it in hardware.

    Raises:
        ModelCallError: The model cannot be loaded.
        MissingExtraError: `sentence-transformers` or torch is not installed.
    """
    feature = f"embedding model `{folder.name}` on the backend `torch`"
    torch = import_optional("torch", feature=feature)
    if settings.threads:
        torch.set_num_threads(settings.threads)
    exact = TorchEncoder(_load(folder, feature, max_tokens=max_tokens), precision="float32")
    wanted = settings.precision
    if wanted == "auto":
        wanted = "bfloat16" if _multiplies_bfloat16(torch) else "float32"
    if wanted == "float32":
        return exact
    fast = TorchEncoder(_load(folder, feature, max_tokens=max_tokens).bfloat16(), precision="bfloat16")
    return fast if is_faithful(fast, exact) else exact


def _load(folder: ModelFolder, feature: str, *, max_tokens: int) -> Any:  # noqa: ANN401 - an optional package
    with offline(feature), quiet(feature):
        package = import_optional("sentence_transformers", feature=feature)
        try:
            model = package.SentenceTransformer(
                str(folder.path),
                device="cpu",
                local_files_only=True,
                trust_remote_code=False,
                model_kwargs={"use_safetensors": True, "dtype": "float32"},
            )
        except Exception as error:  # any class, of three packages
            msg = f"embedding model `{folder.name}` cannot be loaded from `{folder.path}`: {error}"
            raise ModelCallError(msg) from error
    model.max_seq_length = max_tokens
    return model.eval()


@contextlib.contextmanager
def offline(feature: str) -> Generator[None]:
    """Forbid the hub's client to connect while a model is loaded, whatever the environment says."""
    constants: Any = import_optional("huggingface_hub.constants", feature=feature)
    before = constants.HF_HUB_OFFLINE
    constants.HF_HUB_OFFLINE = True
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE = before


@contextlib.contextmanager
def quiet(feature: str) -> Generator[None]:
    """Keep the progress bar of the loader off the terminal, which is ours."""
    logging_of_transformers = import_optional("transformers.utils.logging", feature=feature)
    logging_of_transformers.disable_progress_bar()
    try:
        yield
    finally:
        logging_of_transformers.enable_progress_bar()


def _multiplies_bfloat16(torch: Any) -> bool:  # noqa: ANN401 - an optional package
    """Tell whether the processor has bfloat16 instructions; torch without them is slower than in float32."""
    for name in ("_is_amx_tile_supported", "_is_avx512_bf16_supported"):
        check = getattr(torch.cpu, name, None)
        if check is not None and check():
            return True
    return False
