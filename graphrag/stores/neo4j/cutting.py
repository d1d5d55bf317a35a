"""Cutting the connection of a call that has passed its deadline.

The driver's plain sessions have no way to be cancelled (asynchronous ones have), and wait for an answer
without end. So the socket is shut down under the call, which then fails, and the connection leaves the pool.
"""

import socket
from contextlib import suppress

__all__ = ["ConnectionCut"]


class ConnectionCut:
    """Cuts the connection that a call uses at this moment.

    Attributes:
        session: The driver's session of the call, while it has one.
    """

    def __init__(self) -> None:
        self.session: object = None

    def __call__(self) -> None:
        """Shut the socket down, in both directions; another thread's `recv` returns at once."""
        connection: object = getattr(self.session, "_connection", None)
        bolt_socket: object = getattr(connection, "socket", None)
        raw: object = getattr(bolt_socket, "_socket", None)
        if isinstance(raw, socket.socket):
            with suppress(OSError):  # closed already
                raw.shutdown(socket.SHUT_RDWR)
