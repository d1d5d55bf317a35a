"""The statements: what their headers promise, how slots are filled, and that code and files agree."""

import ast
import re
from pathlib import Path

import pytest

from graphrag.cypher import Fragment, PlainWord, Statement, plain_word, statement, statement_names
from graphrag.errors import ConfigurationError, InvalidRequestError

ROOT = Path(__file__).resolve().parents[2]
NAMES = statement_names()


def folders() -> set[str]:
    return {name.partition("/")[0] for name in NAMES}


def names_in_code() -> set[str]:
    """Return every string of the package that looks like a statement's name, but for those in messages."""
    found: set[str] = set()
    pattern = re.compile(rf"(?:{'|'.join(folders())})/[a-z_]+")
    for path in (ROOT / "graphrag").rglob("*.py"):
        if "_sync" in path.parts:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstrings = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        for node in ast.walk(tree):
            told = isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
            if told and pattern.fullmatch(node.value):
                found.add(node.value)
    return found


LABELS_OF_WRITES = {"content/write_documents"}
"""Names of whole operations, for messages: no statements."""


def test_every_statement_is_used_and_every_use_has_a_statement() -> None:
    used = names_in_code() - LABELS_OF_WRITES
    assert used - set(NAMES) == set(), "used, but there is no such file"
    assert set(NAMES) - used == set(), "a file that no code uses"


@pytest.mark.parametrize("name", NAMES)
def test_the_header_names_exactly_the_parameters(name: str) -> None:
    """Those of the text, of its slots' defaults and of what its header says that slots use."""
    found = statement(name)
    used = set(re.findall(r"\$([A-Za-z_]\w*)", found.text))
    only_in_slots = {
        parameter
        for parameter in found.parameters - used
        if re.search(rf"^\$?{parameter}: .*where the slot", found.doc, re.MULTILINE)
        or f"${parameter}: list of str, where the slot" in found.doc
    }
    assert used | only_in_slots == set(found.parameters)


@pytest.mark.parametrize("name", NAMES)
def test_the_header_tells_purpose_result_index_and_server(name: str) -> None:
    doc = statement(name).doc
    assert doc.splitlines()[0].endswith((".", ":")) or len(doc.splitlines()) > 1
    assert "Oldest server: " in doc
    if not name.startswith("schema/"):
        assert re.search(r"^Returns ", doc, re.MULTILINE), "what it returns"
    for slot in statement(name).slots:
        assert re.search(rf"Slots: .*\b{slot}\b", doc.replace("\n", " ")), slot


@pytest.mark.parametrize("name", NAMES)
def test_a_statement_is_in_cypher_25_with_plain_names_and_snake_case_parameters(name: str) -> None:
    """No APOC (CASES 60), no quoting of names, no comment or slot mark left."""
    found = statement(name)
    assert found.text.startswith("CYPHER 25\n")
    assert "apoc" not in found.text.lower()
    assert "/*" not in found.text
    assert "//" not in found.text
    assert "`" not in found.text
    assert "=~" not in found.text
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", parameter) for parameter in found.parameters)
    assert found.text.count(";") == 0


def test_no_apoc_anywhere_in_the_package() -> None:
    """CASES 60."""
    sources = [*(ROOT / "graphrag").rglob("*.py"), *(ROOT / "cypher").rglob("*.cypher")]
    assert [path for path in sources if re.search(r"\bapoc\.", path.read_text(encoding="utf-8"))] == []


def test_an_unknown_name_tells_the_nearest() -> None:
    with pytest.raises(
        ConfigurationError, match=r"no statement `chunk/vector_serach`; nearest: \['chunk/vector_search'"
    ):
        statement("chunk/vector_serach")


def test_a_statement_is_loaded_once() -> None:
    assert statement("chunk/vector_search") is statement("chunk/vector_search")


def test_slots_take_checked_names_and_compiled_predicates_only() -> None:
    found = statement("chunk/vector_search")
    with pytest.raises(ConfigurationError, match="slot `index` .* takes a checked name or a compiled predicate only"):
        found.render(index="chunk_embedding")  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="has no slot `nothing`; it has "):
        found.render(nothing=plain_word("x"))
    text = found.render(index=plain_word("other_index"), where=Fragment("WHERE c.collection IN $collections"))
    assert "VECTOR INDEX other_index" in text
    assert "WHERE c.collection IN $collections" in text
    assert found.render() == found.text


def test_a_slots_mark_in_a_value_is_not_filled_again() -> None:
    found = Statement("x", "", frozenset(), "", "/*<a*/1/*a>*/ /*<b*/2/*b>*/", {"a": "1", "b": "2"})
    assert found.render(a=Fragment("/*<b*/3/*b>*/"), b=Fragment("4")).endswith("/*<b*/3/*b>*/ 4")


@pytest.mark.parametrize("name", ["a", "_", "Chunk", "chunk_embedding_2", "x" * 64])
def test_plain_words_are_taken(name: str) -> None:
    assert plain_word(name) == name
    assert isinstance(plain_word(name), PlainWord)


@pytest.mark.parametrize(
    "name",
    ["", "1a", "a-b", "a b", "a`b", r"a\u0060b", "a\n", "x" * 65, "ä", "\u212a", "\u017f", "a.b", "a:b", "$k",
     "vx',1,[1.0])//", "a\0b", "HAS*0..9]->(m)//", "X`) DETACH DELETE n //"],
)  # fmt: skip
def test_other_names_are_refused_without_being_repeated(name: str) -> None:
    """THREATS 1 to 3, 5, 7, 14, 15; CASES 20."""
    with pytest.raises(InvalidRequestError, match="must be a plain word") as caught:
        plain_word(name)
    assert len(name) < 3 or name not in str(caught.value)
