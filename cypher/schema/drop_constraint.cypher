// Drops one constraint by name, if it is there.
// Slots: name.
// Oldest server: 5.0.
DROP CONSTRAINT /*<name*/ datum_id /*name>*/ IF EXISTS
