"""What is told of a server whose state file does not tell it."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphrag.config import LocalServerSettings
from graphrag.errors import LocalServerError
from graphrag.local_neo4j import LocalServer, server
from graphrag.local_neo4j.state import LAUNCHER_MODULE


@pytest.fixture
def process(tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A process that looks like the launcher of this home."""
    sleeper = "import time; time.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", sleeper, LAUNCHER_MODULE, str(tmp_path)]) as running:
        try:
            yield running
        finally:
            running.kill()


@pytest.mark.parametrize("text", [None, "", '{"pid": 1'])
def test_a_server_without_its_state_file_is_busy_and_a_start_fails_at_once(
    tmp_path: Path, process: "subprocess.Popen[bytes]", monkeypatch: pytest.MonkeyPatch, text: str | None
) -> None:
    monkeypatch.setattr(server, "_NEW_S", -1.0)
    monkeypatch.setattr(server, "fetch_server", lambda _: ())
    if text is not None:
        (tmp_path / "server.json").write_text(text, encoding="utf-8")
    local = LocalServer(LocalServerSettings(home=tmp_path))
    told = f"it runs as pid {process.pid}, but its state file is damaged; `graphrag db stop`, then start"
    found = local.status()
    assert (found.state, found.pid, found.reason) == ("busy", process.pid, told)
    began = time.monotonic()
    with pytest.raises(LocalServerError, match=f"did not start: {told}"):
        local.start()
    assert time.monotonic() - began < 20
    with pytest.raises(LocalServerError, match=f"does not answer: {told}$"):
        local.info()
    assert local.stop()
    assert local.status().state == "stopped"


def test_a_process_that_has_just_begun_gets_time_to_write_its_state_file(
    tmp_path: Path, process: "subprocess.Popen[bytes]", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "fetch_server", lambda _: ())
    local = LocalServer(LocalServerSettings(home=tmp_path, start_timeout_s=0.5))
    assert local.status().reason == "it has just been started"
    with pytest.raises(LocalServerError, match=f"process {process.pid} serves .* `graphrag db stop` ends it"):
        local.start()
