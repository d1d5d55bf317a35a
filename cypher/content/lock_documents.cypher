// Takes the write lock of each document's node, so that two writers of one document follow each other.
// Makes the node where there is none. Comes first in every write.
// $ids: list of str, sorted (writers that lock in one order do not deadlock).
// $run_id: str, the run of this write where it is a staged one; else empty.
// Returns a row a document: id, created (bool: nothing stood there before), staged (bool: another run of it
// left nodes out of sight), stamp (map: the schema's, or null).
// Needs the constraints datum_id and schema_id and the index staged_run_id. Oldest server: 5.0.
UNWIND $ids AS id
MERGE (d:Datum {id: id})
SET d.write_lock = true
WITH d
REMOVE d.write_lock
OPTIONAL MATCH (schema:GraphragSchema {id: 'graphrag'})
RETURN d.id AS id, d.chunk_count IS NULL AS created,
       EXISTS { MATCH (s:Staged) WHERE s.run_id STARTS WITH d.id + '/' AND s.run_id <> $run_id } AS staged,
       properties(schema) AS stamp
