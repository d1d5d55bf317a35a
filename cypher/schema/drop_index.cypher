// Drops one index by name, if it is there.
// Slots: name.
// Oldest server: 5.0.
DROP INDEX /*<name*/ chunk_embedding /*name>*/ IF EXISTS
