"""Preparing a home: password, ports, configuration."""

import re
import socket
import stat
from pathlib import Path

import pytest

from graphrag.config import LocalServerSettings
from graphrag.errors import LocalServerError
from graphrag.local_neo4j import LocalServer
from graphrag.local_neo4j.install import choose_ports, measure_home, prepare_home, read_password, remove_home
from graphrag.local_neo4j.lock import hold_lock
from graphrag.local_neo4j.settings import Ports, ServerFiles, jvm_options, render_configuration
from graphrag.local_neo4j.state import ServerState, write_state

PORTS = Ports(bolt=17001, http=17002)


def settings(home: Path, **changes: object) -> LocalServerSettings:
    return LocalServerSettings.model_validate({"home": home, **changes})


def test_the_configuration_is_loopback_only_authenticated_and_silent(tmp_path: Path) -> None:
    """THREATS 73 and 75."""
    text = render_configuration(settings(tmp_path, page_cache_mb=99), PORTS)
    values = dict(line.split("=", 1) for line in text.splitlines())
    addresses = {name: value for name, value in values.items() if "address" in name}
    assert set(addresses.values()) == {"127.0.0.1", "127.0.0.1:17001", "127.0.0.1:17002"}
    assert values["dbms.security.auth_enabled"] == "true"
    assert values["dbms.security.allow_csv_import_from_file_urls"] == "false"
    assert values["client.allow_telemetry"] == "false"
    assert values["server.memory.pagecache.size"] == "99m"


def test_options_of_the_settings_come_last_so_that_they_win(tmp_path: Path) -> None:
    options = jvm_options(settings(tmp_path, heap_mb=300, jvm_options=("-Xmx400m",)))
    assert "-Xmx300m" in options
    assert options[-1] == "-Xmx400m"


def test_a_password_is_made_once_and_kept_private(tmp_path: Path) -> None:
    """THREATS 72 and 73."""
    files = ServerFiles(tmp_path / "a" / "home")
    prepare_home(settings(files.home), PORTS)
    first = read_password(files).get_secret_value()
    prepare_home(settings(files.home), PORTS)
    assert read_password(files).get_secret_value() == first
    assert re.fullmatch(r"[A-Za-z0-9_-]{32}", first)
    for path in files.home.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    other = ServerFiles(tmp_path / "b")
    prepare_home(settings(other.home), PORTS)
    assert read_password(other).get_secret_value() != first


def test_data_without_their_password_are_not_opened_and_not_touched(tmp_path: Path) -> None:
    files = ServerFiles(tmp_path)
    files.system_database.mkdir(parents=True)
    with pytest.raises(LocalServerError, match=r"password file .* is gone.* put the file back"):
        prepare_home(settings(tmp_path), PORTS)
    assert files.system_database.is_dir()


@pytest.mark.parametrize("text", ["", "neo4j", "x" * 19])
def test_a_short_password_is_refused_without_being_told(tmp_path: Path, text: str) -> None:
    ServerFiles(tmp_path).password.write_text(text, encoding="utf-8")
    with pytest.raises(LocalServerError, match="fewer than 20 characters") as caught:
        read_password(ServerFiles(tmp_path))
    assert not text or text not in str(caught.value).replace(str(tmp_path), "").replace("neo4j server", "")


def test_ports_are_free_ones_then_those_of_the_last_start_while_they_are_free(tmp_path: Path) -> None:
    first = choose_ports(settings(tmp_path), None)
    assert first.bolt != first.http
    assert choose_ports(settings(tmp_path), first) == first
    with socket.socket() as other:
        other.bind(("127.0.0.1", first.bolt))
        other.listen()
        second = choose_ports(settings(tmp_path), first)
    assert second.bolt != first.bolt
    assert second.http == first.http


@pytest.mark.parametrize("name", ["bolt_port", "http_port"])
def test_a_taken_port_of_the_settings_is_refused_by_name(tmp_path: Path, name: str) -> None:
    """THREATS 80."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(LocalServerError, match=rf"port {port} \(`{name}`\) .* is taken by another program"):
            choose_ports(settings(tmp_path, **{name: port}), None)


def test_one_port_for_both_is_refused(tmp_path: Path) -> None:
    free = choose_ports(settings(tmp_path), None).bolt
    with pytest.raises(LocalServerError, match="the two ports must differ"):
        choose_ports(settings(tmp_path, bolt_port=free, http_port=free), None)


def test_data_of_a_newer_version_are_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fault 32."""
    monkeypatch.setattr("graphrag.local_neo4j.server.fetch_server", lambda _: ())
    files = ServerFiles(tmp_path)
    files.system_database.mkdir(parents=True)
    write_state(files.state, ServerState(pid=1, created_at=0, ports=PORTS, version="2031.01.0"))
    with pytest.raises(LocalServerError, match=r"written by Neo4j 2031\.01\.0; this package starts 2026\."):
        LocalServer(settings(tmp_path)).start()
    assert not files.password.exists()


def test_a_lock_that_another_holds_ends_in_an_error_that_tells_it(tmp_path: Path) -> None:
    path = tmp_path / "start.lock"
    waits: list[int] = []
    with hold_lock(path, 1):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        with (
            pytest.raises(LocalServerError, match="another process has been starting or stopping"),
            hold_lock(path, 0.3, waiting=lambda: waits.append(1)),
        ):
            pytest.fail("two holders")
    assert waits
    with hold_lock(path, 0.1):
        pass


def test_a_home_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    with pytest.raises(LocalServerError, match="cannot be prepared"):
        prepare_home(settings(blocked / "home"), PORTS)
    with pytest.raises(LocalServerError, match="cannot be used"), hold_lock(blocked / "home" / "lock", 1):
        pytest.fail("a lock in a file")


def test_removing_a_home_takes_what_is_ours_and_follows_no_link(tmp_path: Path) -> None:
    """THREATS 82."""
    home, outside = tmp_path / "home", tmp_path / "outside"
    files = ServerFiles(home)
    prepare_home(settings(home), PORTS)
    outside.mkdir()
    (outside / "mine").write_text("mine", encoding="utf-8")
    (home / "import").symlink_to(outside)
    (home / "note").write_text("mine", encoding="utf-8")
    (files.data / "store").write_text("12345", encoding="utf-8")
    size, count = measure_home(files)
    assert count == 3
    assert size > 5
    remove_home(files)
    assert measure_home(files) == (0, 0)
    assert (outside / "mine").read_text(encoding="utf-8") == "mine"
    assert {path.name for path in home.iterdir()} == {"import", "note"}
