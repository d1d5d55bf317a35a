// Several chunks, each with its neighbours in its document.
// $ids: list of str.
// Slots: where (a predicate over c, for the chunks themselves and on every hop); most (a number, chunks on each side:
// no parameter may stand there, and paths that are cut afterwards are all walked first); hidden.
// Returns a row a chunk, once however many of $ids it stands around, by document and place: chunk (map without
// vectors), around (list of str, the ids of $ids that it stands around or is).
// Needs the constraint datum_id. Oldest server: 5.9 (quantified paths).
UNWIND $ids AS id
MATCH (c:Chunk&Datum {id: id})
WHERE /*<where*/ true /*where>*/
WITH c AS start
CALL (start) {
  MATCH (start) ((:Chunk)-[:NEXT]->(c:Chunk) WHERE /*<where*/ true /*where>*/){0,/*<most*/ 20 /*most>*/} (last:Chunk)
  RETURN last AS c
  UNION
  MATCH (first:Chunk) ((c:Chunk)-[:NEXT]->(:Chunk) WHERE /*<where*/ true /*where>*/){0,/*<most*/ 20 /*most>*/} (start)
  RETURN first AS c
}
WITH c, collect(start.id) AS around
RETURN c {.*, /*<hidden*/ embedding: null /*hidden>*/} AS chunk, around
ORDER BY c.document_id, c.sequence_number
