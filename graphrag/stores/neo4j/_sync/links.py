# Generated from graphrag/stores/neo4j/_async/links.py by tools/generate_sync.py; do not edit.
"""Links between what was ingested, followed both ways."""

from collections.abc import Collection, Mapping
from typing import cast

from graphrag.errors import InvalidRequestError
from graphrag.filters.scope import Scope
from graphrag.model import Chunk, ContentElement, Link, LinkDirection, ResultList
from graphrag.model.identity import check_id
from graphrag.stores._sync.protocols import LinkFollower
from graphrag.stores.neo4j._sync.part import Part
from graphrag.stores.neo4j.limits import check_limit
from graphrag.stores.neo4j.predicates import Predicates
from graphrag.stores.neo4j.rows import visible_datum

__all__ = ["Neo4jLinks"]

MAX_LINKS = 1_000
_STATEMENTS: Mapping[LinkDirection, str] = {"out": "link/outgoing", "in": "link/incoming"}


class Neo4jLinks(Part, LinkFollower):
    """Reading along LINKS_TO."""

    def follow_links(
        self,
        id: str,  # noqa: A002 - the name that the design gives it
        *,
        direction: LinkDirection = "out",
        scope: Scope | None = None,
        collections: Collection[str] | None = None,
        limit: int = 100,
    ) -> ResultList[Link]:
        """Return the links of a chunk, section or document (see the protocol)."""
        check_id(id)
        check_limit(limit, most=MAX_LINKS)
        name = _STATEMENTS.get(direction)
        if name is None:
            msg = f"`direction` is {str(direction)[:80]!r}; it must be one of {', '.join(_STATEMENTS)}"
            raise InvalidRequestError(msg)
        seen = Predicates.of_chunks(None, scope, collections)
        slots = dict(seen.slots)
        if direction == "in":
            slots["hidden"] = self._hidden_vectors()
        rows = self._connection.read(name, {"id": id, "limit": limit + 1, **seen.parameters}, slots=slots)
        notes = [f"there are more links; the first {limit} are listed"] if len(rows) > limit else []
        links = [
            Link(
                direction,
                source_id=str(row["source_id"]),
                target_id=str(row["target_id"]),
                element=cast("Chunk | ContentElement", visible_datum(row)),
            )
            for row in rows[:limit]
        ]
        return ResultList(links, notes=notes)
