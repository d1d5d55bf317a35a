// As vector_search, but ids and scores only: a leg of a hybrid search.
// A writer may change chunks meanwhile, so what is shown is tested once more right before.
// $embedding: vector or list of float, unit length.
// $candidates: int, how many the index is to give.
// $floor: float, lowest score to return, (1 + cosine) / 2.
// $top_k: int.
// Slots: index; vector (the property); inside (what the index filters by); where (a predicate over c).
// Returns one row: seen (int, candidates that the index gave), passed (int, how many of them the predicate
// lets through), found (list of maps {id, score}, in falling score, equal scores by id),
// listed (the stamp's list of properties that may hold lists; null where not known), live (str or null, the
// vector index that the stamp names now).
// Needs a vector index. Oldest server: 2026.06 (IN inside SEARCH). Source: Neo4j Cypher Manual, SEARCH.
MATCH (c:Chunk)
SEARCH c IN (
  VECTOR INDEX /*<index*/ chunk_embedding /*index>*/
  FOR $embedding
  /*<inside*/ /*inside>*/
  LIMIT $candidates
)
WITH collect(c) AS candidates
WITH size(candidates) AS seen, [c IN candidates WHERE c:Datum AND /*<where*/ true /*where>*/] AS passing
CALL (passing) {
  UNWIND passing AS c
  WITH c, vector.similarity.cosine(c./*<vector*/embedding/*vector>*/, $embedding) AS score
  WHERE score >= $floor
  WITH c, score ORDER BY score DESC, c.id ASC LIMIT $top_k
  WHERE /*<where*/ true /*where>*/
  RETURN collect({id: c.id, score: score}) AS found
}
OPTIONAL MATCH (s:GraphragSchema {id: 'graphrag'})
RETURN seen, size(passing) AS passed, found, s.list_properties AS listed, s.vector_index AS live
