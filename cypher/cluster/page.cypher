// Ids of the chunks of which a predicate is true, a page at a time.
// $after: str, the last id of the page before; empty for the first.
// $limit: int, most rows.
// Slots: where (a predicate over c).
// Returns a row a chunk, by id: id.
// Needs the constraint datum_id, which gives the order. Oldest server: 5.0.
MATCH (c:Chunk&Datum)
WHERE c.id > $after AND /*<where*/ true /*where>*/
RETURN c.id AS id
ORDER BY id LIMIT $limit
