"""Which files a user means."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from graphrag.errors import IngestionError, InvalidRequestError
from graphrag.ingestion.sources import SourceFailure, SourceFile, discover, file_uri, read_bytes


def names(paths: Sequence[str | Path], root: Path, **options: bool) -> list[str]:
    found = list(discover([str(path) for path in paths], **options))
    assert all(isinstance(item, SourceFile) for item in found), found
    return [str(item.path.relative_to(root)) for item in found if isinstance(item, SourceFile)]


def failures(path: str | Path) -> list[SourceFailure]:
    return [item for item in discover([str(path)]) if isinstance(item, SourceFailure)]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in (
        "b.md",
        "a.txt",
        "sub/c.md",
        "sub/deep/d.md",
        ".hidden",
        ".git/config",
        "node_modules/x.js",
        "Thumbs.db",
    ):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    return tmp_path


def test_folder_is_sorted_and_without_junk(tree: Path) -> None:
    assert names([tree], tree) == ["a.txt", "b.md", "sub/c.md", "sub/deep/d.md"]
    assert names([tree], tree, recursive=False) == ["a.txt", "b.md"]


def test_hidden_files_on_demand(tree: Path) -> None:
    assert names([tree], tree, hidden=True) == [".hidden", "a.txt", "b.md", ".git/config", "sub/c.md", "sub/deep/d.md"]


def test_file_that_is_named_is_taken_even_if_hidden(tree: Path) -> None:
    assert names([tree / ".hidden"], tree) == [".hidden"]


def test_patterns(tree: Path) -> None:
    assert names([tree / "*.md"], tree) == ["b.md"]
    assert names([tree / "**" / "*.md"], tree) == ["b.md", "sub/c.md", "sub/deep/d.md"]
    assert names([tree / "su*"], tree) == ["sub/c.md", "sub/deep/d.md"]


def test_name_that_exists_is_no_pattern(tree: Path) -> None:
    (tree / "[x].md").write_text("x")
    assert names([tree / "[x].md"], tree) == ["[x].md"]


def test_file_named_twice_is_found_once(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASES 34: one document for the spellings of one path."""
    monkeypatch.chdir(tree)
    assert names(["b.md", "./b.md", str(tree / "b.md"), "sub/../b.md"], tree) == ["b.md"]


def test_equal_base_names_are_two_files(tree: Path) -> None:
    """CASES 34."""
    (tree / "sub" / "b.md").write_text("other")
    found = [item.uri for item in discover([str(tree / "**" / "b.md")]) if isinstance(item, SourceFile)]
    assert found == [file_uri(tree / "b.md"), file_uri(tree / "sub" / "b.md")]


def test_links_out_of_the_folder_are_left_out(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """THREATS 54: neither a file nor a folder outside, nor one whose name only begins alike."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.txt").write_text("secret")
    beside = tree.parent / (tree.name + "-beside")
    beside.mkdir()
    (beside / "secret.txt").write_text("secret")
    (tree / "l1.txt").symlink_to(outside / "secret.txt")
    (tree / "l2").symlink_to(outside)
    (tree / "l3").symlink_to(beside)
    (tree / "broken").symlink_to(tree / "nothing")
    os.mkfifo(tree / "pipe")
    (tree / "etc.txt").symlink_to("/etc/passwd")
    assert names([tree], tree) == ["a.txt", "b.md", "sub/c.md", "sub/deep/d.md"]
    skipped: list[str] = []
    list(discover([str(tree)], on_skipped=skipped.append))
    assert skipped == [str(tree / name) for name in ("broken", "etc.txt", "l1.txt", "l2", "l3", "pipe")]


def test_links_inside_the_folder_and_rings_end(tree: Path) -> None:
    (tree / "sub" / "ring").symlink_to(tree)
    (tree / "z.md").symlink_to(tree / "b.md")
    assert names([tree], tree) == ["a.txt", "b.md", "sub/c.md", "sub/deep/d.md"]


def test_folder_that_is_a_link_itself_may_be_named(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    link = tmp_path_factory.mktemp("links") / "to"
    link.symlink_to(tree)
    assert names([link], tree, recursive=False) == ["a.txt", "b.md"]


@pytest.mark.parametrize("name", ["empty", "*.nothing"])
def test_nothing_to_read_is_told_as_such(tmp_path: Path, name: str) -> None:
    """CASES 49: an empty folder is a message, not a crash."""
    (tmp_path / "empty").mkdir()
    (failure,) = failures(tmp_path / name)
    assert failure.nothing_found
    assert str(failure.error) in {f"`{tmp_path / name}` holds no files to read", f"no file matches `{tmp_path / name}`"}


@pytest.mark.parametrize("name", ["", "a\0.txt"])
def test_what_is_no_path_is_told(name: str) -> None:
    """THREATS 54."""
    (failure,) = [item for item in discover([name]) if isinstance(item, SourceFailure)]
    assert "is no path; give a file, a folder or a pattern" in str(failure.error)


def test_missing_file_is_told_and_the_others_are_found(tree: Path) -> None:
    found = list(discover([str(tree / "no.md"), str(tree / "b.md")]))
    assert isinstance(found[0], SourceFailure)
    assert not found[0].nothing_found
    assert f"`{tree / 'no.md'}` does not exist" in str(found[0].error)
    assert found[0].error.stage == "fetch"
    assert isinstance(found[1], SourceFile)


def test_file_without_permission_is_told_and_not_raised(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASES 48: the other files go on. Root may read all, so the answer of the system is replaced."""
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "b.md")
    found = list(discover([str(tree)], recursive=False))
    assert isinstance(found[0], SourceFile)
    assert isinstance(found[1], SourceFailure)
    assert str(found[1].error) == f"`{tree / 'b.md'}` cannot be read: no permission, or gone"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every folder")
