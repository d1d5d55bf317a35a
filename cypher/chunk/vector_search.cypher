// The chunks nearest to a vector. The index is quantized: it gives more candidates than are wanted, and
// their exact similarity decides. Nodes of others that bear the label Chunk are left out.
// $embedding: vector or list of float, unit length.
// $candidates: int, how many the index is to give.
// $floor: float, lowest score to return, (1 + cosine) / 2.
// $top_k: int.
// $collections: list of str, where the slot `where` uses it.
// Slots: index; vector (the property); where (what the index filters by); hidden.
// Returns one row: seen (int, candidates that the index gave), ours (int, how many of them are of this
// package), found (list of maps {chunk (without vectors), score}, in falling score, equal scores by id).
// Needs a vector index. Oldest server: 2026.06 (IN inside SEARCH). Source: Neo4j Cypher Manual, SEARCH.
MATCH (c:Chunk)
SEARCH c IN (
  VECTOR INDEX /*<index*/ chunk_embedding /*index>*/
  FOR $embedding
  /*<where*/ /*where>*/
  LIMIT $candidates
)
WITH collect(c) AS candidates
WITH size(candidates) AS seen, [c IN candidates WHERE c:Datum] AS ours
CALL (ours) {
  UNWIND ours AS c
  WITH c, vector.similarity.cosine(c./*<vector*/embedding/*vector>*/, $embedding) AS score
  WHERE score >= $floor
  ORDER BY score DESC, c.id ASC
  LIMIT $top_k
  RETURN collect({chunk: c {.*, /*<hidden*/ embedding: null /*hidden>*/}, score: score}) AS found
}
RETURN seen, size(ours) AS ours, found
