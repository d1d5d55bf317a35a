// The section or document right above a chunk or section, with what stands below it: headings, and text as far as
// a limit. In one statement, so that a writer has little time to come between.
// $id: str.
// $limit: int, characters: visible chunks are read in the order of the document until they have so many, each
// counted once where chunks overlap.
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
    WITH c ORDER BY c.start
    WITH collect(c) AS visible
    UNWIND visible[..reduce(read = {count: 0, length: 0, end: 0}, c IN visible | CASE
      WHEN read.length >= $limit THEN read
      WHEN c.end <= read.end THEN {count: read.count + 1, length: read.length, end: read.end}
      ELSE {
        count: read.count + 1,
        length: read.length + c.end - CASE WHEN c.start > read.end THEN c.start ELSE read.end END,
        end: c.end
      }
    END).count] AS c
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
