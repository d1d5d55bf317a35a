"""The lines of a data set's files, and what is refused of them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, cast

from graphrag.errors import DatasetError

__all__ = ["Place", "objects", "read_text", "rows", "shown"]

_SHOWN_CHARS = 60
_MAX_DIGITS = 9
_KINDS: Mapping[type, str] = {
    dict: "an object",
    list: "a list",
    str: "text",
    bool: "a boolean",
    int: "a number",
    float: "a number",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A file, or a line of it, that is read.

    Attributes:
        path: The file, or a folder.
        line: From 1; None for the whole of it.
    """

    path: Path
    line: int | None = None

    def refuse(self, message: str, *, cause: Exception | None = None) -> NoReturn:
        """Raise an error that tells this place.

        Raises:
            DatasetError: In any case.
        """
        raise DatasetError(message, path=self.path, line=self.line) from cause

    def text_of(self, row: Mapping[str, object], name: str, *, may_be_blank: bool = False) -> str:
        """Return the text of a field.

        Raises:
            DatasetError: It is missing, something else, or blank where it must not be.
        """
        value = row.get(name)
        if not isinstance(value, str):
            found = f"is {_KINDS.get(type(value), 'null')}" if name in row else "is missing"
            self.refuse(f"`{name}` {found}; it must be text")
        if not may_be_blank and not value.strip():
            self.refuse(f"`{name}` is empty; it must have at least one character")
        return value

    def new_id(self, row: Mapping[str, object], seen: Mapping[str, object]) -> str:
        """Return the id of an object.

        Raises:
            DatasetError: It is no text, or `seen` has it.
        """
        id_ = self.text_of(row, "id")
        if id_ in seen:
            self.refuse(f"the id {shown(id_)} stands twice; ids must differ")
        return id_

    def known(self, id_: str, ids: Mapping[str, object], *, name: str) -> None:
        """Do nothing where the id is one of `ids`.

        Raises:
            DatasetError: It is none.
        """
        if id_ not in ids:
            self.refuse(f"`{name}` is {shown(id_)}, which the data set does not hold")

    def whole(self, text: str, *, name: str) -> int:
        """Return a whole number of at least 0.

        Raises:
            DatasetError: The text is none.
        """
        if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS):
            self.refuse(f"`{name}` is {shown(text)}; it must be a whole number from 0 to {'9' * _MAX_DIGITS}")
        return int(text)


def read_text(path: Path) -> str:
    """Return a file's text, with its line ends as they are: offsets count them.

    Raises:
        DatasetError: It is missing, cannot be read, or is not UTF-8.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        Place(path).refuse("it is missing")
    except OSError as error:
        Place(path).refuse(f"it cannot be read: {error.strerror or error}", cause=error)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        Place(path, line).refuse(f"it is not UTF-8: {error.reason}", cause=error)


def objects(path: Path) -> Iterator[tuple[Place, Mapping[str, object]]]:
    """Yield the JSON objects of a file, one a line; blank lines are passed over.

    Raises:
        DatasetError: The file cannot be read, or a line is no JSON object.
    """
    for place, line in _lines(path):
        try:
            value: object = json.loads(line)
        except (ValueError, RecursionError) as error:
            place.refuse(f"it is no JSON ({error}); each line must be one JSON object", cause=error)
        if not isinstance(value, dict):
            place.refuse(f"it is {_KINDS.get(type(value), 'null')}; each line must be one JSON object")
        yield place, cast("Mapping[str, object]", value)


def rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[Place, list[str]]]:
    """Yield the rows of a file with a header line and tabs between columns; blank lines are passed over.

    Raises:
        DatasetError: The file cannot be read, its header is another, or a row has another number of columns.
    """
    wanted = ", ".join(columns)
    lines = _lines(path)
    place, header = next(lines, (Place(path, 1), ""))
    if tuple(header.split("\t")) != columns:
        place.refuse(f"the first line must be a header of the columns {wanted}, with tabs between them")
    for place, line in lines:
        cells = line.split("\t")
        if len(cells) != len(columns):
            place.refuse(f"it has {len(cells)} columns; it must have {len(columns)}, with tabs between them: {wanted}")
        yield place, cells


def shown(text: str) -> str:
    """Return a text of a data set for a message, cut where it is long."""
    return repr(text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS] + "…")


def _lines(path: Path) -> Iterator[tuple[Place, str]]:
    # Not by `splitlines`, which also ends a line at characters that may stand in JSON strings.
    for number, line in enumerate(read_text(path).removeprefix("\ufeff").split("\n"), 1):
        if line.strip():
            yield Place(path, number), line.removesuffix("\r")
