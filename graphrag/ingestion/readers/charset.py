"""From bytes to text: byte-order mark, then what is declared, then what the bytes look like.

Labels are those of the WHATWG Encoding Standard, so ISO-8859-1 and ASCII mean windows-1252, as in
browsers. A label outside that list is ignored, never looked up: Python also knows codecs that are
not character sets.
"""

import codecs
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["DecodedText", "decode", "is_binary", "looks_like_text"]

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

# Longest first: the UTF-32 mark begins with the UTF-16 one.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_CODECS = {
    "utf-8": ("utf-8", "utf8", "unicode-1-1-utf-8"),
    "utf-16-le": ("utf-16", "utf-16le", "unicode", "ucs-2"),
    "utf-16-be": ("utf-16be",),
    "cp1252": ("windows-1252", "cp1252", "iso-8859-1", "iso8859-1", "latin1", "latin-1", "l1", "ascii", "us-ascii"),
    "cp1254": ("windows-1254", "cp1254", "iso-8859-9", "latin5"),
    "cp874": ("windows-874", "iso-8859-11", "tis-620"),
    "gb18030": ("gb18030", "gbk", "gb2312", "gb_2312-80", "x-gbk", "chinese"),
    "big5hkscs": ("big5", "big5-hkscs", "cn-big5", "x-x-big5"),
    "euc_jp": ("euc-jp", "x-euc-jp"),
    "iso2022_jp": ("iso-2022-jp",),
    "cp932": ("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j", "ms932"),
    "cp949": ("euc-kr", "ks_c_5601-1987", "korean", "windows-949"),
    "cp866": ("ibm866", "cp866", "866"),
    "koi8_r": ("koi8-r", "koi8", "koi"),
    "koi8_u": ("koi8-u", "koi8-ru"),
    "mac_roman": ("macintosh", "mac", "x-mac-roman"),
    "mac_cyrillic": ("x-mac-cyrillic",),
    **{f"iso8859_{part}": (f"iso-8859-{part}",) for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{f"cp{page}": (f"windows-{page}", f"cp{page}") for page in (1250, 1251, 1253, 1255, 1256, 1257, 1258)},
}
_LABELS = {label: codec for codec, labels in _CODECS.items() for label in labels}

_SAMPLE_BYTES = 65_536
_TEXT_CONTROLS = frozenset(b"\t\n\r\f\v\b\a\x1b")
_MAX_CONTROL_SHARE = 0.02
_FEW_CONTROLS = 5
"""So many may stand in a short text too: they are stray, and are cleaned."""


@dataclass(frozen=True, slots=True)
class DecodedText:
    """Text without its byte-order mark, the codec that gave it, and how many characters it could not read."""

    text: str
    encoding: str
    replaced: int = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the report; empty where all was readable."""
        return (f"bytes that are not {self.encoding} replaced: {self.replaced}",) if self.replaced else ()


def decode(data: bytes, *, declared: Sequence[str | None] = ()) -> DecodedText:
    """Return the text of a file; never fails. Lone surrogates of the file are still in it.

    Args:
        data: The whole file.
        declared: Labels that the transport or the file tells, the most trusted first. One that the bytes
            contradict, or that no browser knows, is passed over.
    """
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return _replacing(data[len(mark) :], codec)
    for label in declared:
        codec_name = _LABELS.get(label.strip().lower()) if label else None
        if codec_name is not None and (decoded := _declared(data, codec_name)) is not None:
            return decoded
    if (codec_name := _wide_codec(data)) is not None:
        return _replacing(data, codec_name)
    if (text := _unicode(data, "utf-8")) is not None:
        return DecodedText(text, "utf-8")
    # A cut or slightly damaged UTF-8 file has far more good sequences than bad ones; another 8-bit text has not.
    text = data.decode("utf-8", "replace")
    bad = text.count(_REPLACEMENT)
    good = len(text) - len(text.encode("ascii", "ignore")) - bad
    if good > 2 * bad:
        return DecodedText(text, "utf-8", bad)
    return _windows_1252(data)


def looks_like_text(data: bytes) -> bool:
    """Return whether the first 64 KiB read as text in some encoding, rather than as binary data."""
    sample = data[:_SAMPLE_BYTES]
    if any(sample.startswith(mark) for mark, _ in _MARKS) or _wide_codec(sample) is not None:
        return True
    controls = sum(1 for byte in sample if byte < 0x20 and byte not in _TEXT_CONTROLS)  # noqa: PLR2004 - ASCII blanks begin there
    return controls <= max(_FEW_CONTROLS, len(sample) * _MAX_CONTROL_SHARE)


def is_binary(data: bytes) -> bool:
    """Return whether bytes that do not look like text are none in UTF-32 without a mark either."""
    if looks_like_text(data):
        return False
    whole = data[: len(data) - len(data) % 4]
    return not whole or all(_unicode(whole, codec) is None for codec in ("utf-32-le", "utf-32-be"))


def _declared(data: bytes, codec: str) -> DecodedText | None:
    if codec == "cp1252":
        return _windows_1252(data)
    if codec.startswith("utf-"):
        text = _unicode(data, codec)
        return None if text is None else DecodedText(text, codec)
    try:
        return DecodedText(data.decode(codec), codec)
    except UnicodeDecodeError:
        return None


def _unicode(data: bytes, codec: str) -> str | None:
    """Return the text of a Unicode encoding; None where the bytes are none.

    Halves of surrogate pairs pass, though no encoding allows them in UTF-8: pairs that were encoded half by half
    become the character that they mean, and lone ones are for the cleaning to count.
    """
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        pass
    try:
        text = data.decode(codec, "surrogatepass")
    except UnicodeDecodeError:
        return None
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _replacing(data: bytes, codec: str) -> DecodedText:
    if (whole := _unicode(data, codec)) is not None:
        return DecodedText(whole, codec)
    text = data.decode(codec, "replace")
    replaced = 0
    if _REPLACEMENT in text:
        replaced = max(0, text.count(_REPLACEMENT) - data.count(_REPLACEMENT.encode(codec)))
    return DecodedText(text, codec, replaced)


def _windows_1252(data: bytes) -> DecodedText:
    """Decode as browsers do: the five bytes that windows-1252 leaves open are control characters."""
    try:
        return DecodedText(data.decode("cp1252"), "windows-1252")
    except UnicodeDecodeError:
        table = {code: bytes((code,)).decode("cp1252", "ignore") or chr(code) for code in range(0x80, 0xA0)}
        return DecodedText(data.decode("latin-1").translate(table), "windows-1252")


def _wide_codec(data: bytes) -> str | None:
    """Return the UTF-16 codec of a text without a mark: nearly every second byte of Western text is then 0."""
    sample = data[:_SAMPLE_BYTES]
    pairs = len(sample) // 2
    if pairs < 2:  # noqa: PLR2004 - one pair proves nothing
        return None
    even = sample[: 2 * pairs : 2].count(0)
    odd = sample[1 : 2 * pairs : 2].count(0)
    if odd > 0.4 * pairs and even < 0.05 * pairs:
        return "utf-16-le"
    if even > 0.4 * pairs and odd < 0.05 * pairs:
        return "utf-16-be"
    return None
