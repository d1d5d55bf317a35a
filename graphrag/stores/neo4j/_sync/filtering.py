# Generated from graphrag/stores/neo4j/_async/filtering.py by tools/generate_sync.py; do not edit.
"""Declaring filter properties: the vector index is made anew beside the live one, which serves until the switch.

    announce     the stamp names what is about to be declared; from then on no write brings a value that no
                 index key can hold, and what is stored already is looked through
    make         range indexes, then the vector index of the next generation, waited for
    switch       one write of the stamp, under its lock, if no one else was faster
    tidy         the old vector index, and the range indexes of what was removed, are dropped

Each step may be run again. Who is cut off leaves indexes that cost only writes, until the next change takes
them over or drops them. Of two at once, one switches first; the other sees that and begins again from there.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from graphrag.concurrency._sync import sleep
from graphrag.cypher import plain_word
from graphrag.errors import BusyError, InvalidRequestError, SchemaError
from graphrag.stores.neo4j._sync.connection import Writer
from graphrag.stores.neo4j._sync.guarding import known_lists
from graphrag.stores.neo4j._sync.long_values import check_long_values
from graphrag.stores.neo4j._sync.schema import Neo4jSchema
from graphrag.stores.neo4j.filterable import (
    COLLECTION,
    FilterProperty,
    check_names,
    left_over,
    next_generation,
)
from graphrag.stores.neo4j.indexes import IndexSpec, compare, range_index, vector_index
from graphrag.stores.neo4j.stamp import Stamp

__all__ = ["Neo4jFilterProperties"]

DROP_AFTER_S = 2.0
"""How long the old index stays after the switch, so that searches which began on it come to their end."""
_ATTEMPTS = 10
_PATIENCE_S = 5.0
"""How long another one's index that is online may wait for its switch, before it counts as left behind."""
_POLL_S = 0.25

Names = tuple[str, ...]


