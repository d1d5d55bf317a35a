// Vectors of chunks by id, of those that match: the one statement that brings vectors out of the database.
// $ids: list of str.
// Slots: vector (the live property), where (what must hold of c).
// Returns a row a chunk that has a vector, in no order: id, embedding (list of float).
// Needs the constraint datum_id. Oldest server: 5.0.
UNWIND $ids AS id
MATCH (c:Chunk&Datum {id: id})
WHERE c./*<vector*/ embedding /*vector>*/ IS NOT NULL AND /*<where*/ true /*where>*/
RETURN c.id AS id, c./*<vector*/ embedding /*vector>*/ AS embedding
