"""How fast documents are written, beside plain Cypher."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count

from bench.data import make_document, make_documents
from bench.measure import Comparison, Spent, in_turns, median, spend
from bench.plain import WRITES, PlainRows, PlainWrite
from bench.setting import Setting
from graphrag.model import MaterializedDocument
from graphrag.stores.neo4j._sync import write

__all__ = [
    "PlainChoice",
    "choose_plain_write",
    "compare_one_document",
    "compare_parallel",
    "compare_thresholds",
    "compare_writes",
]

_SLICE_CHUNKS = 4_000
"""What is written at a time before the other side has its turn."""
_BATCHES = (500, 1_000, 2_000)
_PARALLEL = 2


@dataclass(frozen=True, slots=True)
class PlainChoice:
    """The fastest plain way on this machine, and how the others did."""

    way: PlainWrite
    batch: int
    rates: dict[str, float]


def choose_plain_write(setting: Setting, *, rounds: int) -> PlainChoice:
    """Try each plain way, and the best one with each size of batch; the medians decide.

    One round more is run than counted: the first warms the server. Ours writes as often, so that the server has
    compiled the statements of both sides when they are compared.
    """
    corpus = setting.corpus
    chunks = min(max(_BATCHES), corpus.sizes.chunks)
    places = range(chunks)
    rates: dict[tuple[str, int], list[float]] = {}
    tries = count()

    def run(way: PlainWrite, batch: int, number: int) -> None:
        uri = f"bench:try/{next(tries)}"
        rows = setting.plain_rows([make_document(corpus, places, uri=uri, collection="try")])
        took = spend(lambda: way.run(setting.driver, rows, batch))
        if number:
            rates.setdefault((way.name, batch), []).append(chunks / took.wall_s)

    for number in range(rounds + 1):
        for way in WRITES:
            run(way, 1_000, number)
            _warm_ours(setting, chunks, next(tries))
    best = max(WRITES, key=lambda way: median(rates[way.name, 1_000]))
    for number in range(rounds + 1):
        for batch in _BATCHES:
            run(best, batch, number)
            _warm_ours(setting, chunks, next(tries))
    batch = max(_BATCHES, key=lambda size: median(rates[best.name, size]))
    return PlainChoice(best, batch, {f"{name}, {size} a batch": median(r) for (name, size), r in rates.items()})


def _warm_ours(setting: Setting, chunks: int, number: int) -> None:
    size = min(setting.corpus.sizes.chunks_a_document, chunks)
    starts = range(0, chunks - size + 1, size)
    documents = [
        make_document(setting.corpus, range(at, at + size), uri=f"bench:warm/{number}/{at}", model=setting.model)
        for at in starts
    ]
    _write(setting, documents)
    staged = make_document(setting.corpus, range(size), uri=f"bench:warm/{number}/staged", model=setting.model)
    with _stage_above(0):
        _write(setting, [staged])


def _start_afresh(setting: Setting, choice: PlainChoice) -> None:
    """Empty the database, and let both sides write a little: new indexes make the server plan each statement anew."""
    setting.start_afresh()
    for number in range(3):
        mine, other = (
            make_document(setting.corpus, range(50), uri=f"bench:warm/{number}", collection=name)
            for name in ("warm", "plain")
        )
        for above in (0, 50):
            with _stage_above(above):
                _write(setting, [mine])
            setting.store.delete_document(f"bench:warm/{number}", collection="warm")
        choice.way.run(setting.driver, setting.plain_rows([other]), choice.batch)


def compare_writes(setting: Setting, choice: PlainChoice, *, rounds: int) -> list[Comparison]:
    """Write all documents by both, in turns of some documents, into the same database."""
    corpus = setting.corpus
    share = max(1, _SLICE_CHUNKS // corpus.sizes.chunks_a_document)
    ours_s: list[Spent] = []
    plain_s: list[Spent] = []
    for number in range(rounds):
        _start_afresh(setting, choice)
        mine = make_documents(corpus, name=f"ours{number}", model=setting.model)
        other = make_documents(corpus, name=f"plain{number}", collection="plain")
        rows = [setting.plain_rows(part) for part in _slices(other, share)]
        parts = list(_slices(mine, share))
        ours, plain = _write_in_turns(setting, choice, parts, rows)
        ours_s += ours
        plain_s += plain
    chunks = corpus.sizes.chunks * rounds / len(ours_s)
    note = f"{choice.way.name}, {choice.batch} a batch; {len(ours_s)} pairs of {chunks:.0f} chunks"
    return [_compared(f"write, {corpus.sizes.documents} documents", chunks, ours_s, plain_s, floor=0.9, note=note)]


def _write_in_turns(
    setting: Setting, choice: PlainChoice, parts: Sequence[Sequence[MaterializedDocument]], rows: Sequence[PlainRows]
) -> tuple[list[Spent], list[Spent]]:
    return in_turns(
        lambda place: _spend(setting, lambda: _write(setting, parts[place])),
        lambda place: _spend(setting, lambda: choice.way.run(setting.driver, rows[place], choice.batch)),
        len(parts),
    )


def compare_one_document(setting: Setting, choice: PlainChoice, *, rounds: int) -> list[Comparison]:
    """Write all chunks as one document: ours out of sight first and visible at once, plain batch by batch."""
    corpus = setting.corpus
    places = range(corpus.sizes.chunks)
    ours: list[Spent] = []
    plain: list[Spent] = []
    for number in range(rounds):
        mine = make_document(corpus, places, uri=f"bench:one/{number}", model=setting.model)
        other = make_document(corpus, places, uri=f"bench:one/{number}", collection="plain")
        rows = setting.plain_rows([other])

        def write_ours(_: int, mine: MaterializedDocument = mine) -> Spent:
            _start_afresh(setting, choice)
            with _stage_above(0):
                return _spend(setting, lambda: _write(setting, [mine]))

        def write_plain(_: int, rows: PlainRows = rows) -> Spent:
            _start_afresh(setting, choice)
            return _spend(setting, lambda: choice.way.run(setting.driver, rows, choice.batch))

        first, second = (write_ours, write_plain) if number % 2 else (write_plain, write_ours)
        for call in (first, second):
            (ours if call is write_ours else plain).append(call(number))
    note = f"staged; {rounds} pairs, each in an empty database"
    what = f"write, one document of {corpus.sizes.chunks:,} chunks"
    return [_compared(what, corpus.sizes.chunks, ours, plain, floor=0.7, note=note)]


def compare_thresholds(setting: Setting, choice: PlainChoice, *, sizes: Sequence[int], rounds: int) -> list[Comparison]:
    """Write one document in one transaction and by way of staged nodes (here "plain" is the one transaction)."""
    lines: list[Comparison] = []
    for size in sizes:
        _start_afresh(setting, choice)
        staged, direct = _stage_in_turns(setting, size, rounds)
        what = f"one document of {size:,} chunks: staged beside one transaction"
        lines.append(_compared(what, size, staged, direct, note="ours: staged; plain: ours in one transaction"))
    return lines


def _stage_in_turns(setting: Setting, size: int, rounds: int) -> tuple[list[Spent], list[Spent]]:
    def run(number: int, above: int) -> Spent:
        uri = f"bench:threshold/{above}/{size}/{number}"
        document = make_document(setting.corpus, range(size), uri=uri, model=setting.model)
        with _stage_above(above):
            return _spend(setting, lambda: _write(setting, [document]))

    return in_turns(lambda number: run(number, 0), lambda number: run(number, 10**9), rounds)


def compare_parallel(setting: Setting, choice: PlainChoice) -> list[Comparison]:
    """Write all documents by two threads, for information."""
    _start_afresh(setting, choice)
    documents = make_documents(setting.corpus, name="parallel", model=setting.model)
    share = max(1, 2_000 // setting.corpus.sizes.chunks_a_document)
    parts = list(_slices(documents, share))

    def write_all() -> None:
        with ThreadPoolExecutor(_PARALLEL) as pool:
            list(pool.map(lambda part: _write(setting, part), parts))

    took = _spend(setting, write_all)
    rate = setting.corpus.sizes.chunks / took.wall_s
    return [Comparison(f"write, {_PARALLEL} writers", "chunks/s", ours=rate)]


def _compared(
    what: str,
    chunks: float,
    ours: Sequence[Spent],
    plain: Sequence[Spent],
    *,
    floor: float | None = None,
    note: str = "",
) -> Comparison:
    ratios = [b.wall_s / a.wall_s for a, b in zip(ours, plain, strict=True)]
    ratio = median(ratios)
    spread = f"ratios of pairs {min(ratios):.2f} to {max(ratios):.2f}"
    return Comparison(
        what,
        "chunks/s",
        ours=chunks / median([spent.wall_s for spent in ours]),
        plain=chunks / median([spent.wall_s for spent in plain]),
        ratio=ratio,
        target=f">= {floor}" if floor else "",
        holds=ratio >= floor if floor else None,
        note=f"{note}; {spread}",
        details={
            "ours_wall_s": [spent.wall_s for spent in ours],
            "plain_wall_s": [spent.wall_s for spent in plain],
            "ours_cpu_s": [spent.cpu_s for spent in ours],
            "plain_cpu_s": [spent.cpu_s for spent in plain],
            "cpu_ratio": median([b.cpu_s / a.cpu_s for a, b in zip(ours, plain, strict=True)]),
        },
    )


def _spend(setting: Setting, call: Callable[[], object]) -> Spent:
    return spend(call, server_pid=setting.server_pid)


def _write(setting: Setting, documents: Sequence[MaterializedDocument]) -> None:
    for outcome in setting.store.write_documents(documents):
        if isinstance(outcome, Exception):
            raise outcome


def _slices(documents: Sequence[MaterializedDocument], size: int) -> Iterator[Sequence[MaterializedDocument]]:
    for start in range(0, len(documents), size):
        yield documents[start : start + size]


@contextmanager
def _stage_above(chunks: int) -> Iterator[None]:
    """Set the threshold between one transaction and staged nodes, which is no setting of a program."""
    kept = write.STAGE_ABOVE
    write.STAGE_ABOVE = chunks
    try:
        yield
    finally:
        write.STAGE_ABOVE = kept
