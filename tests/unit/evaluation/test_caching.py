"""Vectors that are kept between runs."""

import errno
import stat
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from graphrag.errors import ConfigurationError, ModelCallError
from graphrag.evaluation import CachingEmbedder
from graphrag.evaluation.caching import _WRITTEN_AT_ONCE
from graphrag.testing.embedder import DeterministicEmbedder, FailingEmbedder


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_a_second_run_asks_the_model_for_what_is_new_alone(tmp_path: Path) -> None:
    with CachingEmbedder(first := DeterministicEmbedder(), tmp_path) as cache:
        rows = cache.embed_documents(["a", "b", "a"])
        query = cache.embed_query("a")
    assert first.calls == [("a", "b"), ("a",)]
    assert (cache.embedded, cache.reused) == (3, 1)
    with CachingEmbedder(second := DeterministicEmbedder(), tmp_path) as cache:
        again = cache.embed_documents(["b", "c", "a"])
        assert np.array_equal(cache.embed_query("a"), query)
    assert second.calls == [("c",)]
    assert (cache.embedded, cache.reused, cache.damaged) == (1, 3, ())
    assert np.array_equal(again[[2, 0]], rows[:2])
    assert np.array_equal(again, DeterministicEmbedder().embed_documents(["b", "c", "a"]))


def test_it_is_the_embedder_that_it_wraps(tmp_path: Path) -> None:
    inner = DeterministicEmbedder(7, name="tiny", max_tokens=3)
    cache = CachingEmbedder(inner, tmp_path)
    assert (cache.model_name, cache.model_id, cache.dimensions) == (inner.model_name, inner.model_id, 7)
    assert cache.tokenizer is inner.tokenizer
    assert cache.embed_documents([]).shape == (0, 7)
    assert cache.embed_query("x").shape == (7,)


class Prompting(DeterministicEmbedder):
    """Embeds a query as another text than a document of the same words, as models with prompts do."""

    def embed_query(self, text: str) -> np.ndarray:
        return super().embed_query(f"query: {text}")


def test_a_query_and_a_document_of_the_same_text_are_kept_apart(tmp_path: Path) -> None:
    cache = CachingEmbedder(Prompting(), tmp_path)
    document, query = cache.embed_documents(["otters"])[0], cache.embed_query("otters")
    assert not np.allclose(document, query)
    cache.close()
    cache = CachingEmbedder(Prompting(), tmp_path)
    assert np.array_equal(cache.embed_query("otters"), query)
    assert np.array_equal(cache.embed_documents(["otters"])[0], document)
    assert cache.embedded == 0


def test_models_and_variants_do_not_see_each_other(tmp_path: Path) -> None:
    for name, variant in (("one", ""), ("two", ""), ("two", "max_tokens 64")):
        inner = DeterministicEmbedder(name=name)
        with CachingEmbedder(inner, tmp_path, variant=variant) as cache:
            assert np.array_equal(cache.embed_query("a"), DeterministicEmbedder(name=name).embed_query("a"))
        assert inner.embedded_count == 1


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "grow"])
def test_a_damaged_file_is_told_removed_and_its_texts_embedded_again(tmp_path: Path, damage: str) -> None:
    with CachingEmbedder(DeterministicEmbedder(), tmp_path) as cache:
        wanted = cache.embed_documents(["a", "b"])
        cache.flush()
        cache.embed_documents(["c"])
    for path in files(tmp_path):
        data = path.read_bytes()
        if len(data) > 600:  # the one of two vectors
            broken = {"cut": data[:-1], "empty": b"", "grow": data + b"\0"}
            damaged = path
            path.write_bytes(broken.get(damage, data[:300] + bytes([data[300] ^ 1]) + data[301:]))
    with CachingEmbedder(inner := DeterministicEmbedder(), tmp_path) as cache:
        assert cache.damaged == (damaged,)
        assert not damaged.exists()
        assert np.array_equal(cache.embed_documents(["a", "b", "c"])[:2], wanted)
    assert inner.calls == [("a", "b")]
    assert CachingEmbedder(DeterministicEmbedder(), tmp_path).damaged == ()
    assert damaged.exists(), "the same vectors give the same name"


