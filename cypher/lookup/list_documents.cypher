// Documents, by collection, then URI.
// $scoped: bool, whether the slot `visible` limits what is visible.
// $offset: int, how many to pass over.
// $limit: int, most rows.
// Slots: where (a predicate over d); visible (a predicate over c, a chunk that must be visible).
// Returns a row a document: properties (map), visible_chunks (int, in a scope; else null).
// Needs the indexes document_collection (where collections are given) and datum_document_id. Oldest server: 5.0.
MATCH (d:Document&Datum)
WHERE d.id IS NOT NULL AND /*<where*/ true /*where>*/
  AND (NOT $scoped OR EXISTS { MATCH (c:Chunk&Datum {document_id: d.id}) WHERE /*<visible*/ true /*visible>*/ })
WITH d ORDER BY d.collection, d.uri, d.id SKIP $offset LIMIT $limit
RETURN properties(d) AS properties,
       CASE WHEN $scoped
         THEN COUNT { MATCH (c:Chunk&Datum {document_id: d.id}) WHERE /*<visible*/ true /*visible>*/ }
       END AS visible_chunks
ORDER BY d.collection, d.uri, d.id
