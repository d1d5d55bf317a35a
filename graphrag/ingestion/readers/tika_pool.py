"""Worker processes with Tika in them: started when first needed, reused, killed on time-out and replaced."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self, cast

from graphrag.config import TikaSettings
from graphrag.errors import ConfigurationError
from graphrag.jvm import ProgressCallback, java_home, resolve_jars
from graphrag.jvm.tika_frames import FrameError, read_frame, write_frame

__all__ = ["TikaAnswer", "TikaPool", "WorkerEndedError", "WorkerTimeoutError"]

_LAUNCH: Final = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[2]); "
    "from graphrag.jvm.tika_worker import main; main(sys.argv[1:2])"
)
_MARKUP_FACTOR: Final = 8
_MARKUP_BYTES: Final = 64 * 1024 * 1024
_LOG_TAIL_BYTES: Final = 2_000
_END_GRACE_S: Final = 2.0


class WorkerEndedError(Exception):
    """The worker process ended while it worked on a file."""


class WorkerTimeoutError(Exception):
    """The worker took too long over a file, and was killed."""


@dataclass(frozen=True, slots=True)
class TikaAnswer:
    """A worker's answer: its header as sent, and the XHTML in UTF-8."""

    header: Mapping[str, object]
    xhtml: bytes = field(repr=False)


class TikaPool:
    """Up to `settings.workers` processes. Safe to call from several threads; further callers wait for a free one.

    Args:
        settings: Number of workers, their memory and their deadlines.
        progress: Called while Tika's jars are fetched, at the first start on a machine.
    """

    def __init__(self, settings: TikaSettings, *, progress: ProgressCallback | None = None) -> None:
        self._settings = settings
        self._progress = progress
        self._slots = threading.Semaphore(settings.workers)
        self._lock = threading.Lock()
        self._idle: list[_Worker] = []
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def prepare(self) -> None:
        """Start one worker, if none is there, so that what keeps Tika from running shows before any work is done.

        Raises:
            ConfigurationError: The worker does not start.
            LocalServerError: Tika's jars are not in place and cannot be fetched.
            MissingExtraError: The extra `tika` is not installed.
        """
        with self._slots:
            self._give_back(self._take())

    def parse(self, data: bytes, *, name: str, password: str | None = None) -> TikaAnswer:
        """Return what a worker makes of a file.

        Args:
            data: The whole file.
            name: Its name, a hint on its type.
            password: For an encrypted file.

        Raises:
            WorkerTimeoutError: `settings.timeout_s` passed; the worker was killed.
            WorkerEndedError: The worker died.
            ConfigurationError: No worker starts.
            LocalServerError: Tika's jars are not in place and cannot be fetched.
            MissingExtraError: The extra `tika` is not installed.
        """
        with self._slots:
            worker = self._take()
            try:
                answer = worker.parse(data, name=name, password=password, settings=self._settings)
            except BaseException:
                worker.kill()
                raise
            if answer.header.get("kind") == "memory":
                worker.kill()
            else:
                self._give_back(worker)
            return answer

    def close(self) -> None:
        """End all workers. A closed pool starts none again."""
        with self._lock:
            self._closed = True
            workers, self._idle = self._idle, []
        for worker in workers:
            worker.end()

    def _take(self) -> "_Worker":
        with self._lock:
            if self._closed:
                msg = "the Tika pool is closed; open another one"
                raise ConfigurationError(msg)
            while self._idle:
                worker = self._idle.pop()
                if worker.alive:
                    return worker
                worker.kill()
        return _Worker.start(self._settings, self._progress)

    def _give_back(self, worker: "_Worker") -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(worker)
                return
        worker.end()


@dataclass(slots=True)
class _Worker:
    process: "subprocess.Popen[bytes]"
    lifeline_fd: int
    folder: Path
    gone: bool = False

    @classmethod
    def start(cls, settings: TikaSettings, progress: ProgressCallback | None) -> "_Worker":
        resolve_jars("tika", progress=progress)
        java_home()
        folder = Path(tempfile.mkdtemp(prefix="graphrag-tika-"))
        lifeline_read, lifeline_write = os.pipe()
        options = {"heap_mb": settings.heap_mb, "temp_dir": str(folder), "lifeline_fd": lifeline_read}
        try:
            with (folder / "log").open("wb") as log:
                process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                    [
                        sys.executable,
                        "-c",
                        _LAUNCH,
                        json.dumps(options),
                        json.dumps(_import_path()),
                    ],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    pass_fds=(lifeline_read,),
                    start_new_session=True,  # an interrupt from the terminal is for the parent to handle
                )
        except OSError as error:
            os.close(lifeline_write)
            shutil.rmtree(folder, ignore_errors=True)
            msg = f"the Tika worker cannot be started: {error}"
            raise ConfigurationError(msg) from error
        finally:
            os.close(lifeline_read)
        worker = cls(process, lifeline_write, folder)
        worker.wait_until_ready(settings.start_timeout_s)
        return worker

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def wait_until_ready(self, timeout_s: float) -> None:
        with _Deadline(self.process, timeout_s) as deadline:
            try:
                header, _ = read_frame(self._answers, max_body_bytes=0)
            except (FrameError, OSError) as error:
                tail = self._log_tail()
                self.kill()
                reason = f"it was not ready within {timeout_s:g} s" if deadline.passed else "it ended at once"
                msg = f"the Tika worker did not start: {reason}. Its last lines: {tail or 'none'}"
                raise ConfigurationError(msg) from error
        if header.get("status") != "ready":
            self.kill()
            msg = f"the Tika worker did not start: {header.get('message')}"
            raise ConfigurationError(msg)

    def parse(self, data: bytes, *, name: str, password: str | None, settings: TikaSettings) -> TikaAnswer:
        request = {"name": name, "password": password, "max_output_chars": settings.max_output_chars}
        bound = _MARKUP_FACTOR * settings.max_output_chars + _MARKUP_BYTES
        with _Deadline(self.process, settings.timeout_s) as deadline:
            try:
                write_frame(cast("BinaryIO", self.process.stdin), request, data)
                header, xhtml = read_frame(self._answers, max_body_bytes=bound)
            except (FrameError, OSError) as error:
                if deadline.passed:
                    raise WorkerTimeoutError from error
                raise WorkerEndedError from error
        return TikaAnswer(header, xhtml)

    def end(self) -> None:
        """Close the pipes, at which an idle worker ends by itself; kill it if it does not."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(_END_GRACE_S)
        self.kill()

    def kill(self) -> None:
        """End the process at once and remove what it left; harmless when done before."""
        if self.gone:
            return
        self.gone = True
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            with suppress(OSError):  # what was not sent is of no use any more
                if stream is not None:
                    stream.close()
        os.close(self.lifeline_fd)
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def _answers(self) -> BinaryIO:
        return cast("BinaryIO", self.process.stdout)

    def _log_tail(self) -> str:
        try:
            return (self.folder / "log").read_bytes()[-_LOG_TAIL_BYTES:].decode("utf-8", "replace").strip()
        except OSError:
            return ""


def _import_path() -> list[str]:
    """Return where this process finds its modules, for the worker to find the same."""
    return [path or str(Path.cwd()) for path in sys.path]


class _Deadline:
    """Kills a process when time is up, which ends every read and write on its pipes."""

    def __init__(self, process: "subprocess.Popen[bytes]", timeout_s: float) -> None:
        self.passed = False
        self._process = process
        self._timer = threading.Timer(timeout_s, self._fire)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._timer.cancel()

    def _fire(self) -> None:
        self.passed = True
        self._process.kill()
