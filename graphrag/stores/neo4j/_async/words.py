"""The chunks that hold a query's words, under any filter."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import cast, get_args

from graphrag.concurrency._async import run_blocking
from graphrag.errors import InvalidRequestError
from graphrag.model import Chunk, SearchExplanation, TextMode
from graphrag.query.literal import LiteralQuery, literal_query
from graphrag.query.lucene import LuceneQuery, lucene_query
from graphrag.stores.neo4j._async.part import AsyncPart
from graphrag.stores.neo4j.paths import first_candidates, next_candidates
from graphrag.stores.neo4j.predicates import Conditions, Predicate
from graphrag.stores.neo4j.rows import chunk_from_row
from graphrag.stores.neo4j.scores import raw_floor

__all__ = ["AsyncNeo4jWords", "TextHits", "check_text_mode"]

CHECKED_HITS = 5_000
"""Hits of a text search that are checked for identifiers by CONTAINS, best first: bounds its time."""
_LONG_QUERY_CHARS = 1_000
"""From here on it takes longer to read a query than to hand it to a thread."""
_MAX_TOP_HITS = 5_000
"""Most hits that are asked for as a number; after that all of them are gone through."""


@dataclass(frozen=True, slots=True)
class TextHits:
    """What the text leg found.

    Attributes:
        raws: Id to raw score, best first.
        notes: What was cut or replaced.
        explanation: How it was run; None where nothing was.
        chunks: Those of the hits that came with them; the others are to be read by their ids.
    """

    raws: dict[str, float]
    notes: Sequence[str]
    explanation: SearchExplanation | None = None
    chunks: dict[str, Chunk] = field(default_factory=dict[str, Chunk])


class AsyncNeo4jWords(AsyncPart):
    """The text leg of searches."""

    async def _by_query(
        self, query: str, conditions: Conditions, *, mode: TextMode, top_k: int, floor: float, whole: bool
    ) -> TextHits:
        """Return the best hits of a query among the chunks that match.

        Args:
            query: Any text.
            conditions: What must hold of a chunk.
            mode: How the text is read.
            top_k: Most hits.
            floor: Lowest score in 0..1.
            whole: Whether chunks may come with the hits; they do where that saves a statement.
        """
        read = await self._read(query, mode)
        if not read.lucene:
            return TextHits({}, read.notes)
        if floor >= 1:
            return TextHits({}, [*read.notes, "no text score reaches 1"])
        if conditions.never:
            nothing = SearchExplanation(leg="text", path="nothing", candidates=0, matched=0, rounds=0)
            return TextHits({}, read.notes, nothing)
        where = conditions.compiled()
        least = raw_floor(floor)
        if read.identifiers:
            found = await self._with_identifiers(read, where, top_k=top_k, floor=least)
        else:
            found = await self._best(read.lucene, where, top_k=top_k, floor=least, whole=whole)
        if not found.raws and not found.notes and not read.notes:
            wanted = " that the filter lets through" if conditions.nodes else ""
            held = "what the query asks for" if mode == "lucene" else "a word of the query"
            found = TextHits({}, [f"no chunk{wanted} holds {held} (stop words are not indexed)"], found.explanation)
        return replace(found, notes=[*read.notes, *found.notes])

    async def _read(self, query: str, mode: TextMode) -> LiteralQuery | LuceneQuery:
        if mode == "lucene":
            # Its parser takes milliseconds for each hundred characters.
            return await run_blocking(lucene_query, query, limits=self._limits)
        if len(query) > _LONG_QUERY_CHARS:
            return await run_blocking(literal_query, query, limits=self._limits)
        return literal_query(query, limits=self._limits)

    async def _best(self, lucene: str, where: Predicate, *, top_k: int, floor: float, whole: bool) -> TextHits:
        """Ask for as many hits as are likely to do, and for more where too few pass or the last place is shared."""
        key = ("text", where.fingerprint())
        filtered = bool(where.told)
        known = self._matches.recall(key) if filtered else None
        share = known.share if known else None
        wanted = top_k + 1
        hits = first_candidates(wanted, share if filtered else 1.0, most=_MAX_TOP_HITS)
        parameters = {**where.parameters, "query": lucene, "floor": floor, "top_k": top_k}
        name, slots = "chunk/text_top", {"where": where.text}
        if whole:
            name, slots = "chunk/text_search", {**slots, "hidden": await self._hidden_vectors()}
        rounds, seen = 0, 0
        # Where so few pass that the most that is asked for would not do, all hits are gone through at once.
        while share is None or wanted <= share * _MAX_TOP_HITS:
            rounds += 1
            asked = {**parameters, "hits": hits}
            row = (await self._connection.read(name, asked, slots=slots))[0]
            seen, passed = int(cast("int", row["seen"])), int(cast("int", row["passed"]))
            found = cast("list[dict[str, object]]", row["found"])
            if filtered and seen:
                self._matches.learn(key, few=False, share=passed / seen)
            if seen < hits or _is_settled(found, row["last"], top_k=top_k, floor=floor):
                return _hits(found, where, candidates=seen, matched=passed, rounds=rounds)
            if hits >= _MAX_TOP_HITS:
                break
            hits = next_candidates(wanted, hits, passed, most=_MAX_TOP_HITS)
        everything = {**parameters, "identifiers": [], "must_hold": False, "terms": 1, "checked": top_k}
        rows = await self._connection.read("chunk/text_candidates", everything, slots={"where": where.text})
        return _hits(rows, where, candidates=max(seen, len(rows)), matched=None, rounds=rounds + 1)

    async def _with_identifiers(
        self, read: LiteralQuery | LuceneQuery, where: Predicate, *, top_k: int, floor: float
    ) -> TextHits:
        """Go through all hits: those that hold an identifier as it stands come before others that are as good.

        The bonus is the identifiers' share of the query's terms: one that is the query doubles the score, one in a
        sentence of ten words adds a tenth. Doubling it there, too, costs 0.013 of nDCG@10 (docs/evaluation.md).
        """
        parameters: dict[str, object] = {
            **where.parameters,
            "query": read.lucene,
            "identifiers": list(read.identifiers),
            "must_hold": read.only_identifiers,
            "terms": read.terms,
            "checked": max(top_k, CHECKED_HITS),
            "floor": floor,
            "top_k": top_k,
        }
        slots = {"where": where.text}
        rows = await self._connection.read("chunk/text_candidates", parameters, slots=slots)
        if rows or not read.only_identifiers:
            return _hits(rows, where, candidates=len(rows), matched=None, rounds=1)
        parameters["must_hold"] = False
        rows = await self._connection.read("chunk/text_candidates", parameters, slots=slots)
        found = _hits(rows, where, candidates=len(rows), matched=None, rounds=2)
        notes = ["no chunk holds the query with its symbols, so its words alone were searched"] if rows else []
        return TextHits(found.raws, notes, found.explanation)


def _is_settled(found: Sequence[dict[str, object]], last: object, *, top_k: int, floor: float) -> bool:
    """Tell whether no hit behind the last one can belong among those found."""
    if last is None:
        return True
    lowest = float(cast("float", last))
    # Hits of one score come in no order: those behind the last one may belong before it by their ids.
    return lowest < floor or (len(found) == top_k and float(cast("float", found[-1]["raw"])) > lowest)


def _hits(
    rows: Sequence[dict[str, object]],
    where: Predicate,
    *,
    candidates: int,
    matched: int | None,
    rounds: int,
) -> TextHits:
    explanation = SearchExplanation(
        leg="text",
        path="over_fetch" if where.told else "index",
        candidates=candidates,
        matched=matched,
        rounds=rounds,
        predicate=where.told,
    )
    # What a writer deletes right after it was tested has no id any more.
    rows = [row for row in rows if row["id"] is not None]
    raws = {str(row["id"]): float(cast("float", row["raw"])) for row in rows}
    chunks = {str(row["id"]): chunk_from_row(row["chunk"]) for row in rows if "chunk" in row}
    return TextHits(raws, [], explanation, chunks)


def check_text_mode(mode: object) -> None:
    """Check that a text search knows its mode.

    Raises:
        InvalidRequestError: It does not.
    """
    if mode not in get_args(TextMode):
        msg = f"the mode of a text search is {mode!r}; it must be `literal` or `lucene`"
        raise InvalidRequestError(msg)
