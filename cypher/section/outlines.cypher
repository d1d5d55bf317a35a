// The tables of contents of documents.
// $scoped: bool, whether the slot `visible` limits what is visible.
// $limit: int, most documents.
// $sections: int, most sections of all of them together.
// Slots: where (a predicate over d); visible (a predicate over c, a chunk that must be visible).
// Returns one row: documents (list of maps {properties, visible_chunks (int, in a scope; else null)}, by collection,
// title, URI, id), sections (list of maps {document_id, properties, labels, chunks (int, visible ones below it)}, by
// document as listed, then in its order).
// Needs the indexes document_collection (where collections are given) and datum_document_id. Oldest server: 5.23.
MATCH (d:Document&Datum)
WHERE d.id IS NOT NULL AND /*<where*/ true /*where>*/
  AND (NOT $scoped OR EXISTS { MATCH (c:Chunk&Datum {document_id: d.id}) WHERE /*<visible*/ true /*visible>*/ })
WITH d ORDER BY d.collection, d.title, d.uri, d.id LIMIT $limit
WITH collect(d) AS found
CALL (found) {
  UNWIND range(0, size(found) - 1) AS number
  WITH number, found[number] AS d
  MATCH (d) (()-[links:HAS_CHILD]->(:Section))+ (s)
  WHERE NOT $scoped OR EXISTS { MATCH (s)-[:HAS_CHILD]->+(c:Chunk) WHERE /*<visible*/ true /*visible>*/ }
  WITH number, s, [link IN links | link.position] AS places
  ORDER BY number, places LIMIT $sections
  RETURN collect({
    document_id: s.document_id, properties: properties(s), labels: labels(s),
    chunks: COUNT { MATCH (s)-[:HAS_CHILD]->+(c:Chunk) WHERE /*<visible*/ true /*visible>*/ }
  }) AS sections
}
RETURN [d IN found | {
         properties: properties(d),
         visible_chunks: CASE WHEN $scoped
           THEN COUNT { MATCH (c:Chunk&Datum {document_id: d.id}) WHERE /*<visible*/ true /*visible>*/ }
         END
       }] AS documents, sections