def test_folder_without_permission_is_told(tree: Path) -> None:
    (tree / "sub").chmod(0)
    try:
        found = list(discover([str(tree)]))
    finally:
        (tree / "sub").chmod(0o700)
    assert any(isinstance(item, SourceFailure) and "Permission denied" in str(item.error) for item in found)


def source_file(path: Path) -> SourceFile:
    return SourceFile(file_uri(path), path, str(path))


def test_bytes_name_and_uri_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "a.bin"
    file.write_bytes(b"\0\xff")
    source = read_bytes(source_file(file), max_file_bytes=2)
    assert (source.data, source.name, source.uri) == (b"\0\xff", "a.bin", file_uri(file))
    assert "data" not in repr(source)


def test_file_over_the_limit_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.bin"
    file.write_bytes(b"123")
    with pytest.raises(IngestionError, match=r"is longer than 2 bytes; `ingestion.max_file_bytes` raises the limit"):
        read_bytes(source_file(file), max_file_bytes=2)


def test_named_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(IngestionError, match="is no regular file"):
        read_bytes(source_file(pipe), max_file_bytes=10)


def test_file_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    with pytest.raises(IngestionError, match="cannot be read: No such file"):
        read_bytes(source_file(tmp_path / "gone"), max_file_bytes=10)
    with pytest.raises(IngestionError, match="cannot be read: Is a directory"):
        read_bytes(source_file(tmp_path), max_file_bytes=10)


@pytest.mark.parametrize(
    "paths, message",
    [
        ("fifo/ok.md", "`paths` is one string; give a list of paths"),
        (b"fifo/ok.md", "`paths` is one string; give a list of paths"),
        (7, "`paths` is of type int; give a list of paths"),
        ([7], r"`paths\[0\]` is of type int; give a list of paths, each a string"),
        (["a", Path("b")], r"`paths\[1\]` is of type PosixPath; "),
    ],
)
def test_one_string_for_a_list_of_paths_is_refused_before_a_folder_is_read(paths: object, message: str) -> None:
    """The characters `/` and `.` of a path would be walked as folders; the call raises, not its first item."""
    with pytest.raises(InvalidRequestError, match=message):
        discover(cast("Sequence[str]", paths))


def test_link_to_itself_is_told_and_its_neighbours_are_found(tree: Path) -> None:
    """THREATS 54, CASES 48: one entry that cannot be followed takes no other file with it."""
    (tree / "aa").symlink_to("aa")
    (tree / "sub" / "a").symlink_to("a")
    found = list(discover([str(tree)]))
    files = [str(item.path.relative_to(tree)) for item in found if isinstance(item, SourceFile)]
    told = [str(item.error) for item in found if isinstance(item, SourceFailure)]
    assert files == ["a.txt", "b.md", "sub/c.md", "sub/deep/d.md"]
    assert [text.partition(" cannot be read: ")[0] for text in told] == [f"`{tree / 'aa'}`", f"`{tree / 'sub' / 'a'}`"]
    assert not any(item.nothing_found for item in found if isinstance(item, SourceFailure))
