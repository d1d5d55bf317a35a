// As exact_search, but ids and scores only: a leg of a hybrid search.
// A writer may change chunks meanwhile, so what is shown is tested once more right before.
// $embedding: vector or list of float, unit length.
// $most: int, most chunks to compare.
// $floor: float, lowest score to return, (1 + cosine) / 2.
// $top_k: int.
// Slots: vector (the property); where (a predicate over c).
// Returns one row: matched (int, how many match; $most + 1 stands for more than $most), found (list of maps
// {id, score}, in falling score, equal scores by id; empty where more match),
// listed (the stamp's list of properties that may hold lists; null where not known).
// Needs no index; range indexes of filter properties where the predicate allows. Oldest server: 5.23 (CALL scope).
MATCH (c:Chunk&Datum)
WHERE /*<where*/ true /*where>*/
WITH c LIMIT $most + 1
WITH collect(c) AS matching
CALL (matching) {
  UNWIND CASE WHEN size(matching) > $most THEN [] ELSE matching END AS c
  WITH c, vector.similarity.cosine(c./*<vector*/embedding/*vector>*/, $embedding) AS score
  WHERE score >= $floor
  WITH c, score ORDER BY score DESC, c.id ASC LIMIT $top_k
  WHERE /*<where*/ true /*where>*/
  RETURN collect({id: c.id, score: score}) AS found
}
OPTIONAL MATCH (s:GraphragSchema {id: 'graphrag'})
RETURN size(matching) AS matched, found, s.list_properties AS listed
