"""A Neo4j server of one's own on loopback: installed, started, found again, stopped.

    server = LocalServer(LocalServerSettings())
    info = server.start()
    ...
    server.stop()

The server is a process of its own (`launcher.py`), which outlives the one that started it.
"""

from graphrag.local_neo4j.install import StartProgress, StartProgressCallback
from graphrag.local_neo4j.server import LocalServer, ServerInfo, ServerStatus

__all__ = ["LocalServer", "ServerInfo", "ServerStatus", "StartProgress", "StartProgressCallback"]
