"""Bodies as they come over the network, decompressed within bounds.

A library that decompresses gives out what one piece of a body expands to, which may be a thousand times its length,
before anybody can count it. Here zlib is asked for a bounded piece at a time, and the sum, and its proportion to what
came in, are looked at after each.
"""

import zlib
from collections.abc import Iterable
from typing import Protocol

__all__ = ["ACCEPTED_ENCODINGS", "BodyError", "decode_body", "gunzip", "is_gzip"]

ACCEPTED_ENCODINGS = "gzip, deflate, identity"
"""What a request says; of others, brotli and zstandard too, there is no decoder here."""

_PIECE = 65_536
_EXPANSION_FROM = 1_000_000
"""Decompressed bytes from which the proportion counts: short bodies of one letter are honest."""

_MAX_STREAMS = 10_000
"""Gzip files may be put together of others; many short ones would cost much time and give nothing."""

_GZIP_MAGIC = b"\x1f\x8b"
_GZIP = zlib.MAX_WBITS | 16
_HEAD = 2
_CODINGS = ("gzip", "x-gzip", "deflate")


class BodyError(ValueError):
    """A body is too long, expands too much, is damaged, or comes in an encoding that is not decoded."""


def decode_body(
    pieces: Iterable[bytes], encoding: str, *, max_encoded: int, max_decoded: int, max_expansion: int
) -> bytes:
    """Return a body without its content coding.

    Args:
        pieces: As they come; no more are taken than the bounds allow.
        encoding: The header `Content-Encoding`.
        max_encoded: Longest sum of the pieces.
        max_decoded: Longest result.
        max_expansion: How many times as long as the pieces the result may be, where it is over 1 MB.

    Raises:
        BodyError: The body goes over a bound, cannot be decoded, or comes in another encoding.
    """
    codings = [name for part in encoding.split(",") if (name := part.strip().lower()) not in {"", "identity"}]
    names = ", ".join(codings)[:80]
    if len(codings) > 1 or (codings and codings[0] not in _CODINGS):
        msg = f"its encoding {names!r} is not decoded; only one of {ACCEPTED_ENCODINGS} is"
        raise BodyError(msg)
    decoder = _Plain(max_decoded)
    if codings:
        decoder = _Compressed(max_decoded, max_expansion, gzip=codings[0] != "deflate")
    encoded = 0
    for piece in pieces:
        encoded += len(piece)
        if encoded > max_encoded:
            msg = f"more than {max_encoded} bytes come over the network; `web.max_transfer_bytes` raises the limit"
            raise BodyError(msg)
        decoder.take(piece)
    return decoder.finish()


def is_gzip(data: bytes) -> bool:
    """Tell whether a file is compressed by gzip."""
    return data.startswith(_GZIP_MAGIC)


def gunzip(data: bytes, *, max_decoded: int, max_expansion: int) -> bytes:
    """Return what a gzip file holds; the bounds are those of `decode_body`.

    Raises:
        BodyError: It goes over a bound, is damaged, or ends too early.
    """
    decoder = _Compressed(max_decoded, max_expansion, gzip=True)
    for start in range(0, len(data), _PIECE):
        decoder.take(data[start : start + _PIECE])
    return decoder.finish()


class _Inflater(Protocol):
    """What zlib gives to decompress with; its own class has no public name."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    @property
    def unconsumed_tail(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class _Plain:
    def __init__(self, most: int) -> None:
        self._most = most
        self._data = bytearray()  # pieces may be of one byte each, and as objects take fifty times as much

    def take(self, data: bytes) -> None:
        self._keep(data)

    def finish(self) -> bytes:
        return bytes(self._data)

    def _keep(self, data: bytes) -> None:
        if len(self._data) + len(data) > self._most:
            msg = f"it is longer than {self._most} bytes; `web.max_body_bytes` and `ingestion.max_file_bytes` limit it"
            raise BodyError(msg)
        self._data += data


class _Compressed(_Plain):
    """Decompresses a piece at a time, so that no more than one piece is ever over the bounds."""

    def __init__(self, most: int, expansion: int, *, gzip: bool) -> None:
        super().__init__(most)
        self._expansion = expansion
        self._gzip = gzip
        self._taken = 0
        self._streams = 0
        self._head = b""
        self._ended = False
        self._inflater: _Inflater | None = None

    def take(self, data: bytes) -> None:
        self._taken += len(data)
        data, self._head = self._head + data, b""
        while data and not self._ended:
            if self._inflater is None:
                if len(data) < _HEAD:
                    self._head = data
                    return
                self._inflater = self._begin(data)
            if self._inflater is not None:
                data = self._inflate(self._inflater, data)

    def finish(self) -> bytes:
        if self._inflater is not None or (self._taken and not self._streams):
            msg = "its compressed body ends too early"
            raise BodyError(msg)
        return super().finish()

    def _begin(self, data: bytes) -> _Inflater | None:
        """Return what decompresses the stream that begins here; None where only padding follows the last one."""
        if self._streams and not (self._gzip and is_gzip(data)):
            self._ended = True
            return None
        self._streams += 1
        if self._streams > _MAX_STREAMS:
            msg = f"it is put together of more than {_MAX_STREAMS} compressed parts"
            raise BodyError(msg)
        if self._gzip:
            return zlib.decompressobj(_GZIP)
        # Some servers send `deflate` without the header of zlib, as browsers take it too.
        with_header = data[0] & 0x0F == zlib.DEFLATED and int.from_bytes(data[:_HEAD], "big") % 31 == 0
        return zlib.decompressobj(zlib.MAX_WBITS if with_header else -zlib.MAX_WBITS)

    def _inflate(self, inflater: _Inflater, data: bytes) -> bytes:
        """Decompress all of the data; return what stands behind the end of the compressed stream."""
        while not inflater.eof:
            try:
                piece = inflater.decompress(data, _PIECE)
            except zlib.error as error:
                msg = f"its compressed body is damaged ({error})"
                raise BodyError(msg) from error
            self._keep(piece)
            self._check_expansion()
            data = inflater.unconsumed_tail
            if not data and len(piece) < _PIECE:
                break
        if not inflater.eof:
            return b""
        self._inflater = None
        return inflater.unused_data

    def _check_expansion(self) -> None:
        if len(self._data) > max(_EXPANSION_FROM, self._taken * self._expansion):
            msg = (
                f"{self._taken} compressed bytes expand to more than {self._expansion} times as many; "
                f"`web.max_expansion` raises the limit"
            )
            raise BodyError(msg)
