"""Checks the address of a Neo4j server before anything is sent to it."""

import ipaddress
import logging
from urllib.parse import urlsplit

from graphrag.config import Neo4jSettings
from graphrag.errors import ConfigurationError

__all__ = ["SCHEMES", "check_address", "shown_address"]

SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
_PLAIN_SCHEMES = ("neo4j", "bolt")

_log = logging.getLogger("graphrag.neo4j")


def shown_address(uri: str) -> str:
    """Return scheme, host and port of an address, for messages; never what else stands in it."""
    try:
        parts = urlsplit(uri)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "an address that cannot be read"
    if not host:
        return f"{parts.scheme}://" if parts.scheme else "an address without a host"
    return f"{parts.scheme}://{host}:{port or 7687}"


def check_address(settings: Neo4jSettings) -> str:
    """Return host and port of the configured server, for messages.

    Raises:
        ConfigurationError: The scheme is not one of Neo4j's, there is no host, credentials or other parts
            stand in the address, or it would send a password in clear over a network.
    """
    uri = settings.uri
    shown = shown_address(uri)
    try:
        parts = urlsplit(uri)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        msg = "the Neo4j address cannot be read; it must look like neo4j://host:7687 (NEO4J_URI)"
        raise ConfigurationError(msg) from error
    if parts.scheme not in SCHEMES:
        msg = f"the Neo4j address begins with `{parts.scheme}`; it must begin with one of {', '.join(SCHEMES)}"
        raise ConfigurationError(msg)
    if not host:
        msg = f"the Neo4j address {shown} has no host; it must look like neo4j://host:7687 (NEO4J_URI)"
        raise ConfigurationError(msg)
    if parts.username is not None or parts.password is not None:
        msg = (
            f"the Neo4j address for {host} holds credentials, which end up in logs; take them out, and set "
            "NEO4J_USERNAME and NEO4J_PASSWORD"
        )
        raise ConfigurationError(msg)
    if parts.path.strip("/") or parts.query or parts.fragment:
        msg = f"the Neo4j address {shown} has a path or parameters after the port; it must look like neo4j://host:7687"
        raise ConfigurationError(msg)
    if parts.scheme.endswith("+ssc"):
        _log.warning(
            "%s encrypts, but does not check the server's certificate; use +s where it has a proper one", shown
        )
    if parts.scheme in _PLAIN_SCHEMES and not settings.allow_plaintext_bolt and not _is_loopback(host):
        msg = (
            f"{shown} would send the password and all data unencrypted over the network; use "
            f"{parts.scheme}+s://, or set GRAPHRAG_ALLOW_PLAINTEXT_BOLT=1 for a private network"
        )
        raise ConfigurationError(msg)
    return shown


def _is_loopback(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
