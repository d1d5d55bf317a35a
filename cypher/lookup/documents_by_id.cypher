// Documents by id.
// $ids: list of str.
// $scoped: bool, whether the slot `visible` limits what is visible.
// Slots: visible (a predicate over c, a chunk that must be visible).
// Returns a row a document, in no order: properties (map), visible_chunks (int, in a scope; else null).
// Needs the constraint datum_id and the index datum_document_id. Oldest server: 5.0.
UNWIND $ids AS id
MATCH (d:Document&Datum {id: id})
WHERE NOT $scoped OR EXISTS { MATCH (c:Chunk&Datum {document_id: d.id}) WHERE /*<visible*/ true /*visible>*/ }
RETURN properties(d) AS properties,
       CASE WHEN $scoped
         THEN COUNT { MATCH (c:Chunk&Datum {document_id: d.id}) WHERE /*<visible*/ true /*visible>*/ }
       END AS visible_chunks
