// The chunks nearest to a vector. The index is quantized: it gives more candidates than are wanted. Of those it knows
// the exact similarity, by which they are cut; what is returned is computed once more. Nodes of others that bear the
// label Chunk are left out.
// A writer may change chunks meanwhile, so what is shown is tested once more right before.
// A score of the index that is not the exact one says nothing about the floor, so it cuts by exact scores alone.
// $embedding: vector or list of float, unit length.
// $candidates: int, how many the index is to give.
// $floor: float, lowest score to return, (1 + cosine) / 2.
// $top_k: int.
// $rescore: bool, whether candidates are cut by their exact similarity rather than by the index's score.
// Slots: index; vector (the property); inside (what the index filters by); where (a predicate over c); hidden.
// Returns one row: seen (int, candidates that the index gave), passed (int, how many of them the predicate
// lets through), found (list of maps {chunk (without vectors), score}, in falling score, equal scores by id),
// off (float or null, how far an index's score was from the exact one, of the first $top_k),
// listed (the stamp's list of properties that may hold lists; null where not known), live (str or null, the
// vector index that the stamp names now).
// Needs a vector index. Oldest server: 2026.06 (IN inside SEARCH). Source: Neo4j Cypher Manual, SEARCH.
MATCH (c:Chunk)
SEARCH c IN (
  VECTOR INDEX /*<index*/ chunk_embedding /*index>*/
  FOR $embedding
  /*<inside*/ /*inside>*/
  LIMIT $candidates
) SCORE AS given
WITH count(*) AS seen, collect(CASE WHEN c:Datum AND /*<where*/ true /*where>*/ THEN {c: c, given: given} END) AS passing
CALL (passing) {
  UNWIND passing AS candidate
  WITH candidate.c AS c, candidate.given AS given
  WITH c, given, CASE
    WHEN $rescore THEN vector.similarity.cosine(c./*<vector*/embedding/*vector>*/, $embedding)
    ELSE given
  END AS score
  WHERE score >= $floor OR NOT $rescore
  WITH c, given, score ORDER BY score DESC, c.id ASC LIMIT $top_k
  WITH c, given, vector.similarity.cosine(c./*<vector*/embedding/*vector>*/, $embedding) AS exact
  ORDER BY exact DESC, c.id ASC
  RETURN collect(CASE
    WHEN exact >= $floor AND /*<where*/ true /*where>*/ THEN {chunk: c {.*, /*<hidden*/ embedding: null /*hidden>*/}, score: exact}
  END) AS found, max(abs(exact - given)) AS off
}
OPTIONAL MATCH (s:GraphragSchema {id: 'graphrag'})
RETURN seen, size(passing) AS passed, found, off, s.list_properties AS listed, s.vector_index AS live
