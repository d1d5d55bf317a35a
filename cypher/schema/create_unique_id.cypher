// One id is one node: makes every lookup by id an index seek, and a second writer wait for the first.
// Slots: name and label of the constraint.
// Oldest server: 5.0.
CREATE CONSTRAINT /*<name*/ datum_id /*name>*/ IF NOT EXISTS
FOR (n:/*<label*/Datum/*label>*/) REQUIRE n.id IS UNIQUE
