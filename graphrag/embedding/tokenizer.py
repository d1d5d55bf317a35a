"""The model's own tokenizer, read from `tokenizer.json`: counts without loading the model."""

import re
from collections.abc import Sequence
from typing import Any

from graphrag.embedding.model_folder import ModelFolder
from graphrag.embedding.optional import import_optional
from graphrag.errors import ModelCallError

__all__ = ["ModelTokenizer", "open_tokenizer", "replace_surrogates"]

_SURROGATES = re.compile("[\ud800-\udfff]")


class ModelTokenizer:
    """Counts as the embedding model counts. Safe to use from several threads.

    Args:
        folder: The model's folder.
        max_tokens: Longest input in tokens, special tokens counted; not above what the model takes.
        prompt: What the embedder puts before each document; its tokens are taken off the limit.

    Raises:
        ModelCallError: `tokenizer.json` is absent or damaged, or the limit leaves no token for the text.
        MissingExtraError: The package `tokenizers` is not installed.
    """

    def __init__(self, folder: ModelFolder, *, max_tokens: int, prompt: str = "") -> None:
        self._tokenizer = open_tokenizer(folder)
        special = int(self._tokenizer.num_special_tokens_to_add(is_pair=False))
        self._max_tokens = max_tokens - special - len(self.token_offsets(prompt))
        if self._max_tokens < 1:
            msg = (
                f"embedding model `{folder.name}`: {max_tokens} tokens leave none for the text after {special} special "
                f"tokens and the document prompt; raise `embedding.max_tokens` or shorten `embedding.document_prompt`"
            )
            raise ModelCallError(msg)

    @property
    def max_tokens(self) -> int:
        """Longest input in tokens, special tokens and those of the document prompt taken off."""
        return self._max_tokens

    def token_offsets(self, text: str) -> Sequence[tuple[int, int]]:
        """Return [start, end) of each token in code points of `text`, in order, special tokens left out."""
        encoding = self._tokenizer.encode(replace_surrogates(text), add_special_tokens=False)
        offsets: list[tuple[int, int]] = encoding.offsets
        return offsets


def open_tokenizer(folder: ModelFolder) -> Any:  # noqa: ANN401 - a class of an optional package
    """Return a `tokenizers.Tokenizer` that neither cuts nor pads.

    Raises:
        ModelCallError: `tokenizer.json` is absent or damaged.
        MissingExtraError: The package `tokenizers` is not installed.
    """
    tokenizers = import_optional("tokenizers", feature=f"embedding model `{folder.name}`")
    file = folder.path / "tokenizer.json"
    if not file.is_file():
        msg = (
            f"model folder `{folder.path}` has no `tokenizer.json`; save the model anew with a current "
            f"sentence-transformers, which writes it"
        )
        raise ModelCallError(msg)
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(file))
    except Exception as error:  # the package raises bare `Exception`
        msg = f"model file `{file}` cannot be read: {error}"
        raise ModelCallError(msg) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def replace_surrogates(text: str) -> str:
    """Return `text` with each lone surrogate replaced by U+FFFD, so that it can be encoded; the length stays."""
    return _SURROGATES.sub("\ufffd", text)
