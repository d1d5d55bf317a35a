// Number of chunks, from the counts of their documents.
// Slots: where (a predicate over d).
// Returns one row: count (int).
// Needs the index document_collection where collections are given. Oldest server: 5.0.
MATCH (d:Document&Datum)
WHERE /*<where*/ true /*where>*/
RETURN coalesce(sum(d.chunk_count), 0) AS count
