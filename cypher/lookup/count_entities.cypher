// Number of named entities.
// $scoped: bool, whether the slots `visible` and `own` limit what is visible.
// Slots: where (a predicate over e); visible (a predicate over c, a chunk that mentions it); own (what the scope
// asks of chunks, over e).
// Returns one row: count (int).
// Oldest server: 5.0.
MATCH (e:NamedEntity&Datum)
WHERE /*<where*/ true /*where>*/ AND (
  NOT $scoped
  OR EXISTS { MATCH (c:Chunk&Datum)-[:MENTIONS]->(e) WHERE /*<visible*/ true /*visible>*/ }
  OR (e.origin = 'application' AND /*<own*/ true /*own>*/)
)
RETURN count(e) AS count
