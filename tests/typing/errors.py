"""Errors as a caller catches them. Only type-checked."""

from typing import assert_type

from graphrag.errors import GraphRagError, IngestionError, InvalidRequestError, Stage, StoreError


def message(error: Exception) -> str:
    if isinstance(error, StoreError):
        assert_type(error.retryable, bool)
    if isinstance(error, IngestionError):
        assert_type(error.stage, Stage)
        assert_type(error.uri, str)
    if isinstance(error, GraphRagError):
        return error.code
    return ""


both: GraphRagError | ValueError = InvalidRequestError("top_k is 0")
