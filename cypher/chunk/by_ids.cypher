// Chunks by id.
// $ids: list of str.
// Slots: hidden (the vectors, to leave out).
// Returns a row a chunk, in no order: chunk (map without vectors).
// Needs the constraint datum_id. Oldest server: 5.0.
UNWIND $ids AS id
MATCH (c:Chunk&Datum {id: id})
RETURN c {.*, /*<hidden*/ embedding: null /*hidden>*/} AS chunk
