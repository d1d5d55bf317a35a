"""Messages between the Tika pool and its workers: a JSON header and bytes, each with its length before it."""

import json
import struct
from collections.abc import Mapping
from typing import BinaryIO

__all__ = ["FrameError", "read_frame", "read_header", "write_frame"]

_LENGTHS = struct.Struct(">IQ")
_MAX_HEADER_BYTES = 64 * 1024 * 1024


class FrameError(Exception):
    """The other side ended, or sent what is no message."""


def write_frame(stream: BinaryIO, header: Mapping[str, object], body: bytes = b"") -> None:
    """Write one message and flush it.

    Raises:
        OSError: The other side is gone.
    """
    encoded = json.dumps(header).encode()
    stream.write(_LENGTHS.pack(len(encoded), len(body)))
    stream.write(encoded)
    stream.write(body)
    stream.flush()


def read_header(stream: BinaryIO) -> tuple[dict[str, object], int]:
    """Return the header of the next message and how many bytes of body follow it.

    Raises:
        FrameError: The stream ended, or what came is no message.
    """
    header_bytes, body_bytes = _LENGTHS.unpack(_exactly(stream, _LENGTHS.size))
    if header_bytes > _MAX_HEADER_BYTES:
        msg = f"a header of {header_bytes} bytes"
        raise FrameError(msg)
    try:
        header = json.loads(_exactly(stream, header_bytes))
    except ValueError as error:
        msg = "a header that is not JSON"
        raise FrameError(msg) from error
    if not isinstance(header, dict):
        msg = "a header that is no JSON object"
        raise FrameError(msg)
    return header, body_bytes


def read_frame(stream: BinaryIO, *, max_body_bytes: int) -> tuple[dict[str, object], bytes]:
    """Return the header and the body of the next message.

    Raises:
        FrameError: The stream ended, what came is no message, or its body is over the bound.
    """
    header, size = read_header(stream)
    if size > max_body_bytes:
        msg = f"a body of {size} bytes, over the bound of {max_body_bytes}"
        raise FrameError(msg)
    return header, _exactly(stream, size)


def _exactly(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) != size:
        msg = "the stream ended"
        raise FrameError(msg)
    return data
