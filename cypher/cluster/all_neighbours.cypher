// As neighbours, for one chunk and without the vector index: compares all that match, for a chunk which has so many
// near ones that the index does not give all of them.
// $id: str.
// $floor: float, lowest score, (1 + cosine) / 2.
// Slots: vector (the property); anchor (a predicate over a, the chunk); where (a predicate over c, a neighbour).
// Returns at most one row: found (list of maps {id, score}, in falling score, equal scores by id).
// Needs the constraint datum_id; range indexes of filter properties where the predicate allows. Oldest server: 5.23.
MATCH (a:Chunk&Datum {id: $id})
WHERE a./*<vector*/embedding/*vector>*/ IS NOT NULL AND /*<anchor*/ true /*anchor>*/
CALL (a) {
  MATCH (c:Chunk&Datum)
  WHERE c <> a AND /*<where*/ true /*where>*/
  WITH c, vector.similarity.cosine(c./*<vector*/embedding/*vector>*/, a./*<vector*/embedding/*vector>*/) AS score
  WHERE score >= $floor
  WITH c, score ORDER BY score DESC, c.id ASC
  RETURN collect({id: c.id, score: score}) AS found
}
RETURN found
