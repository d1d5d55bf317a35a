# Generated from graphrag/stores/neo4j/_async/guarding.py by tools/generate_sync.py; do not edit.
"""The schema's stamp under its lock: changed by one at a time, and compared before each write."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from graphrag.errors import SchemaError
from graphrag.stores.neo4j._sync.connection import Writer
from graphrag.stores.neo4j._sync.part import Part
from graphrag.stores.neo4j.filterable import list_names
from graphrag.stores.neo4j.stamp import MAX_LIST_NAMES, Stamp, parse_stamp

__all__ = ["SCHEMA_ATTEMPTS", "GuardedPart", "SchemaChangedError", "known_lists", "list_valued_names"]

T = TypeVar("T")

SCHEMA_ATTEMPTS = 5
"""How often a write begins: who declares a filter property changes the stamp twice, soon after each other."""


class SchemaChangedError(SchemaError):
    """The schema was dropped or changed since this store read its stamp; nothing was written."""


class GuardedPart(Part):
    """What writes check of the stamp, and what they note in it."""

    def _under_one_schema(self, call: Callable[[], T]) -> T:
        """Return what a call gives, made again where another program changed the schema meanwhile."""
        for _ in range(SCHEMA_ATTEMPTS - 1):
            try:
                return call()
            except SchemaChangedError:
                continue
        return call()

    def _check_unchanged(self, stored: object, stamp: Stamp) -> Stamp:
        """Return what is stored; refuse to write under another schema: without its constraints nodes double."""
        current = None if stored is None else parse_stamp(stored)
        if current is None or current != stamp:
            self._forget_stamp()
            msg = "the schema was dropped or changed by another program in the meantime; nothing was written: try again"
            raise SchemaChangedError(msg, retryable=True)
        return current

    def _note_lists(self, writer: Writer, names: Iterable[str], stored: Stamp) -> None:
        """Note in the stamp, with the write itself, under which names lists come.

        A name is noted once, declared or not, so that one that is declared while this write is under way is not
        missed; the lock makes whoever declares it wait for this write, or this write for them.
        """
        names = frozenset(names)
        if names.issubset(stored.list_properties or ()) or not _new_names(names, stored):
            return

        def note(stamp: Stamp) -> Stamp:
            known = known_lists(writer, stamp)
            return replace(stamp, list_properties=(*known, *_new_names(names, replace(stamp, list_properties=known))))

        _under_lock(writer, note)

    def _change_stamp(self, change: Callable[[Writer, Stamp], Stamp]) -> Stamp:
        """Change the stamp in a transaction of its own; return what it says then.

        Raises:
            SchemaError: There is none.
        """

        def work(writer: Writer) -> Stamp | None:
            def step(stamp: Stamp) -> Stamp:
                return change(writer, stamp)

            return _under_lock(writer, step)

        stamp = self._connection.write(
            work, what="schema/write_stamp", timeout_s=self._schema_settings.online_timeout_s
        )
        if stamp is None:
            self._forget_stamp()
            msg = f"the database at {self._connection.where} has no schema of this package; run `graphrag schema apply`"
            raise SchemaError(msg)
        self._stamp = stamp
        return stamp


def _under_lock(writer: Writer, change: Callable[[Stamp], Stamp]) -> Stamp | None:
    """Change the stamp under its lock; return what it says then, None where there is none."""
    rows = writer.run("schema/lock_stamp")
    if not rows:
        return None
    before = parse_stamp(rows[0]["stamp"])
    after = change(before)
    changes = after.changes(before)
    if changes:
        writer.run("schema/write_stamp", properties=changes)
    return after


def known_lists(writer: Writer, stamp: Stamp) -> tuple[str, ...]:
    """Return the names under which some chunk has a list; from the data, where the stamp does not tell of all."""
    known = stamp.list_properties
    if known is not None and len(known) < MAX_LIST_NAMES:
        return known
    found = list_valued_names(writer)
    return (*(known or ()), *_new_names(found, stamp))


def list_valued_names(writer: Writer) -> tuple[str, ...]:
    """Return the names under which some chunk has a list, from the data."""
    rows = writer.run("schema/list_valued_names")
    return tuple(sorted(list_names({str(row["name"]): [] for row in rows})))


def _new_names(names: Iterable[str], stored: Stamp) -> list[str]:
    """Return those that are to be noted beside what is noted."""
    known = stored.list_properties or ()
    new = sorted(set(names).difference(known))
    if len(known) + len(new) <= MAX_LIST_NAMES:
        return new
    return [name for name in new if name in stored.bounded_properties]
