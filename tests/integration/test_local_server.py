"""The local server: a real one, started, found again, attacked, stopped."""

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import neo4j
import psutil
import pytest
from neo4j.exceptions import AuthError, ClientError, ServiceUnavailable

import graphrag
from graphrag.config import LocalServerSettings
from graphrag.errors import LocalServerError
from graphrag.local_neo4j import LocalServer, ServerInfo, StartProgress, server
from graphrag.local_neo4j.settings import ServerFiles
from graphrag.local_neo4j.state import read_state, write_state

pytestmark = pytest.mark.server
PACKAGE_PARENT = Path(graphrag.__file__).parent.parent


SMALL: dict[str, object] = {
    "heap_mb": 512,
    "page_cache_mb": 64,
    "jvm_options": ("-XX:TieredStopAtLevel=1",),  # a third less work to start, and speed is not the subject
}


def small(home: Path, **changes: object) -> LocalServer:
    return LocalServer(LocalServerSettings.model_validate({"home": home, **SMALL, **changes}))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("local-server") / "home"


@pytest.fixture(scope="module")
def started(home: Path) -> Iterator[LocalServer]:
    """One server for most tests; they may leave it stopped."""
    server = small(home)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def up(started: LocalServer) -> ServerInfo:
    return started.start()


def driver(info: ServerInfo, password: str | None = None) -> neo4j.Driver:
    secret = info.password.get_secret_value() if password is None else password
    return neo4j.GraphDatabase.driver(info.bolt_uri, auth=(info.username, secret))


def query(info: ServerInfo, statement: str) -> list[dict[str, object]]:
    with driver(info) as session:
        return [record.data() for record in session.execute_query(statement).records]


def in_another_process(home: Path) -> list[str]:
    """The command of a process that starts the server of `home` and prints its pid."""
    code = (
        "from pathlib import Path\n"
        "from graphrag.config import LocalServerSettings\n"
        "from graphrag.local_neo4j import LocalServer\n"
        f"settings = {{'home': Path({str(home)!r}), **{SMALL!r}}}\n"
        "server = LocalServer(LocalServerSettings.model_validate(settings))\n"
        "print(server.start().pid)\n"
    )
    return [sys.executable, "-c", code]


def test_a_second_start_finds_the_first_in_this_process_and_in_another(started: LocalServer, up: ServerInfo) -> None:
    assert started.start() == up
    command = in_another_process(started.settings.home)
    other = subprocess.run(command, cwd=PACKAGE_PARENT, check=True, capture_output=True, text=True)
    assert int(other.stdout) == up.pid


def test_status_and_info_tell_the_truth_about_a_server_that_is_up(started: LocalServer, up: ServerInfo) -> None:
    status = started.status()
    assert (status.state, status.info, status.pid) == ("running", up, up.pid)
    assert started.info() == up
    assert query(up, "CYPHER 25 RETURN 1 AS one") == [{"one": 1}]


def test_the_password_is_random_long_and_in_no_representation_log_or_command_line(up: ServerInfo, home: Path) -> None:
    """THREATS 70 to 73."""
    password = up.password.get_secret_value()
    assert len(password) >= 20
    assert len(set(password)) > 8
    assert password not in repr(up)
    assert password not in " ".join(psutil.Process(up.pid).cmdline())
    holders = [path for path in home.rglob("*") if path.is_file() and password.encode() in path.read_bytes()]
    assert holders == [up.password_file]


def test_every_file_has_mode_0600_and_every_folder_0700(up: ServerInfo, home: Path) -> None:
    """THREATS 72."""
    assert up.pid
    made = (path for path in (home, *home.rglob("*")) if path.name != "note.txt")  # another test's
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in made}
    assert {path: oct(mode) for path, mode in modes.items() if mode & 0o077} == {}


@pytest.mark.parametrize("password", ["neo4j", "", "password"])
def test_the_default_login_is_refused(up: ServerInfo, password: str) -> None:
    """THREATS 73."""
    with driver(up, password) as session, pytest.raises((AuthError, ClientError), match="unauthorized|Unauthorized"):
        session.verify_connectivity()


def test_access_without_a_login_is_refused(up: ServerInfo) -> None:
    """THREATS 73."""
    with (
        neo4j.GraphDatabase.driver(up.bolt_uri) as session,
        pytest.raises((AuthError, ClientError), match="unauthorized|Unauthorized|authentication"),
    ):
        session.verify_connectivity()


