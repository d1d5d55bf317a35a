"""Loads, checks and renders the statements of the folder `cypher/`.

One file is one statement. It opens with `//` lines: what it does, each parameter as
`// $name: type, meaning`, what it returns, the index it needs, the oldest server it runs on.
Where a name or a predicate cannot be a parameter, the file has a slot with a valid default:

    SEARCH c IN (VECTOR INDEX /*<index*/ chunk_embedding /*index>*/ FOR $embedding ...)

Only `Statement.render` fills slots, and only with a `PlainWord` (a checked name) or a `Fragment`
(a predicate that a compiler of this package wrote). No text of a caller gets into a statement.
"""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import LiteralString, cast

from graphrag.errors import ConfigurationError, InvalidRequestError

__all__ = [
    "Fragment",
    "PlainWord",
    "Statement",
    "given_statement",
    "is_plain_word",
    "plain_word",
    "statement",
    "statement_names",
]

_PLAIN_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}", re.ASCII)
_SLOT = re.compile(r"/\*<(?P<name>[a-z_]+)\*/(?P<default>.*?)/\*(?P=name)>\*/", re.DOTALL)
_PARAMETER_LINE = re.compile(r"^//\s+\$(?P<name>[a-z_][a-z0-9_]*):\s", re.MULTILINE)
_PARAMETER_USE = re.compile(r"\$(?P<name>[A-Za-z_][A-Za-z0-9_]*)")
_LANGUAGE = "CYPHER 25\n"


class PlainWord(str):
    """A name that may stand in a query's text. Made by `plain_word` alone."""

    __slots__ = ()


class Fragment(str):
    """A piece of Cypher that this package wrote itself: a predicate, a label expression, a list of names."""

    __slots__ = ()


def is_plain_word(name: str) -> bool:
    """Tell whether a name may stand in a query's text."""
    return _PLAIN_WORD.fullmatch(name) is not None


def plain_word(name: str) -> PlainWord:
    """Return `name` marked as safe to stand in a query's text.

    Raises:
        InvalidRequestError: It is not an ASCII letter or underscore, followed by at most 63 ASCII
            letters, digits and underscores.
    """
    if not is_plain_word(name):
        msg = (
            "a label, relationship type, index or declared property must be a plain word: an ASCII letter or "
            "underscore, then at most 63 letters, digits or underscores"
        )
        raise InvalidRequestError(msg)
    return PlainWord(name)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of `cypher/`.

    Attributes:
        name: Its path without the ending, such as `chunk/vector_search`.
        text: What is sent where no slot is filled: comments and slot marks taken out, language prefix put in.
        parameters: The names of its parameters.
        doc: Its opening comment.
        template: The text with its slots, as in the file.
        slots: Slot name to default.
    """

    name: str
    text: LiteralString
    parameters: frozenset[str]
    doc: str
    template: str = field(repr=False)
    slots: Mapping[str, str] = field(repr=False)

    def render(self, **values: PlainWord | Fragment) -> LiteralString:
        """Return the text with the given slots filled and the others at their defaults.

        Raises:
            ConfigurationError: There is no such slot, or a value is plain text.
        """
        for slot, value in values.items():
            if slot not in self.slots:
                msg = f"statement `{self.name}` has no slot `{slot}`; it has {sorted(self.slots)}"
                raise ConfigurationError(msg)
            # Callers without a type checker may pass anything.
            if not isinstance(cast("object", value), PlainWord | Fragment):
                msg = f"slot `{slot}` of statement `{self.name}` takes a checked name or a compiled predicate only"
                raise ConfigurationError(msg)
        return _fill(self.template, values)


def _fill(template: str, values: Mapping[str, str]) -> LiteralString:
    filled = _SLOT.sub(lambda match: values.get(match["name"], match["default"].strip()), template)
    # The driver takes literal text only, so that no text of a caller is a query. That this is such text is said
    # here and nowhere else; a cast would be redundant to mypy, for which a literal string is any string.
    return _LANGUAGE + re.sub(r"[ \t]+\n", "\n", filled)  # pyright: ignore[reportReturnType]  # see above


def given_statement(text: str, *, explain: bool = False) -> LiteralString:
    """Return the statement of a caller as it is sent: the one text that is not of `cypher/`.

    Args:
        text: What `graphrag.stores.neo4j.statement_checks` has found acceptable.
        explain: Whether the server is to plan it only.
    """
    return f"{_LANGUAGE.strip()}{' EXPLAIN' if explain else ''}\n{text}"  # pyright: ignore[reportReturnType]  # as above


@cache
def _root() -> Path:
    """Return the folder of the statements: inside an installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent
    for candidate in (package / "_cypher", package.parent / "cypher"):
        if candidate.is_dir():
            return candidate
    msg = "the folder of Cypher statements is not in this installation; install the package again"
    raise ConfigurationError(msg)


@cache
def statement_names() -> tuple[str, ...]:
    """Return the names of all statements, sorted."""
    root = _root()
    return tuple(sorted(path.relative_to(root).with_suffix("").as_posix() for path in root.rglob("*.cypher")))


@cache
def statement(name: str) -> Statement:
    """Return the statement of that name.

    Raises:
        ConfigurationError: There is none (the nearest names are told), or its opening comment does not
            name exactly the parameters that it uses.
    """
    if name not in statement_names():
        near = difflib.get_close_matches(name, statement_names(), n=3)
        msg = f"there is no statement `{name}`; nearest: {near}"
        raise ConfigurationError(msg)
    raw = (_root() / f"{name}.cypher").read_text(encoding="utf-8")
    lines = raw.splitlines()
    head = [line for line in lines if line.startswith("//")]
    template = "\n".join(line for line in lines if not line.startswith("//")).strip()
    slots = {match["name"]: match["default"].strip() for match in _SLOT.finditer(template)}
    declared = frozenset(_PARAMETER_LINE.findall("\n".join(head)))
    text = _fill(template, {})
    used = frozenset(_PARAMETER_USE.findall(text))
    if not used <= declared:
        msg = f"statement `{name}` uses parameters that its opening comment does not name: {sorted(used - declared)}"
        raise ConfigurationError(msg)
    doc = "\n".join(line.removeprefix("//").removeprefix(" ") for line in head)
    return Statement(name=name, text=text, parameters=declared, doc=doc, template=template, slots=slots)
