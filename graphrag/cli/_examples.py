"""The example documents and their questions: beside the package in a checkout, inside it where it is installed."""

import json
from dataclasses import dataclass
from pathlib import Path

from graphrag.errors import ConfigurationError

__all__ = ["Question", "examples_folder", "load_questions"]

_PACKAGE = Path(__file__).parents[1]
_PLACES = (_PACKAGE / "_examples", _PACKAGE.parent / "examples")


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the example documents, and where its answer stands.

    Attributes:
        kind: What it shows: `meaning`, `identifier`, `hybrid`, `section`, `two_documents`.
        question: The query; for the mode `section` a section's title.
        mode: `vector`, `text`, `hybrid` or `section`.
        expect_document: Name of a file that should be among the first three documents.
        expect_phrase: What stands there, blanks folded.
        second_document: Name of a file that holds the other half, if one does.
        second_phrase: What stands there.
    """

    kind: str
    question: str
    mode: str
    expect_document: str
    expect_phrase: str
    second_document: str | None = None
    second_phrase: str | None = None

    @property
    def documents(self) -> tuple[str, ...]:
        """Names of the files that hold the answer."""
        return (self.expect_document, *((self.second_document,) if self.second_document else ()))


def examples_folder() -> Path:
    """Return the folder with `documents/` and `questions.json`.

    Raises:
        ConfigurationError: It is missing from this installation.
    """
    for place in _PLACES:
        if (place / "documents").is_dir() and (place / "questions.json").is_file():
            return place
    msg = "the example documents are missing from this installation; install `graphrag-service` again"
    raise ConfigurationError(msg)


def load_questions(folder: Path) -> list[Question]:
    """Return the questions, in their order."""
    return [Question(**row) for row in json.loads((folder / "questions.json").read_text(encoding="utf-8"))]
