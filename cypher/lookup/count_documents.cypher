// Number of documents.
// $scoped: bool, whether the slot `visible` limits what is visible.
// Slots: where (a predicate over d); visible (a predicate over c, a chunk that must be visible).
// Returns one row: count (int).
// Needs the indexes document_collection (where collections are given) and datum_document_id. Oldest server: 5.0.
MATCH (d:Document&Datum)
WHERE /*<where*/ true /*where>*/
  AND (NOT $scoped OR EXISTS { MATCH (c:Chunk&Datum {document_id: d.id}) WHERE /*<visible*/ true /*visible>*/ })
RETURN count(d) AS count
