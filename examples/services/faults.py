"""Errors as HTTP answers: a status, a stable code, a sentence. What happened inside stays in the log."""

import logging
from collections.abc import Mapping

from answers import ErrorAnswer
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from graphrag.errors import (
    BusyError,
    FilterError,
    GraphRagError,
    InvalidRequestError,
    ModelCallError,
    StoreError,
    TimeoutExceededError,
)

__all__ = ["ANSWERS", "HiddenError", "UnknownKeyError", "install"]

_log = logging.getLogger(__name__)


class HiddenError(Exception):
    """Nothing that the client may see has that id. Missing, hidden and foreign look the same."""


class UnknownKeyError(Exception):
    """The client sent no key, or one that is not known."""


_TRY_LATER = {"Retry-After": "1"}

ANSWERS: dict[int | str, dict[str, object]] = {status: {"model": ErrorAnswer} for status in (401, 404, 422, 503, 504)}
"""For the schema: what else a path may answer."""


def install(app: FastAPI) -> None:
    """Let an application answer errors so."""
    app.add_exception_handler(HiddenError, _hidden)
    app.add_exception_handler(UnknownKeyError, _unknown_key)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(GraphRagError, _failed)


async def _hidden(_request: Request, _error: Exception) -> JSONResponse:
    return _answer(404, "not_found", "nothing that you may see has this id")


async def _unknown_key(_request: Request, _error: Exception) -> JSONResponse:
    headers = {"WWW-Authenticate": "ApiKey"}
    return _answer(401, "unauthorized", "send a known key in the header X-API-Key", headers=headers)


async def _invalid(_request: Request, error: Exception) -> JSONResponse:
    told = error.errors() if isinstance(error, RequestValidationError) else []
    faults = [f"`{'.'.join(map(str, fault['loc'][1:]))}`: {fault['msg']}" for fault in told]
    return _answer(422, InvalidRequestError.code, "; ".join(faults))


async def _failed(request: Request, error: Exception) -> JSONResponse:
    match error:
        # The message is about what the client sent, and it is what the client needs to correct it.
        case InvalidRequestError() | FilterError():
            return _answer(422, error.code, str(error))
        case TimeoutExceededError():
            answer = _answer(504, error.code, "the answer took too long")
        case BusyError() | ModelCallError():
            answer = _answer(503, error.code, "try again later", headers=_TRY_LATER)
        case StoreError(retryable=True) | StoreError(code="store_unavailable"):
            answer = _answer(503, "store_unavailable", "try again later", headers=_TRY_LATER)
        case _:
            answer = _answer(500, "internal", "the service failed; its log has the details")
    _log.error("%s: %s", request.url.path, error, exc_info=error)
    return answer


def _answer(status: int, code: str, message: str, *, headers: Mapping[str, str] | None = None) -> JSONResponse:
    body = ErrorAnswer(error=code, message=message).model_dump()
    return JSONResponse(body, status_code=status, headers=None if headers is None else dict(headers))
