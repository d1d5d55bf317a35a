// As text_top, with the chunks themselves: what a search by words shows.
// A writer may change chunks meanwhile, so what is shown is tested once more right before.
// $query: str, Lucene syntax, written by this package.
// $hits: int, how many hits the index is to give.
// $floor: float, lowest raw score to return.
// $top_k: int.
// Slots: where (a predicate over c); hidden.
// Returns one row: seen (int, hits that the index gave), last (float or null, the lowest raw score among them),
// passed (int, hits that the predicate and the floor let through), found (list of maps {id, raw, chunk (without
// vectors)}, in falling raw score (BM25), equal scores by id).
// Needs the full-text index chunk_text. Oldest server: 5.23 (CALL scope). Source: Neo4j Cypher Manual, full-text indexes.
CALL db.index.fulltext.queryNodes('chunk_text', $query, {limit: $hits}) YIELD node, score
WITH collect({node: node, raw: score}) AS hits, count(*) AS seen, min(score) AS last
CALL (hits) {
  UNWIND hits AS hit
  WITH hit.node AS c, hit.raw AS raw
  WHERE raw >= $floor AND c:Datum AND /*<where*/ true /*where>*/
  WITH c, raw ORDER BY raw DESC, c.id ASC
  WITH collect({c: c, raw: raw}) AS passing
  CALL (passing) {
    UNWIND passing[0..$top_k] AS hit
    WITH hit.c AS c, hit.raw AS raw
    WHERE c:Datum AND /*<where*/ true /*where>*/
    WITH c, raw ORDER BY raw DESC, c.id ASC
    RETURN collect({id: c.id, raw: raw, chunk: c {.*, /*<hidden*/ embedding: null /*hidden>*/}}) AS found
  }
  RETURN size(passing) AS passed, found
}
RETURN seen, last, passed, found
