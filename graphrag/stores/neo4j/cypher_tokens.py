"""The words of a Cypher statement: names, strings, numbers, signs; comments are left out.

What is read here decides what may run, so a text is refused wherever this reader and the server's might part: where
a backslash begins an escape of a code point (the server may take such escapes before it looks for the ends of strings
and names), where a string, name or comment has no end, where a number runs into a name, and where there are blanks,
line ends or control characters that not everyone takes for one.

Source: Neo4j Cypher Manual, "Parsing", "Naming rules", "Comments"; openCypher 9, EBNF grammar.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from graphrag.errors import InvalidRequestError

__all__ = ["CypherToken", "CypherTokenKind", "cypher_tokens"]

CypherTokenKind: TypeAlias = Literal["name", "quoted", "string", "number", "parameter", "sign"]
"""What a token is: a name or keyword; a name in back-ticks; a string; a number; `$name`; anything else, one
character, or `=~`."""

_SCANNER = re.compile(
    r"""
    (?P<blank>[ \t\r\n]+)
    |(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    |(?P<quoted>`(?:[^`]|``)*`)
    |(?P<dynamic>\$(?=(?i:all|any)[ \t\r\n]*\())
    |(?P<parameter>\$(?:[^\W\d]\w*|[0-9]+|`(?:[^`]|``)*`))
    |(?P<name>[^\W\d]\w*)
    |(?P<number>(?:0[xX][0-9a-fA-F_]+|0o[0-7_]+|[0-9][0-9_]*(?:[eE][+-]?[0-9]+)?[dDfF]?)(?!\w))
    |(?P<open>['"`]|/\*)
    |(?P<sign>=~|[\x21-\x2f\x3a-\x7e])
    |(?P<unknown>.)
    """,
    re.DOTALL | re.VERBOSE,
)
_ESCAPE = re.compile(r"\\[uU]")
_UNCLEAR = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]|\r(?!\n)")
_OPENED = {"'": "a string", '"': "a string", "`": "a name in back-ticks", "/*": "a comment"}


@dataclass(frozen=True, slots=True)
class CypherToken:
    """A piece of a statement.

    Attributes:
        kind: What it is.
        text: As it stands there; of a name in back-ticks and of a parameter the name itself.
        start: Where it begins, in characters from 0.
    """

    kind: CypherTokenKind
    text: str
    start: int

    @property
    def word(self) -> str:
        """The name in capitals, where it may be a keyword; else nothing."""
        return self.text.upper() if self.kind == "name" else ""

    @property
    def is_name(self) -> bool:
        """Whether it names something."""
        return self.kind in ("name", "quoted")


def cypher_tokens(text: str) -> tuple[CypherToken, ...]:
    """Return the tokens of a statement, in order.

    Raises:
        InvalidRequestError: The text holds what two readers may read in two ways; the message tells what and where.
    """
    if found := _ESCAPE.search(text):
        msg = "the code point escape (`\\u`) stands there; write the character itself, or send it as a parameter"
        raise _refusal(text, found.start(), msg)
    if found := _UNCLEAR.search(text):
        msg = "a control character, a lone carriage return, a line separator or half a character stands there"
        raise _refusal(text, found.start(), msg)
    return tuple(_tokens(text))


def _tokens(text: str) -> Iterator[CypherToken]:
    for found in _SCANNER.finditer(text):
        kind, piece = found.lastgroup, found[0]
        match kind:
            case "blank" | "comment":
                continue
            case "open":
                msg = f"{_OPENED[piece]} begins there, and has no end"
                raise _refusal(text, found.start(), msg)
            case "unknown":
                msg = "a character stands there that is part of a name, a number or a blank to some readers alone"
                raise _refusal(text, found.start(), msg)
            case "quoted":
                yield CypherToken("quoted", _unquoted(piece), found.start())
            case "parameter":
                yield CypherToken("parameter", _unquoted(piece[1:]), found.start())
            case "string" | "name" | "number":
                yield CypherToken(kind, piece, found.start())
            case _:
                yield CypherToken("sign", piece, found.start())


def _unquoted(name: str) -> str:
    return name[1:-1].replace("``", "`") if name.startswith("`") else name


def _refusal(text: str, place: int, why: str) -> InvalidRequestError:
    line = text.count("\n", 0, place) + 1
    column = place - text.rfind("\n", 0, place)
    return InvalidRequestError(f"line {line}, column {column} of the statement: {why}")
