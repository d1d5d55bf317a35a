// Which chunks and sections hold links to a document or section, or to a section below it.
// $id: str.
// $scoped: bool, whether the slot `where` limits what is visible: the links' sources, and what they lead to.
// $limit: int, most rows.
// The steps are kept apart, or the planner begins with all links where there are few.
// Slots: where (a predicate over c, a chunk that must be visible); hidden.
// Returns a row a link, by the source's document, its place in it, then the target's id: source_id, target_id,
// properties (map without vectors, of the source), labels, visible_chunks (null).
// Needs the constraint datum_id. Oldest server: 5.9 (quantified paths).
MATCH (n:ContentElement&Datum {id: $id})
WITH n LIMIT 1
MATCH (n)-[:HAS_CHILD]->*(t:Document|Section)
WHERE NOT $scoped OR EXISTS { MATCH (t)-[:HAS_CHILD]->+(c:Chunk) WHERE /*<where*/ true /*where>*/ }
WITH DISTINCT t
MATCH (t)<-[:LINKS_TO]-(s:Chunk|Section)
WHERE s:Datum
  AND (NOT $scoped OR EXISTS { MATCH (s)-[:HAS_CHILD]->*(c:Chunk) WHERE /*<where*/ true /*where>*/ })
WITH DISTINCT s, t
ORDER BY s.document_id, coalesce(s.sequence_number, -1), s.id, t.id LIMIT $limit
RETURN s.id AS source_id, t.id AS target_id,
       s {.*, /*<hidden*/ embedding: null /*hidden>*/} AS properties, labels(s) AS labels, null AS visible_chunks
ORDER BY s.document_id, coalesce(s.sequence_number, -1), s.id, t.id
