// Chunks by id, those that (still) match.
// $ids: list of str.
// Slots: hidden (the vectors, to leave out), where (what must hold of c).
// Returns a row a chunk, in no order: chunk (map without vectors).
// Needs the constraint datum_id. Oldest server: 5.0.
UNWIND $ids AS id
MATCH (c:Chunk&Datum {id: id})
WHERE /*<where*/ true /*where>*/
RETURN c {.*, /*<hidden*/ embedding: null /*hidden>*/} AS chunk
