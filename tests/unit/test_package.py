"""The package as a whole: what it promises, what it needs, and what its wheel carries."""

import ast
import importlib.metadata
import re
import subprocess
import sys
import tomllib
import zipfile
from itertools import chain
from pathlib import Path

import pytest

import graphrag

REPOSITORY = Path(__file__).parents[2]
PACKAGE = REPOSITORY / "graphrag"
SOURCES = sorted(PACKAGE.rglob("*.py"))
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]

UNDECLARED = {
    "torch": "comes with sentence-transformers",
    "transformers": "comes with sentence-transformers",
}
"""Packages that are imported where they are present, though no dependency of ours names them."""


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def name_of(source: Path) -> str:
    return source.relative_to(REPOSITORY).as_posix()


def test_every_promised_name_is_there_and_every_public_name_is_promised() -> None:
    public = {
        name for name, value in vars(graphrag).items() if not name.startswith("_") and type(value).__name__ != "module"
    }
    assert public <= set(graphrag.__all__)
    assert [name for name in graphrag.__all__ if not hasattr(graphrag, name)] == []
    assert len(set(graphrag.__all__)) == len(graphrag.__all__)


@pytest.mark.parametrize("source", SOURCES, ids=name_of)
def test_a_module_says_why_it_exists_and_promises_what_it_defines(source: Path) -> None:
    tree = ast.parse(source.read_text(encoding="utf-8"))
    if not tree.body:
        assert source.name == "__init__.py"
        return
    assert ast.get_docstring(tree), "no docstring"
    defined = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not is_subcommand(node)
    }
    assert defined <= promised_by(tree), f"not in __all__: {sorted(defined - promised_by(tree))}"


def is_subcommand(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    """Tell whether a command group has taken the function, which nobody then calls by name."""
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    return any(".command" in text or (".group(" in text and not text.startswith("click.")) for text in decorators)


def promised_by(tree: ast.Module) -> set[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["__all__"]:
            return set(ast.literal_eval(node.value))
    return set()


def test_every_foreign_package_that_is_imported_is_a_declared_dependency() -> None:
    declared = {
        normalised(re.split(r"[\s\[<>=~!;]", line, maxsplit=1)[0])
        for line in chain(PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
    }
    distributions = importlib.metadata.packages_distributions()
    undeclared = {
        name: sources
        for name, sources in imports().items()
        if name not in UNDECLARED and not declared & {normalised(found) for found in distributions.get(name, [name])}
    }
    assert undeclared == {}


def imports() -> dict[str, list[str]]:
    """Return the foreign top-level packages, each with the files that import it."""
    found: dict[str, list[str]] = {}
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            for name in {name.split(".")[0] for name in names} - {"graphrag"} - sys.stdlib_module_names:
                found.setdefault(name, []).append(name_of(source))
    return found


def test_the_distribution_tells_the_version_of_the_package() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?(?:\.dev\d+)?", graphrag.__version__)
    assert importlib.metadata.version(PROJECT["name"]) == graphrag.__version__


def test_no_file_of_pins_or_settings_names_a_host() -> None:
    files = [*(REPOSITORY / "requirements").iterdir(), REPOSITORY / "pyproject.toml", REPOSITORY / "Makefile"]
    for file in files:
        assert "://" not in file.read_text(encoding="utf-8"), name_of(file)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


def test_the_wheel_carries_every_statement_every_module_and_no_test(wheel: zipfile.ZipFile) -> None:
    carried = set(wheel.namelist())
    statements = {path.relative_to(REPOSITORY / "cypher") for path in (REPOSITORY / "cypher").rglob("*.cypher")}
    assert statements
    assert {f"graphrag/_cypher/{path.as_posix()}" for path in statements} <= carried
    assert {name_of(source) for source in SOURCES} <= carried
    assert "graphrag/py.typed" in carried
    assert {name.split("/")[0] for name in carried} == {
        "graphrag",
        f"graphrag_service-{graphrag.__version__}.dist-info",
    }


def test_the_wheel_names_the_command_the_licence_and_the_extras(wheel: zipfile.ZipFile) -> None:
    info = f"graphrag_service-{graphrag.__version__}.dist-info"
    assert "graphrag = graphrag.__main__:main" in wheel.read(f"{info}/entry_points.txt").decode()
    metadata = wheel.read(f"{info}/METADATA").decode()
    assert "License-Expression: Apache-2.0" in metadata
    assert "Requires-Python: >=3.11" in metadata
    extras = set(re.findall(r"^Provides-Extra: (.*)$", metadata, flags=re.MULTILINE))
    assert extras == set(PROJECT["optional-dependencies"])
    assert {"local", "embeddings", "tika", "neomodel", "standard"} <= extras
