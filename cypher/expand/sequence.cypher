// A chunk with its neighbours in its document.
// $id: str.
// $count: int, chunks on each side, at most 20.
// Slots: where (a predicate over c, for the chunk itself and on every hop); hidden.
// Returns a row a chunk, in document order: chunk (map without vectors). None where the chunk is not visible.
// Needs the constraint datum_id. Oldest server: 5.9 (quantified paths).
MATCH (c:Chunk&Datum {id: $id})
WHERE /*<where*/ true /*where>*/
WITH c AS start
CALL (start) {
  MATCH path = (start) ((c:Chunk)-[:NEXT]->(:Chunk) WHERE /*<where*/ true /*where>*/){0,20} (last:Chunk)
  WHERE length(path) <= $count
  RETURN last AS c
  UNION
  MATCH path = (first:Chunk) ((c:Chunk)-[:NEXT]->(:Chunk) WHERE /*<where*/ true /*where>*/){0,20} (start)
  WHERE length(path) <= $count
  RETURN first AS c
}
WITH DISTINCT c
WHERE /*<where*/ true /*where>*/
RETURN c {.*, /*<hidden*/ embedding: null /*hidden>*/} AS chunk
ORDER BY c.sequence_number
