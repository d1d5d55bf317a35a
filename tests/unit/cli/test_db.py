"""`graphrag db` without a server: what it prints, where, and with which exit code."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pydantic import SecretStr

from graphrag.cli import main
from graphrag.config import LocalServerSettings
from graphrag.local_neo4j import LocalServer, ServerInfo
from graphrag.local_neo4j.install import prepare_home
from graphrag.local_neo4j.settings import Ports, ServerFiles

PASSWORD = "not-a-real-password-0123456789"


def run(home: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["db", "--home", str(home), *arguments])


def running(tmp_path: Path) -> ServerInfo:
    return ServerInfo(
        pid=7,
        version="2026.08.1",
        ports=Ports(bolt=17001, http=17002),
        username="neo4j",
        password=SecretStr(PASSWORD),
        password_file=tmp_path / "password",
    )


def test_status_of_a_server_that_never_started(tmp_path: Path) -> None:
    result = run(tmp_path, "status", "--json")
    assert (result.exit_code, json.loads(result.stdout)) == (1, {"state": "stopped"})
    assert list(tmp_path.iterdir()) == []


def test_stop_of_a_server_that_never_started(tmp_path: Path) -> None:
    result = run(tmp_path / "absent", "stop", "--json")
    assert (result.exit_code, json.loads(result.stdout)) == (0, {"was_running": False})
    assert run(tmp_path / "absent", "stop").stderr == "No server was running.\n"
    assert not (tmp_path / "absent").exists()


def test_browser_without_a_server_is_one_line_and_exit_code_1(tmp_path: Path) -> None:
    result = run(tmp_path, "browser", "--no-open")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == f"Error: the local server in `{tmp_path}` is not up; `graphrag db start` starts it\n"


def test_logs_go_to_standard_output_and_their_path_to_standard_error(tmp_path: Path) -> None:
    files = ServerFiles(tmp_path)
    files.log.parent.mkdir()
    files.log.write_text("first\nsecond\nthird\n", encoding="utf-8")
    result = run(tmp_path, "logs", "-n", "2")
    assert result.stdout == "second\nthird\n"
    assert str(files.log) in result.stderr
    assert json.loads(run(tmp_path, "logs", "--json").stdout)["lines"] == ["first", "second", "third"]


def test_reset_asks_and_nobody_to_ask_is_a_no(tmp_path: Path) -> None:
    """THREATS 82."""
    prepare_home(LocalServerSettings(home=tmp_path), Ports(bolt=1, http=2))
    result = run(tmp_path, "reset")
    assert result.exit_code == 1
    assert "deletes 2 files" in result.stderr
    assert "`--yes`" in result.stderr
    assert ServerFiles(tmp_path).password.exists()
    done = run(tmp_path, "reset", "--yes", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["deleted_files"] == 2
    assert not ServerFiles(tmp_path).password.exists()
    assert json.loads(run(tmp_path, "reset", "--json").stdout)["deleted_files"] == 0


def test_a_wrong_port_is_a_usage_error(tmp_path: Path) -> None:
    assert run(tmp_path, "start", "--bolt-port", "70000").exit_code == 2


def test_help_loads_neither_java_nor_driver() -> None:
    code = (
        "import sys\nfrom graphrag.cli.db import db\n"
        "db(['start', '--help'], standalone_mode=False)\n"
        "print(sorted({'jpype', 'jgo', 'neo4j', 'psutil', 'httpx', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_ports_that_a_running_server_does_not_use_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LocalServer, "start", lambda *_: running(tmp_path))
    result = run(tmp_path, "start", "--bolt-port", "17009", "--http-port", "17002")
    assert result.exit_code == 0
    assert "runs already, with bolt port 17001; --bolt-port 17009 was not used" in result.stderr
    assert "http port" not in result.stderr
    assert "Note" not in run(tmp_path, "start", "--bolt-port", "0").stderr


@pytest.mark.parametrize("options, shown", [((), False), (("--show-password",), True)])
def test_browser_prints_the_password_only_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], shown: bool
) -> None:
    """THREATS 71."""
    found = running(tmp_path)
    opened: list[str] = []
    monkeypatch.setattr(LocalServer, "info", lambda _: found)
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) is None)
    result = run(tmp_path, "browser", "--json", *options)
    table = json.loads(result.stdout)
    assert table["browser_uri"] == "http://127.0.0.1:17002/browser/"
    assert table["password_file"] == str(tmp_path / "password")
    assert (PASSWORD in result.output) is shown
    assert opened == ["http://127.0.0.1:17002/browser/"]
    assert run(tmp_path, "browser", "--no-open").exit_code == 0
    assert len(opened) == 1
