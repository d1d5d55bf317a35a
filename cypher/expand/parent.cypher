// The section or document right above a chunk or section.
// $id: str.
// $scoped: bool, whether the slot `where` limits what is visible.
// Slots: where (a predicate over c, a chunk that must be visible).
// Returns at most one row: parent (map), labels, visible_chunks (int, of a document in a scope; else null). None
// where the node is not visible.
// Needs the constraint datum_id and the index datum_document_id. Oldest server: 5.9 (quantified paths).
MATCH (n:Datum {id: $id})<-[:HAS_CHILD]-(p:ContentElement)
WHERE NOT $scoped OR EXISTS { MATCH (n)-[:HAS_CHILD]->*(c:Chunk) WHERE /*<where*/ true /*where>*/ }
RETURN properties(p) AS parent, labels(p) AS labels,
       CASE WHEN $scoped AND p:Document
         THEN COUNT { MATCH (c:Chunk&Datum {document_id: p.id}) WHERE /*<where*/ true /*where>*/ }
       END AS visible_chunks
