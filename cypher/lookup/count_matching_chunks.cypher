// Number of chunks of which a predicate is true.
// Slots: where (a predicate over c).
// Returns one row: count (int).
// Needs range indexes of filter properties where the predicate allows. Oldest server: 5.0.
MATCH (c:Chunk&Datum)
WHERE /*<where*/ true /*where>*/
RETURN count(c) AS count
