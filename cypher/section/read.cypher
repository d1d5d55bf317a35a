// A section with what stands below it: headings, and text as far as a limit.
// $id: str.
// $limit: int, characters: visible chunks are read in the order of the document until they have so many, each
// counted once where chunks overlap.
// $scoped: bool, whether the slot `visible` limits what is visible.
// Slots: where (a predicate over d, the section's document); visible (a predicate over c, a chunk below the section).
// Returns at most one row: properties (map), labels, document_title, uri, collection, chunks (int, visible ones below
// it), below (list of maps, sections first, then chunks: id, parent_id, position, title (of a section), level, urtext,
// start, end, sequence_number (of a chunk)). None where the section is not visible.
// Needs the constraint datum_id. Oldest server: 5.23 (CALL scope).
MATCH (s:Section&Datum {id: $id})
MATCH (d:Document&Datum {id: s.document_id})
WHERE /*<where*/ true /*where>*/
  AND (NOT $scoped OR EXISTS { MATCH (s)-[:HAS_CHILD]->+(c:Chunk) WHERE /*<visible*/ true /*visible>*/ })
CALL (s) {
  CALL (s) {
    MATCH (s)-[:HAS_CHILD]->+(inner:Section)
    WHERE NOT $scoped OR EXISTS { MATCH (inner)-[:HAS_CHILD]->+(c:Chunk) WHERE /*<visible*/ true /*visible>*/ }
    RETURN inner AS n LIMIT $limit
    UNION ALL
    MATCH (s)-[:HAS_CHILD]->+(c:Chunk)
    WHERE /*<visible*/ true /*visible>*/
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
RETURN properties(s) AS properties, labels(s) AS labels, d.title AS document_title, d.uri AS uri,
       d.collection AS collection,
       COUNT { MATCH (s)-[:HAS_CHILD]->+(c:Chunk) WHERE /*<visible*/ true /*visible>*/ } AS chunks, below
