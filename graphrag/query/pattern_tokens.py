"""The words of RE2's pattern language: what stands where in a pattern.

These are the rules of RE2's own reader (`parse.cc`, Perl syntax), for patterns that it accepts: where a backslash, a
bracket or a brace means itself, and where not. A pattern that it refuses is read as far as it goes, so that the
place of its fault can be told.

Source: https://github.com/google/re2/wiki/Syntax; RE2's `re2/parse.cc`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["PatternToken", "TokenKind", "class_members", "tokens"]

TokenKind: TypeAlias = Literal[
    "character", "class", "any", "border", "open", "close", "or", "flags", "repeat", "unknown"
]
"""What a token is: one character; a set in brackets; some character of a kind (`.`, `\\d`, `\\pL`); a place (`^`,
`\\b`); a bracket; a bar; `(?i)`; an operator after an item; what RE2 does not take, or these rules do not know."""

MAX_MEMBERS = 16
"""A set of more characters than these is as good as any character."""

_REPEAT = re.compile(
    r"(?:(?P<mark>[*+?])|\{(?P<least>0|[1-9][0-9]{0,8})(?P<comma>,(?P<most>0|[1-9][0-9]{0,8})?)?\})\??"
)
_GROUP = re.compile(r"\(\?(?:P?<[^>]*>|(?P<flags>[imsU]*(?:-[imsU]+)?)(?P<end>[:)]))", re.ASCII)
_UNICODE_CLASS = re.compile(r"\\[pP](?:\{[^}]*\}|.)", re.DOTALL)
_HEX = re.compile(r"\\x(?:\{(?P<long>[0-9A-Fa-f]{1,8})\}|(?P<short>[0-9A-Fa-f]{2}))", re.ASCII)
_OCTAL = re.compile(r"\\(?:0[0-7]{0,2}|[1-7][0-7]{1,2})", re.ASCII)
_POSIX_CLASS = re.compile(r"\[:.*?:\]", re.DOTALL)
_CONTROLS = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_KINDS: dict[str, TokenKind] = {
    **dict.fromkeys("dDsSwWC", "any"),
    **dict.fromkeys("bBAz", "border"),
}
_SIGNS: dict[str, TokenKind] = {")": "close", "|": "or", ".": "any", "^": "border", "$": "border"}
_LAST_CODE_POINT = 0x10FFFF


@dataclass(frozen=True, slots=True)
class PatternToken:
    """A piece of a pattern.

    Attributes:
        kind: What it is.
        start: Where it begins, in characters from 0.
        text: As it stands in the pattern.
        value: The character that is meant; of a bracket or `(?i)` its flags.
        least: Of a repetition: how often at least.
        most: Of a repetition: how often at most; None has no bound.
    """

    kind: TokenKind
    start: int
    text: str
    value: str = ""
    least: int = 1
    most: int | None = 1


def tokens(pattern: str) -> Iterator[PatternToken]:
    r"""Yield the tokens of a pattern, in order; together their texts are the pattern, but for `\Q` and `\E`."""
    place = 0
    while place < len(pattern):
        if pattern.startswith("\\Q", place):
            end = pattern.find("\\E", place + 2)
            quoted = range(place + 2, len(pattern) if end < 0 else end)
            yield from (PatternToken("character", at, pattern[at], pattern[at]) for at in quoted)
            place = len(pattern) if end < 0 else end + 2
            continue
        token = _token(pattern, place)
        yield token
        place += len(token.text)


def _token(pattern: str, place: int) -> PatternToken:
    character = pattern[place]
    if character == "\\":
        return _escape(pattern, place)
    if character == "(":
        return _open(pattern, place)
    if character == "[":
        return PatternToken("class", place, pattern[place : _class_end(pattern, place)])
    if found := _REPEAT.match(pattern, place):
        return _repeat(found)
    return PatternToken(_SIGNS.get(character, "character"), place, character, character)


def _repeat(found: re.Match[str]) -> PatternToken:
    if found["mark"]:
        least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}[found["mark"]]
    else:
        least = int(found["least"])
        most = least if not found["comma"] else int(found["most"]) if found["most"] else None
    return PatternToken("repeat", found.start(), found[0], least=least, most=most)


def _open(pattern: str, place: int) -> PatternToken:
    if not pattern.startswith("(?", place):
        return PatternToken("open", place, "(")
    found = _GROUP.match(pattern, place)
    if found is None:
        return PatternToken("unknown", place, pattern[place : place + 3])
    kind: TokenKind = "flags" if found["end"] == ")" else "open"
    return PatternToken(kind, place, found[0], found["flags"] or "")


def _escape(pattern: str, place: int) -> PatternToken:
    if unicode_class := _UNICODE_CLASS.match(pattern, place):
        return PatternToken("any", place, unicode_class[0])
    escaped = pattern[place + 1 : place + 2]
    if escaped in _KINDS and escaped:
        return PatternToken(_KINDS[escaped], place, pattern[place : place + 2])
    text, value = _escaped(pattern, place)
    return PatternToken("character" if value else "unknown", place, text, value)


def _escaped(pattern: str, place: int) -> tuple[str, str]:
    """Return an escape's text and the character that it means; none where it is no character's."""
    escaped = pattern[place + 1 : place + 2]
    if found := _HEX.match(pattern, place):
        code = int(found["long"] or found["short"], 16)
        return found[0], chr(code) if code <= _LAST_CODE_POINT else ""
    if found := _OCTAL.match(pattern, place):
        return found[0], chr(int(found[0][1:], 8))
    if escaped in _CONTROLS:
        return pattern[place : place + 2], _CONTROLS[escaped]
    literal = escaped.isascii() and not escaped.isalnum()
    return pattern[place : place + 2], escaped if literal else ""


def _class_end(pattern: str, place: int) -> int:
    """Return where a set in brackets ends; its first bracket's end where it does not."""
    at = place + 1
    if pattern.startswith("^", at):
        at += 1
    first = True
    while at < len(pattern) and (first or pattern[at] != "]"):
        first = False
        if found := (_POSIX_CLASS.match(pattern, at) or _UNICODE_CLASS.match(pattern, at)):
            at = found.end()
        elif pattern[at] == "\\":
            at += len(_escaped(pattern, at)[0])
        else:
            at += 1
    return at + 1 if at < len(pattern) else place + 1


def class_members(text: str) -> frozenset[str] | None:
    """Return the characters of a set in brackets; None where they are many, or not told one by one."""
    inner = text[1:-1]
    if inner.startswith("^"):
        return None
    members: set[str] = set()
    place = 0
    while place < len(inner):
        low, place = _member(inner, place)
        if not low:
            return None
        high = low
        # A hyphen at the end is itself.
        if inner.startswith("-", place) and place + 1 < len(inner):
            high, place = _member(inner, place + 1)
        if not high or len(members) + ord(high) - ord(low) >= MAX_MEMBERS:
            return None
        members.update(map(chr, range(ord(low), ord(high) + 1)))
    return frozenset(members) or None


def _member(inner: str, place: int) -> tuple[str, int]:
    """Return one character of a set and where it ends; none where a kind of characters stands there."""
    if _POSIX_CLASS.match(inner, place) or _UNICODE_CLASS.match(inner, place):
        return "", place
    if inner[place] != "\\":
        return inner[place], place + 1
    text, value = _escaped(inner, place)
    return value, place + len(text)
