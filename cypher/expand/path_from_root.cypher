// The way from a document down to one of its sections or chunks, or the document alone.
// $id: str.
// $scoped: bool, whether the slot `where` limits what is visible.
// Slots: where (a predicate over c, a chunk that must be visible); hidden.
// Returns a row an element, the document first: properties (map without vectors), labels, visible_chunks (int, of a
// document in a scope; else null). None where the element is not visible; where it is, so is all above it.
// Needs the constraint datum_id and the index datum_document_id. Oldest server: 5.9 (quantified paths).
MATCH (n:Datum {id: $id})
WHERE (n:Chunk OR n:ContentElement)
  AND (NOT $scoped OR EXISTS { MATCH (n)-[:HAS_CHILD]->*(c:Chunk) WHERE /*<where*/ true /*where>*/ })
MATCH way = (n)<-[:HAS_CHILD]-*(d:Document)
UNWIND range(0, length(way)) AS depth
WITH depth, nodes(way)[length(way) - depth] AS n
RETURN n {.*, /*<hidden*/ embedding: null /*hidden>*/} AS properties, labels(n) AS labels,
       CASE WHEN $scoped AND n:Document
         THEN COUNT { MATCH (c:Chunk&Datum {document_id: n.id}) WHERE /*<where*/ true /*where>*/ }
       END AS visible_chunks
ORDER BY depth
