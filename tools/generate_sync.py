"""Generate each folder `_sync` under `graphrag/` from the folder `_async` beside it.

    python tools/generate_sync.py            write what differs, remove what has no source
    python tools/generate_sync.py --check    write nothing; exit 1 and name what differs

Tokens are replaced by `unasync`; the names `AsyncXyz` that the sources use become `Xyz` without a list to
keep, and `Awaitable[X]` becomes `X`. Docstrings, comments and other strings follow by words. What cannot be said
in both faces (`asyncio`) is refused here, with the place; `graphrag.concurrency` has the words for it.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import tokenize_rt
import unasync

ROOT = Path(__file__).resolve().parent.parent

REPLACEMENTS = {
    "_async": "_sync",
    "aclose": "close",
    "aclosing": "closing",
    "aiter": "iter",
    "anext": "next",
    "enter_async_context": "enter_context",
    "push_async_callback": "callback",
    "push_async_exit": "push",
    "AbstractAsyncContextManager": "AbstractContextManager",
    "AsyncContextManager": "ContextManager",
    "StopAsyncIteration": "StopIteration",
    "asynccontextmanager": "contextmanager",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "__aiter__": "__iter__",
    "__anext__": "__next__",
}
"""Exact names. Names `AsyncXyz` need no entry."""

ASYNC_NAME = re.compile(r"\bAsync[A-Z]\w*")
WORDS = (
    (re.compile(r"\basync (?=(?:with|for|def)\b)"), ""),
    (re.compile(r"\bawait (?=[\w(])"), ""),
    (re.compile(r"\basynchronous"), "synchronous"),
    (re.compile(r"\bAsynchronous"), "Synchronous"),
)
"""What is left in docstrings, comments and strings once the code is replaced."""

REFUSED_IMPORTS = frozenset({"asyncio", "anyio", "threading", "concurrent"})
MERGED_NAMES = frozenset({"Iterator", "Iterable", "Generator", "ContextManager", "ExitStack"})
"""Names of the standard library that a source may use in both forms, since the result is the same type."""


class SourceError(Exception):
    """A source cannot be turned; the message names the file and says what to write instead."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where something differs")
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout (for tests)")
    options = parser.parse_args(argv)
    try:
        changes = list(differences(options.root))
    except SourceError as error:
        print(error, file=sys.stderr)
        return 1
    for path, text in changes:
        name = path.relative_to(options.root)
        print(f"{name}: {'has no source' if text is None else 'differs from its source'}")
        if not options.check:
            write(path, text)
    if options.check and changes:
        print("run `make sync` and commit the result", file=sys.stderr)
        return 1
    return 0


def differences(root: Path) -> Iterator[tuple[Path, str | None]]:
    """Yield each file that is not as it should be, with its right text; None where it has to go.

    Raises:
        SourceError: A source uses what has no synchronous form.
    """
    expected = generate(root)
    for path, text in expected.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            yield path, text
    for path in sorted((root / "graphrag").rglob("_sync/**/*.py")):
        if path not in expected:
            yield path, None


def write(path: Path, text: str | None) -> None:
    """Write the file, or remove it where `text` is None."""
    if text is None:
        path.unlink()
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def generate(root: Path) -> dict[Path, str]:
    """Return the right text of every generated file, by its path under `root`.

    Raises:
        SourceError: A source uses what has no synchronous form.
    """
    package = root / "graphrag"
    sources = {path: path.read_text(encoding="utf-8") for path in sorted(package.rglob("_async/**/*.py"))}
    if not sources:
        return {}
    names = replacements(sources.values())
    for path, text in sources.items():
        refuse_one_sided(path.relative_to(root), text, names)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        copies = {path: work / path.relative_to(root) for path in sources}
        for path, copy in copies.items():
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(sources[path], encoding="utf-8")
        rule = unasync.Rule("/_async/", "/_sync/", additional_replacements=names)
        unasync.unasync_files([str(copy) for copy in copies.values()], [rule])
        results = {path: _twin(copy) for path, copy in copies.items()}
        for path, result in results.items():
            source = path.relative_to(root).as_posix()
            text = result.read_text(encoding="utf-8")
            text = unwrap_awaitable(replace_words(text, names))
            result.write_text(header(source) + text, encoding="utf-8")
        ruff(root, [*results.values()])
        return {_twin(path): result.read_text(encoding="utf-8") for path, result in results.items()}


def header(source: str) -> str:
    """Return the first line of a generated file."""
    return f"# Generated from {source} by tools/generate_sync.py; do not edit.\n"


def replacements(texts: Iterable[str]) -> dict[str, str]:
    """Return the names to replace: the fixed ones, and every `AsyncXyz` that stands in a source."""
    found: set[str] = set()
    for text in texts:
        found.update(ASYNC_NAME.findall(text))
    return {name: name.removeprefix("Async") for name in sorted(found)} | REPLACEMENTS


def refuse_one_sided(path: Path, text: str, names: Mapping[str, str]) -> None:
    """Check that a source has a synchronous form.

    Raises:
        SourceError: It imports what only one face has, or two of its names would become one.
    """
    used = {token.src: token.line or 0 for token in tokenize_rt.src_to_tokens(text) if token.name == "NAME"}
    for match in re.finditer(r"^\s*(?:import|from)\s+(\w+)", text, flags=re.MULTILINE):
        if match[1] in REFUSED_IMPORTS:
            line = text.count("\n", 0, match.start(1)) + 1
            msg = f"{path}:{line}: `{match[1]}` has no synchronous form; take it from graphrag.concurrency._async"
            raise SourceError(msg)
    for name, other in names.items():
        if name in used and other in used and ASYNC_NAME.fullmatch(name) and other not in MERGED_NAMES:
            msg = f"{path}:{used[name]}: `{name}` and `{other}` (line {used[other]}) would become one name"
            raise SourceError(msg)


def replace_words(text: str, names: Mapping[str, str]) -> str:
    """Return the text with names and words replaced also where they stand in docstrings and comments."""
    pattern = re.compile(r"\b(?:" + "|".join(map(re.escape, sorted(names, key=len, reverse=True))) + r")\b")
    text = pattern.sub(lambda match: names[match[0]], text)
    for word, replacement in WORDS:
        text = word.sub(replacement, text)
    return text


def unwrap_awaitable(text: str) -> str:
    """Return the text with `X` where it says `Awaitable[X]`: a plain function gives the value itself."""
    while match := re.search(r"\bAwaitable\[", text):
        depth, end = 1, match.end()
        while depth:
            depth += {"[": 1, "]": -1}.get(text[end], 0)
            end += 1
        text = text[: match.start()] + text[match.end() : end - 1] + text[end:]
    return text


def ruff(root: Path, paths: Sequence[Path]) -> None:
    """Sort imports (names have changed), drop those that are left over, and format, with the project's settings."""
    settings = ["--quiet", "--no-cache", "--config", str(root / "pyproject.toml")]
    files = [str(path) for path in paths]
    for command in (["check", "--select", "I,F401", "--fix"], ["format"]):
        subprocess.run([sys.executable, "-m", "ruff", *command, *settings, *files], check=True)


def _twin(path: Path) -> Path:
    return Path(*("_sync" if part == "_async" else part for part in path.parts))


if __name__ == "__main__":
    sys.exit(main())
