"""How well the chunks that a search gave cover the characters that answer a query.

Both measures are over sets of characters: what several chunks cover (they overlap) counts once. Definitions: B. Smith
and A. Troynikov, "Evaluating Chunking Strategies for Retrieval", Chroma, 2024, there over tokens.
"""

from collections.abc import Iterable, Sequence

from graphrag.evaluation.datasets import Span

__all__ = ["character_iou", "character_recall", "united"]

Ranges = dict[str, list[tuple[int, int]]]


def character_recall(wanted: Iterable[Span], found: Iterable[Span]) -> float:
    """Return which share of the wanted characters was found, in 0..1; 1 where nothing is wanted."""
    gold = united(wanted)
    size = _size(gold)
    return _common(gold, united(found)) / size if size else 1.0


def character_iou(wanted: Iterable[Span], found: Iterable[Span]) -> float:
    """Return intersection over union of the wanted and the found characters, in 0..1; 1 where both are none."""
    gold, given = united(wanted), united(found)
    common = _common(gold, given)
    union = _size(gold) + _size(given) - common
    return common / union if union else 1.0


def united(spans: Iterable[Span]) -> Ranges:
    """Return the union of spans: for each document ranges [start, end), in order, with a gap between each two."""
    by_document: Ranges = {}
    for span in sorted(spans, key=lambda span: (span.document_id, span.start, span.end)):
        if span.start >= span.end:
            continue
        ranges = by_document.setdefault(span.document_id, [])
        if ranges and span.start <= ranges[-1][1]:
            start, end = ranges[-1]
            ranges[-1] = (start, max(end, span.end))
        else:
            ranges.append((span.start, span.end))
    return by_document


def _size(ranges: Ranges) -> int:
    return sum(end - start for of_one in ranges.values() for start, end in of_one)


def _common(left: Ranges, right: Ranges) -> int:
    return sum(_overlap(ranges, right[document]) for document, ranges in left.items() if document in right)


def _overlap(left: Sequence[tuple[int, int]], right: Sequence[tuple[int, int]]) -> int:
    """Return how many characters both have; each is in order and without overlaps."""
    common = i = j = 0
    while i < len(left) and j < len(right):
        common += max(0, min(left[i][1], right[j][1]) - max(left[i][0], right[j][0]))
        if left[i][1] <= right[j][1]:
            i += 1
        else:
            j += 1
    return common
