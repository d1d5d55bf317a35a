"""The process in which Tika runs: takes files from its standard input and gives their XHTML.

Started by the pool in `graphrag.ingestion.readers`; it stands here so that a worker loads no more of the
package than it needs. Java may print what it likes: the pipe that carries the answers is moved away
from standard output first. The process ends when its parent does, even in the middle of a file: a
thread waits at a pipe whose other end only the parent holds.
"""

import json
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from graphrag.errors import GraphRagError
from graphrag.jvm.tika_bridge import BridgeFailure, TikaBridge, start_tika
from graphrag.jvm.tika_frames import FrameError, read_header, write_frame

__all__ = ["main"]

_COPY_BYTES = 1024 * 1024
_MARKUP_FACTOR = 8
_MARKUP_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Job:
    name: str
    password: str | None
    max_output_chars: int


def main(arguments: Sequence[str]) -> None:
    """Serve until the parent closes the pipe.

    Args:
        arguments: One JSON object: `heap_mb`, `temp_dir`, `lifeline_fd`.
    """
    settings = json.loads(arguments[0])
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    temp_dir = Path(settings["temp_dir"])
    threading.Thread(target=_end_with_parent, args=(int(settings["lifeline_fd"]), temp_dir), daemon=True).start()
    try:
        bridge = start_tika(heap_mb=int(settings["heap_mb"]), temp_dir=temp_dir)
    except GraphRagError as error:
        write_frame(answers, {"status": "failed", "message": str(error)})
        return
    write_frame(answers, {"status": "ready"})
    try:
        _serve(bridge, sys.stdin.buffer, answers, temp_dir)
    finally:
        # A parent that ended took no folder away, and the thread that notices it may come too late.
        shutil.rmtree(temp_dir, ignore_errors=True)


def _end_with_parent(lifeline_fd: int, temp_dir: Path) -> None:
    while os.read(lifeline_fd, 1):
        pass
    shutil.rmtree(temp_dir, ignore_errors=True)  # the parent may have had no time to
    os._exit(1)


def _serve(bridge: TikaBridge, requests: BinaryIO, answers: BinaryIO, temp_dir: Path) -> None:
    while True:
        folder = Path(tempfile.mkdtemp(dir=temp_dir))
        try:
            try:
                job = _receive(requests, folder / "source")
            except FrameError:
                return
            answer, body = _parse(bridge, job, folder)
            write_frame(answers, answer, body)
            if answer.get("kind") == "memory":
                return  # what else the machine lost nobody knows; the pool starts another
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _receive(requests: BinaryIO, target: Path) -> _Job:
    header, size = read_header(requests)
    with target.open("wb") as file:
        while size > 0:
            piece = requests.read(min(size, _COPY_BYTES))
            if not piece:
                msg = "the stream ended"
                raise FrameError(msg)
            file.write(piece)
            size -= len(piece)
    password = header.get("password")
    return _Job(
        name=str(header["name"]),
        password=None if password is None else str(password),
        max_output_chars=cast("int", header["max_output_chars"]),
    )


def _parse(bridge: TikaBridge, job: _Job, folder: Path) -> tuple[dict[str, object], bytes]:
    output = folder / "output"
    try:
        result = bridge.parse(
            folder / "source", output, name=job.name, password=job.password, max_output_chars=job.max_output_chars
        )
    except BridgeFailure as failure:
        return {"status": "failed", "kind": failure.kind, "message": str(failure)}, b""
    if output.stat().st_size > _MARKUP_FACTOR * job.max_output_chars + _MARKUP_BYTES:
        return {"status": "failed", "kind": "bomb", "message": "far more markup than text"}, b""
    answer: dict[str, object] = {
        "status": "ok",
        "metadata": result.metadata,
        "truncated": result.truncated,
        "damaged": result.damaged,
        "embedded_media": result.embedded_media,
        "embedded_left_out": result.embedded_left_out,
        "slide_titles": result.slide_titles,
    }
    return answer, output.read_bytes()


if __name__ == "__main__":
    main(sys.argv[1:])
