"""Bodies are decompressed within bounds (THREATS 53, 57)."""

import gzip
import zlib
from collections.abc import Iterator

import pytest
from hypothesis import given, strategies as st

from graphrag.ingestion.sources.web_body import BodyError, decode_body, gunzip, is_gzip

TEXT = b"The gates are opened at high water. " * 400


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def decoded(
    *pieces: bytes, encoding: str = "gzip", encoded: int = 10**7, most: int = 10**7, expansion: int = 100
) -> bytes:
    return decode_body(pieces, encoding, max_encoded=encoded, max_decoded=most, max_expansion=expansion)


@pytest.mark.parametrize(
    "encoding, data",
    [
        ("", TEXT),
        ("identity", TEXT),
        ("gzip", gzip.compress(TEXT)),
        ("x-GZIP", gzip.compress(TEXT)),
        ("identity, gzip", gzip.compress(TEXT)),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", raw_deflate(TEXT)),
        ("gzip", gzip.compress(TEXT[:900]) + gzip.compress(TEXT[900:])),
        ("gzip", gzip.compress(TEXT) + b"\0" * 512),
    ],
    ids=["none", "identity", "gzip", "x-gzip", "both", "deflate", "raw", "two-parts", "padded"],
)
@pytest.mark.parametrize("size", [1, 3, 1_000_000])
def test_a_body_comes_out_as_it_went_in_however_it_is_cut(encoding: str, data: bytes, size: int) -> None:
    assert decoded(*(data[at : at + size] for at in range(0, len(data), size)), encoding=encoding) == TEXT


@given(st.binary(max_size=2_000), st.sampled_from(["gzip", "deflate", ""]))
def test_any_bytes_are_a_body_or_refused(data: bytes, encoding: str) -> None:
    try:
        result = decoded(data, encoding=encoding)
    except BodyError:
        assert encoding
    else:
        assert len(result) <= 10**7


def test_an_empty_body_is_empty_in_every_encoding() -> None:
    assert decoded(encoding="gzip") == b""
    assert decoded(b"", encoding="deflate") == b""


@pytest.mark.parametrize("encoding", ["br", "zstd", "compress", "gzip, gzip", "gzip, br", "x" * 500])
def test_other_encodings_are_refused(encoding: str) -> None:
    """THREATS 53: nested compression multiplies what a body expands to."""
    with pytest.raises(BodyError, match="is not decoded; only one of gzip, deflate, identity is"):
        decoded(TEXT, encoding=encoding)


def endless(piece: bytes, taken: list[int]) -> Iterator[bytes]:
    while True:
        taken.append(len(piece))
        yield piece


def test_no_more_is_taken_than_the_bounds_allow() -> None:
    """THREATS 53: a body without end."""
    for bounds in ({"encoded": 100_000, "most": 10**9}, {"encoded": 10**9, "most": 100_000}):
        taken: list[int] = []
        with pytest.raises(BodyError, match=r"web\.max_(transfer|body)_bytes"):
            decode_body(
                endless(b"x" * 1_000, taken),
                "",
                max_encoded=bounds["encoded"],
                max_decoded=bounds["most"],
                max_expansion=100,
            )
        assert sum(taken) == 101_000


def test_a_bomb_is_refused_long_before_it_is_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    """THREATS 53, 57: 1 MB that expands to 1 GB. No more is ever asked of zlib than one piece."""
    bomb = gzip.compress(b"\0" * 100_000_000)
    given_out: list[int] = []
    real = zlib.decompressobj

    class Counting:
        def __init__(self, wbits: int) -> None:
            self._inner = real(wbits)

        def decompress(self, data: bytes, most: int) -> bytes:
            piece = self._inner.decompress(data, most)
            given_out.append(len(piece))
            return piece

        def __getattr__(self, name: str) -> object:
            return getattr(self._inner, name)

    monkeypatch.setattr(zlib, "decompressobj", Counting)
    with pytest.raises(BodyError, match=r"expand to more than 100 times as many; `web\.max_expansion`"):
        decoded(bomb, most=10**9)
    assert max(given_out) <= 65_536
    assert sum(given_out) < 11_000_000  # a hundred times what had come, and a piece


def test_a_body_over_the_bound_is_refused_however_well_it_packs() -> None:
    with pytest.raises(BodyError, match="longer than 1000 bytes"):
        decoded(gzip.compress(TEXT), most=1_000)
    assert decoded(gzip.compress(b"a" * 900_000)) == b"a" * 900_000  # short, so that it may pack well


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_a_body_that_is_cut_or_damaged_is_refused(encoding: str) -> None:
    data = gzip.compress(TEXT) if encoding == "gzip" else zlib.compress(TEXT)
    with pytest.raises(BodyError, match="ends too early"):
        decoded(data[:-1], encoding=encoding)
    with pytest.raises(BodyError, match="ends too early"):
        decoded(data[:1], encoding=encoding)
    with pytest.raises(BodyError, match="damaged"):
        decoded(data[:-1] + bytes([data[-1] ^ 1]), encoding=encoding)


def test_a_file_of_thousands_of_parts_is_refused() -> None:
    """THREATS 57: each is short, and costs time to begin."""
    with pytest.raises(BodyError, match="more than 10000 compressed parts"):
        gunzip(gzip.compress(b"") * 10_001, max_decoded=10**6, max_expansion=100)


def test_files_are_decompressed_by_the_same_bounds() -> None:
    packed = gzip.compress(TEXT)
    assert is_gzip(packed)
    assert not is_gzip(TEXT)
    assert gunzip(packed, max_decoded=10**6, max_expansion=100) == TEXT
    with pytest.raises(BodyError, match="longer than 100 bytes"):
        gunzip(packed, max_decoded=100, max_expansion=100)
