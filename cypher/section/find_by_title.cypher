// Sections by title, without regard to case.
// $key: str, the title's key (graphrag/stores/neo4j/titles.py).
// $scoped: bool, whether the slot `visible` limits what is visible.
// $limit: int, most rows.
// Slots: where (a predicate over d, the section's document); visible (a predicate over c, a chunk below the section).
// Returns a row a section, by collection, document title, URI, section path, id: properties (map), labels,
// document_title, uri, collection, chunks (int, visible ones below it).
// Needs the index section_title_key and the constraint datum_id. Oldest server: 5.9 (quantified paths).
MATCH (s:Section {title_key: $key})
WHERE s:Datum
MATCH (d:Document&Datum {id: s.document_id})
WHERE /*<where*/ true /*where>*/
  AND (NOT $scoped OR EXISTS { MATCH (s)-[:HAS_CHILD]->+(c:Chunk) WHERE /*<visible*/ true /*visible>*/ })
WITH s, d ORDER BY d.collection, d.title, d.uri, s.section_path, s.id LIMIT $limit
RETURN properties(s) AS properties, labels(s) AS labels, d.title AS document_title, d.uri AS uri,
       d.collection AS collection,
       COUNT { MATCH (s)-[:HAS_CHILD]->+(c:Chunk) WHERE /*<visible*/ true /*visible>*/ } AS chunks
ORDER BY d.collection, d.title, d.uri, s.section_path, s.id
