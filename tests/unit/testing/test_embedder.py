import subprocess
import sys

import numpy as np
import pytest

from graphrag.embedding import Embedder
from graphrag.errors import ModelCallError
from graphrag.testing.embedder import DeterministicEmbedder, FailingEmbedder, Fault


def test_it_is_an_embedder() -> None:
    embedder: Embedder = DeterministicEmbedder(8)
    assert (embedder.model_name, embedder.model_id, embedder.dimensions) == ("deterministic", "deterministic@hash-8", 8)
    embedder.close()


def test_equal_texts_have_equal_unit_vectors_and_others_do_not() -> None:
    embedder = DeterministicEmbedder()
    rows = embedder.embed_documents(["a", "b", "a"])
    assert rows.shape == (3, 64)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(3), abs=1e-6)
    assert np.array_equal(rows[0], rows[2])
    assert np.array_equal(rows[0], embedder.embed_query("a"))
    assert abs(float(rows[0] @ rows[1])) < 0.6


def test_another_process_gives_the_same_vectors() -> None:
    code = (
        "from graphrag.testing.embedder import DeterministicEmbedder\n"
        "print(DeterministicEmbedder(4, 'words').embed_query('a b').tolist())"
    )
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert printed.strip() == str(DeterministicEmbedder(4, "words").embed_query("a b").tolist())


def test_fixed_vectors_go_before_the_hash_and_are_brought_to_unit_length() -> None:
    embedder = DeterministicEmbedder(2, vectors={"east": [3, 0], "north": [0, 1]})
    assert embedder.embed_documents(["east", "north"]).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    with pytest.raises(ModelCallError, match="3 dimensions for text 0; 2 dimensions are expected"):
        DeterministicEmbedder(2, vectors={"x": [1, 2, 3]})


def test_texts_that_share_words_are_near() -> None:
    embedder = DeterministicEmbedder(256, "words")
    query = embedder.embed_query("Who stores the graph?")
    near, far = embedder.embed_documents(["The graph is what Neo4j stores", "rain fell over quiet hills"])
    assert query @ near > 0.4
    assert query @ far < 0.2
    assert query @ embedder.embed_query("WHO stores the graph") == pytest.approx(1.0, abs=1e-6)
    assert embedder.embed_query("???") @ embedder.embed_query("!") < 0.5


def test_another_name_is_another_model() -> None:
    one, two = DeterministicEmbedder(), DeterministicEmbedder(name="other")
    assert one.model_id != two.model_id
    assert abs(float(one.embed_query("a") @ two.embed_query("a"))) < 0.6


def test_calls_are_counted() -> None:
    embedder = DeterministicEmbedder(4)
    embedder.embed_documents(["a", "b"])
    embedder.embed_query("c")
    assert embedder.embed_documents([]).shape == (0, 4)
    assert embedder.calls == [("a", "b"), ("c",), ()]
    assert embedder.embedded_count == 3


def test_the_tokenizer_counts_words() -> None:
    assert DeterministicEmbedder().tokenizer is None
    tokenizer = DeterministicEmbedder(max_tokens=7).tokenizer
    assert tokenizer is not None
    assert tokenizer.max_tokens == 7
    assert tokenizer.token_offsets("Füße, 日本") == [(0, 4), (6, 8)]


def test_only_the_failing_call_fails() -> None:
    """Fault 23."""
    embedder = FailingEmbedder("error", 2, dimensions=4)
    embedder.embed_documents(["a"])
    with pytest.raises(ModelCallError, match="failed on call 2"):
        embedder.embed_documents(["a"])
    assert embedder.embed_documents(["a"]).shape == (1, 4)


def test_a_lasting_fault_stays() -> None:
    embedder = FailingEmbedder("error", 2, lasting=True)
    embedder.embed_query("a")
    for call in (2, 3):
        with pytest.raises(ModelCallError, match=f"call {call}"):
            embedder.embed_query("a")


@pytest.mark.parametrize(
    "fault, shape, last",
    [
        ("too_few", (1, 4), None),
        ("wrong_dimensions", (2, 5), None),
        ("nan", (2, 4), np.nan),
        ("infinite", (2, 4), np.inf),
        ("zero", (2, 4), 0.0),
    ],
)
def test_faults_give_what_a_broken_model_gives(fault: Fault, shape: tuple[int, int], last: float | None) -> None:
    """Fault 23: wrong count, wrong dimension, NaN."""
    rows = FailingEmbedder(fault, dimensions=4).embed_documents(["a", "b"])
    assert rows.shape == shape
    if last is not None:
        assert np.array_equal(rows[1], np.full(4, last), equal_nan=True)


def test_a_query_meets_the_fault_too() -> None:
    assert FailingEmbedder("too_few", dimensions=4).embed_query("a").shape == (0,)
    assert np.isnan(FailingEmbedder("nan", dimensions=4).embed_query("a")).all()
