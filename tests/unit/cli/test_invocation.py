"""Messages name the program as it can be typed."""

import sys
from pathlib import Path

import pytest

from graphrag.cli._invocation import program


@pytest.mark.parametrize(
    "folder, on_path, expected",
    [
        (None, False, "graphrag"),
        ("bin", True, "graphrag"),
        ("bin", False, "bin/graphrag"),
        ("my bin", False, "'my bin/graphrag'"),
    ],
)
def test_the_program_is_named_as_it_can_be_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str | None, on_path: bool, expected: str
) -> None:
    monkeypatch.chdir(tmp_path)
    called = Path(folder or "elsewhere", "graphrag")
    called.parent.mkdir()
    called.touch(mode=0o700)
    monkeypatch.setenv("PATH", str(called.parent.absolute()) if on_path else str(tmp_path / "empty"))
    monkeypatch.setattr(sys, "argv", [str(called) if folder else "graphrag", "demo"])
    assert program() == expected


def test_another_program_that_holds_ours_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/usr/bin/pytest"])
    assert program() == "graphrag"


def test_another_graphrag_on_the_path_does_not_pass_for_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ours", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "graphrag").touch(mode=0o700)
    monkeypatch.setenv("PATH", str(tmp_path / "other"))
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "ours" / "graphrag")])
    assert program() == str(tmp_path / "ours" / "graphrag")
