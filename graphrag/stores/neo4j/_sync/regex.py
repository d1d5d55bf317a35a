# Generated from graphrag/stores/neo4j/_async/regex.py by tools/generate_sync.py; do not edit.
"""Search by regular expression: candidates from the index of texts, each verified by RE2 on this side.

No pattern reaches the server, whose `=~` no time-out stops. What every match must contain is pulled out of the
pattern. The first chunks in the order of the answer tell whether many hold that: then the search goes on among the
next ones, and ends with the last hit that is wanted. Else the index is asked for it. Where there is nothing of that
kind, all chunks that the filter lets through are read, page by page and in the same order.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeVar, cast

from graphrag.concurrency._sync import run_blocking
from graphrag.errors import TimeoutExceededError
from graphrag.filters.nodes import PropertyFilter
from graphrag.filters.scope import Scope
from graphrag.model import Chunk, ResultList, Retrievable, SearchExplanation, SimilarityResult
from graphrag.model.result import SearchPath
from graphrag.query.literals import MIN_INDEXED_CHARS
from graphrag.query.matching import MatchBudget
from graphrag.query.pattern import Pattern, compile_pattern
from graphrag.stores._sync.protocols import RegexSearchOperations
from graphrag.stores.neo4j._sync.search import Neo4jSearch
from graphrag.stores.neo4j.predicates import Conditions, Predicate

__all__ = ["Neo4jRegex"]

R = TypeVar("R", bound=Retrievable)
Row = Mapping[str, object]

_PAGES = (256, 1_024, 2_048)
"""Rows of a page: few at first, since most searches end there; the last goes for all that follow."""
_INDEX_PAGES = len(_PAGES)
"""The index gives its candidates anew and in no order for each page. Where it has as many as these pages hold, they
are dense, and are read in order of the answer instead."""
_LOOKS = (256, 1_024, 4_096)
"""Chunks that are looked at without the index, in order of the answer, one number after the other."""
_DENSE = 1 / 64
"""Share of those that hold what a match must contain, from which on the next are looked at too: the index gives all
that hold it before the first one is known."""
_LEAST_TIMEOUT_S = 0.01

_BLANK = "the pattern is blank, so nothing was searched"
_BUDGETS = {
    "rows": "{rows:,} chunks (`search.regex_max_rows`)",
    "bytes": "{bytes:,} bytes of text (`search.regex_max_bytes`)",
    "time": "{seconds:g} s (`search.regex_timeout_s`)",
}


@dataclass(slots=True)
class _Call:
    """One search: what it looks for, what it may spend, how far it has come."""

    pattern: Pattern
    top_k: int
    where: Predicate
    budget: MatchBudget
    path: SearchPath
    rounds: int = 0
    after: tuple[str, int] = ("", -1)
    hits: list[str] = field(default_factory=list[str])

    @property
    def literals(self) -> list[str]:
        """What the index is asked for; empty where it cannot be asked."""
        first = self.pattern.clauses[0] if self.pattern.clauses else frozenset[str]()
        return sorted(first) if first and min(map(len, first)) >= MIN_INDEXED_CHARS else []

    @property
    def clauses(self) -> list[list[str]]:
        """What each match contains, as parameters have it."""
        return [sorted(clause) for clause in self.pattern.clauses]

    @property
    def is_over(self) -> bool:
        """Whether enough is found, or the budget is spent."""
        return len(self.hits) >= self.top_k or bool(self.budget.spent)

    def explain(self) -> SearchExplanation:
        return SearchExplanation(
            leg="regex",
            path=self.path,
            candidates=self.budget.looked_at,
            matched=len(self.hits),
            rounds=self.rounds,
            predicate=self.where.told,
        )


class Neo4jRegex(Neo4jSearch, RegexSearchOperations):
    """Search by regular expression, beside the others."""

    def regex_search(
        self,
        pattern: str,
        top_k: int = 10,
        kind: type[R] = Chunk,  # type: ignore[assignment]  # PEP 696 defaults come with Python 3.13
        *,
        where: PropertyFilter | None = None,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
        explain: bool = False,
    ) -> ResultList[SimilarityResult[R]]:
        """Return what a regular expression matches somewhere in (see the protocol)."""
        self._check(kind, top_k)
        compiled = run_blocking(compile_pattern, pattern, limits=self._limits)
        if not pattern.strip():
            return ResultList(notes=[_BLANK])
        conditions = Conditions.of_chunks(where, scope, collections)
        found = self._searched(lambda: self._by_pattern(compiled, conditions, top_k), explain=explain)
        return cast("ResultList[SimilarityResult[R]]", found)

    def _by_pattern(self, pattern: Pattern, conditions: Conditions, top_k: int) -> ResultList[SimilarityResult[Chunk]]:
        self._live_stamp()
        settings = self._search_settings
        budget = MatchBudget(settings.regex_max_rows, settings.regex_max_bytes, settings.regex_timeout_s)
        call = _Call(pattern, top_k, conditions.compiled(), budget, "nothing")
        if not conditions.never:
            call.path = "scan"
            if not call.literals or not self._look(call):
                call.path = "text_index" if call.literals else "scan"
                self._match_pages(call)
        chunks = self._chunks_by_id(call.hits, conditions)
        results = [SimilarityResult(chunks[id_], 1.0) for id_ in call.hits if id_ in chunks]
        return ResultList(results, notes=self._notes(call), explanations=[call.explain()])

    def _look(self, call: _Call) -> bool:
        """Look at the first chunks without the index, at more where many hold the text; tell whether that was all."""
        for looked_at in _LOOKS:
            parameters = {**self._parameters(call), "looked_at": looked_at}
            call.rounds += 1
            rows = self._rows("chunk/regex_look", call, parameters)
            if not rows:
                return True
            row = rows[0]
            page = cast("list[Row]", row["found"])
            self._match(call, page)
            seen = int(cast("int", row["seen"]))
            if call.is_over or seen < looked_at:
                return True
            call.after = (str(row["last_document"]), int(cast("int", row["last_number"])))
            if len(page) < seen * _DENSE:
                return False
        return False

    def _match_pages(self, call: _Call) -> None:
        """Match page after page until enough is found, nothing is left, or the budget is spent."""
        pages = 0
        while not call.is_over:
            limit = _PAGES[min(pages, len(_PAGES) - 1)]
            page = self._page(call, limit, by_index=bool(call.literals) and pages < _INDEX_PAGES)
            pages += 1
            self._match(call, page)
            if len(page) < limit:
                return
            last = page[-1]
            call.after = (str(last["document_id"]), int(cast("int", last["sequence_number"])))

    def _match(self, call: _Call, page: list[Row]) -> None:
        """Take those candidates for hits that the pattern matches, as many as are wanted."""
        texts = [str(row["urtext"]) for row in page]
        wanted = call.top_k - len(call.hits)
        places = run_blocking(call.budget.matching, call.pattern, texts, wanted=wanted)
        call.hits += [str(page[place]["id"]) for place in places]

    def _page(self, call: _Call, limit: int, *, by_index: bool) -> list[Row]:
        """Return the next candidates; none, and the time spent, where the server did not give them in time."""
        parameters = {**self._parameters(call), "limit": limit}
        name = "chunk/regex_scan"
        if by_index:
            name = "chunk/regex_candidates"
            parameters |= {"literals": call.literals, "clauses": call.clauses[1:]}
        call.rounds += 1
        return self._rows(name, call, parameters)

    def _parameters(self, call: _Call) -> dict[str, object]:
        after_document, after_number = call.after
        return {
            **call.where.parameters,
            "clauses": call.clauses,
            "after_document": after_document,
            "after_number": after_number,
        }

    def _rows(self, name: str, call: _Call, parameters: Mapping[str, object]) -> list[Row]:
        timeout_s = max(call.budget.left_s(), _LEAST_TIMEOUT_S)
        try:
            rows = self._connection.read(name, parameters, slots={"where": call.where.text}, timeout_s=timeout_s)
        except TimeoutExceededError:
            call.budget.spent = "time"
            return []
        return list(rows)

    def _notes(self, call: _Call) -> list[str]:
        budget = call.budget
        if budget.spent:
            settings = self._search_settings
            limit = _BUDGETS[budget.spent].format(
                rows=settings.regex_max_rows, bytes=settings.regex_max_bytes, seconds=settings.regex_timeout_s
            )
            cut = f"the search was cut at its limit of {limit}, after {budget.looked_at:,} chunks"
            advice = "a pattern with more literal text in it, or a narrower filter, needs less"
            return [f"{cut}, so there may be further hits; {advice}"]
        if call.hits:
            return []
        through = " that the filter lets through" if call.where.told else ""
        return [f"no chunk{through} holds a match of the pattern"]
