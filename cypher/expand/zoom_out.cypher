// The section or document right above a chunk or section, with what stands below it: headings, and text as far as
// a limit. In one statement, so that a writer has little time to come between.
// $id: str.
// $limit: int, characters: no chunk is read that begins further behind the first one.
// $scoped: bool, whether the slot `where` limits what is visible.
// Slots: where (a predicate over c, a chunk that must be visible).
// Returns at most one row: parent (map), labels, visible_chunks (int, of a document in a scope; else null), below
// (list of maps, sections first, then chunks: id, parent_id, position, title (of a section), level, urtext, start,
// end, sequence_number (of a chunk)). No row where the node is not visible.
// Needs the constraint datum_id and the index datum_document_id. Oldest server: 5.23 (CALL scope).
MATCH (n:Datum {id: $id})<-[:HAS_CHILD]-(root:ContentElement)
WHERE NOT $scoped OR EXISTS { MATCH (n)-[:HAS_CHILD]->*(c:Chunk) WHERE /*<where*/ true /*where>*/ }
CALL (root) {
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
    RETURN c AS n
  }
  RETURN collect(
    n {.id, .parent_id, .position, .title, .level, .urtext, .start, .end, .sequence_number}
  ) AS below
}
RETURN properties(root) AS parent, labels(root) AS labels,
       CASE WHEN $scoped AND root:Document
         THEN COUNT { MATCH (c:Chunk&Datum {document_id: root.id}) WHERE /*<where*/ true /*where>*/ }
       END AS visible_chunks, below
