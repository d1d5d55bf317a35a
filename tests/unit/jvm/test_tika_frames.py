"""Messages between pool and worker."""

import io
import struct

import pytest

from graphrag.jvm.tika_frames import FrameError, read_frame, write_frame


def test_what_is_written_is_read() -> None:
    stream = io.BytesIO()
    write_frame(stream, {"name": "ä\ud800"}, b"\0body")
    write_frame(stream, {}, b"")
    stream.seek(0)
    assert read_frame(stream, max_body_bytes=5) == ({"name": "ä\ud800"}, b"\0body")
    assert read_frame(stream, max_body_bytes=0) == ({}, b"")


@pytest.mark.parametrize(
    "data, message",
    [
        (b"", "the stream ended"),
        (struct.pack(">IQ", 2, 9) + b"{}12", "the stream ended"),
        (struct.pack(">IQ", 2, 11) + b"{}" + b"x" * 11, "a body of 11 bytes, over the bound of 10"),
        (struct.pack(">IQ", 2**31, 0), "a header of 2147483648 bytes"),
        (struct.pack(">IQ", 2, 0) + b"{]", "a header that is not JSON"),
        (struct.pack(">IQ", 2, 0) + b"[]", "a header that is no JSON object"),
    ],
)
def test_what_is_no_message_is_an_error(data: bytes, message: str) -> None:
    with pytest.raises(FrameError, match=message):
        read_frame(io.BytesIO(data), max_body_bytes=10)
