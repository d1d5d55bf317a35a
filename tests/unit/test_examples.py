"""The example documents hang together: links lead somewhere, and each question has its answer."""

import json
import re
import zipfile
from html import unescape
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = ROOT / "examples" / "documents"
README = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
QUESTIONS = json.loads((ROOT / "examples" / "questions.json").read_text(encoding="utf-8"))
EXPECTATIONS = [
    (question[f"{which}_document"], question[f"{which}_phrase"])
    for question in QUESTIONS
    for which in ("expect", "second")
    if f"{which}_document" in question
]


def folded_text(path: Path) -> str:
    """Return a document's text with each run of blanks as one; a PDF's is taken from what it is built from."""
    if path.suffix == ".pdf":
        text = (ROOT / "tools" / "example_sources" / f"{path.stem}.md").read_text(encoding="utf-8")
    elif path.suffix == ".docx":
        with zipfile.ZipFile(path) as archive:
            text = unescape(re.sub(r"<[^>]+>", "", archive.read("word/document.xml").decode()))
    else:
        text = unescape(re.sub(r"<[^>]+>", "", path.read_text(encoding="utf-8")))
    return " ".join(text.split())


@pytest.mark.parametrize("name,phrase", EXPECTATIONS)
def test_the_expected_phrase_stands_in_the_expected_document(name: str, phrase: str) -> None:
    assert phrase in folded_text(DOCUMENTS / name)


@pytest.mark.parametrize(
    "path", sorted([*DOCUMENTS.glob("*.md"), *DOCUMENTS.glob("*.html")]), ids=lambda path: path.name
)
def test_relative_links_lead_to_other_documents(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text) if path.suffix == ".md" else re.findall(r'href="([^"]+)"', text)
    assert links
    assert [link for link in links if not (DOCUMENTS / link).is_file()] == []


def test_the_readme_lists_each_document_and_each_question() -> None:
    names = [path.name for path in DOCUMENTS.iterdir()]
    assert len(names) == 10
    assert [name for name in names if f"| `{name}` |" not in README] == []
    assert [question["question"] for question in QUESTIONS if f"| {question['question']} |" not in README] == []


def test_there_is_a_question_of_each_kind() -> None:
    assert {question["kind"] for question in QUESTIONS} == {
        "meaning",
        "identifier",
        "hybrid",
        "section",
        "two_documents",
    }


def test_documents_are_small_enough_to_be_committed() -> None:
    assert [path.name for path in DOCUMENTS.iterdir() if path.stat().st_size >= 100_000] == []
