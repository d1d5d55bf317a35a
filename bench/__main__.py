"""Our speed beside plain Cypher, in one run.

    python -m bench                      all, on a local server of its own with default settings
    python -m bench --quick              1,000 chunks, one round: shows that it works, not how fast it is
    python -m bench --only search        one part
    python -m bench --only compile       compiling filters, beside building them
    python -m bench --only filter        searches under filters, beside two libraries (`make bench-filters`)
    python -m bench --only serving       searches of 1, 4 and 16 clients, beside them too (`make bench-search`)
    python -m bench --json result.json   the same numbers and each single time, as JSON

With `--server` it works on the server that NEO4J_URI, NEO4J_USERNAME and NEO4J_PASSWORD name, and EMPTIES its
database. The exit code is 0 whether or not the targets hold: the table says so.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

from bench.data import Sizes, make_corpus
from bench.filter_data import SHAPES
from bench.filter_report import filter_table
from bench.filtering import FILTER_CHUNKS, compare_filters
from bench.filters_compiling import compiling
from bench.measure import Comparison
from bench.searching import choose_plain_search, compare_searches, fill_for_searches
from bench.serving import FULL, KINDS, QUICK, SERVING_CHUNKS, compare_serving
from bench.serving_report import serving_table
from bench.setting import Setting, open_setting, own_server
from bench.writing import (
    choose_plain_write,
    compare_one_document,
    compare_parallel,
    compare_thresholds,
    compare_writes,
)
from graphrag.config import Neo4jSettings, load_settings

_PARTS = ("write", "document", "threshold", "search")
_COMPILE = "compile"
_FILTER = "filter"
_SERVING = "serving"
"""Parts of their own: each loads 120,000 chunks, and wants the environment of the libraries."""
_THRESHOLDS = (1_000, 4_000, 10_000)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for and print the tables."""
    options = _parser().parse_args(arguments)
    sizes = Sizes(chunks=options.chunks, documents=options.documents, queries=options.queries)
    if options.quick:
        sizes = Sizes(chunks=1_000, documents=10, queries=20)
        options.rounds = 1
        options.filter_chunks = [2_000]
        options.serving_chunks = [2_000]
    parts = options.only or _PARTS
    server = nullcontext((load_settings().neo4j, None)) if options.server else own_server()
    lines: list[Comparison] = []
    filters: list[Comparison] = []
    serving: list[Comparison] = []
    with server as (neo4j, pid):
        if set(parts) - {_SERVING}:
            _tell(f"making {sizes.chunks:,} chunks of {sizes.dimensions} dimensions in {sizes.documents} documents")
            with open_setting(make_corpus(sizes, seed=options.seed), neo4j, pid) as setting:
                setting.start_afresh()
                lines.extend(_told(line) for line in _run(parts, setting, rounds=options.rounds))
                if _FILTER in parts:
                    filters.extend(_told(line) for line in _filter(options, setting, neo4j))
        if _SERVING in parts:
            serving.extend(_told(line) for line in _serve(options, neo4j, pid))
    for told in (lines and table(lines), filters and filter_table(filters), serving and serving_table(serving)):
        if told:
            print(told)
    if options.json:
        report = {"sizes": {"chunks": sizes.chunks, "documents": sizes.documents, "dimensions": sizes.dimensions}}
        everything = [line.as_json() for line in (*lines, *filters, *serving)]
        options.json.write_text(json.dumps({**report, "lines": everything}, indent=1) + "\n", encoding="utf-8")
    return 0


def _filter(options: argparse.Namespace, setting: Setting, neo4j: Neo4jSettings) -> Iterator[Comparison]:
    return compare_filters(
        setting, neo4j, sizes=options.filter_chunks, peer_python=options.peers, shapes=options.filter_shapes
    )


def _serve(options: argparse.Namespace, neo4j: Neo4jSettings, server_pid: int | None) -> Iterator[Comparison]:
    return compare_serving(
        neo4j,
        server_pid,
        sizes=options.serving_chunks,
        peer_python=options.peers,
        kinds=options.serving_kinds,
        pace=QUICK if options.quick else FULL,
    )


def _run(parts: Sequence[str], setting: Setting, *, rounds: int) -> Iterator[Comparison]:
    if _COMPILE in parts:
        yield from compiling()
    if set(parts) - {"search", _COMPILE, _FILTER, _SERVING}:
        _tell("plain writes:")
        choice = choose_plain_write(setting, rounds=rounds)
        _tell_choice(choice.rates, "chunks/s", chosen=f"{choice.way.name}, {choice.batch} a batch")
        if "write" in parts:
            yield from compare_writes(setting, choice, rounds=rounds)
            yield from compare_parallel(setting, choice)
        if "document" in parts:
            yield from compare_one_document(setting, choice, rounds=rounds)
        if "threshold" in parts:
            sizes = [size for size in _THRESHOLDS if size <= setting.corpus.sizes.chunks]
            yield from compare_thresholds(setting, choice, sizes=sizes, rounds=rounds)
    if "search" in parts:
        places = fill_for_searches(setting)
        _tell("plain searches:")
        fastest, medians = choose_plain_search(setting, rounds=30 * rounds)
        _tell_choice(medians, "ms", chosen=fastest.name)
        yield from compare_searches(setting, fastest, places, rounds=rounds)


def table(lines: Sequence[Comparison]) -> str:
    """Return the lines as a Markdown table."""
    rows = [
        (
            line.what + (f" ({line.unit})" if line.unit else ""),
            _number(line.ours),
            _number(line.plain),
            "" if line.ratio is None else f"{line.ratio:.2f}",
            line.target,
            "" if line.holds is None else ("yes" if line.holds else "NO"),
            line.note,
        )
        for line in lines
    ]
    head = ("what", "ours", "plain", "ratio", "target", "holds", "how")
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    ruled = [head, tuple("-" * width for width in widths), *rows]
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in ruled
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Our speed beside plain Cypher, in one run.")
    parser.add_argument("--quick", action="store_true", help="1,000 chunks and one round")
    parser.add_argument(
        "--only", action="append", choices=(*_PARTS, _COMPILE, _FILTER, _SERVING), help="one part; may be repeated"
    )
    parser.add_argument("--chunks", type=int, default=20_000)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3, help="how often each comparison is made")
    parser.add_argument("--filter-chunks", type=int, nargs="+", default=list(FILTER_CHUNKS), metavar="COUNT")
    parser.add_argument("--filter-shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--serving-chunks", type=int, nargs="+", default=list(SERVING_CHUNKS), metavar="COUNT")
    parser.add_argument("--serving-kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--peers", type=Path, help="the Python that has neo4j-graphrag and langchain-neo4j")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", type=Path, help="where to write the numbers")
    parser.add_argument("--server", action="store_true", help="use the server of NEO4J_URI, and EMPTY its database")
    return parser


def _told(line: Comparison) -> Comparison:
    _tell(f"{line.what}: ours {_number(line.ours)}, plain {_number(line.plain)} {line.unit}")
    return line


def _tell_choice(values: dict[str, float], unit: str, *, chosen: str) -> None:
    for name, value in values.items():
        _tell(f"  plain: {name}: {value:.1f} {unit}{'   <- taken' if name == chosen else ''}")


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
