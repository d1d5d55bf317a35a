"""Connections to addresses that were checked, within one deadline.

The client below knows a host by its name, for the header `Host` and for the certificate, and asks here for a
connection. It gets one to an address that was resolved and checked before: no name is resolved a second time, so a
name server that answers otherwise the second time (DNS rebinding) gains nothing.
"""

import ssl
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import httpcore

from graphrag.concurrency import Deadline
from graphrag.ingestion.sources.addresses import Address

__all__ = ["DeadlineError", "PinnedBackend", "left", "within"]

T = TypeVar("T")

_MAX_TRIED = 4
"""Addresses of one host that are tried, one after the other."""


class DeadlineError(Exception):
    """The time for the whole fetch is over."""


def left(deadline: Deadline) -> float:
    """Return the seconds that are left until a deadline.

    Raises:
        DeadlineError: None are.
    """
    seconds = deadline.remaining_s()
    if not seconds:
        raise DeadlineError
    return seconds


def within(deadline: Deadline, work: Callable[[], T]) -> T:
    """Return what `work` gives. It runs in a thread that is left to itself at the deadline: look-ups know none.

    Raises:
        DeadlineError: It did not end in time. What it raises itself is raised here.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 - raised below, in the thread that waits
            errors.append(error)

    thread = threading.Thread(target=run, name="graphrag-resolve", daemon=True)
    thread.start()
    thread.join(left(deadline))
    if errors:
        raise errors[0]
    if not results:
        raise DeadlineError
    return results[0]


class PinnedBackend(httpcore.NetworkBackend):
    """Connects to the checked addresses of one host, and to nothing else.

    Args:
        host: The host, as the client names it.
        port: Its port.
        addresses: What it resolved to, all of them checked.
        deadline: Of the whole fetch.
        connect_timeout_s: For one address.
    """

    def __init__(
        self, host: str, port: int, addresses: Sequence[Address], *, deadline: Deadline, connect_timeout_s: float
    ) -> None:
        self._host = host
        self._port = port
        self._addresses = addresses[:_MAX_TRIED]
        self._deadline = deadline
        self._connect_timeout_s = connect_timeout_s
        self._backend = httpcore.SyncBackend()

    def connect_tcp(  # noqa: PLR0917 - as the client calls it
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002 - the deadline counts
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Return a connection to the first address that takes one.

        Raises:
            httpcore.ConnectError, httpcore.ConnectTimeout: None does.
            DeadlineError: The time is over.
        """
        if (host, port) != (self._host, self._port):
            msg = "another host than the one that was checked"
            raise httpcore.ConnectError(msg)
        failure: Exception = httpcore.ConnectError("no address")
        for address in self._addresses:
            seconds = min(left(self._deadline), self._connect_timeout_s)
            try:
                stream = self._backend.connect_tcp(str(address), port, seconds, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
            else:
                return _TimedStream(stream, self._deadline)
        left(self._deadline)
        raise failure


class _TimedStream(httpcore.NetworkStream):
    """A connection whose every wait ends at the deadline: one byte now and then does not put it off."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002 - the deadline counts
        return self._stream.read(max_bytes, left(self._deadline))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002 - the deadline counts
        self._stream.write(buffer, left(self._deadline))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002 - the deadline counts
    ) -> httpcore.NetworkStream:
        stream = self._stream.start_tls(ssl_context, server_hostname, left(self._deadline))
        return _TimedStream(stream, self._deadline)

    def get_extra_info(self, info: str) -> object:
        return self._stream.get_extra_info(info)
