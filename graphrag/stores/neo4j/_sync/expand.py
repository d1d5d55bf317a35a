# Generated from graphrag/stores/neo4j/_async/expand.py by tools/generate_sync.py; do not edit.
"""From a result to what stands around it."""

from collections.abc import Collection, Mapping
from typing import cast

from graphrag.concurrency._sync import sleep
from graphrag.errors import InvalidRequestError
from graphrag.filters.scope import Scope
from graphrag.model import Chunk, ContentElement, ResultList
from graphrag.model.identity import check_id
from graphrag.stores._sync.protocols import ResultExpander
from graphrag.stores.neo4j._sync.part import Part
from graphrag.stores.neo4j.predicates import Predicates
from graphrag.stores.neo4j.rows import chunk_from_row, visible_datum
from graphrag.stores.neo4j.subtree import render_subtree
from graphrag.stores.reports import ExpandMethod

__all__ = ["Neo4jExpansion"]

_ATTEMPTS = 3
"""How often an element is read that a writer takes away meanwhile."""
_WAIT_S = 0.1


class Neo4jExpansion(Part, ResultExpander):
    """Expansion along NEXT and HAS_CHILD."""

    def expand_result(
        self,
        id: str,  # noqa: A002 - the name that the design gives it
        method: ExpandMethod,
        elements_to_add: int = 1,
        *,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
    ) -> ResultList[Chunk | ContentElement]:
        """Return the surroundings of a chunk or section (see the protocol)."""
        check_id(id)
        seen = Predicates.of_chunks(None, scope, collections)
        match _checked_method(method):
            case ExpandMethod.SEQUENCE:
                return self._sequence(id, elements_to_add, seen)
            case ExpandMethod.ZOOM_OUT:
                return self._zoom_out(id, seen)

    def _sequence(self, id_: str, count: int, seen: Predicates) -> ResultList[Chunk | ContentElement]:
        limit = self._limits.max_chunks_to_add
        if type(count) is not int or not 0 <= count <= limit:
            msg = f"`elements_to_add` is {count!r}; it must be a whole number from 0 to {limit}"
            raise InvalidRequestError(msg)
        rows = self._connection.read(
            "expand/sequence",
            {"id": id_, "count": count, **seen.parameters},
            slots={"hidden": self._hidden_vectors(), **seen.slots},
        )
        return ResultList(chunk_from_row(row["chunk"]) for row in rows)

    def _zoom_out(self, id_: str, seen: Predicates) -> ResultList[Chunk | ContentElement]:
        limit = self._limits.max_zoom_out_chars
        for attempt in range(_ATTEMPTS):
            sleep(attempt * _WAIT_S)
            rows = self._connection.read(
                # A heading has at least one character, so this many rows are more than fit.
                "expand/zoom_out",
                {"id": id_, "limit": limit + 1, **seen.parameters},
                slots=seen.slots,
            )
            if not rows:
                return ResultList()
            row = rows[0]
            # At least the element itself stands below its parent, and has a text: where it does not, a writer took
            # one of the two away while they were read.
            if row["below"] and row["labels"] and (zoomed := _zoomed(row, limit=limit))[0].text:
                return zoomed
        return ResultList()

    def path_from_root(
        self,
        id: str,  # noqa: A002 - the name that the design gives it
        *,
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
    ) -> list[Chunk | ContentElement]:
        """Return the way from a document down to one of its sections or chunks (see the protocol)."""
        check_id(id)
        seen = Predicates.of_chunks(None, scope, collections)
        rows = self._connection.read(
            "expand/path_from_root",
            {"id": id, **seen.parameters},
            slots={"hidden": self._hidden_vectors(), **seen.slots},
        )
        return [cast("Chunk | ContentElement", visible_datum(row)) for row in rows]


def _zoomed(row: Mapping[str, object], *, limit: int) -> ResultList[Chunk | ContentElement]:
    parent = cast(
        "ContentElement",
        visible_datum({"properties": row["parent"], "labels": row["labels"], "visible_chunks": row["visible_chunks"]}),
    )
    below = cast("list[Mapping[str, object]]", row["below"])
    text, truncated = render_subtree(parent.id, below, limit=limit)
    notes = [f"the text was cut at {limit} characters"] if truncated else []
    return ResultList([parent.model_copy(update={"text": text, "truncated": truncated})], notes=notes)


def _checked_method(method: object) -> ExpandMethod:
    try:
        return ExpandMethod(str(method))
    except ValueError:
        known = ", ".join(ExpandMethod)
        msg = f"`method` is {str(method)[:80]!r}; it must be one of {known}"
        raise InvalidRequestError(msg) from None