class Neo4jFilterProperties(Neo4jSchema):
    """Which properties the vector index filters by."""

    def filter_properties(self) -> list[FilterProperty]:
        """Return the declared filter properties, `collection` first, and how each stands.

        Raises:
            SchemaError: There is no schema.
            StoreError: The store failed.
        """
        stamp = self._fresh_stamp()
        found = self._indexes()
        live = found.get(stamp.vector_index)
        listed = stamp.list_properties
        return [
            FilterProperty(
                name=name,
                range_index=compare(range_index(name), found).state,
                in_vector_index=live is not None and live.state == "ONLINE" and name in live.properties[1:],
                holds_lists=name in listed if listed is not None else None,
            )
            for name in stamp.filter_properties
        ]

    def add_filter_properties(self, names: Iterable[str]) -> list[FilterProperty]:
        """Let the vector index filter by more properties. Searches go on meanwhile. Safe to repeat.

        Args:
            names: Names of metadata that are plain words, or `uri`, `document_title`, `page`, `sequence_number`.

        Returns:
            All filter properties, as they stand then.

        Raises:
            InvalidRequestError: A name is refused, or values that no index takes stand under it.
            BusyError: Others changed the filter properties again and again at the same time.
            SchemaError: There is no schema, or an index could not be made.
            StoreError: The store failed.
        """
        wanted = check_names(names)
        self._change(lambda declared: tuple(dict.fromkeys((*declared, *wanted))))
        return self.filter_properties()

    def remove_filter_properties(self, names: Iterable[str]) -> list[FilterProperty]:
        """Let the vector index filter by fewer properties. The data stay. Searches go on. Safe to repeat.

        Args:
            names: Any of those that are declared but `collection`; others are passed over.

        Returns:
            All filter properties, as they stand then.

        Raises:
            InvalidRequestError: A name is refused; `collection` is.
            BusyError: Others changed the filter properties again and again at the same time.
            SchemaError: There is no schema, or an index could not be made.
            StoreError: The store failed.
        """
        gone = check_names(names)
        if COLLECTION in gone:
            msg = f"`{COLLECTION}` cannot be removed: every search takes one collection or several"
            raise InvalidRequestError(msg)
        self._change(lambda declared: tuple(name for name in declared if name not in gone), gone)
        return self.filter_properties()

    def _change(self, change: Callable[[Names], Names], gone: Names = ()) -> None:
        for _ in range(_ATTEMPTS):
            stamp = self._fresh_stamp()
            names = change(stamp.filter_properties)
            self._drop_left_over(stamp)
            if names == stamp.filter_properties:
                self._tidy(stamp, gone)
                return
            if self._replace_index(stamp, names):
                sleep(DROP_AFTER_S)
        msg = "other programs change the filter properties at the same time, again and again; run this again later"
        raise BusyError(msg)

    def _fresh_stamp(self) -> Stamp:
        self._forget_stamp()
        return self._live_stamp()

    def _replace_index(self, stamp: Stamp, names: Names) -> bool:
        """Go over to a vector index that filters by these; False where another program was faster."""
        added = tuple(name for name in names if name not in stamp.filter_properties)
        if added:
            self._announce(added)
        ranges = [range_index(name) for name in added]
        wanted = next_generation(stamp, names)
        try:
            for spec in ranges:
                self._make_anew(spec)
            self._await_online(ranges)
            return self._make_vector_index(wanted, stamp) and self._switch(wanted, stamp)
        except SchemaError:
            # Whoever was faster has dropped what this one was waiting for.
            if (self._fresh_stamp()).index_generation == stamp.index_generation:
                raise
            return False

    def _announce(self, names: Names) -> None:
        """Have all writers keep to an index's bounds under these names, then check what they wrote before."""

        def announce(_: Writer, stamp: Stamp) -> Stamp:
            return replace(stamp, pending_properties=tuple(dict.fromkeys((*stamp.pending_properties, *names))))

        self._change_stamp(announce)
        try:
            check_long_values(self._connection, names, timeout_s=self._schema_settings.online_timeout_s)
        except InvalidRequestError:
            self._withdraw(names)
            raise

    def _withdraw(self, names: Names) -> None:
        def withdraw(_: Writer, stamp: Stamp) -> Stamp:
            return replace(stamp, pending_properties=tuple(n for n in stamp.pending_properties if n not in names))

        self._change_stamp(withdraw)

    def _make_anew(self, spec: IndexSpec) -> None:
        """Make an index; one of its name that failed, or is another, is dropped first."""
        if compare(spec, self._indexes()).state in {"different", "failed"}:
            self._drop(spec.name)
        self._create(spec)

    def _make_vector_index(self, wanted: Stamp, stamp: Stamp) -> bool:
        """Make the index of the next generation and wait for it; False where that generation is taken."""
        spec = vector_index(wanted)
        state = compare(spec, self._indexes()).state
        if state in {"missing", "populating", "ok"}:
            self._create(spec)
            state = compare(spec, self._indexes()).state
        if state == "different":
            # Another program makes it for other properties, or has left it behind.
            self._await_online([spec])
            ends = time.monotonic() + _PATIENCE_S
            while time.monotonic() < ends:
                if (self._fresh_stamp()).index_generation != stamp.index_generation:
                    return False
                sleep(_POLL_S)
        if state in {"different", "failed"}:
            self._give_up_generation(stamp)
            return False
        self._await_online([spec])
        return True

    def _give_up_generation(self, stamp: Stamp) -> None:
        """Pass over a generation, so that no one can switch to its index any more, and it can be dropped."""

        def skip(_: Writer, current: Stamp) -> Stamp:
            if current.index_generation != stamp.index_generation:
                return current
            return replace(current, index_generation=current.index_generation + 1)

        self._change_stamp(skip)

    def _switch(self, wanted: Stamp, stamp: Stamp) -> bool:
        """Write that the new index is the live one; False where another program switched first."""
        switched = False

        def switch(writer: Writer, current: Stamp) -> Stamp:
            nonlocal switched
            switched = current.index_generation == stamp.index_generation
            if not switched:
                return current
            following = next_generation(current, wanted.filter_properties)
            return replace(following, list_properties=known_lists(writer, following))

        self._change_stamp(switch)
        return switched

    def _drop_left_over(self, stamp: Stamp) -> None:
        for name in left_over(self._indexes(), stamp):
            self._drop(plain_word(name))

    def _tidy(self, stamp: Stamp, gone: Names) -> None:
        """Drop what is not declared any more, and make good what another program's tidying took away."""
        if any(name in stamp.pending_properties for name in gone):
            self._withdraw(gone)
        found = self._indexes()
        for name in gone:
            spec = range_index(name)
            if compare(spec, found).state not in {"missing", "different"}:
                self._drop(spec.name)
        for spec in (range_index(name) for name in stamp.filter_properties):
            if compare(spec, found).state == "missing":
                self._create(spec)
                self._await_online([spec])
