"""Plain text and tables of text: any encoding, and blocks that are slices of the file."""

import pytest
from hypothesis import given, strategies as st

from graphrag.ingestion.readers import DelimitedTextReader, PlainTextReader, SourceBytes
from graphrag.ingestion.readers.charset import decode, looks_like_text
from graphrag.model.parsed import ParsedDocument


def read(data: bytes, *, charset: str | None = None) -> ParsedDocument:
    return PlainTextReader().read(SourceBytes(uri="file:///a.txt", data=data, name="a.txt", charset=charset))


def test_paragraphs_stand_between_blank_lines() -> None:
    document = read(b"\n\n one\ntwo\n \t\n\nthree\r\n\r\nfour")
    assert [(block.text, block.source_start) for block in document.blocks] == [
        (" one\ntwo\n\n", 2),
        ("three\n\n", 15),
        ("four\n\n", 24),
    ]
    assert document.sections == ()
    assert document.title == "a.txt"


@given(st.text(st.sampled_from("ab \t\n\r\f\x0b\x85\u2028é👨"), max_size=200))
def test_paragraphs_are_exact_slices_and_lose_no_word(text: str) -> None:
    document = read(text.encode())
    end = 0
    for block in document.blocks:
        assert block.source_start is not None
        assert block.source_start >= end
        kept = block.text.removesuffix("\n\n")
        assert text[block.source_start : block.source_start + len(kept)] == kept
        end = block.source_start + len(kept)
    assert "".join(document.canonical_text().split()) == "".join(text.split())


@pytest.mark.parametrize(
    "data, declared, text, encoding",
    [
        (b"\xef\xbb\xbfa", None, "a", "utf-8"),
        (b"\xff\xfea\0", None, "a", "utf-16-le"),
        (b"\xfe\xff\0a", None, "a", "utf-16-be"),
        (b"\xff\xfe\0\0a\0\0\0", None, "a", "utf-32-le"),
        ("Ein Text ohne Marke, ähnlich".encode("utf-16-le"), None, "Ein Text ohne Marke, ähnlich", "utf-16-le"),
        ("Ein Text ohne Marke".encode("utf-16-be"), None, "Ein Text ohne Marke", "utf-16-be"),
        ("naïve “x”".encode(), None, "naïve “x”", "utf-8"),
        (b"\x93x\x94 \x80", None, "“x” €", "windows-1252"),
        (b"\x93x\x94", "ISO-8859-1", "“x”", "windows-1252"),
        (b"\x81\x93", None, "\x81“", "windows-1252"),
        ("Привет".encode("koi8-r"), "KOI8-R", "Привет", "koi8_r"),
        ("日本".encode("shift_jis"), "Shift_JIS", "日本", "cp932"),
        ("é".encode(), "us-ascii2", "é", "utf-8"),
        ("é".encode(), "unicode_escape", "é", "utf-8"),
        (b"\xe9\xe9", "utf-8", "éé", "windows-1252"),
        (b"", None, "", "utf-8"),
    ],
)
def test_charset(data: bytes, declared: str | None, text: str, encoding: str) -> None:
    """Mark, declaration, UTF-16 by its zeros, UTF-8, windows-1252: in this order, and only known labels."""
    decoded = decode(data, declared=(declared,))
    assert (decoded.text, decoded.encoding) == (text, encoding)


def test_damaged_utf_8_is_still_utf_8_and_the_damage_is_counted() -> None:
    document = read("äöüß viel Text ".encode() * 10 + b"\xc3")
    assert document.notes == ("bytes that are not utf-8 replaced: 1",)
    assert document.canonical_text().startswith("äöüß")


def test_odd_byte_at_the_end_of_utf_16_is_damage() -> None:
    """A mark decides, so that the file is not read in another encoding for its damage."""
    decoded = decode("\ufeffa\N{REPLACEMENT CHARACTER}".encode("utf-16-le") + b"x")
    assert (decoded.encoding, decoded.replaced) == ("utf-16-le", 1)
    assert decoded.text.startswith("a\N{REPLACEMENT CHARACTER}")


def test_replacement_characters_of_the_file_are_not_counted_as_damage() -> None:
    assert decode("\ufeffa\N{REPLACEMENT CHARACTER}".encode()).replaced == 0


@given(st.binary(max_size=300), st.sampled_from([None, "utf-8", "utf-16", "latin1", "gbk", "shift_jis", "rot13"]))
def test_any_bytes_give_text_that_the_store_can_hold(data: bytes, declared: str | None) -> None:
    document = read(data, charset=declared)
    assert "\0" not in document.canonical_text()
    document.canonical_text().encode()


@pytest.mark.parametrize(
    "data, expected",
    [
        (b"plain\n", True),
        (b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0", False),
        ("a".encode("utf-16-le") * 50, True),
        (b"", True),
    ],
)
def test_binary_data_is_told_from_text(data: bytes, *, expected: bool) -> None:
    """THREATS 65: an executable named `.txt` is no text."""
    assert looks_like_text(data) is expected


def test_lone_surrogates_and_nul_are_replaced_and_counted() -> None:
    """CASES 52, THREATS 61: UTF-16 can carry half a pair; the text without NUL is found."""
    document = read(b"\xff\xfea\0\0\0b\0\x00\xd8c\0")
    assert document.canonical_text() == "ab\N{REPLACEMENT CHARACTER}c\n\n"
    assert document.notes == ("NUL characters removed: 1", "lone surrogates replaced by U+FFFD: 1")
    assert document.blocks[0].source_start is None


def test_halves_of_surrogate_pairs_in_utf_8() -> None:
    """THREATS 61: a lone half is replaced and counted, two that belong together are one character."""
    lone = read("a\ud800b".encode("utf-8", "surrogatepass"))
    assert lone.canonical_text() == "a\N{REPLACEMENT CHARACTER}b\n\n"
    assert lone.notes == ("lone surrogates replaced by U+FFFD: 1",)
    assert read("\ud83d\udc68".encode("utf-8", "surrogatepass")).canonical_text() == "👨\n\n"


def test_other_control_characters_are_kept() -> None:
    """CASES 52: they are legal in a property."""
    assert read("a\x0bb\x1fc\ufffe".encode()).canonical_text() == "a\x0bb\x1fc\ufffe\n\n"


def test_delimited_file_is_one_table_with_its_first_line_as_header() -> None:
    data = b"\xef\xbb\xbfname,size\r\na,1\r\nb,2\r\n"
    document = DelimitedTextReader().read(SourceBytes(uri="file:///t.csv", data=data, name="t.csv"))
    (block,) = document.blocks
    assert (block.kind, block.text, block.source_start) == ("table", "name,size\r\na,1\r\nb,2\n\n", 0)
    assert block.table_header == "name,size\r\n"
    assert document.content_type == "text/csv"


@pytest.mark.parametrize("data", [b"a\tb", b"a\tb\n", b"\n a\tb\n\n"])
def test_delimited_file_of_one_line_has_no_header_to_repeat(data: bytes) -> None:
    document = DelimitedTextReader().read(SourceBytes(uri="file:///t.tsv", data=data, name="t.tsv"))
    assert document.blocks[0].table_header == ""
    assert document.content_type == "text/tab-separated-values"
