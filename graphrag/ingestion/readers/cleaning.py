"""The door that all text passes: what a property of a graph database cannot hold goes no further."""

import re
from dataclasses import dataclass

__all__ = ["CleanedText", "clean_text", "clean_value", "fold_blanks", "word_set"]

_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class CleanedText:
    """Text without NUL and without lone surrogates, and how many of each there were."""

    text: str
    nul_removed: int = 0
    surrogates_replaced: int = 0

    @property
    def changed(self) -> bool:
        """Whether the text differs from what was read."""
        return bool(self.nul_removed or self.surrogates_replaced)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the report; empty where nothing was changed."""
        notes: list[str] = []
        if self.nul_removed:
            notes.append(f"NUL characters removed: {self.nul_removed}")
        if self.surrogates_replaced:
            notes.append(f"lone surrogates replaced by U+FFFD: {self.surrogates_replaced}")
        return tuple(notes)


def clean_text(text: str) -> CleanedText:
    """Return the text without NUL, and with each lone surrogate replaced by U+FFFD.

    All other control characters are kept as they are.
    """
    nul = text.count("\0")
    if nul:
        text = text.replace("\0", "")
    # Encoding is many times faster than searching, and fails exactly where there is a lone surrogate.
    try:
        text.encode()
    except UnicodeEncodeError:
        text, replaced = _SURROGATE.subn("\N{REPLACEMENT CHARACTER}", text)
        return CleanedText(text, nul, replaced)
    return CleanedText(text, nul)


def clean_value(value: object) -> object:
    """Return a metadata value with every string in it, at any depth of lists and maps, cleaned."""
    if isinstance(value, str):
        return clean_text(value).text
    if isinstance(value, (list, tuple)):
        return [clean_value(item) for item in value]
    if isinstance(value, dict):
        return {clean_text(str(key)).text: clean_value(item) for key, item in value.items()}
    return value


def fold_blanks(text: str) -> str:
    """Return the text on one line: each run of blanks and line ends is one space, none at the ends."""
    return _BLANKS.sub(" ", text).strip()


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text, for constants that are easier to read as a line than as a list."""
    return frozenset(words.split())
