"""Embedding models behind one protocol.

`open_embedder` picks by the settings. Importing this package loads no model and no model package: those are imported
at the first text, so that commands which embed nothing stay fast and work without them.
"""

from graphrag.config import EmbeddingSettings
from graphrag.embedding.protocol import Embedder, Tokenizer

__all__ = ["Embedder", "Tokenizer", "open_embedder"]


def open_embedder(settings: EmbeddingSettings) -> Embedder:
    """Return the embedder that the settings name: an endpoint where `endpoint_url` is set, else a local model.

    Nothing is loaded or connected before the first text.

    Raises:
        ConfigurationError: `endpoint_url` is not an address.
    """
    if settings.endpoint_url is not None:
        from graphrag.embedding.endpoint import OpenAIEmbedder

        return OpenAIEmbedder(settings)
    from graphrag.embedding.sentence_transformers import SentenceTransformersEmbedder

    return SentenceTransformersEmbedder(settings)