def test_the_process_listens_on_two_ports_of_loopback_and_on_nothing_else(up: ServerInfo) -> None:
    """THREATS 73: no other address, no discovery over the network, no other port."""
    connections = psutil.Process(up.pid).net_connections(kind="inet")
    listening = {tuple(c.laddr) for c in connections if c.status == psutil.CONN_LISTEN or c.type == socket.SOCK_DGRAM}
    assert listening == {("127.0.0.1", up.ports.bolt), ("127.0.0.1", up.ports.http)}


@pytest.mark.parametrize(
    "address",
    ["file:///etc/passwd", "http://127.0.0.1:{http}/", "http://localhost:{http}/", "http://[::1]:{http}/"],
)
def test_load_csv_reads_neither_files_nor_addresses(up: ServerInfo, address: str) -> None:
    """THREATS 75."""
    statement = f"LOAD CSV FROM '{address.format(http=up.ports.http)}' AS row RETURN row"
    with pytest.raises(ClientError, match="is blocked|is false"):
        query(up, statement)


def test_nothing_is_reported_to_the_maker(up: ServerInfo) -> None:
    settings = {row["name"]: row["value"] for row in query(up, "SHOW SETTINGS YIELD name, value")}
    names = (
        "dbms.usage_report.enabled",
        "client.allow_telemetry",
        "server.bolt.telemetry.enabled",
        "server.fleet_discovery.enabled",
        "dbms.fleet_manager.enabled",
    )
    assert {name: settings.get(name) for name in names} == dict.fromkeys(names, "false")


