// Several chunks, each with its neighbours in its document.
// $ids: list of str.
// $count: int, chunks on each side, at most 20.
// Slots: where (a predicate over c, for the chunks themselves and on every hop); hidden.
// Returns a row a chunk, once however many of $ids it stands around, by document and place: chunk (map without
// vectors), around (list of str, the ids of $ids that it stands around or is).
// Needs the constraint datum_id. Oldest server: 5.9 (quantified paths).
UNWIND $ids AS id
MATCH (c:Chunk&Datum {id: id})
WHERE /*<where*/ true /*where>*/
WITH c AS start
CALL (start) {
  MATCH path = (start) ((:Chunk)-[:NEXT]->(c:Chunk) WHERE /*<where*/ true /*where>*/){0,20} (last:Chunk)
  WHERE length(path) <= $count
  RETURN last AS c
  UNION
  MATCH path = (first:Chunk) ((c:Chunk)-[:NEXT]->(:Chunk) WHERE /*<where*/ true /*where>*/){0,20} (start)
  WHERE length(path) <= $count
  RETURN first AS c
}
WITH c, collect(start.id) AS around
RETURN c {.*, /*<hidden*/ embedding: null /*hidden>*/} AS chunk, around
ORDER BY c.document_id, c.sequence_number
