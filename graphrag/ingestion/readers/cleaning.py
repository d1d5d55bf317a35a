"""What readers do to every text: nothing goes on that the store cannot hold, and the report says what was changed."""

import re

from graphrag.model.cleaning import CleanedText, clean_text

__all__ = ["clean_value", "cleaning_notes", "fold_blanks", "word_set"]

_BLANKS = re.compile(r"\s+")


def cleaning_notes(cleaned: CleanedText) -> tuple[str, ...]:
    """Return sentences for the report; none where nothing was changed."""
    notes: list[str] = []
    if cleaned.nul_removed:
        notes.append(f"NUL characters removed: {cleaned.nul_removed}")
    if cleaned.surrogates_replaced:
        notes.append(f"lone surrogates replaced by U+FFFD: {cleaned.surrogates_replaced}")
    return tuple(notes)


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
