"""The state file, and what it takes for a process to be ours."""

import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from graphrag.local_neo4j.settings import Ports
from graphrag.local_neo4j.state import (
    LAUNCHER_MODULE,
    ServerState,
    find_process,
    listens,
    read_state,
    search_process,
    write_state,
)

STATE = ServerState(pid=1, created_at=2.5, ports=Ports(bolt=3, http=4), version="2026.08.1")


def test_the_state_file_reads_back_and_is_private(tmp_path: Path) -> None:
    """THREATS 72."""
    path = tmp_path / "server.json"
    write_state(path, STATE)
    write_state(path, replace(STATE, pid=7))
    assert read_state(path) == replace(STATE, pid=7)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [found.name for found in tmp_path.iterdir()] == ["server.json"]


@pytest.mark.parametrize("text", ["", "[]", "null", '{"pid": 1}', '{"pid": "x"}', "{" * 50, '{"pid": 1, "ports": 3}'])
def test_a_damaged_state_file_counts_as_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "server.json"
    path.write_text(text, encoding="utf-8")
    assert read_state(path) is None
    assert read_state(tmp_path / "absent.json") is None


def test_only_the_launcher_of_this_home_with_this_creation_time_is_ours(tmp_path: Path) -> None:
    """THREATS 80, fault 31."""
    sleeper = "import time; time.sleep(600)"
    with (
        subprocess.Popen([sys.executable, "-c", sleeper, LAUNCHER_MODULE, str(tmp_path)]) as ours,
        subprocess.Popen([sys.executable, "-c", sleeper]) as foreign,
    ):
        try:
            state = replace(STATE, pid=ours.pid, created_at=psutil.Process(ours.pid).create_time())
            found = find_process(state, tmp_path)
            assert found is not None
            assert found.pid == ours.pid
            assert search_process(tmp_path) == found
            assert not listens(found, STATE.ports.bolt)
            assert find_process(replace(state, created_at=state.created_at - 60), tmp_path) is None
            assert find_process(state, tmp_path / "other") is None
            assert search_process(tmp_path / "other") is None
            taken = replace(state, pid=foreign.pid, created_at=psutil.Process(foreign.pid).create_time())
            assert find_process(taken, tmp_path) is None
            assert find_process(replace(state, pid=-1), tmp_path) is None
        finally:
            ours.kill()
            foreign.kill()
    assert find_process(state, tmp_path) is None
    assert os.getpid() != state.pid
