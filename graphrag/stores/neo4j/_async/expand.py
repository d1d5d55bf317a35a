"""From a result to what stands around it."""

from collections.abc import Collection
from typing import cast

from graphrag.errors import InvalidRequestError
from graphrag.filters.scope import Scope
from graphrag.model import Chunk, ContentElement, ResultList
from graphrag.model.identity import check_id
from graphrag.stores._async.protocols import AsyncResultExpander
from graphrag.stores.neo4j._async.part import AsyncPart
from graphrag.stores.neo4j.predicates import Predicates
from graphrag.stores.neo4j.rows import chunk_from_row, datum_from_row
from graphrag.stores.neo4j.subtree import render_subtree
from graphrag.stores.reports import ExpandMethod

__all__ = ["AsyncNeo4jExpansion"]


class AsyncNeo4jExpansion(AsyncPart, AsyncResultExpander):
    """Expansion along NEXT and HAS_CHILD."""

    async def expand_result(
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
                return await self._sequence(id, elements_to_add, seen)
            case ExpandMethod.ZOOM_OUT:
                return await self._zoom_out(id, seen)

    async def _sequence(self, id_: str, count: int, seen: Predicates) -> ResultList[Chunk | ContentElement]:
        limit = self._limits.max_chunks_to_add
        if type(count) is not int or not 0 <= count <= limit:
            msg = f"`elements_to_add` is {count!r}; it must be a whole number from 0 to {limit}"
            raise InvalidRequestError(msg)
        rows = await self._connection.read(
            "expand/sequence",
            {"id": id_, "count": count, **seen.parameters},
            slots={"hidden": await self._hidden_vectors(), **seen.slots},
        )
        return ResultList(chunk_from_row(row["chunk"]) for row in rows)

    async def _zoom_out(self, id_: str, seen: Predicates) -> ResultList[Chunk | ContentElement]:
        rows = await self._connection.read("expand/parent", {"id": id_, **seen.parameters}, slots=seen.slots)
        if not rows:
            return ResultList()
        parent = cast("ContentElement", datum_from_row(rows[0]["parent"], rows[0]["labels"]))
        limit = self._limits.max_zoom_out_chars
        below = await self._connection.read(
            # A heading has at least one character, so this many rows are more than fit.
            "expand/subtree",
            {"id": parent.id, "limit": limit + 1, **seen.parameters},
            slots=seen.slots,
        )
        text, truncated = render_subtree(parent.id, below, limit=limit)
        notes = [f"the text was cut at {limit} characters"] if truncated else []
        visible = rows[0]["visible_chunks"]
        update = {"text": text, "truncated": truncated, **({} if visible is None else {"chunk_count": visible})}
        return ResultList([parent.model_copy(update=update)], notes=notes)


def _checked_method(method: object) -> ExpandMethod:
    try:
        return ExpandMethod(str(method))
    except ValueError:
        known = ", ".join(ExpandMethod)
        msg = f"`method` is {str(method)[:80]!r}; it must be one of {known}"
        raise InvalidRequestError(msg) from None
