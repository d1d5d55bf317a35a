// The chunks that are nearly equal to each of some chunks. The index is quantized: it gives candidates, and their
// exact similarity decides. Nodes of others that bear the label Chunk are left out. The index is asked without the
// filter, since a thin one would cost it near ones that match.
// $ids: list of str.
// $candidates: int, how many the index is to give for each chunk, itself included.
// $floor: float, lowest score, (1 + cosine) / 2.
// Slots: index; vector (the property); anchor (a predicate over a, each of the chunks); where (a predicate over c, a
// neighbour).
// Returns a row a chunk that is still there and of which `anchor` is true: id, seen (int, candidates that the index
// gave), near (int, how many of them reach the floor, whatever the predicate says), found (list of maps {id, score}
// of those near ones of which the predicate is true, in falling score, equal scores by id).
// Needs a vector index and the constraint datum_id. Oldest server: 2026.06. Source: Neo4j Cypher Manual, SEARCH.
UNWIND $ids AS id
MATCH (a:Chunk&Datum {id: id})
WHERE a./*<vector*/embedding/*vector>*/ IS NOT NULL AND /*<anchor*/ true /*anchor>*/
CALL (a) {
  MATCH (c:Chunk)
  SEARCH c IN (
    VECTOR INDEX /*<index*/ chunk_embedding /*index>*/
    FOR a./*<vector*/embedding/*vector>*/
    LIMIT $candidates
  )
  WITH a, c, vector.similarity.cosine(c./*<vector*/embedding/*vector>*/, a./*<vector*/embedding/*vector>*/) AS score
  ORDER BY score DESC, c.id ASC
  RETURN count(c) AS seen, count(CASE WHEN score >= $floor THEN 1 END) AS near,
         collect(CASE WHEN score >= $floor AND c <> a AND c:Datum AND /*<where*/ true /*where>*/
                   THEN {id: c.id, score: score} END) AS found
}
RETURN id, seen, near, found
