"""What every test may use: a clean environment, the shared data, a Neo4j server, and no model by accident.

Variables that are read here, once, before the environment is cleaned:

    GRAPHRAG_TEST_DATA            folder of the shared data; without it the tests that read it are skipped
    GRAPHRAG_TEST_NEO4J_URI       a server that the tests may empty (with `_USER` and `_PASSWORD`); without it
                                  a local one is started for the session
    GRAPHRAG_TEST_POSTGRESQL      a PostgreSQL to ask, as psycopg takes it; without it one is started for the tests
    GRAPHRAG_TEST_ARTIFACTS       folder for pictures that tests take; without it they go with the test
    GRAPHRAG_REQUIRE_SERVERS      1: a server that cannot be had is a failure, no reason to skip
    HYPOTHESIS_PROFILE            `dev` (default) or `ci`, which tries more examples
"""

import importlib.util
import os
import sys
from collections.abc import Generator, Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import NoReturn
from unittest import mock

import pytest
from hypothesis import settings as hypothesis_settings
from pydantic import SecretStr

from graphrag.config import LocalServerSettings, Neo4jSettings
from graphrag.errors import LocalServerError

ENVIRON = dict(os.environ)
CLEANED_PREFIXES = ("GRAPHRAG_", "NEO4J_", "TIKA_")
MODEL_PACKAGES = {
    name: spec
    for name in ("onnxruntime", "openvino", "sentence_transformers", "torch")
    if (spec := importlib.util.find_spec(name))
}

# A failing example is printed as a decorator that reproduces it anywhere. Machines differ too much for deadlines.
hypothesis_settings.register_profile("dev", deadline=None, print_blob=True)
hypothesis_settings.register_profile("ci", deadline=None, print_blob=True, max_examples=200)


def pytest_configure() -> None:
    hypothesis_settings.load_profile(ENVIRON.get("HYPOTHESIS_PROFILE", "dev"))
    for name in _foreign_names():
        del os.environ[name]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a server, so that `-m "not server"` leaves it out."""
    for item in items:
        if "neo4j_server" in getattr(item, "fixturenames", ()):
            item.add_marker("server")


class ForbiddenModule(ModuleType):
    """Stands in the place of a package that loads models: it can be found, but a test that uses it fails."""

    def __init__(self, name: str, spec: ModuleSpec) -> None:
        super().__init__(name)
        self.__spec__ = spec

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # the import system and `inspect` look for these
            raise AttributeError(name)
        pytest.fail(f"`{self.__name__}.{name}` would load a model; mark the test with `pytest.mark.model`")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Forbid live models in tests without the marker `model`, in their fixtures too."""
    if item.get_closest_marker("model"):
        return (yield)
    stand_ins: dict[str, ModuleType] = {name: ForbiddenModule(name, spec) for name, spec in MODEL_PACKAGES.items()}
    kept = {name: sys.modules.get(name) for name in stand_ins}
    sys.modules.update(stand_ins)
    try:
        return (yield)
    finally:
        for name, module in kept.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Asynchronous tests (`pytest.mark.anyio`) run on asyncio, as the driver does."""
    return "asyncio"


@pytest.fixture(autouse=True)
def clean_environ(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """No setting of the machine reaches a test, none of a test reaches the next, and the user's data stay alone."""
    home = tmp_path_factory.getbasetemp() / "graphrag-home"
    with mock.patch.dict(os.environ, {"GRAPHRAG_HOME": str(home)}) as environ:
        yield environ


@pytest.fixture(scope="session")
def test_data() -> Path:
    """The folder of the shared data; skips where it is not told."""
    folder = ENVIRON.get("GRAPHRAG_TEST_DATA")
    if not folder:
        pytest.skip("GRAPHRAG_TEST_DATA is not set: no shared data to read")
    return Path(folder)


@pytest.fixture
def artifacts(tmp_path: Path) -> Path:
    """A folder for pictures and reports of a test, kept where `GRAPHRAG_TEST_ARTIFACTS` names one."""
    folder = Path(ENVIRON.get("GRAPHRAG_TEST_ARTIFACTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def neo4j_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neo4jSettings]:
    """A Neo4j server whose database the tests may empty: the one that is configured, else a local one."""
    if uri := ENVIRON.get("GRAPHRAG_TEST_NEO4J_URI"):
        yield Neo4jSettings(
            uri=uri,
            username=ENVIRON.get("GRAPHRAG_TEST_NEO4J_USER", "neo4j"),
            password=SecretStr(ENVIRON.get("GRAPHRAG_TEST_NEO4J_PASSWORD", "")),
        )
        return
    try:
        from graphrag.local_neo4j import LocalServer

        server = LocalServer(LocalServerSettings(home=tmp_path_factory.mktemp("neo4j")))
        info = server.start()
    except (ImportError, LocalServerError) as error:
        _missing_server(f"no Neo4j server: {error}")
    try:
        yield Neo4jSettings(uri=info.bolt_uri, username=info.username, password=info.password)
    finally:
        server.stop()


def _missing_server(reason: str) -> NoReturn:
    if ENVIRON.get("GRAPHRAG_REQUIRE_SERVERS") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def _foreign_names() -> list[str]:
    return [name for name in os.environ if name.startswith(CLEANED_PREFIXES)]
