"""Resolve the Maven artifacts that the package starts, and pin each jar by coordinates, SHA-256 and size.

Run it after changing a version below: `python tools/pin_jars.py [neo4j|tika]`. It resolves with jgo's own
resolver, hashes every jar and rewrites `graphrag/jvm/jars/*.json`. Nothing is fetched by these files
themselves, and no repository's address is written into them.
"""

import hashlib
import json
import sys
from pathlib import Path

from jgo.maven import MavenContext

ROOTS = {
    "neo4j": (
        "org.neo4j:neo4j:2026.08.1",
        "org.neo4j.app:neo4j-server:2026.08.1",
        "org.neo4j.client:neo4j-browser:5.24.0",
    ),
    "tika": (
        "org.apache.tika:tika-core:3.3.1",
        "org.apache.tika:tika-parsers-standard-package:3.3.1",
    ),
}
RUNTIME_SCOPES = frozenset({None, "", "compile", "runtime"})
TARGET = Path(__file__).resolve().parent.parent / "graphrag" / "jvm" / "jars"


def pin(bundle: str) -> int:
    """Write the pins of one bundle and return how many jars it has."""
    context = MavenContext()
    inputs, transitive = context.resolver.resolve([context.create_dependency(root) for root in ROOTS[bundle]])
    pins = []
    seen = set()
    for dependency in (*inputs, *transitive):
        artifact = dependency.artifact
        key = (artifact.groupId, artifact.artifactId, artifact.classifier)
        if dependency.scope not in RUNTIME_SCOPES or dependency.type != "jar" or key in seen:
            continue
        seen.add(key)
        path = artifact.resolve()
        pins.append(
            {
                "group": artifact.groupId,
                "artifact": artifact.artifactId,
                "version": artifact.version,
                "classifier": artifact.classifier or "",
                "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
                "size": path.stat().st_size,
            }
        )
    pins.sort(key=lambda pin: (pin["group"], pin["artifact"], pin["classifier"]))
    lines = ",\n".join("  " + json.dumps(pin) for pin in pins)
    roots = json.dumps(list(ROOTS[bundle]))
    (TARGET / f"{bundle}.json").write_text(f'{{"roots": {roots}, "jars": [\n{lines}\n]}}\n', encoding="utf-8")
    return len(pins)


def main() -> None:
    """Pin the bundles named on the command line, or all."""
    for bundle in sys.argv[1:] or ROOTS:
        print(f"{bundle}: {pin(bundle)} jars")


if __name__ == "__main__":
    main()
