// Ids of documents, a page at a time, for work that goes through all of them.
// $after: str, the last id of the page before; empty for the first.
// $scoped: bool, whether the slot `visible` limits what is visible.
// $limit: int.
// Slots: where (a predicate over d); visible (a predicate over c, a chunk that must be visible).
// Returns a row a document, by id: id, chunk_count (int).
// Needs the constraint datum_id and the index datum_document_id. Oldest server: 5.0.
MATCH (d:Document&Datum)
WHERE d.id > $after AND /*<where*/ true /*where>*/
  AND (NOT $scoped OR EXISTS { MATCH (c:Chunk&Datum {document_id: d.id}) WHERE /*<visible*/ true /*visible>*/ })
RETURN d.id AS id, coalesce(d.chunk_count, 0) AS chunk_count
ORDER BY id LIMIT $limit
