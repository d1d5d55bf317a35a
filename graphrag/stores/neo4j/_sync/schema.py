# Generated from graphrag/stores/neo4j/_async/schema.py by tools/generate_sync.py; do not edit.
"""Making, checking, migrating and dropping the schema."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

from graphrag.cypher import PlainWord, plain_word
from graphrag.errors import ConfigurationError, SchemaError
from graphrag.stores.neo4j._sync.connection import Writer
from graphrag.stores.neo4j._sync.guarding import GuardedPart, list_valued_names
from graphrag.stores.neo4j._sync.long_values import check_long_values
from graphrag.stores.neo4j.filterable import COLLECTION, FILTERABLE, adopt, is_filterable, our_vector_indexes
from graphrag.stores.neo4j.indexes import Finding, IndexSpec, IndexState, compare, expected_indexes, parse_indexes
from graphrag.stores.neo4j.stamp import SCHEMA_VERSION, DamagedStampError, Stamp, parse_stamp
from graphrag.stores.neo4j.titles import title_key

__all__ = ["Neo4jSchema"]

_TITLE_PAGE = 2_000

_REMEDIES = {
    "missing": "run `graphrag schema apply`",
    "different": (
        "configure what it was made with; or drop or rename what stands there and run `graphrag schema apply`, "
        "which drops those of this package's own names by itself with `--rebuild`"
    ),
    "failed": "run `graphrag schema apply --rebuild`",
    "populating": "wait until it is online",
}


class Neo4jSchema(GuardedPart):
    """Constraints, indexes, and the stamp that says with which settings they were made."""

    def schema_status(self) -> tuple[Stamp | None, list[Finding]]:
        """Return the stamp that stands in the database, and how each constraint and index stands.

        Without a stamp the list is of the schema that the settings ask for, with the embedder's dimensions.

        Raises:
            ConfigurationError: There is no stamp, and no embedder to tell the dimensions.
            StoreError: The store failed.
        """
        stamp = self._read_stamp()
        wanted = stamp or self._wanted_stamp()
        return stamp, self._findings(wanted)

    def apply_schema(self, *, rebuild: bool = False) -> list[Finding]:
        """Make what is missing, wait until it is online, and stamp the schema. Safe to repeat.

        Args:
            rebuild: Drop and make again those of our indexes that failed or have another shape. The data
                stay; searches of that kind fail while the index is built.

        Returns:
            How each stood before.

        Raises:
            SchemaError: An index of one of our names has another shape, other dimensions or another
                analyzer, or failed, and `rebuild` is not set; or the stamp names other settings.
            StoreError: The store failed.
        """
        stamp = self._read_stamp_or_none()
        if stamp is not None:
            stamp.check_version()
            self._check_declared(stamp)
        wanted = self._wanted_stamp(stamp)
        self._check_analyzer(wanted.analyzer)
        if stamp is None:
            self._check_models(wanted)
            check_long_values(
                self._connection, wanted.filter_properties, timeout_s=self._schema_settings.online_timeout_s
            )
            wanted = adopt(self._indexes(), wanted)
        before = self._findings(wanted)
        if not rebuild:
            _refuse([finding for finding in before if finding.state in {"different", "failed"}])
        self._make(wanted, before)
        self._await_online(expected_indexes(wanted))
        _refuse([finding for finding in self._findings(wanted) if finding.state != "ok"])
        if stamp is None or not stamp.section_titles:
            self._key_titles()
        if stamp is None:
            self._first_stamp(wanted)
        elif stamp != wanted:
            self._change_settings(wanted)
        return before

    def migrate_schema(self) -> tuple[int, int]:
        """Bring an older schema to this package's version; return the versions before and after.

        Raises:
            SchemaError: There is no schema, or it is newer than this package.
        """
        stamp = self._read_stamp()
        if stamp is None:
            msg = f"the database at {self._connection.where} has no schema to migrate; run `graphrag schema apply`"
            raise SchemaError(msg)
        if stamp.version > SCHEMA_VERSION:
            stamp.check_version()
        # Version 1 is the first; each later one adds its step here, from `cypher/migrate/`.
        if stamp.version != SCHEMA_VERSION:
            self._change_settings(replace(stamp, version=SCHEMA_VERSION))
        return stamp.version, SCHEMA_VERSION

    def drop_schema(self) -> list[str]:
        """Drop all constraints and indexes of ours and the stamp; return their names. The data stay.

        Raises:
            StoreError: The store failed.
        """
        stamp = self._read_stamp_or_none() or self._wanted_stamp()
        found = self._indexes()
        dropped: list[str] = []
        for spec in reversed(expected_indexes(stamp)):
            if compare(spec, found).state in {"ok", "failed", "populating"}:
                self._drop(spec.name)
                dropped.append(spec.name)
        for name in our_vector_indexes(found, stamp):  # of a change of the filter properties that was cut off
            if name != stamp.vector_index:
                self._drop(plain_word(name))
                dropped.append(name)

        def forget(writer: Writer) -> None:
            writer.run("schema/delete_stamp")

        self._connection.write(forget, what="schema/delete_stamp")
        self._forget_stamp()
        return dropped

    def prepare(self, *, dry_run: bool = False) -> None:
        """Make the schema where there is none, and check it where there is one, before the first write.

        Args:
            dry_run: Make nothing.

        Raises:
            SchemaError: The embedder's model or dimensions differ from those of the stored vectors, or a
                constraint or index is missing, failed or of another shape; the message names the remedy.
        """
        stamp = self._read_stamp()
        if stamp is None:
            if not dry_run:
                self.apply_schema()
            return
        stamp.check_version()
        if self._embedder is not None:
            stamp.check_embedder(self._embedder)
        self._check_settings(stamp)
        _refuse([f for f in self._findings(stamp) if f.state in {"missing", "different", "failed"}])

    def _check_settings(self, stamp: Stamp) -> None:
        self._check_analyzer_of(stamp)
        self._check_declared(stamp)

    def _check_declared(self, stamp: Stamp) -> None:
        lacking = [name for name in self._schema_settings.filter_properties if name not in stamp.filter_properties]
        if lacking:
            msg = (
                f"the vector index cannot filter by {', '.join(f'`{name}`' for name in lacking)}, which "
                f"`schema.filter_properties` asks for; run `graphrag schema filters add {' '.join(lacking)}`"
            )
            raise SchemaError(msg)

    def _read_stamp_or_none(self) -> Stamp | None:
        """Return the stamp; None where it is damaged too, since making the schema writes it anew."""
        try:
            return self._read_stamp()
        except DamagedStampError:
            return None

    def _check_models(self, wanted: Stamp) -> None:
        """Refuse to stamp a model beside vectors of another one, where no stamp tells whose they are."""
        rows = self._connection.read("schema/other_model", {"model_id": wanted.model_id})
        if rows:
            msg = (
                f"the database holds vectors of the model `{rows[0]['model']}`, the configured one is "
                f"`{wanted.model_id}`; vectors of two models cannot be compared: configure the first, or delete the "
                "documents (`graphrag clear --all`) and ingest again"
            )
            raise SchemaError(msg)

    def _wanted_stamp(self, stamp: Stamp | None = None) -> Stamp:
        """Return the stamp that the settings ask for; what is stored says dimensions and model."""
        filters = tuple(dict.fromkeys((COLLECTION, *self._schema_settings.filter_properties)))
        for name in filters:
            if not is_filterable(name):
                msg = (
                    f"setting `schema.filter_properties` names `{name}`, a property of this package that a search "
                    f"cannot filter by; it takes names of metadata, and {', '.join(sorted(FILTERABLE))}"
                )
                raise ConfigurationError(msg)
        if stamp is not None:
            if self._embedder is not None:
                stamp.check_embedder(self._embedder)
            analyzer = self._schema_settings.analyzer
            return replace(stamp, version=SCHEMA_VERSION, analyzer=analyzer, section_titles=True)
        embedder = self._embedder
        if embedder is None:
            msg = "the dimensions of the vector index come from the embedding model; open the store with an embedder"
            raise ConfigurationError(msg)
        return Stamp(
            version=SCHEMA_VERSION,
            dimensions=embedder.dimensions,
            model_id=embedder.model_id,
            analyzer=self._schema_settings.analyzer,
            filter_properties=filters,
            section_titles=True,
        )

    def _findings(self, stamp: Stamp) -> list[Finding]:
        found = self._indexes()
        return [compare(spec, found) for spec in expected_indexes(stamp)]

    def _indexes(self) -> dict[str, IndexState]:
        return parse_indexes(self._connection.read("schema/show_indexes"))

    def _check_analyzer(self, analyzer: str) -> None:
        rows = self._connection.read("schema/list_analyzers")
        known = [str(row["analyzer"]) for row in rows]
        if analyzer not in known:
            msg = f"setting `schema.analyzer` is `{analyzer}`, which this server lacks; it has {', '.join(known)}"
            raise ConfigurationError(msg)

    def _make(self, stamp: Stamp, before: Sequence[Finding]) -> None:
        states = {finding.name: finding.state for finding in before}
        wrong = [spec for spec in expected_indexes(stamp) if states[spec.name] in {"different", "failed"}]
        for spec in wrong:
            self._drop(spec.name)
        if wrong:
            # What still differs bears another name than ours, and is not ours to drop.
            _refuse([finding for finding in self._findings(stamp) if finding.state == "different"])
        for spec in expected_indexes(stamp):
            if spec not in wrong and states[spec.name] != "missing":
                continue
            self._create(spec)

    def _create(self, spec: IndexSpec) -> None:
        """Make it, where nothing of its name or shape is there."""
        try:
            self._connection.run_outside(
                spec.statement, spec.parameters(), slots=spec.slots(), timeout_s=self._schema_settings.online_timeout_s
            )
        except SchemaError:
            # Two programs that make it in the same moment: the server refuses the later one, IF NOT EXISTS or not.
            if compare(spec, self._indexes()).state == "missing":
                raise

    def _drop(self, name: PlainWord) -> None:
        """Drop what bears this name: a constraint with its index, or an index."""
        for statement in ("schema/drop_constraint", "schema/drop_index"):
            self._connection.run_outside(
                statement, slots={"name": name}, timeout_s=self._schema_settings.online_timeout_s
            )

    def _await_online(self, specs: Iterable[IndexSpec]) -> None:
        """Wait for our own indexes: one of others that failed is no matter of ours."""
        ends = time.monotonic() + self._schema_settings.online_timeout_s
        for spec in specs:
            left_s = max(1, int(ends - time.monotonic()))
            self._connection.read("schema/await_index", {"name": spec.name, "timeout_s": left_s}, timeout_s=left_s + 5)

    def _key_titles(self) -> None:
        """Give each section that an older package wrote the key of its title; those written meanwhile have theirs."""
        after = ""
        while True:
            rows = self._connection.read("section/without_key", {"after": after, "limit": _TITLE_PAGE})
            if not rows:
                return
            keyed = [{**row, "key": title_key(str(row["title"]))} for row in rows]

            def write(writer: Writer, keyed: list[dict[str, object]] = keyed) -> None:
                writer.run("section/set_keys", rows=keyed)

            self._connection.write(write, what="section/set_keys")
            after = str(rows[-1]["id"])

    def _first_stamp(self, stamp: Stamp) -> None:
        """Stamp a new schema, unless another program has just done so with other settings."""

        def write(writer: Writer) -> Stamp:
            whole = replace(stamp, list_properties=list_valued_names(writer)).properties()
            try:
                return parse_stamp((writer.run("schema/create_stamp", properties=whole))[0]["stamp"])
            except DamagedStampError:
                writer.run("schema/write_stamp", properties=whole)
                return parse_stamp(whole)

        stored = self._connection.write(
            write, what="schema/create_stamp", timeout_s=self._schema_settings.online_timeout_s
        )
        self._stamp = stored
        if stored.model_id != stamp.model_id:
            stored.check_version()
            msg = (
                f"another program has just made the schema for the model `{stored.model_id}`, the configured one is "
                f"`{stamp.model_id}`; vectors of two models cannot be compared: configure one of them everywhere"
            )
            raise SchemaError(msg)

    def _change_settings(self, wanted: Stamp) -> None:
        def change(_: Writer, stamp: Stamp) -> Stamp:
            titles = wanted.section_titles or stamp.section_titles
            return replace(stamp, version=wanted.version, analyzer=wanted.analyzer, section_titles=titles)

        self._change_stamp(change)


def _refuse(findings: Sequence[Finding]) -> None:
    if findings:
        what = "; ".join(f"{f.type} `{f.name}` is {f.state}{': ' + f.detail if f.detail else ''}" for f in findings)
        remedies = "; ".join(dict.fromkeys(_REMEDIES[f.state] for f in findings))
        msg = f"the schema does not fit: {what}. Remedy: {remedies}"
        raise SchemaError(msg)
