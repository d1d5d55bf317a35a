"""Running the queries of a data set."""

import threading
import time

import pytest

from graphrag.errors import MissingCapabilityError, StoreError
from graphrag.evaluation.datasets import Dataset, EvaluationQuery
from graphrag.evaluation.searching import CLIENTS, for_each_query, search_of

DATASET = Dataset("set", "judged_documents", (), tuple(EvaluationQuery(f"q{n}", f"text {n}") for n in range(30)))


def test_a_few_queries_run_at_once_and_answers_keep_their_order() -> None:
    together = threading.Barrier(CLIENTS, timeout=20)
    running: list[int] = []
    lock = threading.Lock()
    most = 0

    def ask(query: EvaluationQuery) -> str:
        nonlocal most
        with lock:
            running.append(1)
            most = max(most, len(running))
        if int(query.id[1:]) < CLIENTS:
            together.wait()  # ends only if so many are here at once
        time.sleep(0.001)
        with lock:
            running.pop()
        return query.text.upper()

    told: list[tuple[str, int, int]] = []
    answers = for_each_query(DATASET, ask, what="searches", progress=lambda *now: told.append(now))
    assert list(answers.items()) == [(f"q{n}", f"TEXT {n}") for n in range(30)]
    assert told == [("searches", n, 30) for n in range(1, 31)]
    assert most == CLIENTS


def test_the_first_error_ends_all() -> None:
    asked: list[str] = []

    def ask(query: EvaluationQuery) -> str:
        asked.append(query.id)
        time.sleep(0.01)
        msg = "the store is gone"
        raise StoreError(msg)

    with pytest.raises(StoreError, match="the store is gone"):
        for_each_query(DATASET, ask, what="searches")
    assert len(asked) < len(DATASET.queries)


@pytest.mark.parametrize("mode", ["text", "vector", "hybrid"])
def test_a_store_without_a_search_is_told(mode: str) -> None:
    with pytest.raises(
        MissingCapabilityError, match=f"this store has no {mode} search; it has none that can be"
    ) as caught:
        search_of(object(), mode, collection="c")  # type: ignore[arg-type]
    assert caught.value.capability == mode
