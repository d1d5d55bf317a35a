"""Which documents are a folder's, and which files are gone for certain."""

import errno
import os
from pathlib import Path

import pytest

from graphrag.errors import InvalidRequestError
from graphrag.ingestion.sources import SyncedFolder, file_uri, is_gone, synced_folders


def test_a_file_is_gone_where_nothing_or_a_folder_stands_in_its_place(tmp_path: Path) -> None:
    path = tmp_path / "ä #%41.md"
    assert is_gone(file_uri(path))
    assert is_gone(file_uri(path / "below.md"))
    path.touch()
    assert not is_gone(file_uri(path))
    assert is_gone(file_uri(path / "below.md"))
    path.unlink()
    path.mkdir()
    assert is_gone(file_uri(path))


def test_a_link_to_nothing_is_there(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    assert not is_gone("file://" + str(tmp_path / "link"))


@pytest.mark.parametrize("code", [errno.EACCES, errno.EIO, errno.ESTALE, errno.ELOOP, errno.ENAMETOOLONG])
def test_a_file_that_cannot_be_looked_at_may_be_there(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    def fail(_path: object) -> None:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patched:
        patched.setattr(os, "lstat", fail)
        assert not is_gone("file:///folder/file")


@pytest.mark.parametrize("uri", ["https://example.com/a", "urn:x", "/a/path", "file:///a%00b", ""])
def test_what_is_no_file_is_never_gone(uri: str) -> None:
    assert not is_gone(uri)


def test_a_folder_holds_what_stands_in_it_and_below_where_that_counts(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (deep,) = synced_folders([str(folder), str(tmp_path / "nowhere"), "a\0b"], recursive=True)
    flat = SyncedFolder(deep.root, deep.uri, recursive=False)
    inside, below, beside = (file_uri(folder / "a"), file_uri(folder / "b" / "c"), file_uri(tmp_path / "docs2" / "a"))
    assert [deep.holds(uri) for uri in (inside, below, beside, deep.uri)] == [True, True, False, False]
    assert [flat.holds(uri) for uri in (inside, below, beside, flat.uri)] == [True, False, False, False]
    (root,) = synced_folders(["/"], recursive=True)
    assert root.prefix == "file:///"
    assert root.holds(inside)


def test_a_folder_is_known_by_its_real_path(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    (folder,) = synced_folders([str(tmp_path / "link")], recursive=True)
    assert folder.uri == file_uri(tmp_path / "real")


def test_without_a_folder_nothing_can_be_told(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    with pytest.raises(InvalidRequestError, match="no folder that is there is among the paths; name one"):
        synced_folders([str(tmp_path / "a"), str(tmp_path / "*")], recursive=True)
