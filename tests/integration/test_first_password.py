"""Any password that the local server makes for itself can be its first one."""

from pathlib import Path

import pytest

from graphrag.config import LocalServerSettings

pytest.importorskip("jpype", reason="the extra `local` is not installed")
from graphrag.local_neo4j import LocalServer


@pytest.mark.slow
def test_a_password_that_looks_like_an_option_is_taken(tmp_path: Path) -> None:
    """One in 64 random passwords begins with a dash, which the server's own command takes for an option."""
    home = tmp_path / "neo4j"
    home.mkdir(mode=0o700)
    password = home / "password"
    password.write_text("-begins-with-a-dash-0123456789\n", encoding="utf-8")
    password.chmod(0o600)
    server = LocalServer(LocalServerSettings(home=home))
    try:
        info = server.start()
        assert info.password.get_secret_value() == "-begins-with-a-dash-0123456789"
        assert server.status().state == "running"
    finally:
        server.stop()
