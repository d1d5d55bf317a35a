"""The thread that cuts plain calls off at their deadline."""

import threading
import time

import pytest

from graphrag.concurrency._sync import time_limit
from graphrag.concurrency.watchdog import Watchdog
from graphrag.errors import TimeoutExceededError


def test_calls_come_in_the_order_of_their_times_and_taken_back_ones_never() -> None:
    watchdog, seen, done = Watchdog(), list[str](), threading.Event()
    watchdog.call_in(0.2, done.set)
    watchdog.call_in(0.1, lambda: seen.append("second"))
    watchdog.call_in(0.02, lambda: seen.append("first"))
    watchdog.take_back(watchdog.call_in(0.05, lambda: seen.append("never")))
    assert done.wait(5)
    assert seen == ["first", "second"]


def test_many_calls_that_are_taken_back_leave_nothing_behind() -> None:
    watchdog = Watchdog()
    for _ in range(10_000):
        watchdog.take_back(watchdog.call_in(3_600, lambda: None))
    assert len(watchdog._heap) < 2_000
    assert not watchdog._calls


def test_a_body_that_is_interrupted_ends_in_our_error() -> None:
    cut = threading.Event()
    with (
        pytest.raises(TimeoutExceededError, match="the call took longer than its limit of 0.05 s"),
        time_limit(0.05, what="the call", interrupt=cut.set),
    ):
        assert cut.wait(5)
        time.sleep(0.01)
        msg = "the socket was closed"
        raise OSError(msg)


def test_an_error_before_the_deadline_stays_what_it_is() -> None:
    with pytest.raises(OSError, match="early"), time_limit(60, what="the call", interrupt=lambda: None):
        msg = "early"
        raise OSError(msg)


def test_a_body_that_ends_in_time_is_not_interrupted() -> None:
    seen: list[str] = []
    with time_limit(0.1, what="the call", interrupt=lambda: seen.append("cut")):
        pass
    time.sleep(0.2)
    assert seen == []
