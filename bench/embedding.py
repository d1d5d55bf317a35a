"""How fast each backend embeds on this machine, and how near its vectors are to float32.

    python bench/embedding.py [--chunks 64] [--threads 0] [--runs 3] [--cpu-time]

Prints a Markdown table: chunks of 256 tokens a second, one short query in milliseconds (median), seconds from
construction to the first vector, and the lowest cosine to the first float32 backend. Backends that are not installed
are left out. The best of several runs counts, since other work on the machine only slows. On a machine that is busy
all the time, `--cpu-time --threads 1` counts seconds of processor time of one core instead of seconds that pass.
"""

import argparse
import platform
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphrag.config import EmbeddingSettings
from graphrag.embedding.optional import is_installed
from graphrag.embedding.sentence_transformers import SentenceTransformersEmbedder
from graphrag.embedding.vectors import lowest_cosine

CASES = (
    ("openvino", "openvino", "float32"),
    ("openvino", "openvino", "bfloat16"),
    ("torch", "torch", "float32"),
    ("torch", "torch", "bfloat16"),
)
"""Package that must be installed, backend, precision."""
QUERY = "Who designed the bridge, and when was it opened?"
WORDS = """
    basin board bridge budget canal committee construction contract council current damage design director drainage
    energy engineer failure flood gate generator grid inspection lake level licence lock maintenance meeting minister
    operator penstock pressure project pump repair report reservoir river safety season shaft signal station storage
    supply survey tunnel turbine valley valve village water weather
"""


@dataclass(frozen=True)
class Result:
    """What one backend did."""

    name: str
    chunks_per_s: float
    query_ms: float
    first_vector_s: float
    rows: NDArray[np.float32]


def main() -> None:
    """Measure each backend that is installed and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--chunks", type=int, default=64)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--cpu-time", action="store_true")
    given = parser.parse_args()
    clock = time.process_time if given.cpu_time else time.perf_counter
    texts = [" ".join(random.Random(seed).choices(WORDS.split(), k=300)) for seed in range(given.chunks)]
    print(
        f"{given.chunks} chunks, batches of {given.batch_size}, threads {given.threads or 'left to the backend'}, "
        f"{'processor time' if given.cpu_time else 'time that passes'};"
    )
    print(f"processor: {processor_features()}\n")
    print("| backend | chunks/s | query ms | first vector s | lowest cosine |\n| --- | --- | --- | --- | --- |")
    exact: NDArray[np.float32] | None = None
    for package, backend, precision in CASES:
        if not is_installed(package):
            continue
        settings = EmbeddingSettings.model_validate(
            {"backend": backend, "precision": precision, "threads": given.threads, "batch_size": given.batch_size}
        )
        result = measure(settings, texts, runs=given.runs, clock=clock)
        exact = result.rows if exact is None else exact
        cosine = lowest_cosine(result.rows, exact)
        row = (result.chunks_per_s, result.query_ms, result.first_vector_s)
        print(f"| {result.name} | {row[0]:.1f} | {row[1]:.1f} | {row[2]:.1f} | {cosine:.5f} |", flush=True)


def measure(settings: EmbeddingSettings, texts: list[str], *, runs: int, clock: Callable[[], float]) -> Result:
    """Return the best of `runs` for one backend."""
    embedder = SentenceTransformersEmbedder(settings)
    began = clock()
    embedder.embed_query(QUERY)
    first_vector_s = clock() - began
    seconds: list[float] = []
    rows = embedder.embed_documents(texts)
    queries: list[float] = []
    for _ in range(runs):
        began = clock()
        rows = embedder.embed_documents(texts)
        seconds.append(clock() - began)
        queries.append(median_query_s(embedder, clock))
    name = embedder.backend
    embedder.close()
    return Result(name, len(texts) / min(seconds), min(queries) * 1_000, first_vector_s, rows)


def median_query_s(embedder: SentenceTransformersEmbedder, clock: Callable[[], float]) -> float:
    """Return the median time of one short query, in seconds."""
    times: list[float] = []
    for index in range(30):
        began = clock()
        embedder.embed_query(f"{QUERY} {index}")
        times.append(clock() - began)
    return statistics.median(times)


def processor_features() -> str:
    """Return what of the processor matters here: cores, and instructions for wide vectors and bfloat16."""
    try:
        flags = set(Path("/proc/cpuinfo").read_text(encoding="utf-8").split())
    except OSError:
        flags = set()
    known = ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_bf16")
    return ", ".join([platform.machine(), *(flag for flag in known if flag in flags)])


if __name__ == "__main__":
    main()
