"""Filters and scopes as what fills the slots of statements, with the parameters that they bring."""

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Self

from graphrag.compilers.cypher import CypherCompiler
from graphrag.cypher import Fragment
from graphrag.filters.nodes import FilterNode, PropertyFilter
from graphrag.filters.scope import Scope, check_counted, check_scope, in_collections
from graphrag.filters.simplify import FALSE, conjuncts
from graphrag.stores.neo4j.pushing import OWN_SCALARS
from graphrag.stores.neo4j.temporal import driver_value

__all__ = ["Conditions", "Predicate", "Predicates", "predicate"]

_ALWAYS = "true"


@dataclass(frozen=True, slots=True)
class Predicate:
    """A compiled filter: the text that fills a slot, and the values of its parameters."""

    text: Fragment
    parameters: dict[str, object]

    @property
    def told(self) -> str:
        """The text, for explanations; empty where it is no condition."""
        return "" if self.text == _ALWAYS else str(self.text)

    def fingerprint(self) -> bytes:
        """Return what tells this predicate from others: short, however long its values are."""
        told = repr((self.text, sorted(self.parameters.items())))
        return hashlib.blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class Conditions:
    """What must all hold of a node, in simplest form."""

    nodes: tuple[FilterNode, ...] = ()

    @classmethod
    def of(cls, filters: Iterable[PropertyFilter | None]) -> Self:
        """Return the conjunction of filters; None is no condition."""
        return cls(conjuncts(filters))

    @classmethod
    def of_chunks(cls, where: PropertyFilter | None, scope: Scope | None, collections: Collection[str] | None) -> Self:
        """Return what must hold of a chunk that a call may find."""
        return cls.of((*check_scope(scope).within(collections).metadata, where))

    @property
    def never(self) -> bool:
        """Whether they hold of no node at all."""
        return self.nodes == (FALSE,)

    def compiled(self, alias: str = "c", *, prefix: str = "_filter_", listless: Collection[str] = ()) -> Predicate:
        """Return the predicate over a variable of a statement.

        Args:
            alias: The variable.
            prefix: Of its parameters; two predicates of one statement need two.
            listless: Properties that are known to hold no lists, beside our own.
        """
        return predicate(self.nodes, alias, prefix=prefix, listless=listless)


def predicate(
    filters: Iterable[PropertyFilter | None], alias: str, *, prefix: str, listless: Collection[str] = ()
) -> Predicate:
    """Return the predicate that is true where all filters are (see `Conditions.compiled`)."""
    compiler = CypherCompiler(alias, prefix, scalar_keys=OWN_SCALARS.union(listless))
    compiled = compiler.compile(filters)
    return Predicate(
        Fragment(compiled.text), {name: driver_value(value) for name, value in compiled.parameters.items()}
    )


@dataclass(slots=True)
class Predicates:
    """The predicates of one call: slots, and the parameters of all of them."""

    slots: dict[str, Fragment] = field(default_factory=dict[str, Fragment])
    parameters: dict[str, object] = field(default_factory=dict[str, object])

    def add(self, slot: str, filters: Iterable[PropertyFilter | None], alias: str) -> Self:
        """Fill a slot with the conjunction of filters; leave it at its default where there is none."""
        conditions = Conditions.of(filters)
        if conditions.nodes:
            made = conditions.compiled(alias, prefix=f"_{slot}_")
            self.slots[slot] = made.text
            self.parameters |= made.parameters
        return self

    @classmethod
    def of_chunks(cls, where: PropertyFilter | None, scope: Scope | None, collections: Collection[str] | None) -> Self:
        """Return what chunks must be, in the slot `where` over `c`."""
        seen = check_scope(scope).within(collections)
        made = cls()
        made.parameters["scoped"] = bool(seen.metadata)
        return made.add("where", (*seen.metadata, where), "c")

    @classmethod
    def of_documents(
        cls,
        where: PropertyFilter | None,
        scope: Scope | None,
        collections: Collection[str] | None,
        *,
        slot: str = "where",
    ) -> Self:
        """Return what documents must be: a slot over `d`, and `visible` over `c`, one of their chunks.

        Documents bear their collection themselves, which an index finds.

        Raises:
            InvalidFilterError: Within a scope, `where` reads the number of a document's chunks.
        """
        seen = check_scope(scope)
        check_counted(where, seen)
        made = cls().add(slot, (in_collections(collections), where), "d")
        made.parameters["scoped"] = bool(seen.metadata)
        return made.add("visible", seen.metadata, "c")

    @classmethod
    def of_entities(cls, where: PropertyFilter | None, scope: Scope | None) -> Self:
        """Return what entities must be: `where` and `own` over `e`, and `visible` over `c`, which mentions one."""
        seen = check_scope(scope)
        made = cls().add("where", (*seen.entity, where), "e")
        made.parameters["scoped"] = bool(seen.metadata)
        return made.add("visible", seen.metadata, "c").add("own", seen.metadata, "e")

    @classmethod
    def of_nodes(cls, scope: Scope | None, collections: Collection[str] | None) -> Self:
        """Return what any node `n` must be: `where` over `c`, a chunk of it; `entity` and `own` over itself."""
        seen = check_scope(scope)
        made = cls.of_chunks(None, seen, collections)
        # Entities belong to no collection: a search in one does not hide those that stand alone.
        return made.add("entity", seen.entity, "n").add("own", seen.metadata, "n")
