"""The walk over a passage: where each chunk begins and ends."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from graphrag.ingestion.chunker.boundaries import first_word_start, last_grapheme_border, last_word_start
from graphrag.ingestion.chunker.passage import Passage

__all__ = ["CutSizes", "Measured", "NoRoomError", "Piece", "cut"]


class Measured(Protocol):
    """What a piece becomes, and how many tokens that has."""

    @property
    def tokens(self) -> int:
        """Tokens of the transformed text; 0 where nobody counts."""
        ...


_NOT_BLANK = re.compile(r"\S")

Draft = TypeVar("Draft", bound=Measured)


@dataclass(frozen=True, slots=True)
class CutSizes:
    """Bounds of one piece: characters of own text, and tokens of what it becomes (None: not bounded)."""

    max_chars: int
    overlap: int
    max_tokens: int | None


@dataclass(frozen=True, slots=True)
class Piece(Generic[Draft]):
    """[start, end) of a passage, and what it becomes."""

    start: int
    end: int
    draft: Draft


class NoRoomError(Exception):
    """Not one character fits beside what the transformers add. `tokens` is what that took."""

    def __init__(self, tokens: int) -> None:
        super().__init__(tokens)
        self.tokens = tokens


def cut(passage: Passage, sizes: CutSizes, *, render: Callable[[int, int], Draft]) -> Iterator[Piece[Draft]]:
    """Yield pieces that cover the passage, in order.

    Laid together without overlap they give the passage exactly: each begins at or before the end of the
    one before it, and ends after it. An overlap begins where a sentence begins, else a word.

    Args:
        passage: Text with something in it.
        sizes: Bounds that each piece keeps.
        render: What a piece becomes; called again for a shorter piece where that has too many tokens.

    Raises:
        NoRoomError: A single character has too many tokens.
    """
    cutter = _Cutter(passage, sizes, render)
    start = done = 0
    while done < len(passage.text):
        piece = cutter.piece(start, done)
        yield piece
        done = piece.end
        start = cutter.overlap_start(piece)


class _Cutter(Generic[Draft]):
    def __init__(self, passage: Passage, sizes: CutSizes, render: Callable[[int, int], Draft]) -> None:
        self._passage = passage
        self._sizes = sizes
        self._render = render
        self._length = len(passage.text)
        self._overhead = 0
        """Tokens that transformers added to the last piece: the best guess for the next one."""
        self._excess = 0
        """By how many tokens the last try was over the limit."""

    def piece(self, start: int, done: int) -> Piece[Draft]:
        """Return the piece from `start` on that ends after `done`; without overlap where that cuts better."""
        max_chars, room = self._sizes.max_chars, self._room()
        if start == 0 and self._length <= max_chars:
            # Most sections fit whole: one look at the transformed text settles it.
            piece = self._accept(0, self._length)
            if piece is not None:
                return piece
            room = self._room()
        while True:
            end, clean = self._end(start, done, max_chars, room)
            if not clean and start < done:
                start, max_chars, room = done, self._sizes.max_chars, self._room()
                continue
            piece = self._accept(start, end)
            if piece is not None:
                return piece
            if end - start == 1:
                raise NoRoomError(self._excess + (self._sizes.max_tokens or 0))
            # First by tokens; where that does not shorten it (one token may span a long word), by half.
            room = min(room or 0, self._passage.token_count(start, end)) - self._excess
            if room < 1 or self._end(start, done, max_chars, room)[0] >= end:
                room, max_chars = max(1, room), max(1, (end - start) // 2)

    def _room(self) -> int | None:
        """Return how many tokens of own text to try for, by what the last piece took beside them."""
        return None if self._sizes.max_tokens is None else max(1, self._sizes.max_tokens - self._overhead)

    def _accept(self, start: int, end: int) -> Piece[Draft] | None:
        """Return the piece if it keeps the limit of tokens."""
        draft = self._render(start, end)
        if self._sizes.max_tokens is not None:
            self._excess = draft.tokens - self._sizes.max_tokens
            self._overhead = max(0, draft.tokens - self._passage.token_count(start, end))
            if self._excess > 0:
                return None
        return Piece(start, end, draft)

    def _end(self, start: int, done: int, max_chars: int, room: int | None) -> tuple[int, bool]:
        """Return the best end after `done`, and whether no word is cut there."""
        limit = min(start + max_chars, self._length)
        if room is not None:
            limit = min(limit, max(self._passage.token_limit(start, room), start + 1))
        if limit >= self._length:
            return self._length, True
        if limit <= done:
            return done + 1, False
        # A border that leaves the piece nearly empty is no good place to end it: the next finer kind is.
        quarter = max(done, start + (limit - start) // 4)
        fit = _Fit(max_chars, room)
        for places in (self._passage.paragraphs, self._passage.sentences):
            found = self._last(places, quarter, limit, fit)
            if found is not None:
                return found, True
        word = self._outside_row(last_word_start(self._passage.text, done, limit), done, fit)
        if word is not None:
            return word, True
        edge = self._outside_row(limit, done, fit)
        if edge is not None and edge < limit:
            return edge, True
        end = last_grapheme_border(self._passage.text, done, limit)
        if end - 1 > done and not _NOT_BLANK.search(self._passage.text, end):
            # Blanks alone would make an empty-looking last chunk.
            end = last_grapheme_border(self._passage.text, done, end - 1)
        return end, False

    def _last(self, places: Sequence[int], low: int, limit: int, fit: "_Fit") -> int | None:
        index = bisect_right(places, limit) - 1
        return self._outside_row(places[index], low, fit) if index >= 0 and places[index] > low else None

    def _outside_row(self, place: int | None, low: int, fit: "_Fit") -> int | None:
        """Return `place`, or the start of the table row that it would part; None where that is not after `low`."""
        if place is None:
            return None
        row = self._passage.row_around(place)
        if row is not None and self._fits_alone(row, fit):
            place = row[0]
        return place if place > low else None

    def _fits_alone(self, row: tuple[int, int], fit: "_Fit") -> bool:
        start, end = row
        if end - start > fit.max_chars:
            return False
        return fit.room is None or self._passage.token_count(start, end) <= fit.room

    def overlap_start(self, piece: Piece[Draft]) -> int:
        """Return where the piece after this one begins."""
        end, overlap = piece.end, self._sizes.overlap
        length = end - piece.start
        if self._sizes.max_tokens is not None and length < self._sizes.max_chars // 2:
            # Tokens ended it, not characters: the overlap keeps its share, or steps would become tiny.
            overlap = overlap * length // self._sizes.max_chars
        low = max(end - overlap, piece.start + 1)
        if low >= end:
            return end
        fit = _Fit(self._sizes.max_chars, self._sizes.max_tokens)
        places = self._passage.sentences
        index = bisect_left(places, low)
        while index < len(places) and places[index] < end:
            row = self._passage.row_around(places[index])
            if row is None or not self._fits_alone(row, fit):
                return places[index]
            index = bisect_left(places, row[1])
        word = first_word_start(self._passage.text, low, end)
        if word is None:
            return end
        row = self._passage.row_around(word)
        return word if row is None or not self._fits_alone(row, fit) else end


@dataclass(frozen=True, slots=True)
class _Fit:
    """What a table row must be within to stay whole."""

    max_chars: int
    room: int | None
