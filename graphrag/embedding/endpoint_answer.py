"""What an embedding endpoint answered: read within bounds, judged, and put in order."""

import json
import math
import time
from typing import cast

import httpx

from graphrag.errors import ConfigurationError, ModelCallError

__all__ = [
    "PassingFailure",
    "decoded",
    "embeddings_url",
    "is_passing",
    "read_bounded",
    "refusal",
    "retry_after_s",
    "vectors_in_order",
]

_PASSING = frozenset({408, 409, 425, 429})
_HINTS = {
    401: "the key is missing or wrong; set `embedding.api_key`",
    403: "the key may not use this model; set `embedding.api_key`",
    404: "it has no such model, or `embedding.endpoint_url` is not its base address (often one that ends in `/v1`)",
    413: "the batch is too large; lower `embedding.batch_size`",
}


class PassingFailure(Exception):  # noqa: N818 - never leaves the package
    """One try failed in a way that may pass. `retry_after_s` is the wait that the endpoint asks for."""

    def __init__(self, reason: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after_s = retry_after_s


def embeddings_url(base: str | None) -> httpx.URL:
    """Return the address of `embeddings` below the base address.

    Raises:
        ConfigurationError: It is no http or https address, or holds a user name or password. It is not printed,
            since it may hold a secret.
    """
    try:
        url = httpx.URL((base or "").rstrip("/") + "/embeddings")
    except httpx.InvalidURL:
        url = httpx.URL("")
    if url.scheme not in {"http", "https"} or not url.host:
        msg = "setting `embedding.endpoint_url` is not an address such as `https://host/v1`"
        raise ConfigurationError(msg)
    if url.userinfo or url.query or url.fragment:
        msg = (
            "setting `embedding.endpoint_url` holds a user name, password or query; give the key as `embedding.api_key`"
        )
        raise ConfigurationError(msg)
    return url


def is_passing(status: int) -> bool:
    """Tell whether a try with this status may succeed later: too many requests, or the server's own fault."""
    return status in _PASSING or 500 <= status <= 599  # noqa: PLR2004


def retry_after_s(header: str | None) -> float | None:
    """Return the seconds of a `Retry-After`; None where it is absent, a date, or no sensible number."""
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds > 0 else None


def read_bounded(response: httpx.Response, *, most: int, deadline: float) -> bytes:
    """Return the body.

    Args:
        response: An open response.
        most: Longest body in bytes, unpacked.
        deadline: On the monotonic clock, in seconds: an endpoint that sends a byte a minute is cut off.

    Raises:
        ModelCallError: The body is longer.
        PassingFailure: The deadline passed.
    """
    parts: list[bytes] = []
    size = 0
    for part in response.iter_bytes():
        size += len(part)
        if size > most:
            msg = f"embedding endpoint `{response.url}` answered with more than {most:,} bytes"
            raise ModelCallError(msg)
        if time.monotonic() > deadline:
            reason = "no whole answer in time"
            raise PassingFailure(reason)
        parts.append(part)
    return b"".join(parts)


def refusal(url: httpx.URL, status: int, model: str) -> str:
    """Return the message for a status that trying again does not change. The body is not told: it may echo the key."""
    if 300 <= status <= 399:  # noqa: PLR2004
        hint = "it points to another address, which is not followed; set `embedding.endpoint_url` to that address"
    else:
        hint = _HINTS.get(status, "see whether it knows the model and takes texts of this length")
    return f"embedding endpoint `{url}` refused model `{model}` with status {status}: {hint}"


def decoded(content: bytes, *, url: httpx.URL) -> object:
    """Return the answer's JSON.

    Raises:
        ModelCallError: It is not JSON.
    """
    try:
        answer: object = json.loads(content)
    except (ValueError, RecursionError) as error:
        msg = f"embedding endpoint `{url}` answered with something else than JSON"
        raise ModelCallError(msg) from error
    return answer


def vectors_in_order(
    answer: object, *, count: int, dimensions: int | None, model: str, first: int
) -> list[list[float]]:
    """Return the vectors of an answer in the order of the texts, by the `index` that each carries.

    Args:
        answer: The decoded answer, `{"data": [{"index": 0, "embedding": [...]}, ...]}`.
        count: How many are expected.
        dimensions: How long each must be; as long as the first one where None.
        model: The model's name, for messages.
        first: Index of the first text, for messages.

    Raises:
        ModelCallError: A vector is missing, doubled, of another length, or not a list of numbers.
    """
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, list):
        msg = f"embedding model `{model}`: the endpoint's answer holds no list `data`; it is not OpenAI-compatible"
        raise ModelCallError(msg)
    if len(data) != count:
        msg = f"embedding model `{model}` gave {len(data)} vectors for {count} texts; it must give one for each"
        raise ModelCallError(msg)
    by_index: dict[int, list[float]] = {}
    for position, item in enumerate(data):
        index = item.get("index", position) if isinstance(item, dict) else None
        vector = item.get("embedding") if isinstance(item, dict) else None
        if not isinstance(index, int) or not 0 <= index < count or index in by_index:
            msg = (
                f"embedding model `{model}`: vector {position} carries the index {index!r}; 0 to {count - 1}, each "
                f"once, are expected"
            )
            raise ModelCallError(msg)
        by_index[index] = _numbers(vector, dimensions=dimensions, model=model, index=first + index)
        dimensions = dimensions or len(by_index[index])
    return [by_index[index] for index in range(count)]


def _numbers(vector: object, *, dimensions: int | None, model: str, index: int) -> list[float]:
    if not isinstance(vector, list) or not vector or not all(type(number) in {int, float} for number in vector):
        msg = f"embedding model `{model}` gave no list of numbers for text {index}"
        raise ModelCallError(msg)
    if dimensions is not None and len(vector) != dimensions:
        msg = f"embedding model `{model}` gave {len(vector)} dimensions for text {index}; {dimensions} are expected"
        raise ModelCallError(msg)
    return cast("list[float]", vector)
