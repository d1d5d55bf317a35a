"""What has to hold of the searches of many clients, and the line that says it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.filter_report import LEAST_RECALL
from bench.measure import Comparison
from bench.serving_data import PATTERNS, Share
from bench.serving_sides import Side
from bench.serving_trial import LIBRARIES, Trial

__all__ = ["Cell", "compared"]

_LEAST_RATE_TO_PEER = {4: 1.1, 16: 1.25}
_LEAST_RATE_TO_PLAIN = 0.9
_MOST_P50_TO_PLAIN = 1.15
_MOST_TEXT_SEARCHES = 10
"""A regular expression with a selective literal takes less than so many searches by words."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What is asked, of which chunks, and by how many clients."""

    kind: str
    share: Share
    clients: int

    @property
    def is_for_words(self) -> bool:
        """Whether it is the search by words that regular expressions are measured by."""
        return self.kind == "text" and self.is_alone

    @property
    def is_alone(self) -> bool:
        """Whether one client searches all chunks."""
        return self.clients == 1 and self.share.owner is None

    def name(self, chunks: int) -> str:
        """Return what stands in the table."""
        kind = f"regex with {self.kind}" if self.kind in PATTERNS else self.kind
        return f"{kind}, {self.share.name} of {chunks:,}, {self.clients} client{'s' if self.clients > 1 else ''}"


def compared(trial: Trial, cell: Cell, sides: Sequence[Side]) -> Comparison:
    """Return the line of one cell.

    Args:
        trial: What was searched.
        cell: What was asked.
        sides: Ours first, plain second, each with its windows.
    """
    mine, plain, *others = sides
    best = max(
        (side for side in others if side.is_measure and side.name in LIBRARIES),
        key=lambda side: side.rate,
        default=None,
    )
    recalls: dict[str, float] = {}
    if cell.kind == "vector":
        recalls = {side.name: trial.recall(cell.share, side.answers) for side in sides}
    to_text = mine.percentile(0.5) / trial.text_p50_ms if trial.text_p50_ms else None
    bars = dict(_bars(cell, mine, plain, best))
    if cell.kind == "vector":
        bars[f"recall >= {LEAST_RECALL}"] = recalls["ours"] >= LEAST_RECALL
    if cell.kind == PATTERNS[0] and cell.is_alone and to_text is not None:
        bars[f"p50 < {_MOST_TEXT_SEARCHES} searches by words"] = to_text < _MOST_TEXT_SEARCHES
    chunks = trial.data.corpus.sizes.chunks
    found = [len(ids) for ids in mine.answers.values()]
    return Comparison(
        cell.name(chunks),
        "searches/s",
        ours=mine.rate,
        plain=plain.rate,
        ratio=mine.rates_to(plain),
        target="; ".join(bars),
        holds=all(bars.values()) if bars else None,
        note=", ".join(f"{side.name}: {side.how}" for side in sides if side.how),
        details={
            "chunks": chunks,
            "kind": cell.kind,
            "share": cell.share.name,
            "clients": cell.clients,
            "results": [min(found), max(found)],
            "p50_to_plain": mine.p50_to(plain),
            "best_library": best.name if best else None,
            "rate_to_library": mine.rates_to(best) if best else None,
            "p50_to_text": to_text,
            "missed": [told for told, held in bars.items() if not held],
            "versions": trial.peers.versions if trial.peers else {},
            "sides": {side.name: _figures(side, recalls.get(side.name)) for side in sides},
        },
    )


def _bars(cell: Cell, mine: Side, plain: Side, best: Side | None) -> Mapping[str, bool]:
    """Return what has to hold of a vector search, and whether it does."""
    if cell.kind != "vector":
        return {}
    bars = {f"p50 <= {_MOST_P50_TO_PLAIN} of plain": mine.p50_to(plain) <= _MOST_P50_TO_PLAIN}
    if cell.clients in _LEAST_RATE_TO_PEER:
        bars[f"rate >= {_LEAST_RATE_TO_PLAIN} of plain"] = mine.rates_to(plain) >= _LEAST_RATE_TO_PLAIN
        if best is not None:
            least = _LEAST_RATE_TO_PEER[cell.clients]
            bars[f"rate >= {least} of the best library"] = mine.rates_to(best) >= least
    return bars


def _figures(side: Side, recall: float | None) -> dict[str, object]:
    return {
        "rate": side.rate,
        "p50_ms": side.percentile(0.5),
        "p99_ms": side.percentile(0.99),
        "recall": recall,
        "how": side.how,
        "searches": len(side.times_ms),
        "rates": [window.rate for window in side.windows],
    }
