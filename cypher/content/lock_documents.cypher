// Takes the write lock of each document's node, so that two writers of one document follow each other.
// Makes the node where there is none. Comes first in every write.
// $ids: list of str, sorted (writers that lock in one order do not deadlock).
// Returns a row a document: id, created (bool: nothing stood there before).
// Needs the constraint datum_id. Oldest server: 5.0.
UNWIND $ids AS id
MERGE (d:Datum {id: id})
SET d.write_lock = true
WITH d
REMOVE d.write_lock
RETURN d.id AS id, d.chunk_count IS NULL AS created