def test_what_an_application_needs_works_under_the_safe_settings(up: ServerInfo) -> None:
    """Procedures and indexes of the database itself are not shut out with the plug-ins."""
    query(up, "CREATE FULLTEXT INDEX probe IF NOT EXISTS FOR (n:Probe) ON EACH [n.text]")
    query(up, "CREATE (:Probe {text: 'a lighthouse'})")
    query(up, "CALL db.awaitIndexes(30)")
    query(up, "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
    rows = query(up, "CALL db.index.fulltext.queryNodes('probe', 'lighthouse') YIELD node RETURN node.text AS text")
    assert rows == [{"text": "a lighthouse"}]
    query(up, "DROP INDEX probe")


def test_a_recorded_pid_that_now_belongs_to_a_foreign_process_is_neither_adopted_nor_killed(
    started: LocalServer, up: ServerInfo, tmp_path: Path
) -> None:
    """THREATS 80, fault 31: number, creation time and command line must all fit."""
    state = read_state(ServerFiles(started.settings.home).state)
    assert state is not None
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as foreign:
        try:
            created_at = psutil.Process(foreign.pid).create_time()
            for stale in (
                replace(state, pid=foreign.pid, created_at=created_at),  # another program
                replace(state, created_at=state.created_at - 100),  # the number of a process that is long gone
                state,  # a server indeed, but that of another home
            ):
                other = small(tmp_path)
                write_state(ServerFiles(tmp_path).state, stale)
                assert other.status().state == "stopped"
                assert other.stop() is False
                with pytest.raises(LocalServerError, match=re.escape(f"`{tmp_path}` is not up")):
                    other.info()
            assert foreign.poll() is None
            assert psutil.pid_exists(up.pid)
        finally:
            foreign.kill()


def test_a_port_that_another_program_holds_is_one_clear_error(tmp_path: Path) -> None:
    """THREATS 80."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(LocalServerError, match=rf"port {port} \(`bolt_port`\) .* taken by another program"):
            small(tmp_path, bolt_port=port).start()
    assert not (tmp_path / "data").exists()


def test_a_server_that_lost_its_state_file_is_not_started_twice_and_can_be_stopped(
    started: LocalServer, up: ServerInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fault 31: never two on one store."""
    # Whichever test comes first, the server counts as one that has been up for a while.
    monkeypatch.setattr(server, "_NEW_S", 0.0)
    ServerFiles(started.settings.home).state.unlink()
    impatient = small(started.settings.home, start_timeout_s=2)
    with pytest.raises(
        LocalServerError, match=f"it runs as pid {up.pid}, but its state file is damaged; `.* db stop`, then start"
    ):
        impatient.start()
    assert psutil.pid_exists(up.pid)
    assert started.stop() is True
    assert started.stop() is False


def test_a_stop_is_clean_and_quick_with_clients_connected_and_a_restart_keeps_data_and_password(
    started: LocalServer, up: ServerInfo
) -> None:
    """Fault 30, without a kill: the log says that the database was shut down. No commit is acknowledged falsely."""
    query(up, "CREATE (:Kept {value: 1})")
    with driver(up) as client, client.session() as session:
        transaction = session.begin_transaction()
        transaction.run("CREATE (:Lost)").consume()
        begun = time.monotonic()
        assert started.stop() is True
        seconds = time.monotonic() - begun
        with pytest.raises(ServiceUnavailable, match="defunct connection"):
            transaction.commit()
    assert seconds < 10
    assert "The server has stopped." in started.tail_log(1)[0]
    assert started.status().state == "stopped"
    again = started.start()
    assert again.password.get_secret_value() == up.password.get_secret_value()
    assert again.ports == up.ports
    assert query(again, "MATCH (n:Kept|Lost) RETURN labels(n) AS labels") == [{"labels": ["Kept"]}]


def test_a_killed_starter_leaves_one_server_that_all_later_starts_find_and_sigterm_ends(started: LocalServer) -> None:
    """Fault 31: kill -9 of the parent during the start, then three starts at once."""
    started.stop()
    home = started.settings.home
    before = read_state(ServerFiles(home).state)
    with subprocess.Popen(in_another_process(home), cwd=PACKAGE_PARENT, stdout=subprocess.DEVNULL) as starter:
        deadline = time.monotonic() + 60
        while (state := read_state(ServerFiles(home).state)) == before:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        starter.send_signal(signal.SIGKILL)
    assert state is not None
    commands = [in_another_process(started.settings.home)] * 3
    with ThreadPoolExecutor() as pool:
        runs = list(
            pool.map(
                lambda command: (
                    subprocess.run(command, cwd=PACKAGE_PARENT, check=True, capture_output=True, text=True).stdout
                ),
                commands,
            )
        )
    stages: list[StartProgress] = []
    assert {int(run) for run in runs} == {state.pid} == {started.start(stages.append).pid}
    assert stages[-1].stage == "ready"
    begun = time.monotonic()
    process = psutil.Process(state.pid)
    process.terminate()
    while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() - begun < 10
        time.sleep(0.05)
    assert "The server has stopped." in started.tail_log(1)[0]


def test_a_killed_server_is_seen_as_stopped_and_starts_again_with_its_data(started: LocalServer) -> None:
    """Faults 1 and 31: kill -9 of the server itself; what was committed is there."""
    info = started.start()
    query(info, "CREATE (:Committed {value: 2})")
    os.kill(info.pid, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while started.status().state != "stopped":
        assert time.monotonic() < deadline
    again = started.start()
    assert again.pid != info.pid
    assert query(again, "MATCH (n:Committed) RETURN n.value AS value") == [{"value": 2}]


def test_a_store_that_another_process_has_open_is_a_typed_error_and_takes_no_harm(
    started: LocalServer, up: ServerInfo, tmp_path: Path
) -> None:
    """Fault 32: the store's own lock; the data of the holder stay as they are."""
    for name in ("data", "password"):
        (tmp_path / name).symlink_to(started.settings.home / name)
    other = small(tmp_path)
    with pytest.raises(LocalServerError, match="did not start") as caught:
        other.start()
    assert re.search("lock", str(caught.value), re.IGNORECASE)
    assert caught.value.log_path == str(other.log_path)
    assert caught.value.log_tail
    assert other.status().state == "stopped"
    assert query(up, "RETURN 1 AS one") == [{"one": 1}]


def test_bad_options_of_the_java_machine_are_a_typed_error_with_the_log(tmp_path: Path) -> None:
    with pytest.raises(LocalServerError, match="did not start") as caught:
        small(tmp_path, jvm_options=("-Xmx1m", "-Xms2m")).start()
    assert any("heap" in line.lower() for line in caught.value.log_tail)


def test_a_reset_deletes_what_the_server_made_and_nothing_else(started: LocalServer, up: ServerInfo) -> None:
    """THREATS 82."""
    note = started.settings.home / "note.txt"
    note.write_text("mine", encoding="utf-8")
    size, files = started.measure()
    assert size > 0
    assert files > 0
    started.reset()
    assert note.read_text(encoding="utf-8") == "mine"
    assert not up.password_file.exists()
    assert started.measure() == (0, 0)
    assert started.status().state == "stopped"
    with pytest.raises(LocalServerError, match="is not up"):
        started.info()


def test_the_state_file_holds_no_secret(started: LocalServer) -> None:
    info = started.start()
    table = json.loads(ServerFiles(started.settings.home).state.read_text(encoding="utf-8"))
    assert set(table) == {"pid", "created_at", "ports", "version"}
    assert info.password.get_secret_value() not in json.dumps(table)
