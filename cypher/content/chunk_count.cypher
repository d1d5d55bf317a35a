// How many chunks a document has.
// $document_id: str.
// Returns at most one row: chunk_count (int).
// Needs the constraint datum_id. Oldest server: 5.0.
MATCH (d:Document&Datum {id: $document_id})
RETURN coalesce(d.chunk_count, 0) AS chunk_count
