// Number of sections.
// $scoped: bool, whether the slot `visible` limits what is visible.
// Slots: document (a predicate over d); where (a predicate over s); visible (a predicate over c, a chunk below it).
// Returns one row: count (int).
// Needs the indexes document_collection and datum_document_id. Oldest server: 5.9 (quantified paths).
MATCH (d:Document&Datum)
WHERE /*<document*/ true /*document>*/
MATCH (s:Section&Datum {document_id: d.id})
WHERE /*<where*/ true /*where>*/
  AND (NOT $scoped OR EXISTS { MATCH (s)-[:HAS_CHILD]->+(c:Chunk) WHERE /*<visible*/ true /*visible>*/ })
RETURN count(s) AS count
