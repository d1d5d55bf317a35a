// Where the links lead that stand in a chunk, or in a section or document with all below it.
// $id: str.
// $scoped: bool, whether the slot `where` limits what is visible: the links' sources, and what they lead to.
// $limit: int, most rows.
// The steps are kept apart, or the planner begins with all links where there are few.
// Slots: where (a predicate over c, a chunk that must be visible).
// Returns a row a link, by its place in the document, then the target's id: source_id, target_id, properties (map, of
// the target), labels, visible_chunks (int, of a document in a scope; else null).
// Needs the constraint datum_id and the index datum_document_id. Oldest server: 5.9 (quantified paths).
MATCH (n:Datum {id: $id})
WITH n LIMIT 1
MATCH (n)-[:HAS_CHILD]->*(s:Chunk|Section)
WHERE NOT $scoped OR EXISTS { MATCH (s)-[:HAS_CHILD]->*(c:Chunk) WHERE /*<where*/ true /*where>*/ }
WITH DISTINCT s
MATCH (s)-[:LINKS_TO]->(t:Document|Section)
WHERE t:Datum
  AND (NOT $scoped OR EXISTS { MATCH (t)-[:HAS_CHILD]->+(c:Chunk) WHERE /*<where*/ true /*where>*/ })
WITH DISTINCT s, t
ORDER BY coalesce(s.sequence_number, -1), s.id, t.id LIMIT $limit
RETURN s.id AS source_id, t.id AS target_id, properties(t) AS properties, labels(t) AS labels,
       CASE WHEN $scoped AND t:Document
         THEN COUNT { MATCH (c:Chunk&Datum {document_id: t.id}) WHERE /*<where*/ true /*where>*/ }
       END AS visible_chunks
ORDER BY coalesce(s.sequence_number, -1), s.id, t.id
