"""Addresses are checked before anything is sent, and nothing of theirs but scheme, host and port is ever shown."""

import logging

import pytest

from graphrag.config import Neo4jSettings
from graphrag.errors import ConfigurationError
from graphrag.stores.neo4j.address import SCHEMES, check_address, shown_address

CANARY = "CANARY"


def settings(uri: str, *, allow: bool = False) -> Neo4jSettings:
    return Neo4jSettings(uri=uri, allow_plaintext_bolt=allow)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "LOCALHOST", "127.8.8.8"])
def test_loopback_is_taken_with_every_scheme(scheme: str, host: str) -> None:
    assert check_address(settings(f"{scheme}://{host}:7687")).startswith(f"{scheme}://")


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
@pytest.mark.parametrize(
    "host",
    ["db.example", "10.0.0.1", "0.0.0.0", "[::]", "127.0.0.1.example", "localhost.example", "127.1", "2130706433"],  # noqa: S104
)
def test_plaintext_to_another_host_is_refused_unless_allowed(scheme: str, host: str) -> None:
    """THREATS 74: what only may be loopback is not taken for it."""
    with pytest.raises(
        ConfigurationError, match=rf"unencrypted.*use {scheme}\+s://, or set GRAPHRAG_ALLOW_PLAINTEXT_BOLT=1"
    ):
        check_address(settings(f"{scheme}://{host}:7687"))
    assert check_address(settings(f"{scheme}://{host}:7687", allow=True))
    assert check_address(settings(f"{scheme}+s://{host}:7687"))


def test_an_unverified_certificate_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    """THREATS 74."""
    with caplog.at_level(logging.WARNING, logger="graphrag"):
        check_address(settings("bolt+s://db.example"))
        assert caplog.text == ""
        check_address(settings("bolt+ssc://db.example"))
    assert "does not check the server's certificate" in caplog.text


@pytest.mark.parametrize(
    "uri",
    [f"bolt://user:{CANARY}@localhost:7687", f"bolt://{CANARY}@localhost", f"neo4j+s://:{CANARY}@db.example:7687"],
)
def test_credentials_in_an_address_are_refused_and_not_repeated(uri: str) -> None:
    """THREATS 70."""
    with pytest.raises(ConfigurationError, match="holds credentials.*NEO4J_USERNAME and NEO4J_PASSWORD") as caught:
        check_address(settings(uri))
    assert CANARY not in f"{caught.value!r} {caught.value.__cause__!r} {caught.value.__context__!r}"
    assert CANARY not in shown_address(uri)


@pytest.mark.parametrize(
    "uri, message",
    [
        ("http://localhost:7474", r"begins with `http`; it must begin with one of neo4j, neo4j\+s"),
        ("localhost:7687", "begins with `localhost`"),
        ("", "begins with ``"),
        ("bolt://", "has no host"),
        ("bolt://:7687", "has no host"),
        ("bolt://localhost:port", "cannot be read"),
        ("bolt://localhost:99999", "cannot be read"),
        ("bolt://[::1", "cannot be read"),
        (f"bolt://localhost:7687/{CANARY}", "path"),
        (f"bolt://localhost:7687?token={CANARY}", "path"),
        (f"bolt://localhost:7687#{CANARY}", "path"),
    ],
)
def test_what_is_no_address_is_told(uri: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as caught:
        check_address(settings(uri))
    assert CANARY not in str(caught.value)


def test_the_default_port_is_shown() -> None:
    assert shown_address("bolt://db.example") == "bolt://db.example:7687"
    assert shown_address("nonsense") == "an address without a host"
    assert shown_address("bolt://[::1") == "an address that cannot be read"
