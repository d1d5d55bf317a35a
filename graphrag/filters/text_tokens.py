r"""Words of the text form of filters: how it is cut, and how names and texts are quoted.

Text stands in single or double quotes, an odd name in back-ticks. Within any of the three a backslash begins an escape:
`\\`, `\'`, `\"`, `` \` ``, `\n`, `\r`, `\t`, and `\u{1F600}` for any letter by its number.
"""

import re
from dataclasses import dataclass
from typing import Literal, NoReturn, TypeAlias

from graphrag.errors import InvalidFilterError

__all__ = ["MAX_TEXT_CHARS", "RESERVED", "Token", "TokenKind", "cut", "quoted", "refuse", "written_name"]

MAX_TEXT_CHARS = 20_000
"""Longest text that is read."""

RESERVED = frozenset({
    "and", "or", "not", "in", "between", "contains", "starts", "ends", "has", "is", "exists", "true", "false",
})  # fmt: skip
"""Words that name a property only in back-ticks. They may be written in capitals too."""

TokenKind: TypeAlias = Literal["word", "name", "text", "number", "sign", "end"]

_TOKEN = re.compile(
    r"""(?P<space>[\ \t\r\n]+)
      | (?P<word>[A-Za-z_][A-Za-z0-9_.\-]*)
      | (?P<number>-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
      | (?P<text>'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+")
      | (?P<name>`(?:[^`\\]|\\.)*+`)
      | (?P<sign>[<>!=]=|<>|[=<>()\[\],])
    """,
    re.VERBOSE | re.DOTALL,
)
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
_ESCAPE = re.compile(r"\\(u\{[0-9A-Fa-f]{1,6}\}|.)", re.DOTALL)
_LETTERS = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", '"': '"', "`": "`"}
_ESCAPES = {letter: f"\\{escape}" for escape, letter in _LETTERS.items() if escape in "nrt\\"}


@dataclass(frozen=True, slots=True)
class Token:
    """One word.

    Attributes:
        kind: What it is.
        text: As it is written; of a name or text without quotes and escapes.
        place: Its first character, from 1.
    """

    kind: TokenKind
    text: str
    place: int

    @property
    def keyword(self) -> str:
        """The word in small letters; empty for anything but a bare word."""
        return self.text.lower() if self.kind == "word" else ""

    def __str__(self) -> str:
        """Return how a message names it."""
        return "the end" if self.kind == "end" else f"`{self.text[:40]}`"


def cut(text: str) -> list[Token]:
    """Return the words of a text, and the end.

    Raises:
        InvalidFilterError: The text is too long; a quotation does not end; an escape or a character is unknown.
    """
    if len(text) > MAX_TEXT_CHARS:
        msg = f"the filter has {len(text)} characters; at most {MAX_TEXT_CHARS} are read"
        raise InvalidFilterError(msg, place="character 1")
    tokens: list[Token] = []
    start = 0
    while start < len(text):
        found = _TOKEN.match(text, start)
        if found is None:
            _refuse_letter(text[start], start + 1)
        kind, written = found.lastgroup, found.group()
        match kind:
            case "text" | "name":
                tokens.append(Token(kind, _unquoted(written, start + 1), start + 1))
            case "word" | "number" | "sign":
                tokens.append(Token(kind, written, start + 1))
            case _:
                pass
        if kind == "number" and text[found.end() : found.end() + 1].isalnum():
            refuse("a number runs into letters; put text into quotes, and an odd name into back-ticks", start + 1)
        start = found.end()
    tokens.append(Token("end", "", len(text) + 1))
    return tokens


def quoted(text: str, quote: str = "'") -> str:
    """Return a text in quotes, on one line and with every letter visible or escaped."""
    letters = (
        f"\\{letter}"
        if letter == quote
        else _ESCAPES.get(letter) or (letter if letter.isprintable() else _by_number(letter))
        for letter in text
    )
    return f"{quote}{''.join(letters)}{quote}"


def written_name(name: str) -> str:
    """Return a property's name as it is written: bare where it can be, else in back-ticks."""
    bare = _PLAIN_NAME.fullmatch(name) is not None and name.lower() not in RESERVED
    return name if bare else quoted(name, "`")


def refuse(message: str, place: int) -> NoReturn:
    """Raise `InvalidFilterError` with the place of a character, and what can be printed of a message."""
    printable = message.encode("utf-8", "backslashreplace").decode()
    raise InvalidFilterError(printable, place=f"character {place}")


def _by_number(letter: str) -> str:
    return f"\\u{{{ord(letter):X}}}"


def _unquoted(written: str, place: int) -> str:
    def letter(escape: re.Match[str]) -> str:
        what = escape.group(1)
        if what in _LETTERS:
            return _LETTERS[what]
        if len(what) > 1 and int(what[2:-1], 16) <= 0x10FFFF:  # noqa: PLR2004 - the last code point
            return chr(int(what[2:-1], 16))
        return refuse(
            f"`\\{what}` is no escape; known are \\\\ \\' \\\" \\` \\n \\r \\t and \\u{{1F600}}",
            place + 1 + escape.start(),
        )

    return _ESCAPE.sub(letter, written[1:-1])


def _refuse_letter(letter: str, place: int) -> NoReturn:
    if letter in "'\"`":
        refuse(f"the quotation that {letter} begins does not end (a quote within it is written \\{letter})", place)
    refuse(
        f"the character {letter!r} has no meaning here; text stands in single or double quotes, an odd name in "
        "back-ticks",
        place,
    )
