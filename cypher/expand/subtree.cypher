// What stands below an element: headings, and text as far as a limit.
// $id: str, of a section or document.
// $limit: int, characters: no chunk is read that begins further behind the first one.
// $scoped: bool, whether the slot `where` limits what is visible.
// Slots: where (a predicate over c).
// Returns a row a section or chunk, sections first, then chunks in document order: id, parent_id, position,
// title (of a section), level, urtext, start, end, sequence_number (of a chunk).
// Needs the constraint datum_id. Oldest server: 5.9 (quantified paths).
MATCH (root:Datum {id: $id})
CALL (root) {
  MATCH (root)-[:HAS_CHILD]->+(s:Section)
  WHERE NOT $scoped OR EXISTS { MATCH (s)-[:HAS_CHILD]->+(c:Chunk) WHERE /*<where*/ true /*where>*/ }
  RETURN s AS n LIMIT $limit
  UNION ALL
  MATCH (root)-[:HAS_CHILD]->+(c:Chunk)
  WHERE /*<where*/ true /*where>*/
  WITH min(c.start) AS first
  MATCH (root)-[:HAS_CHILD]->+(c:Chunk)
  WHERE c.start <= first + $limit AND /*<where*/ true /*where>*/
  RETURN c AS n ORDER BY c.sequence_number
}
RETURN n.id AS id, n.parent_id AS parent_id, n.position AS position, n.title AS title, n.level AS level,
       n.urtext AS urtext, n.start AS start, n.end AS end, n.sequence_number AS sequence_number
