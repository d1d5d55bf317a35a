"""Pinned jars: found, checked, fetched from a repository, which here is a server on loopback."""

import hashlib
import multiprocessing
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from graphrag.errors import LocalServerError
from graphrag.jvm import JarProgress, PinnedJar, jars, pinned_jars, resolve_jars
from graphrag.jvm.download import fetch_jars

CONTENT = {f"piece-{number}": bytes([number]) * 1000 for number in range(9)}
NOTHING = JarProgress(files_done=0, files_total=9, bytes_done=0, bytes_total=9000)


def pin(name: str, content: bytes) -> PinnedJar:
    digest = hashlib.sha256(content).hexdigest()
    return PinnedJar(group="org.sample", artifact=name, version="1.0", classifier="", sha256=digest, size=len(content))


PINS = tuple(pin(name, content) for name, content in CONTENT.items())


class Repository(ThreadingHTTPServer):
    """Serves jars and counts what was asked for."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = {f"/{jar.path}": CONTENT[jar.artifact] for jar in PINS}
        self.faults: list[int] = []
        self.asked: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        repository = self.server
        assert isinstance(repository, Repository)
        repository.asked.append(self.path)
        content = repository.files.get(self.path)
        status = repository.faults.pop() if repository.faults else 404 if content is None else 200
        self.send_response(status)
        self.end_headers()
        if status == 200 and content is not None:
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def repository() -> Iterator[Repository]:
    with Repository() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def bundle(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """Let `resolve_jars` take the sample pins and the sample repository."""
    monkeypatch.setattr(jars, "pinned_jars", lambda _: PINS)
    monkeypatch.setattr("graphrag.jvm.download._configured_repositories", lambda: (repository.address,))
    monkeypatch.setattr("graphrag.jvm.download._PAUSE_S", 0.0)
    return repository


@pytest.mark.parametrize("name", ["neo4j", "tika"])
def test_every_pin_is_complete_and_no_jar_stands_twice(name: str) -> None:
    pins = pinned_jars(name)  # type: ignore[arg-type]  # parametrized
    assert len(pins) > 50
    assert len({jar.path for jar in pins}) == len(pins)
    for jar in pins:
        assert len(jar.sha256) == 64
        assert set(jar.sha256) <= set("0123456789abcdef")
        assert jar.size > 0
        assert ".." not in jar.path.parts


def test_the_path_is_that_of_maven() -> None:
    jar = PinnedJar(group="io.netty", artifact="epoll", version="4.2", classifier="linux", sha256="0", size=1)
    assert str(jar.path) == "io/netty/epoll/4.2/epoll-4.2-linux.jar"


def test_missing_jars_are_fetched_and_the_progress_ends_at_the_whole(bundle: Repository, tmp_path: Path) -> None:
    steps: list[JarProgress] = []
    paths = resolve_jars("tika", progress=steps.append, cache=tmp_path)
    assert [path.read_bytes() for path in paths] == list(CONTENT.values())
    assert sorted(bundle.asked) == sorted(bundle.files)
    assert steps[-1] == JarProgress(files_done=9, files_total=9, bytes_done=9000, bytes_total=9000)
    assert [step.bytes_done for step in steps] == sorted(step.bytes_done for step in steps)


def test_what_is_in_place_is_neither_fetched_nor_hashed_again(
    bundle: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = resolve_jars("tika", cache=tmp_path)
    bundle.asked.clear()
    monkeypatch.setattr(jars, "_hash", lambda _: pytest.fail("hashed again"))
    assert resolve_jars("tika", cache=tmp_path) == first
    assert bundle.asked == []


def test_jars_that_another_tool_fetched_are_hashed_and_taken(bundle: Repository, tmp_path: Path) -> None:
    for jar in PINS:
        (tmp_path / jar.path).parent.mkdir(parents=True)
        (tmp_path / jar.path).write_bytes(CONTENT[jar.artifact])
    resolve_jars("tika", cache=tmp_path)
    assert bundle.asked == []


@pytest.mark.parametrize("content", [b"", b"\x00" * 999, b"\x07" * 1000, b"longer" * 1000])
def test_a_damaged_or_exchanged_jar_is_fetched_anew(bundle: Repository, tmp_path: Path, content: bytes) -> None:
    paths = resolve_jars("tika", cache=tmp_path)
    bundle.asked.clear()
    paths[2].write_bytes(content)
    assert resolve_jars("tika", cache=tmp_path)[2].read_bytes() == CONTENT["piece-2"]
    assert bundle.asked == [f"/{PINS[2].path}"]


@pytest.mark.parametrize("stamps", ["", "not json", "[]", '{"a": 1}', '{"a": [1]}'])
def test_a_damaged_stamp_file_only_costs_time(bundle: Repository, tmp_path: Path, stamps: str) -> None:
    first = resolve_jars("tika", cache=tmp_path)
    bundle.asked.clear()
    (tmp_path / "verified-tika.json").write_text(stamps, encoding="utf-8")
    assert resolve_jars("tika", cache=tmp_path) == first
    assert bundle.asked == []


@pytest.mark.parametrize("content", [b"\x07" * 1000, b"short", b"\x00" * 5000])
def test_what_is_not_the_pinned_jar_is_refused_and_leaves_nothing(
    bundle: Repository, tmp_path: Path, content: bytes
) -> None:
    """A repository or a proxy that serves something else does not get it started."""
    bundle.files[f"/{PINS[0].path}"] = content
    with pytest.raises(LocalServerError, match=r"`piece-0-1\.0\.jar` was fetched, but its SHA-256 is not the pinned"):
        resolve_jars("tika", cache=tmp_path)
    assert list((tmp_path / PINS[0].path).parent.iterdir()) == []


def test_faults_of_the_repository_are_tried_again(bundle: Repository, tmp_path: Path) -> None:
    bundle.faults = [503, 503]
    assert len(resolve_jars("tika", cache=tmp_path)) == 9


def test_without_network_and_cache_there_is_one_error_that_tells_what_to_do(
    bundle: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphrag.jvm.download._configured_repositories", lambda: ("http://127.0.0.1:1",))
    with pytest.raises(LocalServerError, match=r"cannot fetch `piece-\d-1\.0\.jar` .* connect to the network once"):
        resolve_jars("tika", cache=tmp_path)
    assert bundle.asked == []


def test_a_jar_that_no_repository_has_is_told_by_its_status(bundle: Repository, tmp_path: Path) -> None:
    del bundle.files[f"/{PINS[4].path}"]
    with pytest.raises(LocalServerError, match=r"`piece-4-1\.0\.jar` \(HTTP status 404\)"):
        resolve_jars("tika", cache=tmp_path)
    assert bundle.asked.count(f"/{PINS[4].path}") == 1


def test_a_second_repository_is_asked_where_the_first_has_not_got_it(repository: Repository, tmp_path: Path) -> None:
    with Repository() as empty:
        empty.files.clear()
        thread = threading.Thread(target=empty.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        fetch_jars(PINS, tmp_path, base=NOTHING, repositories=(empty.address, repository.address))
        empty.shutdown()
        thread.join()
    assert len(empty.asked) == len(repository.asked) == 9


def test_a_cache_that_cannot_be_written_is_one_clear_error(bundle: Repository, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder", encoding="utf-8")
    with pytest.raises(LocalServerError, match=r"jars of `tika` cannot be kept in .* writable"):
        resolve_jars("tika", cache=blocked)
    assert bundle.asked == []


def test_processes_that_ask_at_once_fetch_each_jar_once(bundle: Repository, tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")  # the children inherit the sample pins
    children = [context.Process(target=resolve_jars, args=("tika",), kwargs={"cache": tmp_path}) for _ in range(4)]
    for child in children:
        child.start()
    for child in children:
        child.join()
    assert [child.exitcode for child in children] == [0, 0, 0, 0]
    assert sorted(bundle.asked) == sorted(bundle.files)
