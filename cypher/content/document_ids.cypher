// Ids of documents, for work that goes through all of them.
// $collections: list of str, where the slot `where` uses it.
// $limit: int.
// Slots: where (a predicate over d).
// Returns a row a document, in no order: id, chunk_count (int).
// Needs the index document_collection where collections are given. Oldest server: 5.0.
MATCH (d:Document&Datum)
WHERE d.id IS NOT NULL AND /*<where*/ true /*where>*/
RETURN d.id AS id, coalesce(d.chunk_count, 0) AS chunk_count
LIMIT $limit