def test_a_file_that_cannot_be_read_is_told_and_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of the disk says nothing against what the file holds; one that is gone was another program's."""
    with CachingEmbedder(DeterministicEmbedder(), tmp_path) as cache:
        cache.embed_query("a")
    (path,) = files(tmp_path)
    errors: list[OSError] = [OSError(errno.EIO, "Input/output error"), FileNotFoundError(errno.ENOENT, "gone")]

    def fail(_: Path) -> bytes:
        raise errors.pop(0)

    monkeypatch.setattr(Path, "read_bytes", fail)
    with pytest.raises(ConfigurationError, match=r"cannot be read \(Input/output error\)"):
        CachingEmbedder(DeterministicEmbedder(), tmp_path)
    assert CachingEmbedder(DeterministicEmbedder(), tmp_path).damaged == ()
    monkeypatch.undo()
    with CachingEmbedder(DeterministicEmbedder(), tmp_path) as cache:
        cache.embed_query("a")
        assert cache.reused == 1
    assert path.exists()


def test_a_file_of_another_number_of_dimensions_is_damaged(tmp_path: Path) -> None:
    with CachingEmbedder(DeterministicEmbedder(8), tmp_path) as cache:
        cache.embed_query("a")
    (path,) = files(tmp_path)
    with CachingEmbedder(DeterministicEmbedder(16), tmp_path) as cache:
        cache.folder.mkdir(exist_ok=True)
        path.rename(cache.folder / path.name)
    assert CachingEmbedder(DeterministicEmbedder(16), tmp_path).damaged == (cache.folder / path.name,)


def test_what_was_made_before_a_failure_is_kept_and_a_bad_vector_is_not(tmp_path: Path) -> None:
    with (
        pytest.raises(ModelCallError, match="not finite"),
        CachingEmbedder(FailingEmbedder("nan", 2), tmp_path) as cache,
    ):
        cache.embed_documents(["a"])
        cache.embed_documents(["b"])
    with CachingEmbedder(inner := DeterministicEmbedder(), tmp_path, variant="") as cache:
        assert cache.model_id == FailingEmbedder("nan").model_id
        cache.embed_documents(["a", "b"])
    assert inner.calls == [("b",)]


def test_no_reader_sees_half_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that fails leaves nothing behind, not even the file that was to be moved to its place."""
    cache = CachingEmbedder(DeterministicEmbedder(), tmp_path)
    cache.embed_query("a")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ConfigurationError, match=r"cannot be written \(No space left on device\); give another folder"):
        cache.close()
    assert files(tmp_path) == []


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match=r"the cache of embeddings at `.*file.*` cannot be read \(Not a dir"):
        CachingEmbedder(DeterministicEmbedder(), tmp_path / "file")


def test_many_vectors_are_written_before_the_end(tmp_path: Path) -> None:
    cache = CachingEmbedder(DeterministicEmbedder(4), tmp_path)
    cache.embed_documents([str(number) for number in range(_WRITTEN_AT_ONCE)])
    (path,) = files(tmp_path)
    assert stat.S_ISREG(path.stat().st_mode)
    cache.flush()
    assert files(tmp_path) == [path]


@given(st.lists(st.text(max_size=5), max_size=6), st.lists(st.text(max_size=5), max_size=6))
def test_any_texts_give_the_vectors_of_the_model(
    tmp_path_factory: pytest.TempPathFactory, before: list[str], now: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("cache")
    with CachingEmbedder(DeterministicEmbedder(4), folder) as cache:
        cache.embed_documents(before)
    with CachingEmbedder(inner := DeterministicEmbedder(4), folder) as cache:
        assert np.array_equal(cache.embed_documents(now), DeterministicEmbedder(4).embed_documents(now))
    assert inner.embedded_count == len(set(now) - set(before))


def test_several_threads_may_use_it(tmp_path: Path) -> None:
    cache = CachingEmbedder(DeterministicEmbedder(4), tmp_path)
    threads = [threading.Thread(target=cache.embed_documents, args=([str(n), "shared"],)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cache.close()
    cache = CachingEmbedder(inner := DeterministicEmbedder(4), tmp_path)
    cache.embed_documents([*map(str, range(8)), "shared"])
    assert inner.embedded_count == 0
