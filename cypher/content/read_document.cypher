// One document's node, under its write lock.
// $document_id: str.
// Returns at most one row: properties (map).
// Needs the constraint datum_id. Oldest server: 5.0.
MATCH (d:Document&Datum {id: $document_id})
SET d.write_lock = true
WITH d
REMOVE d.write_lock
RETURN properties(d) AS properties
