import hashlib
import json
import os
from pathlib import Path

import pytest

from graphrag.embedding import weights
from graphrag.embedding.weights import weights_hash


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "model.safetensors"
    file.write_bytes(b"weights")
    return file


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "weights.json"


def forbid_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(file: Path) -> str:
        pytest.fail(f"{file} was read again")

    monkeypatch.setattr(weights, "_sha256", read)


def test_the_hash_is_the_start_of_the_files_sha256(file: Path, memory: Path) -> None:
    assert weights_hash([file], memory=memory) == hashlib.sha256(b"weights").hexdigest()[:12]


def test_an_unchanged_file_is_read_once(file: Path, memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = weights_hash([file], memory=memory)
    forbid_reading(monkeypatch)
    assert weights_hash([file], memory=memory) == first


def test_a_change_of_size_or_time_makes_it_read_again(file: Path, memory: Path) -> None:
    first = weights_hash([file], memory=memory)
    file.write_bytes(b"weights, longer")
    second = weights_hash([file], memory=memory)
    file.write_bytes(b"Weights, longer")
    os.utime(file, ns=(1, 1))
    assert len({first, second, weights_hash([file], memory=memory)}) == 3


def test_several_files_have_one_hash_that_depends_on_their_order(file: Path, memory: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.safetensors"
    other.write_bytes(b"other")
    assert weights_hash([file, other], memory=memory) != weights_hash([other, file], memory=memory)


@pytest.mark.parametrize("damaged", ["", "{", "[]", '{"a": 1}', "\ufffd"])
def test_a_damaged_memory_is_written_anew(file: Path, memory: Path, damaged: str) -> None:
    memory.parent.mkdir()
    memory.write_text(damaged, encoding="utf-8")
    assert len(weights_hash([file], memory=memory)) == 12
    assert len(json.loads(memory.read_text(encoding="utf-8"))) == 1


def test_a_memory_that_cannot_be_written_is_no_error(file: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, not a folder", encoding="utf-8")
    assert len(weights_hash([file], memory=tmp_path / "taken" / "weights.json")) == 12


def test_the_memory_holds_only_the_latest(file: Path, memory: Path) -> None:
    for step in range(70):
        os.utime(file, ns=(step, step))
        weights_hash([file], memory=memory)
    assert len(json.loads(memory.read_text(encoding="utf-8"))) == 64


def test_a_missing_file_is_the_callers_error(tmp_path: Path, memory: Path) -> None:
    with pytest.raises(FileNotFoundError):
        weights_hash([tmp_path / "absent"], memory=memory)
